/** Reports a unique value, such as a priority, that an object of the tenant already has; the apply would fail. */
import { attributePath } from "../cty/path";
import type { Code } from "../impact/effect";
import type { Diagnostic } from "../sdk/diagnostic";
import type { ReviewContext } from "../sdk/resource";
import { createHash } from "node:crypto";
import { isWhollyKnown, type Value } from "../cty/value";
import type { Kind } from "../kinds/kind";
import type { Known } from "../sdk/definition";
import type { Tenant } from "../tenant/tenant";
import type { Engine } from "./engine";

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

/* The values that a tenant has only once, and the object of the tenant that has them. */

/** An object of the tenant. */
export interface Existing {
  readonly id: string;
}

/** How the objects of a kind exclude each other. The service refuses a second object with the same key. */
export interface UniqueKey<T extends Existing = Existing> {
  readonly kind: Kind;
  /** The finding that docs/guides/findings.md explains. */
  readonly code?: Code;
  /** Besides the key, the attributes that an object has in common with the new object that adopts it. */
  readonly content: readonly string[];
  /** The object with the key of a planned one, from the requests that the calls of this process share. */
  holder(tenant: Tenant, planned: Known): Promise<T | undefined>;
  /** How messages call a new object, or the object with the id: `a new policy (…)`. */
  titleOf(planned: Known, id?: unknown): string;
  /** The name of an existing object in parentheses. */
  called(existing: T): string;
}

export function placeOf({ kind, code }: UniqueKey, planned: Known): Place {
  const key = kind.uniqueKey.at(-1)!;
  return { kind: kind.noun, key, value: planned[key] as string | number, ...(code && { code }) };
}

export function holderOf<T extends Existing>(
  unique: UniqueKey<T>,
  existing: T,
  planned: Known,
  engine: Engine,
): Holder {
  const { id } = existing;
  return {
    id,
    called: unique.called(existing),
    same: engine.canAdopt && contentHash(unique, planned) === contentHash(unique, { ...(existing as object) }),
    importCommand: engine.importCommand(unique.kind.type, id),
  };
}

/** Undefined if part of the object is known only after apply. */
export function contentHash({ kind, content: names }: UniqueKey, object: Known): string | undefined {
  const content = Object.fromEntries([...kind.uniqueKey, ...names].map((name) => [name, object[name]]));
  if (!isWhollyKnown(content as Value)) return undefined;
  return createHash("sha256")
    .update(JSON.stringify(sorted(content)))
    .digest("base64");
}

/** The same value with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.map(([key, each]) => [key, sorted(each)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
