/**
 * Is this unique key free? A tenant has each priority, each selector and each name of a key once, and each object belongs to one resource.
 *
 *     tenant: ACL acl_1 has priority 10          the plan
 *     a new ACL with priority 10                 refused, unless acl_1 is in the plan too: its own review decides
 *     a new ACL that is identical to acl_1       a warning: Terraform adopts acl_1
 *     two planned ACLs with priority 10          refused
 *     acl_1 in two resources                     refused
 *     acl_1 destroyed, an identical one created  refused: it is a rename, write `moved`
 *
 * An apply looks up nothing. Its writes find a conflict, and `createOrAdopt` then adopts the object or refuses it.
 */
import { shellWord } from "../../formats/text/printable";
import { isDeepStrictEqual } from "node:util";
import { isFinding, type Titled } from "../../judge/codes/codes";
import { attributePath } from "../../formats/cty/path";
import { isWhollyKnown, type Value } from "../../formats/cty/value";
import { sameKeyFacts } from "../../judge/impact/objects/same-key";
import { sameKeyWords } from "../../judge/impact/words/objects";
import type { Kind } from "../../judge/kinds/kind";
import type { Change, Definition, Known } from "../sdk/definition";
import { DiagnosticError, type Diagnostic, unseen, wholePlan } from "../sdk/diagnostic";
import type { Context, ReviewContext } from "../sdk/resource";
import { Conflict } from "../../tenant/conflict";
import type { Tenant } from "../../tenant/tenant";
import { canLookUp, ifReadable } from "./lookup";

/** An object of the tenant. */
interface Existing {
  readonly id: string;
}

/** How the objects of a kind exclude each other. Auth0 refuses a second object with the same key. */
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

type Review = Pick<ReviewContext<unknown>, "plan" | "report">;

/** The attribute whose value messages name. */
const keyOf = ({ uniqueKey }: Kind) => uniqueKey.at(-1)!;

/** Undefined while part of the key is not known. */
function keyIn({ uniqueKey }: Kind, planned: Known): (string | number)[] | undefined {
  const values = uniqueKey.map((name) => planned[name]);
  const isKnown = (value: unknown) => typeof value === "string" || typeof value === "number";
  return values.every(isKnown) ? (values as (string | number)[]) : undefined;
}

/** The key and the attributes beside it: what makes two objects identical. */
function contentOf<T extends Existing>({ kind, content: names }: UniqueKey<T>, object: Known): Known {
  const content = Object.fromEntries([...kind.uniqueKey, ...names].map((name) => [name, object[name]]));
  return isWhollyKnown(content as Value) ? (JSON.parse(JSON.stringify(content)) as Known) : content;
}

const marked = (code: string) => (isFinding(code) ? ` [${code}]` : "");

/** `terraform import tenant_network_acl.NAME acl_…` */
export const importCommandOf = ({ type }: Kind, id: string): string => `terraform import ${type}.NAME ${shellWord(id)}`;

/**
 * Whether another resource of the plan has the same object, the same key or the same content. `words`: how the resource configures the
 * object, so that two resources of one object differ.
 */
export function claimObject<T extends Definition, E extends Existing>(
  unique: UniqueKey<E>,
  words: string,
  change: Change<T>,
  context: Review,
): void {
  const { action, prior, planned, replaced } = change as Change;
  const { noun } = unique.kind;
  const id = (prior as { readonly id?: string } | undefined)?.id;
  if (id !== undefined) claimIdentity(noun, id, words, action, context);
  if (action === "destroy") reportRename(noun, contentOf(unique, prior), id, context);
  if (action === "create" && !replaced) reportRename(noun, contentOf(unique, planned), undefined, context);
  if (planned && action !== "replace") claimKey(unique, planned, id, context);
}

/** Reports the second resource of an object, unless both resources destroy the object. */
function claimIdentity(
  kind: string,
  id: string,
  words: string,
  action: Change["action"],
  { plan, report }: Review,
): void {
  const goes = action === "destroy";
  const wish = goes ? "destroys it" : `manages it as ${words}`;
  const other = plan.claim(["identity", kind, id], wish, { shared: goes });
  if (other === undefined) return;
  report({
    severity: "error",
    code: ["TNF-DUPLICATE", kind],
    detail:
      `\`id\` is ${JSON.stringify(id)} in two resources of this configuration: one of them ${wish}, the other ${other}. Each apply of ` +
      "one would undo the other. Keep one of the two resources. Delete the import block of the second one, or take it out of the " +
      "state: removed { from = ADDRESS, lifecycle { destroy = false } }, or terraform state rm ADDRESS. Nothing was changed. [TNF-DUPLICATE]",
  });
}

/** Refuses to destroy an object and create an identical one: Terraform chooses the order, so the new object could be lost. */
export function reportRename(
  kind: string,
  content: object,
  identity: string | undefined,
  { plan, report }: Review,
): void {
  if (!isWhollyKnown(content as Value)) return;
  const other = plan.counterpart(content);
  if (!other) return;
  const [gone] = [identity, ...Object.values(other.identity ?? {})].filter((id) => id !== undefined);
  report({
    severity: "error",
    code: ["TNF-RENAMED", kind],
    detail:
      `This plan destroys ${kind} ${String(gone)} and creates an identical one. If you renamed the resource or moved it into a module, ` +
      "write this block with both addresses. The object then stays unchanged.\n\n" +
      "moved {\n  from = OLD_ADDRESS\n  to   = NEW_ADDRESS\n}\n\n" +
      `Terraform does not tell the provider the addresses. \`terraform state list -id=${shellWord(String(gone))}\` prints the old ` +
      "address. The plan shows the new one.",
  });
}

/** Reports the second resource of the plan with one key. */
function claimKey<T extends Existing>(
  { kind, code, titleOf }: UniqueKey<T>,
  planned: Known,
  id: unknown,
  { plan, report }: Review,
): void {
  const values = keyIn(kind, planned);
  const title = titleOf(planned, id);
  const other = values && plan.claim([kind.name, ...values], title);
  if (other === undefined) return;
  const key = keyOf(kind);
  report({
    severity: "error",
    code,
    detail: sameKeyWords(sameKeyFacts(kind, planned[key], [title, other])) + marked(code),
    path: attributePath(key),
  });
}

/** Reports an unmanaged object that has the planned key. */
export async function reportHolder<T extends Existing>(
  unique: UniqueKey<T>,
  claim: Claim,
  find: (tenant: Tenant) => Promise<T | undefined>,
  context: ReviewContext<{ readonly tenant: Tenant }>,
): Promise<void> {
  const { client } = context;
  if (!client || !keyIn(unique.kind, claim.planned) || !canLookUp(context)) return;
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
  { plan, report }: Review,
): Promise<boolean> {
  const { kind } = unique;
  const { planned, id, replaces = false } = claim;
  const content = contentOf(unique, planned);
  const isSame =
    isWhollyKnown(content as Value) && isDeepStrictEqual(content, contentOf(unique, { ...(holder as object) }));
  if (holder.id === id) return isSame;
  const isTaken = () => plan.phase !== "apply" && !plan.knows({ id: holder.id });
  if (isSame && id === undefined) {
    if (!isTaken()) return isSame;
    report({
      severity: "warning",
      code: ["TNF-ADOPTION", kind.noun],
      detail:
        `The tenant already has ${kind.noun} ${holder.id} (${unique.called(holder)}), which is identical to ${unique.titleOf(planned)}. ` +
        "Terraform will manage this object and create no duplicate.",
    });
    return isSame;
  }
  const problem = () => (isTaken() ? takenWords(unique, holder, claim, isSame) : undefined);
  // At -parallelism=1, the holder may be planned later. Two objects that swap their keys cannot depend on each other.
  const isCertain = () => id === undefined || replaces || !plan.isSerial();
  const topic = `taken ${kind.noun}${replaces ? " in a replacement" : ""}`;
  const found = await plan.gathered(topic, problem, isCertain);
  if (found.length > 0) {
    const isOwn = found.length === 1 && found[0] === problem();
    report(takenReport(kind, found, { isOwn, replaces, isCertain: isCertain() }));
  }
  return isSame;
}

function takenWords<T extends Existing>(
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

interface Standing {
  /** Whether the only conflict is that of the object which reports it. */
  readonly isOwn: boolean;
  readonly replaces: boolean;
  /** Whether a change that is not planned yet cannot free the key. */
  readonly isCertain: boolean;
}

function takenReport(kind: Kind, taken: readonly string[], { isOwn, replaces, isCertain }: Standing): Diagnostic {
  const key = keyOf(kind);
  const alone = taken.length === 1;
  const list = alone ? taken[0]! : taken.map((each) => `- ${each}`).join("\n");
  const consequence = replaces
    ? `Terraform destroys the replaced ${kind.noun} first, and could not make the new one.`
    : `${isCertain ? "No change of this plan frees" : "The apply fails if no other change of this plan frees"} the ${key}.`;
  const remedy = `give ${alone ? "one of the two" : "them"} another ${key}.`;
  const ways = isCertain
    ? `Import the existing object${alone ? "" : "s"}, or ${remedy} ${unseen} Nothing was changed.`
    : `Otherwise, ${remedy}`;
  return {
    severity: isCertain ? "error" : "warning",
    code: alone ? ["TNF-TAKEN", key] : ["TNF-SEVERAL-TAKEN", String(taken.length), key],
    detail: `${isOwn ? "" : `${wholePlan} `}${list}\n\n${consequence} ${ways}`,
    path: attributePath(key),
  };
}

/**
 * Creates an object whose unique key the tenant has once. Adopts an identical existing object, which an apply leaves behind if it is killed
 * before it writes the state. Refuses a different one, and one that another resource of this apply has just made.
 */
export async function createOrAdopt<T extends { id: string }>(
  kind: Kind,
  create: () => Promise<T>,
  { warn, madeHere = () => false }: Pick<Context<unknown>, "warn" | "madeHere">,
): Promise<T> {
  const { noun, uniqueKey } = kind;
  const key = uniqueKey.at(-1)!;
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const { id } = error.existing;
    const refuse = (detail: string) => new DiagnosticError(["TNF-ALREADY-THERE", noun], detail, attributePath(key));
    if (!error.identical) {
      throw refuse(
        `${error.message.replace(/\.$/, "")}. If this apply deletes, moves or replaces that object, apply again, without \`-replace\`. ` +
          "With a higher `-parallelism`, this create may wait for the deletion. " +
          `Otherwise give this ${noun} another \`${key}\`, or import the existing object: ${importCommandOf(kind, id)}`,
      );
    }
    if (madeHere({ id })) {
      throw refuse(
        `Another resource of this configuration already has the identical ${noun} ${id}. Its \`${key}\` was known only at the apply. ` +
          `Remove one of the two resources, or give this one another \`${key}\`.`,
      );
    }
    warn(
      ["TNF-ADOPTED", noun],
      `The tenant already had the identical ${noun} ${id}, probably from an interrupted apply. Terraform now manages this object ` +
        `and created no duplicate. If \`terraform state list -id=${shellWord(id)}\` prints two addresses, take one of them out of ` +
        "the state: terraform state rm ADDRESS.",
    );
    return error.existing as T;
  }
}
