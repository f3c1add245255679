/** Reports objects that a plan replaces, destroys, forgets, imports or moves. */
import { unknownIn } from "../../access/access";
import { kindOf, kinds } from "../../kinds/kinds";
import { networkAcl, ruleFeatures } from "../../kinds/network-acl";
import { networkAclKey } from "../../kinds/network-acl-key";
import { effect, type Code, type Effect, type Subject } from "../effect";
import { acts, type PlannedObject, type Values } from "../model";
import { aclFrom } from "../network-acl/acl";
import { keyTitle, replacedWords } from "../network-acl/keys";
import { earlyAccessIn } from "../notes";
import { meant, isMarked } from "../value";

/** `meansEarlyAccess`: the configuration says that it uses features in Early Access on purpose. */
export function actionEffects(objects: readonly PlannedObject[], meansEarlyAccess = false): Effect[] {
  return [
    ...objects.flatMap(ownEffects),
    ...renameEffects(objects),
    ...(meansEarlyAccess ? [] : earlyAccessEffect(objects)),
  ];
}

function ownEffects(object: PlannedObject): Effect[] {
  const { address, previousAddress: previous, actions, isImported, isDeposed } = object;
  const [creates, deletes, forgets] = ["create", "delete", "forget"].map((action) => actions.includes(action));
  const isKey = kindOf(object.type) === networkAclKey;
  const title = titleOf(object);
  const replaced = isKey
    ? replacedWords(object)
    : "replaced: the apply destroys the old object and creates a new one with another id";
  const leftOver = isDeposed ? ": an earlier apply replaced it, and could not destroy it" : "";
  const found: [boolean | undefined, Code, string][] = [
    [creates && deletes, "TNF-REPLACED", `${title} is ${replaced}.`],
    [deletes && !creates, "TNF-DESTROYED", `${title} is destroyed${leftOver}.`],
    [isKey && creates && !deletes, "TNF-KEY-CREATED", `${title} is created.`],
    [forgets, "TNF-FORGOTTEN", `${title} ${acts(object) ? replacedAndKept : forgotten}`],
    [isImported, "TNF-IMPORTED", importWords(object, title)],
    [
      previous !== undefined && previous !== address,
      "TNF-MOVED",
      `${previous} is now ${title}; the object itself stays.`,
    ],
  ];
  return found.flatMap(([isSo, code, text]) => (isSo ? effect(code, text, subjectOf(object)) : []));
}

/** A plan never imports and creates an object, so the apply adopts it then. */
function importWords({ type, importId, actions }: PlannedObject, title: string): string {
  if (actions.join() !== "create") return `Terraform imports ${title} from the tenant.`;
  const noun = kindOf(type)?.noun ?? "object";
  return `The tenant already has an identical ${noun}, ${importId}. The apply adopts it as ${title} and creates nothing.`;
}

const replacedAndKept =
  "is replaced. The old object stays on the tenant unchanged, but Terraform no longer manages it. The apply creates a new object.";
const forgotten = "is no longer managed by Terraform. The object stays on the tenant unchanged.";

/** The address without the suffix of a deposed object. */
export function subjectOf({ address, plan }: PlannedObject): Pick<Subject, "address" | "plan"> {
  return { address: address.replace(/ \(deposed \w+\)$/, ""), ...(plan !== undefined && { plan }) };
}

/** People know a key by its name. */
export function titleOf(object: PlannedObject): string {
  return kindOf(object.type) === networkAclKey ? `${object.address} (${keyTitle(object)})` : object.address;
}

function earlyAccessEffect(objects: readonly PlannedObject[]): Effect[] {
  const changed = objects.filter(({ actions }) => actions.some((action) => action === "create" || action === "update"));
  const rules = changed
    .filter(({ type }) => kindOf(type) === networkAcl)
    .flatMap(({ after }) => (after ? aclFrom(after) : []))
    .map(({ rule }) => rule);
  const features = [
    ...kinds.flatMap((kind) => (changed.some(({ type }) => kindOf(type) === kind) ? (kind.earlyAccess ?? []) : [])),
    ...new Set(rules.flatMap(earlyAccessIn).map((name) => ruleFeatures[name])),
  ];
  if (features.length === 0) return [];
  const text = `The plan uses Early Access features, which the service may change or refuse: ${features.join(", ")}.`;
  const plan = objects[0]?.plan;
  return [effect("TNF-EARLY-ACCESS", text, plan === undefined ? {} : { plan })];
}

/** `drifted`: each object as the state had it and as it is now. */
export function driftEffects(drifted: readonly PlannedObject[], objects: readonly PlannedObject[]): Effect[] {
  const planned = new Map(objects.map((object) => [object.address, object]));
  return drifted.flatMap((drift) => {
    const names = changedNames(drift.before, drift.after).filter((name) => isDrift(name, drift));
    if (drift.after && names.length === 0) return [];
    const how = drift.after ? `was changed (${names.join(", ")})` : "was deleted";
    const then = fateOf(names, drift.after, planned.get(drift.address));
    const text = `${titleOf(drift)} ${how} outside Terraform since the last apply: ${then}.`;
    return [effect("TNF-DRIFT", text, subjectOf(drift))];
  });
}

function fateOf(names: readonly string[], now: Values | undefined, planned: PlannedObject | undefined): string {
  const stays = "the plan keeps that change";
  if (!planned || planned.actions.includes("forget")) return stays;
  if (!planned.after) return "the apply destroys it";
  const differing = new Set(changedNames(now, planned.after));
  return names.some((name) => differing.has(name)) ? "the apply undoes that change" : stays;
}

/** Whether somebody can have changed the attribute. The service computes the others. */
function isDrift(name: string, { type, previousAddress, before }: PlannedObject): boolean {
  const kind = kindOf(type);
  const isWritten = !kind || kind.attributes.includes(name);
  // After a move from a resource of the Go provider, the first refresh adds attributes that its state does not have.
  const isOtherType = previousAddress !== undefined && !previousAddress.includes(`${type}.`);
  const isAdded = isOtherType && (before?.[name] ?? null) === null;
  return isWritten && !isAdded;
}

/** States of the Go provider spell one meaning in several ways, such as null and an empty list. */
function changedNames(before: Values | undefined, after: Values | undefined): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const meaning = (values: Values | undefined, name: string) => JSON.stringify(meant(values?.[name]));
  return [...names].filter((name) => meaning(before, name) !== meaning(after, name));
}

/** A plan that the provider refused has no delete of the old object, which then counts as left out. */
function renameEffects(objects: readonly PlannedObject[]): Effect[] {
  const old = objects.filter(({ actions, isDeposed, leftOut }) => !isDeposed && (leftOut || isOnly(actions, "delete")));
  return objects
    .filter(({ actions }) => isOnly(actions, "create"))
    .flatMap((created) => {
      const gone = old.find((one) => isIdentical(one, created));
      return gone ? renameEffect(gone, created) : [];
    });
}

const isOnly = (actions: readonly string[], action: string) => actions.length === 1 && actions[0] === action;

function renameEffect({ address: from }: PlannedObject, created: PlannedObject): Effect {
  const { type, address: to } = created;
  const { noun } = kindOf(type)!;
  const text =
    `${to} creates the same ${noun} that ${from} manages. If you renamed the resource or moved it into a module, write ` +
    `\`moved\` with from = ${from} and to = ${to}, so that the object stays unchanged. ` +
    "Otherwise Terraform creates and destroys in any order, so the tenant could end with no object.";
  return effect("TNF-RENAMED", text, created);
}

/** Sensitive values never count as equal, because the finding would confirm a guess. */
function isIdentical({ type, before, beforeSensitive }: PlannedObject, created: PlannedObject): boolean {
  const { after, afterSensitive } = created;
  const kind = kindOf(type);
  if (!kind || type !== created.type || !before || !after) return false;
  const entries = kind.goProvider.flatMap(({ entry }) => entry ?? []);
  const secrets = ["value", kind.secret?.attribute];
  const own = [...kind.attributes, ...entries].filter((name) => !secrets.includes(name));
  const isSame = (name: string) => asText(after, name) !== undefined && asText(after, name) === asText(before, name);
  const isSensitive = (name: string) => isMarked(beforeSensitive, name) || isMarked(afterSensitive, name);
  return own.every((name) => isSame(name) && !isSensitive(name));
}

/** undefined: a part is known only after the apply. */
function asText(values: Values, name: string): string | undefined {
  const value = meant(values[name]) ?? null;
  return unknownIn(value) === undefined ? JSON.stringify(value) : undefined;
}
