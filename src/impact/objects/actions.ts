/** Reports objects that a plan replaces, destroys, forgets, imports or moves. */
import { kindOf, kinds } from "../../kinds/kinds";
import { networkAcl } from "../../kinds/network-acl";
import { networkAclKey } from "../../kinds/network-acl-key";
import { effect, type Code, type Effect } from "../effect";
import { acts, type PlannedObject } from "../model";
import { aclFrom } from "../network-acl/acl";
import { earlyAccessIn, earlyAccessWords } from "../network-acl/early-access";
import { keyTitle, replacedWords } from "../network-acl/keys";
import { renameEffects } from "./renames";

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
export function subjectOf({ address, plan }: PlannedObject): Pick<Effect, "address" | "plan"> {
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
    ...new Set(rules.flatMap(earlyAccessIn).map(earlyAccessWords)),
  ];
  if (features.length === 0) return [];
  const text = `The plan uses Early Access features, which the service may change or refuse: ${features.join(", ")}.`;
  const plan = objects[0]?.plan;
  return [effect("TNF-EARLY-ACCESS", text, plan === undefined ? {} : { plan })];
}
