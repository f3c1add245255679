/** Reports objects that a plan replaces, destroys, forgets, imports or moves, and the scopes that a token needs to apply a change. */
import { hasUnknown } from "../../../formats/cty/value";
import { kindOf, kinds, scopeOf } from "../../kinds/kinds";
import { earlyAccessIn, networkAcl, ruleFeatures } from "../../kinds/network-acl";
import { networkAclKey } from "../../kinds/network-acl-key";
import { type Code, effect, type Effect, type Subject } from "../effect";
import {
  acts,
  grouped,
  type Marks,
  isSensitive,
  placeIn,
  type PlannedObject,
  type Remote,
  type Values,
  withoutBlanks,
  withoutDeposed,
} from "../model";
import { aclFrom } from "../network-acl/acl";
import { keyName, successionOf } from "../network-acl/keys";
import { isOfProvider } from "./duplicates";
import type { ObjectFacts, ObjectName } from "./facts";
import { organizationsIn } from "../organization-member-set/changes";
import { setFrom } from "../organization-member-set/set";

/** `meansEarlyAccess`: the configuration says that it uses features in Early Access on purpose. */
export function actionEffects(objects: readonly PlannedObject[], meansEarlyAccess = false): Effect[] {
  return [
    ...objects.flatMap(ownEffects),
    ...renameEffects(objects),
    ...(meansEarlyAccess ? [] : earlyAccessEffect(objects)),
  ];
}

function ownEffects(object: PlannedObject): Effect[] {
  const { address, previousAddress: previous, actions, isImported, isDeposed, type, importId } = object;
  const [creates, deletes, forgets] = ["create", "delete", "forget"].map((action) => actions.includes(action));
  const kind = kindOf(type);
  const isKey = kind === networkAclKey;
  const name = nameOf(object);
  const effectOf = (code: Code, change: ObjectChange) =>
    effect(code, { kind: "object", object: name, ...change } as ObjectFacts, subjectOf(object));
  return [
    ...(creates && deletes
      ? [
          effectOf("TNF-REPLACED", {
            change: "replaced",
            ...(kind?.list && { isList: true as const }),
            ...(isKey && successionOf(object)),
          }),
        ]
      : []),
    ...(deletes && !creates
      ? [effectOf("TNF-DESTROYED", { change: "destroyed", ...(isDeposed && { isLeftOver: true as const }) })]
      : []),
    ...(isKey && creates && !deletes ? [effectOf("TNF-KEY-CREATED", { change: "created" })] : []),
    ...(forgets
      ? [effectOf("TNF-FORGOTTEN", acts(object) ? { change: "replaced", stays: true } : { change: "forgotten" })]
      : []),
    // A plan never imports and creates an object, so the apply adopts it then.
    ...(isImported && actions.join() === "create"
      ? [effectOf("TNF-IMPORTED", { change: "adopted", noun: kind?.noun ?? "object", id: importId })]
      : []),
    ...(isImported && actions.join() !== "create" ? [effectOf("TNF-IMPORTED", { change: "imported" })] : []),
    ...(previous !== undefined && previous !== address
      ? [effectOf("TNF-MOVED", { change: "moved", from: previous })]
      : []),
  ];
}

/** The part of the facts that differs between changes. */
type ObjectChange = ObjectFacts extends infer One
  ? One extends ObjectFacts
    ? Omit<One, "kind" | "object">
    : never
  : never;

/** The address without the suffix of a deposed object. */
export function subjectOf({ address, plan }: PlannedObject): Pick<Subject, "address" | "plan"> {
  return { address: withoutDeposed(address), ...(plan !== undefined && { plan }) };
}

/** People know a key by its name. */
const nameOf = (object: PlannedObject): ObjectName => ({
  address: object.address,
  ...(kindOf(object.type) === networkAclKey && { key: keyName(object) }),
});

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
  const plan = objects[0]?.plan;
  return [effect("TNF-EARLY-ACCESS", { kind: "features", features }, plan === undefined ? {} : { plan })];
}

/** `drifted`: each object as the state had it and as it is now. */
export function driftEffects(drifted: readonly PlannedObject[], objects: readonly PlannedObject[]): Effect[] {
  const planned = new Map(objects.map((object) => [object.address, object]));
  return drifted.flatMap((drift) => {
    const names = changedNames(drift.before, drift.after).filter((name) => isDrift(name, drift));
    if (drift.after && names.length === 0) return [];
    const end = endOf(names, drift.after, planned.get(drift.address));
    const attributes = drift.after ? { attributes: names } : {};
    return [
      effect(
        "TNF-DRIFT",
        { kind: "object", object: nameOf(drift), change: "drifted", ...attributes, planned: end },
        subjectOf(drift),
      ),
    ];
  });
}

function endOf(names: readonly string[], now: Values | undefined, planned: PlannedObject | undefined) {
  if (!planned || planned.actions.includes("forget")) return "kept";
  if (!planned.after) return "destroyed";
  const differing = new Set(changedNames(now, planned.after));
  return names.some((name) => differing.has(name)) ? "undone" : "kept";
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
  const meaning = (values: Values | undefined, name: string) => JSON.stringify(withoutBlanks(values?.[name]));
  return [...names].filter((name) => meaning(before, name) !== meaning(after, name));
}

/** A plan that the provider refused has no delete of the old object, which then counts as left out. */
function renameEffects(objects: readonly PlannedObject[]): Effect[] {
  const created = objects.filter(({ actions }) => isOnly(actions, "create"));
  if (created.length === 0) return [];
  const old = grouped(
    objects.filter(({ actions, isDeposed, notTargeted }) => !isDeposed && (notTargeted || isOnly(actions, "delete"))),
    ({ type, before, beforeSensitive }) => contentIn(type, before, beforeSensitive),
  );
  return created.flatMap((one) => {
    const content = contentIn(one.type, one.after, one.afterSensitive);
    const gone = content === undefined ? undefined : old.get(content)?.find((other) => !isOtherKey(other, one));
    return gone ? renameEffect(gone, one) : [];
  });
}

const isOnly = (actions: readonly string[], action: string) => actions.length === 1 && actions[0] === action;

function renameEffect(gone: PlannedObject, created: PlannedObject): Effect {
  const { noun } = kindOf(created.type)!;
  return effect(
    "TNF-RENAMED",
    { kind: "object", object: { address: created.address }, change: "renamed", from: gone.address, noun },
    { ...created, ...(isOfProvider([gone, created]) && { refuses: true }) },
  );
}

/** Equal for identical objects. Sensitive values never count as equal, because the finding would confirm a guess. */
function contentIn(type: string, values: Values | undefined, marks: Marks): string | undefined {
  const kind = kindOf(type);
  if (!kind || !values) return undefined;
  const entries = kind.goProvider.flatMap(({ entry }) => entry ?? []);
  const secrets = ["value", kind.secret?.attribute];
  const own = [...kind.attributes, ...entries].filter((name) => !secrets.includes(name));
  if (own.some((name) => isSensitive(placeIn({ beforeSensitive: marks }, name)))) return undefined;
  const texts = own.map((name) => asText(values, name));
  return texts.includes(undefined) ? undefined : JSON.stringify([type, texts]);
}

/** Only a known fingerprint tells keys of one name apart. */
function isOtherKey({ before }: PlannedObject, { after }: PlannedObject): boolean {
  const [was, is] = [before, after].map((values) => values?.["fingerprint"]);
  return typeof was === "string" && typeof is === "string" && was !== is;
}

/** undefined: a part is known only after the apply. */
function asText(values: Values, name: string): string | undefined {
  const value = withoutBlanks(values[name]) ?? null;
  return hasUnknown(value) ? undefined : JSON.stringify(value);
}

export interface Scopes {
  readonly certain: readonly string[];
  /** Needed only if values that are not known yet ask for it. */
  readonly possible: readonly string[];
}

export function scopesFor(object: PlannedObject, members?: Remote["organization_members"]): Scopes {
  const kind = kindOf(object.type);
  if (!kind) return { certain: [], possible: [] };
  if (kind.list) return entryScopes(object, members);
  const verbs = object.actions.flatMap((action) => (isVerb(action) ? kind.scopes[action] : []));
  return { certain: verbs.map((verb) => scopeOf(verb, kind)), possible: [] };
}

const isVerb = (action: string) => action === "create" || action === "update" || action === "delete";

/** The apply changes a member set by adding and removing members. */
function entryScopes(object: PlannedObject, remote?: Remote["organization_members"]): Scopes {
  const kind = kindOf(object.type)!;
  const set = setFrom(object);
  const { before, after, isCreated } = set;
  if (!set.acts) return { certain: [], possible: [] };
  const isElsewhere = isCreated || before?.organization !== after?.organization;
  const were = new Set(isElsewhere ? remote?.get(after?.organization ?? "") : before?.members);
  const removalsBySet = organizationsIn([set], remote).map(({ removalsBySet: found }) => found.get(set)!);
  const [create, remove] = [scopeOf("create", kind), scopeOf("delete", kind)];
  return {
    certain: [
      ...(after?.members.some((id) => !were.has(id)) ? [create] : []),
      ...(removalsBySet.some(({ certain }) => certain.length > 0) ? [remove] : []),
    ],
    possible: [
      ...(after?.open ? [create] : []),
      ...(removalsBySet.some(({ possible, isUncounted }) => possible.length > 0 || isUncounted) ? [remove] : []),
    ],
  };
}
