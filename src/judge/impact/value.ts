/** Reads the values of a plan: symbols stand for unknown values, and absent values are left out. */
import { isMarked } from "./marks";
import type { Marks, Values } from "./model";
import { notKnown, isUnknown } from "../../formats/cty/value";

/** The value with a symbol wherever it is not known yet. All symbols of one object have its name. */
export function withUnknown(value: unknown, unknown: Marks, name: string): unknown {
  if (unknown === true) return notKnown(name);
  // A copy of each object would take as much memory as the plan.
  if (!isMarked(unknown)) return value;
  if (Array.isArray(unknown)) {
    const list = Array.isArray(value) ? value : [];
    const length = Math.max(list.length, unknown.length);
    return Array.from({ length }, (_, index) => withUnknown(list[index], unknown[index] as Marks, name));
  }
  const marks = unknown as { readonly [name: string]: Marks };
  const object = (typeof value === "object" && value !== null ? value : {}) as Values;
  const names = new Set([...Object.keys(object), ...Object.keys(marks)]);
  return Object.fromEntries([...names].map((key) => [key, withUnknown(object[key], marks[key], name)]));
}

/** The value with a symbol of the name in place of every symbol, so that unknown values of two objects differ. */
export function withName(value: unknown, name: string): unknown {
  if (isUnknown(value)) return notKnown(name);
  if (Array.isArray(value)) return value.map((part) => withName(part, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withName(part, name)]));
}

/** A block may be an object, or a list of one. The meaning of several blocks is not known. */
export function block(value: unknown): Values | symbol | undefined {
  if (Array.isArray(value) && value.length > 1) return notKnown("several blocks in place of one");
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (isUnknown(one)) return one;
  return typeof one === "object" && one !== null ? (one as Values) : undefined;
}

/** Leaves out absent values: null, "", false and empty lists mean absent in states of the Go provider. */
export function withoutAbsent(object: Values): Values {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isBlank(value)));
}

function isBlank(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === "" ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** Without anything blank at any depth; undefined where nothing is left. Blocks that are lists of one stand for their element. */
export function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) {
    const parts = value.map(withoutBlanks).filter((part) => part !== undefined);
    return parts.length < 2 && typeof parts[0] !== "string" ? parts[0] : parts;
  }
  if (typeof value === "object" && value !== null) {
    const parts = Object.entries(value).map(([name, part]) => [name, withoutBlanks(part)] as const);
    const rest = parts.filter(([, part]) => part !== undefined).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return rest.length === 0 ? undefined : Object.fromEntries(rest);
  }
  return isBlank(value) ? undefined : value;
}

/** The things by their keys, both in the order of the things. */
export function grouped<T, K>(things: readonly T[], keyOf: (thing: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const own = groups.get(key);
    if (own) own.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}

/** The first one of each key. */
export function distinctBy<T>(things: readonly T[], keyOf: (thing: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return things.filter((thing) => {
    const { size } = seen;
    return seen.add(keyOf(thing)).size > size;
  });
}

/** Groups of two or more with the same key. An undefined key claims nothing. */
export const sharing = <T>(things: readonly T[], keyOf: (thing: T) => unknown): (readonly T[])[] =>
  [...grouped(things, keyOf)].flatMap(([key, own]) => (key !== undefined && own.length > 1 ? [own] : []));
