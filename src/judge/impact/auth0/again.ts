/**
 * Finds what one resource destroys, or leaves out, and another one makes again: a renamed key of `for_each`, entries that become a list, a module
 * that moved.
 * Nothing is lost of what consists of its attributes alone, unless the destroy comes last, and Terraform keeps no order between the two.
 */
import { isRecord } from "../../../formats/text/record";
import { grouped, isReplaced, type Marks, isSensitive, placeIn, type PlannedObject, type Values } from "../model";
import { entriesOf, hasIdOfOwner, type Managed, managedOf, withEntries } from "./managed";
import { isUnknown } from "../../../formats/cty/value";

/** How a destroyed object, or what a changed list leaves out, is made again. */
export interface Again {
  /** The object itself: Terraform destroys it before it creates it. */
  readonly by: readonly PlannedObject[];
  /** The object has nothing but its attributes. Otherwise its users, members or id are lost. */
  readonly isKept: boolean;
  /** Of a changed list: the change that only leaves out what others make again. */
  readonly lost?: PlannedObject;
  /** What becomes of its attributes, as an update. Left out: nothing. */
  readonly rest?: PlannedObject | undefined;
}

interface MadeAgain {
  readonly gone: ReadonlyMap<PlannedObject, Again>;
  /** `same`: a `rest` says what the create does. `entries`: other resources have had all entries that it creates. */
  readonly made: ReadonlyMap<PlannedObject, "same" | "entries">;
}

interface Added extends Pick<Managed, "of" | "entries"> {
  readonly object: PlannedObject;
}

export function madeAgain(all: readonly PlannedObject[]): MadeAgain {
  const gone = new Map<PlannedObject, Again>();
  const made = new Map<PlannedObject, "same" | "entries">();
  const objects = all.filter(({ deferred, isDeposed }) => deferred === undefined && !isDeposed);
  const destroyed = objects.filter(({ actions }) => actions.includes("delete"));
  const shortened = objects.flatMap(shortenedBy);
  if (destroyed.length === 0 && shortened.length === 0) return { gone, made };
  const added = objects.flatMap(addedBy);
  const adding = grouped(
    added.flatMap((one) => keysOf(one).map((key) => ({ key, one }))),
    ({ key }) => key,
  );
  const named = grouped(objects.filter(isCreated), (one) => nameOf(one, one.after));
  const replaced = new Set(
    objects.filter((one) => isReplaced(one) && !hasIdOfOwner(one)).map(({ before }) => before?.["id"]),
  );
  const lost = new Set<string>();
  const othersFor = (object: PlannedObject, keys: readonly string[]) => [
    ...new Set(keys.flatMap((key) => (adding.get(key) ?? []).flatMap(({ one }) => (one.object === object ? [] : one)))),
  ];
  const note = (object: PlannedObject, again: Again | undefined, keys: readonly string[]) => {
    if (again) gone.set(object, again);
    for (const key of again ? keys : []) lost.add(key);
  };
  for (const object of destroyed) {
    const managed = managedOf(object, object.before, true);
    const keys = managed ? keysOf(managed) : [];
    const bySelf = isReplaced(object) ? madeBySelf(object, managed, replaced) : undefined;
    const byOthers = () =>
      managed
        ? madeByOthers(object, othersFor(object, keys), made)
        : isReplaced(object)
          ? undefined
          : madeByName(object, named);
    note(object, bySelf ?? byOthers(), keys);
  }
  for (const { object, ...left } of shortened) {
    const keys = keysOf(left).filter((key) => othersFor(object, [key]).length > 0);
    note(object, leftToOthers(object, othersFor(object, keys)), keys);
  }
  for (const one of added) {
    const isMade = one.object.actions.includes("create") && !made.has(one.object);
    // What has no entries may have other values than what it takes the place of.
    if (isMade && !one.entries.has("[]") && keysOf(one).every((key) => lost.has(key))) made.set(one.object, "entries");
  }
  return { gone, made };
}

const keysOf = ({ of, entries }: Pick<Managed, "of" | "entries">) => [...entries].map((entry) => `${of} ${entry}`);

const isCreated = ({ actions }: PlannedObject) => actions.join() === "create";

/** The entries that the object has only after the apply. */
function addedBy(object: PlannedObject): Added[] {
  const { actions, before, after } = object;
  const now = actions.includes("create") || actions.includes("update") ? managedOf(object, after, true) : undefined;
  const was = actions.includes("update") ? managedOf(object, before, true) : undefined;
  const entries = [...(now?.entries ?? [])].filter((one) => was?.of !== now!.of || !was.entries.has(one));
  return entries.length > 0 ? [{ object, of: now!.of, entries: new Set(entries) }] : [];
}

/** The entries that an object has only before its update. */
function shortenedBy(object: PlannedObject): Added[] {
  if (object.actions.join() !== "update") return [];
  const [was, now] = [managedOf(object, object.before, true), managedOf(object, object.after, true)];
  const entries = [...(was?.entries ?? [])].filter((one) => was!.of === now?.of && !now.entries.has(one));
  return entries.length > 0 ? [{ object, of: was!.of, entries: new Set(entries) }] : [];
}

/** The update in two parts: what others make again goes first. */
function leftToOthers(object: PlannedObject, adding: readonly Added[]): Again | undefined {
  const others = new Set(adding.flatMap(({ entries }) => [...entries]));
  const without = (key: string, one: unknown) => (others.has(key) ? undefined : one);
  const between = adding.length > 0 ? withEntries(object, without) : undefined;
  if (!between) return undefined;
  const by = adding.map((one) => one.object);
  return { by, isKept: true, lost: { ...object, after: between }, rest: { ...object, before: between } };
}

function madeByOthers(
  object: PlannedObject,
  adding: readonly Added[],
  made: Map<PlannedObject, "same" | "entries">,
): Again | undefined {
  const by = adding.map((one) => one.object);
  const [first] = by;
  if (!first) return undefined;
  const { before, beforeSensitive } = object;
  if (by.length === 1 && first.type === object.type && first.actions.includes("create") && !made.has(first)) {
    made.set(first, "same");
    const marks = [beforeSensitive, first.afterSensitive];
    const sides = { before, beforeSensitive: marks, afterSensitive: marks };
    return { by, isKept: true, rest: { ...first, ...sides, actions: ["update"] } };
  }
  const [own, ...others] = by.map(entriesAfter);
  const kept = others.length === 0 ? own! : new Map([own!, ...others].flatMap((entries) => [...entries]));
  const after = withEntries(object, (key, one) => (kept.has(key) ? asMade(one, kept.get(key)) : undefined));
  return {
    by,
    isKept: true,
    rest: after && {
      ...object,
      actions: ["update"],
      after,
      afterSensitive: by.some(hasMarks) ? all(after) : beforeSensitive,
    },
  };
}

const afterOf = new WeakMap<PlannedObject, ReadonlyMap<string, unknown>>();

/** The entries that an object has after the change. Computed once: each entry that goes asks. */
function entriesAfter(object: PlannedObject): ReadonlyMap<string, unknown> {
  const entries = afterOf.get(object) ?? new Map(entriesOf(object, object.after));
  afterOf.set(object, entries);
  return entries;
}

/** Marks for all attributes: what the plan marks at another resource has no place of its own here. */
const all = (values: Values): Marks => Object.fromEntries(Object.keys(values).map((name) => [name, true]));

const hasMarks = ({ afterSensitive }: PlannedObject) => JSON.stringify(afterSensitive ?? null).includes("true");

/** The entry with the values that another resource gives it. What is not known is what Auth0 computes. */
function asMade(one: unknown, made: unknown): unknown {
  if (!isRecord(one) || !isRecord(made)) return one;
  const others = Object.keys(one).filter(
    (name) => name !== "id" && name in made && !isUnknown(made[name]) && made[name] !== one[name],
  );
  return others.length === 0 ? one : { ...one, ...Object.fromEntries(others.map((name) => [name, made[name]])) };
}

/** The rest of a setting: what the create does not write stays, or is `off` after the destroy. */
export function unwritten(rest: PlannedObject, isWritten: (name: string) => boolean, isOff: boolean): PlannedObject {
  const { before = {}, after = {} } = rest;
  const left = (value: unknown): unknown => {
    if (!isOff) return value;
    if (Array.isArray(value))
      return value.map((one) => (isRecord(one) && "enabled" in one ? { ...one, enabled: false } : one));
    return value === true ? false : value;
  };
  const values = Object.entries(after).map(([name, value]) =>
    isUnknown(value) && !isWritten(name) ? [name, left(before[name])] : [name, value],
  );
  return { ...rest, after: Object.fromEntries(values) as Values };
}

/** An id that is known only after the apply is that of an object which is replaced too. */
function madeBySelf(
  object: PlannedObject,
  was: Managed | undefined,
  replaced: ReadonlySet<unknown>,
): Again | undefined {
  const { actions, before, after } = object;
  if (actions[0] !== "delete" || !was) return undefined;
  const isSame = ([name, value]: [string, unknown]) => isUnknown(value) && replaced.has(before![name]);
  const values = Object.fromEntries(
    Object.entries(after!).map((one) => (isSame(one) ? [one[0], before![one[0]]] : one)),
  );
  const now = managedOf(object, values, true);
  if (was.of !== now?.of || ![...now.entries].some((one) => was.entries.has(one))) return undefined;
  return { by: [object], isKept: true, rest: { ...object, actions: ["update"], after: values } };
}

function madeByName(object: PlannedObject, named: ReadonlyMap<string | undefined, readonly PlannedObject[]>) {
  const name = nameOf(object, object.before);
  const by = name === undefined ? undefined : named.get(name);
  return by && { by: by.slice(0, 1), isKept: false };
}

/** Type and name. undefined: nobody may see the name, or it has none. */
function nameOf(object: PlannedObject, values: Values | undefined) {
  const attribute = ["identifier", "domain", "email", "name"].find((one) => typeof values?.[one] === "string");
  const isSecret = attribute !== undefined && isSensitive(placeIn(object, attribute));
  return attribute === undefined || isSecret ? undefined : JSON.stringify([object.type, values![attribute]]);
}
