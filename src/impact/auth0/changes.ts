/**
 * What differs between two versions of an object of the provider auth0/auth0, as its plans show them: a nested block is a list, a set is a
 * list sorted by value, and null, "", 0, false, [] and {} mean the same.
 */
import type { Marks, PlannedObject, Values } from "../model";
import { isMarked } from "../value";

export interface ValueChange {
  /** Without indexes: `options.client_id`. */
  readonly path: string;
  /** An element of a set or list is `removed` or `added`, a `value` differs, the `order` differs, or the new value is `unknown`. */
  readonly kind: "removed" | "added" | "value" | "order" | "unknown";
  readonly was?: unknown;
  readonly is?: unknown;
  /** The number of elements that are left. */
  readonly left?: number;
  /** The element of a set of blocks in which a value differs. */
  readonly element?: unknown;
  /** The values must not be shown. */
  readonly isSecret: boolean;
  /** The plan marks the value, so not even the direction of its change is shown. */
  readonly isSensitive: boolean;
}

/** The attributes that tell the elements of a set of blocks apart, by the path of the set. */
const keys: Readonly<Record<string, readonly string[]>> = {
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
};

/** Secrets that the provider does not mark, beside those that it does. */
const secretNames =
  /(?:secret|password|passwd|token|api_key|_key|private_key|^key|^pem|^value|authorization|^sid|connection_string|smtp_pass|code|script)$|(?:^|\.)(?:custom_scripts|scripts|configuration|custom_headers|secrets|setup|encryption_key)(?:\.|$)/;
const notSecret = /(?:consumer_key|_token_lifetime|revoke_refresh_token|allow_refresh_token|secret_encoded)$/;

interface Place {
  readonly path: string;
  readonly marks: readonly Marks[];
  readonly element?: unknown;
}

export function changesOf({ before, after, beforeSensitive, afterSensitive }: PlannedObject): ValueChange[] {
  return differences(before ?? {}, after ?? {}, { path: "", marks: [beforeSensitive, afterSensitive] });
}

function differences(was: unknown, is: unknown, place: Place): ValueChange[] {
  if (typeof is === "symbol" || (Array.isArray(is) && is.some((part) => typeof part === "symbol"))) {
    return [change(place, { kind: "unknown", was })];
  }
  if (isBlank(was) && isBlank(is)) return [];
  if ([was, is].some(Array.isArray)) return listDifferences(listOf(was), listOf(is), place);
  if (isObject(was) || isObject(is)) {
    const [old, now] = [isObject(was) ? was : {}, isObject(is) ? is : {}];
    const names = new Set([...Object.keys(old), ...Object.keys(now)]);
    return [...names].flatMap((name) => differences(old[name], now[name], below(place, name)));
  }
  return was === is ? [] : [change(place, { kind: "value", was, is })];
}

function listDifferences(was: readonly unknown[], is: readonly unknown[], place: Place): ValueChange[] {
  const isOfBlocks = [...was, ...is].some(isObject);
  const own = keys[place.path];
  if (isOfBlocks && !own) {
    const length = Math.max(was.length, is.length);
    return Array.from({ length }, (_, index) => differences(was[index] ?? {}, is[index] ?? {}, place)).flat();
  }
  const keyIn = (list: readonly unknown[]) =>
    new Map(list.map((part, index) => [isOfBlocks ? keyOf(part as Values, own!, index) : part, part]));
  const [old, now] = [keyIn(was), keyIn(is)];
  if ([...now.keys()].some((key) => key === undefined)) return [change(place, { kind: "unknown", was })];
  const removed = [...old].filter(([key]) => !now.has(key));
  const added = [...now].filter(([key]) => !old.has(key));
  const isReordered =
    removed.length + added.length === 0 && [...old.keys()].some((key, index) => key !== [...now.keys()][index]);
  return [
    ...removed.map(([, part]) => change(place, { kind: "removed", was: part, left: now.size })),
    ...added.map(([, part]) => change(place, { kind: "added", is: part, left: now.size })),
    ...(isReordered ? [change(place, { kind: "order", was, is })] : []),
    ...(isOfBlocks
      ? [...old].flatMap(([key, part]) =>
          now.has(key) ? differences(part, now.get(key), { ...place, element: part }) : [],
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

function change(
  { path, marks, element }: Place,
  about: Omit<ValueChange, "path" | "isSecret" | "isSensitive">,
): ValueChange {
  const isSensitive = marks.some((one) => isMarked(one, ...path.split(".")));
  const isFlag = [about.was, about.is].every((value) => typeof value === "boolean" || isBlank(value));
  const isSecret = isSensitive || (!isFlag && isSecretPath(path));
  return { path, ...about, ...(element !== undefined && { element }), isSensitive, isSecret };
}

/** Whether the provider keeps secrets there without a mark. */
const isSecretPath = (path: string): boolean => secretNames.test(path.toLowerCase()) && !notSecret.test(path);

const below = (place: Place, name: string): Place => ({
  ...place,
  path: place.path === "" ? name : `${place.path}.${name}`,
});

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
    return isObject(one) ? one[name] : undefined;
  }, values);
}
