/** Reports a unique value, such as a priority, that an object of the tenant already has; the apply would fail. */
import { attributePath } from "../cty/path";
import type { Code } from "../impact/effect";
import type { Diagnostic } from "../sdk/diagnostic";
import type { ReviewContext } from "../sdk/resource";

export interface Place {
  /** How people call the objects: `network ACL`. */
  readonly kind: string;
  /** The attribute whose value is the place. */
  readonly key: string;
  readonly value: string | number;
  /** The finding that docs/guides/findings.md explains. */
  readonly code?: Code;
}

export interface Claimant {
  /** The object that needs the value: `a new ACL ("Office")`. */
  readonly title: string;
  /** Its id, or that of the object that it replaces. */
  readonly id?: unknown;
  /** Terraform destroys the replaced object first, so it would be lost if the new one could not be made. */
  readonly replaces?: boolean;
}

export interface Holder {
  readonly id: string;
  /** The name that people know. */
  readonly called: string;
  /** Whether it is identical to the new object, so that Terraform can adopt it. */
  readonly same: boolean;
  /** Imports the object. */
  readonly importCommand: string;
}

type Review = Pick<ReviewContext<unknown>, "plan" | "report">;

/** Reports a holder that stays. The plan may move or destroy a managed holder, so the review of that holder decides. */
export async function reportConflict(place: Place, claimant: Claimant, holder: Holder, context: Review): Promise<void> {
  const { plan, report } = context;
  const { kind, key, value } = place;
  const { id, called, same } = holder;
  if (id === claimant.id) return;
  const isNew = claimant.id === undefined || claimant.replaces === true;
  const isTaken = () => (plan.phase !== "apply" && !plan.knows({ id }) ? `\`${key}\` is ${value}` : undefined);
  if (same && claimant.id === undefined) {
    if (!isTaken()) return;
    report({
      severity: "warning",
      code: ["TNF-ADOPTION", kind],
      detail:
        `The tenant already has ${kind} ${id} (${called}), which is identical to ${claimant.title}. Terraform will manage this object ` +
        "and create no duplicate.",
    });
    return;
  }
  const problem = () => isTaken() && conflictWords(place, claimant, holder);
  const topic = `taken ${kind}${claimant.replaces ? " in a replacement" : ""}`;
  // At -parallelism=1, the ACL that frees the value may come later, and then the move succeeds.
  const { found: taken, isComplete } = await plan.gathered(topic, problem, () => isNew || !plan.isAlone());
  if (taken.length === 0) return;
  report(takenReport(place, taken, claimant, isComplete));
}

/** Reports conflicts on one key. `isComplete`: no other change of the plan frees the values. */
export function takenReport(
  place: Place,
  taken: readonly string[],
  claimant: Pick<Claimant, "replaces">,
  isComplete: boolean,
): Diagnostic {
  const { key } = place;
  const alone = taken.length === 1;
  const list = alone ? taken[0]! : taken.map((each) => `- ${each}`).join("\n");
  const remedy = `give ${alone ? "one of the two" : "them"} another ${key}.`;
  const isRefused = isComplete || claimant.replaces;
  return {
    severity: isRefused ? "error" : "warning",
    code: alone ? ["TNF-TAKEN", key] : ["TNF-SEVERAL-TAKEN", String(taken.length), key],
    detail:
      `${list}\n\n${consequenceOf(place, claimant, isComplete)} ` +
      (isRefused
        ? `${isComplete ? "Import" : unseen} ${alone ? "the existing object" : "the existing objects"}, or ${remedy} Nothing was changed.`
        : `Otherwise, ${remedy}`),
    path: attributePath(key),
  };
}

/** For a refusal: the rest of the plan may prevent the problem if Terraform makes one call at a time. */
export const conditionOf = ({ isAlone }: Pick<ReviewContext<unknown>["plan"], "isAlone">): string =>
  isAlone() ? " If another change of this plan prevents this, plan with -parallelism=2 or more." : "";

/** With few parallel calls, a change that frees the value may come later. */
const unseen = "If another change of this plan frees it, plan with -parallelism=2 or more. Otherwise import";

export function conflictWords(
  { kind, key, value, code }: Place,
  { title }: Pick<Claimant, "title">,
  { id, called, importCommand, same = false }: Omit<Holder, "same"> & Partial<Pick<Holder, "same">>,
): string {
  const remedy = same
    ? `It is identical to the planned one, so an interrupted apply probably made it. To keep it, take the old ${kind} out of the state ` +
      "(terraform state rm), delete that one on the tenant, and import this one"
    : `If this configuration does not manage that ${kind}, import it`;
  return (
    `\`${key}\` is ${JSON.stringify(value)} for ${title}, but ${kind} ${id} (${called}) already has it` +
    `${code === undefined ? "" : ` [${code}]`}. ${remedy}: ${importCommand}`
  );
}

function consequenceOf({ kind, key }: Place, { replaces }: Pick<Claimant, "replaces">, isComplete: boolean): string {
  if (replaces) return `Terraform destroys the replaced ${kind} first, and could not make the new one.`;
  if (isComplete) return `No other change of this plan frees the ${key}.`;
  return `The apply fails if no other change of this plan frees the ${key}.`;
}
