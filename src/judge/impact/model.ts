/**
 * The plan model: every judgement reads a change in this form. Symbols stand for values that are not known, and absent values are left out. Plans
 * mark which parts are sensitive. Whoever asks about one side gives its marks to `isMarked`. A place has the marks of both sides, because a value
 * that one side marks may stand unmarked on the other. Each value of a plan enters a fact through `masked`, and each path through `labelOf`.
 */
import { clipped, hidden } from "../../formats/text/lists";
import { isUnknown, notKnown } from "../../formats/cty/value";

/** Marks on the parts of a value: true for a whole part, or the same shape with marks inside. */
export type Marks = boolean | readonly Marks[] | { readonly [name: string]: Marks } | null | undefined;

export type Values = { readonly [name: string]: unknown };

/** One object of a plan. A value that is not known yet is a symbol inside `after`. */
export interface PlannedObject {
  readonly address: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  readonly type: string;
  readonly before?: Values;
  readonly after?: Values;
  /** The older values that Terraform gives to the delete, if they differ from `before`. */
  readonly valuesOfDelete?: Values;
  readonly beforeSensitive?: Marks;
  readonly afterSensitive?: Marks;
  readonly actions: readonly string[];
  /** Its address in the state, if the plan moves it. */
  readonly previousAddress?: string;
  /** An earlier apply replaced it and could not destroy it. */
  readonly isDeposed?: true;
  /** The plan imports it. */
  readonly isImported?: true;
  /** The id that the plan imports, if the plan shows the id. */
  readonly importId?: string;
  /** The plan left it out because of -target, so it stays as it is. */
  readonly notTargeted?: true;
  /** Why Terraform leaves the change to a later plan: `provider config unknown`. */
  readonly deferred?: string;
  /** It may belong to another tenant. */
  readonly tenantUnknown?: true;
  /** It is replaced, and the old object stays on the tenant. */
  readonly keepsOld?: true;
  /** It is replaced, and whether Terraform creates the new object first is not known. */
  readonly anyOrder?: true;
}

/** Remote state: managed and unmanaged objects. A list is left out if it was not read. */
export interface Remote {
  readonly network_acls?: readonly Values[];
  readonly rate_limit_policies?: readonly Values[];
  readonly network_acl_keys?: readonly Values[];
  /** Organization -> user ids of its members. Undefined: the tenant has no such organization. */
  readonly organization_members?: ReadonlyMap<string, readonly string[] | undefined>;
  /** User id -> what the tenant shows about the person. */
  readonly people?: ReadonlyMap<string, { readonly name?: string; readonly email?: string }>;
  /** Organization -> its display name. */
  readonly organization_names?: ReadonlyMap<string, string>;
}

/** The name of every symbol that stands for an unknown value of the object. */
export function unknownName({ address, plan }: Pick<PlannedObject, "address" | "plan">): string {
  return `the unknown part of ${address}${plan === undefined ? "" : ` in ${plan}`}`;
}

/** Whether the apply changes anything. An action that this version does not know counts as a change. */
export function acts({ actions }: Pick<PlannedObject, "actions">): boolean {
  return actions.length === 0 || actions.some((action) => !["no-op", "read", "forget"].includes(action));
}

export const isReplaced = ({ actions }: Pick<PlannedObject, "actions">): boolean =>
  actions.includes("create") && actions.includes("delete");

/** Splits a replaced object that stays on the tenant in two: the old object, and the one that is created. */
export function splitKept(object: PlannedObject): PlannedObject[] {
  const { before, beforeSensitive, keepsOld, ...made } = object;
  if (!keepsOld || !before) return [object];
  const { after: _after, afterSensitive: _marks, ...rest } = made;
  const both = { before, after: before, beforeSensitive, afterSensitive: beforeSensitive };
  return [
    { ...made, actions: ["create"] },
    { ...rest, ...both, address: `${rest.address} (forgotten)`, actions: ["forget"] },
  ];
}

/** The address of an object that is left over from a replacement. */
export const deposedAt = (address: string, key: string | undefined): string =>
  key === undefined ? address : `${address} (deposed ${key})`;

export const withoutDeposed = (address: string): string => address.replace(/ \(deposed \w+\)$/, "");

/** The address without the keys of its instances: `[*]` if they are not known. */
export const bare = (address: string) => address.replace(/\[(?:\d+|\*|"(?:[^"\\]|\\.)*")\]/g, "");

/** While it is made. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

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

/** Whether something at the path, or below it, is marked. Lists are looked through. */
export const isMarked = (marks: Marks, ...path: readonly string[]): boolean => isMarkedAt(marks, path, true);

/** `isBelow`: marks on parts of what is at the path count too. */
function isMarkedAt(marks: Marks, path: readonly string[], isBelow: boolean): boolean {
  if (typeof marks !== "object" || marks === null) return marks === true;
  if (Array.isArray(marks)) return marks.some((part: Marks) => isMarkedAt(part, path, isBelow));
  const object = marks as { readonly [name: string]: Marks };
  const [name, ...rest] = path;
  if (name === undefined) return isBelow && Object.values(object).some((part) => isMarkedAt(part, [], true));
  return Object.hasOwn(object, name) && isMarkedAt(object[name], rest, isBelow);
}

/** Where a value is in an object. */
export interface Place {
  /** The names that lead to it, without indexes. A key of a map may have dots. */
  readonly names: readonly string[];
  /** The marks of both sides of the object. */
  readonly marks: Marks;
}

type Sides = Pick<PlannedObject, "beforeSensitive" | "afterSensitive">;

export const placeIn = ({ beforeSensitive, afterSensitive }: Sides, ...names: readonly string[]): Place => ({
  names,
  marks: [beforeSensitive, afterSensitive],
});

export const below = <P extends Place>(place: P, name: string): P => ({ ...place, names: [...place.names, name] });

/** Whether the plan marks the value, or a part of it. */
export const isSensitive = ({ names, marks }: Place): boolean => isMarkedAt(marks, names, true);

/** Whether the plan marks all of the value by one mark, at it or above, so that even names below are secret. */
export const isWhollySensitive = ({ names, marks }: Place): boolean => isMarkedAt(marks, names, false);

/** `options.client_id` */
export const pathOf = ({ names }: Place): string => names.join(".");

/** The path as people may read it: the keys of a map that is marked as a whole are secret too. */
export function labelOf({ names, marks }: Place): string {
  const known = names.findIndex((_, index) => index > 0 && isMarkedAt(marks, names.slice(0, index), false));
  return (known < 0 ? names : [...names.slice(0, known), hidden]).map(nameWords).join(".");
}

/** The key of a map is text of a stranger, unless it looks like the name of an attribute. */
const nameWords = (name: string): string =>
  name === hidden || /^[\w*-]{1,60}$/.test(name) ? name : JSON.stringify(clipped(name, 60));

/** The words for the value, unless nobody may see it. */
export const masked = <T>(value: T, place: Place, words: (value: T) => string): string =>
  isHidden(value, place) ? hidden : words(value);

/** A flag tells no secret, unless the plan marks it. */
export const isHidden = (value: unknown, place: Place): boolean =>
  isSensitive(place) ||
  (typeof value !== "boolean" && value !== null && value !== undefined && isSecretPath(place.names));

/** Names of secrets that the provider does not mark. */
const secrets =
  /(?:secrets?|_?keys?|connection_string|scripts?)$|^(?:pem|p12|value|sid|configuration|setup|(?:http_)?custom_headers|(?:auth|upstream)_params)$/;

/** Names of secrets that, above other names, only group settings: `refresh_token.rotation_type`. */
const lastSecrets = /(?:password|passwd|token|_pass|code|authorization)$/;
const notSecret = new Set(["consumer_key"]);

function isSecretPath(names: readonly string[]): boolean {
  return names.some((name, index) => {
    const lower = name.toLowerCase();
    if (notSecret.has(lower)) return false;
    return secrets.test(lower) || (index === names.length - 1 && lastSecrets.test(lower));
  });
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
