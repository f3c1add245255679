/**
 * Values that a tenant has only once, such as a priority. Reports a planned value that another resource of the plan has too, or an object
 * of the tenant, because the apply would fail.
 */
import { isFinding, type Titled } from "../codes/codes";
import { attributePath } from "../cty/path";
import { isWhollyKnown, type Value } from "../cty/value";
import { andWords } from "../impact/phrases";
import type { Kind } from "../kinds/kind";
import type { Known } from "../sdk/definition";
import type { Diagnostic } from "../sdk/diagnostic";
import type { ReviewContext } from "../sdk/resource";
import type { Tenant } from "../tenant/tenant";
import { importCommandOf } from "./identical";
import { canLookUp, ifReadable } from "./lookup";

/** An object of the tenant. */
interface Existing {
  readonly id: string;
}

/** How the objects of a kind exclude each other. The service refuses a second object with the same key. */
export interface UniqueKey<T extends Existing = Existing> {
  readonly kind: Kind;
  /** Of two resources with one key. */
  readonly code: Titled & string;
  /** Besides the key, the attributes that an object has in common with the new object that adopts it. */
  readonly content: readonly string[];
  /** How messages call a new object, or the object with the id: `a new policy (…)`. */
  titleOf(planned: Known, id?: unknown): string;
  /** The name of an existing object in parentheses. */
  called(existing: T): string;
}

/** The planned object that needs the value. */
interface Claim {
  readonly planned: Known;
  /** Its id, or that of the object that it replaces. */
  readonly id?: unknown;
  /** Terraform destroys the replaced object first, so it would be lost if the new one could not be made. */
  readonly replaces?: boolean;
}

/** Undefined while part of the key is not known. */
function keyIn({ uniqueKey }: Kind, planned: Known): (string | number)[] | undefined {
  const values = uniqueKey.map((name) => planned[name]);
  const isKnown = (value: unknown) => typeof value === "string" || typeof value === "number";
  return values.every(isKnown) ? (values as (string | number)[]) : undefined;
}

/** Reports the second resource of the plan with one key. */
export function claimUnique<T extends Existing>(
  { kind, code, titleOf }: UniqueKey<T>,
  planned: Known,
  id: unknown,
  { plan, report }: Pick<ReviewContext<unknown>, "plan" | "report">,
): void {
  const values = keyIn(kind, planned);
  const title = titleOf(planned, id);
  const other = values && plan.claim([kind.name, ...values], title);
  if (other === undefined) return;
  const [key, names] = [keyOf(kind), kind.uniqueKey.map((name) => `\`${name}\``)];
  report({
    severity: "error",
    code,
    detail:
      `\`${key}\` is ${JSON.stringify(planned[key])} for ${title} and for ${other}, but a tenant can have only one ${kind.noun} with ` +
      `the same ${andWords(names)}. Give one of the two another \`${key}\`.${marked(code)}`,
    path: attributePath(key),
  });
}

const marked = (code: string) => (isFinding(code) ? ` [${code}]` : "");

/** Reports an unmanaged object that has the planned key. */
export async function reportHolder<T extends Existing>(
  unique: UniqueKey<T>,
  claim: Claim,
  find: (tenant: Tenant) => Promise<T | undefined>,
  context: ReviewContext<{ readonly tenant: Tenant }>,
): Promise<void> {
  const { client } = context;
  if (!client || !canLookUp(context) || !keyIn(unique.kind, claim.planned)) return;
  const found = await ifReadable(() => find(client.tenant));
  if (found) await reportTaken(unique, found, claim, context);
}

/**
 * Reports a holder that stays. The plan may move or destroy a managed holder, so the review of that holder decides. Returns whether the
 * holder is identical to the planned object, so that Terraform can adopt it.
 */
export async function reportTaken<T extends Existing>(
  unique: UniqueKey<T>,
  holder: T,
  claim: Claim,
  { plan, report }: Pick<ReviewContext<unknown>, "plan" | "report">,
): Promise<boolean> {
  const { noun } = unique.kind;
  const { planned, id, replaces = false } = claim;
  const isSame = meaningOf(unique, planned) === meaningOf(unique, { ...(holder as object) });
  if (holder.id === id) return isSame;
  const isTaken = () => plan.phase !== "apply" && !plan.knows({ id: holder.id });
  const title = unique.titleOf(planned, id);
  if (isSame && id === undefined) {
    if (!isTaken()) return isSame;
    report({
      severity: "warning",
      code: ["TNF-ADOPTION", noun],
      detail:
        `The tenant already has ${noun} ${holder.id} (${unique.called(holder)}), which is identical to ${title}. Terraform will manage ` +
        "this object and create no duplicate.",
    });
    return isSame;
  }
  const problem = () => (isTaken() ? conflictWords(unique, holder, claim, isSame) : undefined);
  // At -parallelism=1, the ACL that frees the value may come later, and then the move succeeds.
  const isCertain = () => id === undefined || replaces || !plan.isAlone();
  const topic = `taken ${noun}${replaces ? " in a replacement" : ""}`;
  const { found, isComplete } = await plan.gathered(topic, problem, isCertain);
  if (found.length > 0) report(takenReport(unique.kind, found, replaces, isComplete));
  return isSame;
}

/** Reports conflicts on one key. `isComplete`: no other change of the plan frees the values. */
function takenReport(kind: Kind, taken: readonly string[], replaces: boolean, isComplete: boolean): Diagnostic {
  const key = keyOf(kind);
  const alone = taken.length === 1;
  const list = alone ? taken[0]! : taken.map((each) => `- ${each}`).join("\n");
  const remedy = `give ${alone ? "one of the two" : "them"} another ${key}.`;
  const isRefused = isComplete || replaces;
  return {
    severity: isRefused ? "error" : "warning",
    code: alone ? ["TNF-TAKEN", key] : ["TNF-SEVERAL-TAKEN", String(taken.length), key],
    detail:
      `${list}\n\n${consequenceOf(kind, replaces, isComplete)} ` +
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

function conflictWords<T extends Existing>(
  { kind, code, called, titleOf }: UniqueKey<T>,
  holder: T,
  { planned, id }: Claim,
  isSame: boolean,
): string {
  const key = keyOf(kind);
  const remedy = isSame
    ? `It is identical to the planned one, so an interrupted apply probably made it. To keep it, take the old ${kind.noun} out of the ` +
      "state (terraform state rm), delete that one on the tenant, and import this one"
    : `If this configuration does not manage that ${kind.noun}, import it`;
  return (
    `\`${key}\` is ${JSON.stringify(planned[key])} for ${titleOf(planned, id)}, but ${kind.noun} ${holder.id} (${called(holder)}) already ` +
    `has it${marked(code)}. ${remedy}: ${importCommandOf(kind, holder.id)}`
  );
}

function consequenceOf(kind: Kind, replaces: boolean, isComplete: boolean): string {
  if (replaces) return `Terraform destroys the replaced ${kind.noun} first, and could not make the new one.`;
  if (isComplete) return `No other change of this plan frees the ${keyOf(kind)}.`;
  return `The apply fails if no other change of this plan frees the ${keyOf(kind)}.`;
}

/** The attribute whose value messages name. */
const keyOf = ({ uniqueKey }: Kind) => uniqueKey.at(-1)!;

/** The key and the attributes beside it: what makes two objects identical. */
export function contentOf<T extends Existing>({ kind, content: names }: UniqueKey<T>, object: Known): Known {
  return Object.fromEntries([...kind.uniqueKey, ...names].map((name) => [name, object[name]]));
}

/** Undefined if part of the object is known only after apply. */
function meaningOf<T extends Existing>(unique: UniqueKey<T>, object: Known): string | undefined {
  const content = contentOf(unique, object);
  return isWhollyKnown(content as Value) ? JSON.stringify(sorted(content)) : undefined;
}

/** The same value with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, sorted(each)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
