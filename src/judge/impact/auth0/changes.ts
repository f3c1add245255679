/**
 * What differs between two versions of an object of the provider auth0/auth0, as its plans show them: a nested block is a list, a set is a
 * list sorted by value, and null, "", 0, false, [] and {} mean the same.
 */
import type { PlannedObject, Values } from "../model";
import { isMarked } from "../value";
import { below, isHidden, labelOf, pathOf, placeIn, type Place } from "./mask";

export interface ValueChange {
  /** Without indexes: `options.client_id`. Keys of maps in it may be secret. */
  readonly path: string;
  /** The path as people may read it. */
  readonly label: string;
  readonly place: Place;
  /** An element of a set or list is `removed` or `added`, a `value` differs, the `order` differs, or the new value is `unknown`. */
  readonly kind: "removed" | "added" | "value" | "order" | "unknown";
  readonly was?: unknown;
  readonly is?: unknown;
  /** The number of elements that are left. */
  readonly left?: number;
  /** The element of a set of blocks in which a value differs. */
  readonly element?: Element;
  /** The values must not be shown. */
  readonly isSecret: boolean;
  /** The plan marks the value, so not even the direction of its change is shown. */
  readonly isSensitive: boolean;
}

export interface Element {
  readonly value: unknown;
  readonly place: Place;
}

/** The attributes that tell the elements of a set of blocks apart, by the path of the set. */
const keys: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    enabled_connections: ["connection_id"],
    permissions: ["name", "resource_server_identifier"],
    scopes: ["name"],
    secrets: ["name"],
    dependencies: ["name"],
    modules: ["module_id"],
    actions: ["id"],
    discovery_domains: ["domain"],
    user_attributes: ["name"],
    screen_partials: ["screen_name"],
    mapping: ["auth0"],
    "private_key_jwt.credentials": ["name"],
    "tls_client_auth.credentials": ["name"],
    "self_signed_tls_client_auth.credentials": ["name"],
    "signed_request_object.credentials": ["name"],
    "refresh_token.policies": ["audience"],
    "express_configuration.linked_clients": ["client_id"],
    "options.custom_headers": ["header"],
  }),
);

/** Blocks that are one change if they are removed. */
const wholes = /^addons\.[^.]+$/;

interface At extends Place {
  readonly element?: Element;
}

export const changesOf = (object: PlannedObject): ValueChange[] =>
  differences(object.before ?? {}, object.after ?? {}, placeIn(object));

function differences(was: unknown, is: unknown, place: At): ValueChange[] {
  if (typeof is === "symbol" || (Array.isArray(is) && is.some((part) => typeof part === "symbol"))) {
    return [change(place, { kind: "unknown", was })];
  }
  if (isBlank(was) && isBlank(is)) return [];
  if (isBlank(is) && wholes.test(pathOf(place))) return [change(place, { kind: "removed", was, left: 0 })];
  if ([was, is].some(Array.isArray)) return listDifferences(listOf(was), listOf(is), place);
  if (isObject(was) || isObject(is)) {
    const [old, now] = [isObject(was) ? was : {}, isObject(is) ? is : {}];
    const names = new Set([...Object.keys(old), ...Object.keys(now)]);
    return [...names].flatMap((name) => differences(own(old, name), own(now, name), below(place, name)));
  }
  return was === is ? [] : [change(place, { kind: "value", was, is })];
}

function listDifferences(was: readonly unknown[], is: readonly unknown[], place: At): ValueChange[] {
  const isOfBlocks = [...was, ...is].some(isObject);
  const key = keys.get(pathOf(place));
  if (isOfBlocks && !key) {
    const length = Math.max(was.length, is.length);
    return Array.from({ length }, (_, index) => differences(was[index] ?? {}, is[index] ?? {}, place)).flat();
  }
  const keyIn = (list: readonly unknown[]) =>
    new Map(list.map((part, index) => [isOfBlocks ? keyOf(part as Values, key!, index) : part, part]));
  const [old, now] = [keyIn(was), keyIn(is)];
  if ([...now.keys()].some((one) => one === undefined)) return [change(place, { kind: "unknown", was })];
  const removed = [...old].filter(([one]) => !now.has(one));
  const added = [...now].filter(([one]) => !old.has(one));
  const isReordered =
    removed.length + added.length === 0 && [...old.keys()].some((one, index) => one !== [...now.keys()][index]);
  return [
    ...removed.map(([, part]) => change(place, { kind: "removed", was: part, left: now.size })),
    ...added.map(([, part]) => change(place, { kind: "added", is: part, left: now.size })),
    ...(isReordered ? [change(place, { kind: "order", was, is })] : []),
    ...(isOfBlocks
      ? [...old].flatMap(([one, part]) =>
          now.has(one) ? differences(part, now.get(one), { ...place, element: { value: part, place } }) : [],
        )
      : []),
  ];
}

/** undefined: the key is not known yet. */
function keyOf(block: Values, names: readonly string[], index: number): string | undefined {
  const parts = names.map((name) => block[name]);
  if (parts.some((part) => typeof part === "symbol")) return undefined;
  return parts.every(isBlank) ? String(index) : JSON.stringify(parts);
}

function change(at: At, about: Pick<ValueChange, "kind" | "was" | "is" | "left">): ValueChange {
  const { element, names, marks } = at;
  const place = { names, marks };
  const isSensitive = isMarked(marks, ...names);
  const isSecret = isSensitive || [about.was, about.is].some((value) => isHidden(value, place));
  const path = pathOf(place);
  return { path, label: labelOf(place), place, ...about, ...(element && { element }), isSensitive, isSecret };
}

/** A key of a map may be `constructor`. */
export const own = (values: Values, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);

export const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

export const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isBlank(value) ? [] : [value];

export function isBlank(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isBlank);
  return value === undefined || value === null || value === "" || value === 0 || value === false;
}

/** The value at a path. Lists of one are looked through. */
export function valueAt(values: Values | undefined, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => {
    const one: unknown = Array.isArray(value) ? value[0] : value;
    return isObject(one) ? own(one, name) : undefined;
  }, values);
}
