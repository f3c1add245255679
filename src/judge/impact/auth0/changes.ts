/**
 * What differs between two versions of an object of the provider auth0/auth0, as its plans show them: a nested block is a list, a set is a
 * list sorted by value, and null, "", 0, false, [] and {} mean the same.
 */
import { isRecord } from "../../../formats/text/record";
import {
  below,
  isHidden,
  isMarked,
  isSensitive,
  isWhollySensitive,
  labelOf,
  pathOf,
  type Place,
  placeIn,
  type PlannedObject,
  type Values,
  withoutBlanks,
} from "../model";
import { isUnknown } from "../../../formats/cty/value";

export interface ValueChange {
  /** Without indexes: `options.client_id`. Keys of maps in it may be secret. */
  readonly path: string;
  /** The path as people may read it. */
  readonly label: string;
  readonly place: Place;
  /** An element of a set or list is `removed` or `added`, a `value` differs, the `order` differs, or the new value is `unknown`. */
  readonly kind: "removed" | "added" | "value" | "order" | "unknown";
  /** Of an unknown list: the elements that it may no longer have. */
  readonly was?: unknown;
  readonly is?: unknown;
  /** The number of elements that are left. */
  readonly left?: number;
  /** Of an element that is added: the lists before and after. */
  readonly lists?: readonly [was: readonly unknown[], is: readonly unknown[]];
  /** So many of the elements in `was` are removed for certain. Which ones is not known. */
  readonly least?: number;
  /** The object of the element is replaced, and the list has the new one. */
  readonly isRenewed?: true;
  /** The element of a set of blocks in which a value differs. */
  readonly element?: Element;
  /** The values must not be shown. */
  readonly isSecret: boolean;
  /** The plan marks the whole value, so not even the direction of its change is shown. */
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
const addOns = /^addons(?:\.|$)/;

/** What the configuration shows about the elements of a list, or their keys, that are known only after the apply. */
export interface Written {
  /** Ids that the list has. */
  readonly kept: ReadonlySet<unknown>;
  /** Ids of objects that the plan replaces, and whose new ids the list has. */
  readonly renewed: ReadonlySet<unknown>;
  /** What is not known is the id of an object that the plan creates, so it is none of the old elements. */
  readonly isNew: boolean;
  /** The elements, with symbols in place of expressions. Left out: the plan does not show them. */
  readonly list?: readonly unknown[];
}

type WrittenAt = (path: string) => Written | undefined;

interface At extends Place {
  readonly type: string;
  readonly element?: Element;
  readonly written: WrittenAt;
}

export const changesOf = (object: PlannedObject, written: WrittenAt = () => undefined): ValueChange[] =>
  differences(object.before ?? {}, object.after ?? {}, { ...placeIn(object), type: object.type, written });

function differences(written: unknown, planned: unknown, place: At): ValueChange[] {
  const [was, is] = [written, planned].map((value) => (isOff(value, place) ? undefined : value));
  if (isUnknown(is)) {
    const { list, kept } = (Array.isArray(was) && place.written(pathOf(place))) || {};
    if (list) return listDifferences(listOf(was), list, place);
    return [change(place, { kind: "unknown", was: kept ? listOf(was).filter((one) => !kept.has(one)) : was })];
  }
  if (isAbsent(was, place) && isAbsent(is, place)) return [];
  // Which elements of a secret list come or go, or which keys of a secret map, is secret too.
  if (isWhollySensitive(place))
    return meaningOf(was) === meaningOf(is) ? [] : [change(place, { kind: "value", was, is })];
  const isGone = isAbsent(is, place) && !([is].flat().some(isRecord) && isSensitive(place));
  if (wholes.test(pathOf(place))) {
    if (isGone) return [change(place, { kind: "removed", was, left: 0 })];
    if (isBare(is)) return isBare(was) ? [] : [change(place, { kind: "added", is: lastName(pathOf(place)), left: 1 })];
  }
  if ([was, is].some(Array.isArray)) return listDifferences(listOf(was), listOf(is), place);
  if (isRecord(was) || isRecord(is)) {
    const [old, now] = [isRecord(was) ? was : {}, isRecord(is) ? is : {}];
    const names = new Set([...Object.keys(old), ...Object.keys(now)]);
    const at = (values: Values, name: string) =>
      own(values, name) ?? (isRecord(was) && isRecord(is) ? absentIn(place, name) : undefined);
    return [...names].flatMap((name) => differences(at(old, name), at(now, name), below(place, name)));
  }
  return was === is ? [] : [change(place, { kind: "value", was, is })];
}

/** What an absent value means, unless it is the same as a blank one: the connection of an organization is enabled. */
const absentIn = ({ type }: At, name: string): unknown =>
  name === "is_enabled" && type.startsWith("auth0_organization_connection") ? true : undefined;

/** Whether the provider takes the value for an absent one. */
function isOff(value: unknown, place: Place): boolean {
  const blocks: unknown[] = Array.isArray(value) ? value : [];
  const isDisabled = blocks.some((block) => isRecord(block) && block["disable"] === true);
  return isDisabled || (value === "null" && pathOf(place) === "consent_policy");
}

/** Whether the value is nothing. An add-on without options is on if its block is there: `{ wsfed: [{}] }`. */
const isAbsent = (value: unknown, place: Place): boolean =>
  isBlank(value) && !(addOns.test(pathOf(place)) && hasBare(value));

/** A block without attributes. */
const isBare = (value: unknown): boolean =>
  Array.isArray(value) && value.some((one) => isRecord(one) && Object.keys(one).length === 0);

const hasBare = (value: unknown): boolean =>
  isBare(value) || (typeof value === "object" && value !== null && Object.values(value).some(hasBare));

const meaningOf = (value: unknown) => JSON.stringify(withoutBlanks(value));

function listDifferences(was: readonly unknown[], is: readonly unknown[], place: At): ValueChange[] {
  const isOfBlocks = [...was, ...is].some(isRecord);
  const key = keys.get(pathOf(place));
  if (isOfBlocks && !key) {
    const length = Math.max(was.length, is.length);
    return Array.from({ length }, (_, index) => differences(was[index] ?? {}, is[index] ?? {}, place)).flat();
  }
  const keyIn = (list: readonly unknown[]) =>
    new Map(list.map((part, index) => [isOfBlocks ? keyOf(part, key!, index) : part, part]));
  const isOpen = (part: unknown) => isUnknown(isOfBlocks ? keyOf(part, key!, 0) : part);
  const [old, now] = [keyIn(was), keyIn(is.filter((part) => !isOpen(part)))];
  const namesNow = [...now.keys()];
  const removed = [...old].flatMap(([one, part]) => (now.has(one) ? [] : [part]));
  const added = [...now].filter(([one]) => !old.has(one));
  const open = is.filter(isOpen);
  const left = now.size + open.length;
  const isReordered =
    removed.length + added.length + open.length === 0 && [...old.keys()].some((one, index) => one !== namesNow[index]);
  return [
    ...(open.length > 0
      ? openDifferences(removed, open, isOfBlocks ? below(place, key![0]!) : place, place, left)
      : removed.map((part) => change(place, { kind: "removed", was: part, left }))),
    ...added.map(([, part]) => change(place, { kind: "added", is: part, left, lists: [was, is] })),
    ...(isReordered ? [change(place, { kind: "order", was, is })] : []),
    ...(isOfBlocks
      ? [...old].flatMap(([one, part]) =>
          now.has(one) ? differences(part, now.get(one), { ...place, element: { value: part, place } }) : [],
        )
      : []),
  ];
}

/** Each open element has place for one old element, unless it is a new object. `removed`: what is not among the known elements. */
function openDifferences(
  removed: readonly unknown[],
  open: readonly unknown[],
  key: At,
  place: At,
  left: number,
): ValueChange[] {
  const { isNew = false, renewed } = place.written(pathOf(key)) ?? {};
  const least = removed.length - open.length;
  if (isNew) {
    const isAgain = (part: unknown) => renewed?.has(idIn(part)) === true;
    return [
      ...removed.map((part) =>
        change(place, { kind: "removed", was: part, left, ...(isAgain(part) && { isRenewed: true as const }) }),
      ),
      ...open.slice(removed.filter(isAgain).length).map((part) => change(place, { kind: "added", is: part, left })),
    ];
  }
  return [
    ...(least > 0 ? [change(place, { kind: "removed", was: removed, left, least })] : []),
    change(place, { kind: "unknown", was: least > 0 ? [] : removed }),
  ];
}

/** A symbol: the key is not known yet. */
function keyOf(block: unknown, names: readonly string[], index: number): string | symbol {
  if (isUnknown(block)) return block;
  const parts = names.map((name) => (block as Values)[name]);
  const open = parts.find(isUnknown);
  return open ?? (parts.every(isBlank) ? String(index) : JSON.stringify(parts));
}

type About = Pick<ValueChange, "kind" | "was" | "is" | "left" | "lists" | "least" | "isRenewed">;

function change(at: At, about: About): ValueChange {
  const { element, names, marks } = at;
  const place = { names, marks };
  const isSecret = isSensitive(place) || [about.was, about.is].some((value) => isHidden(value, place));
  const shown = { path: pathOf(place), label: labelOf(place), place, isSensitive: isWhollySensitive(place), isSecret };
  return { ...shown, ...about, ...(element && { element }) };
}

/** A key of a map may be `constructor`. */
export const own = (values: Values, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);

/** What refers to another object in an element of a set of blocks, the best first. */
export const idNames = ["connection_id", "id", "role_id", "resource_server_identifier"];

/** What refers to another object in an element of a set. */
export function idIn(element: unknown): string | undefined {
  const found = isRecord(element)
    ? idNames.map((name) => element[name]).find((id) => id !== undefined && id !== null)
    : element;
  return typeof found === "string" ? found : undefined;
}

export const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

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
    return isRecord(one) ? own(one, name) : undefined;
  }, values);
}

/** All values at the path. Lists are looked through, and nothing below a value that is not known is. */
export function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (isUnknown(value)) return [value];
  if (Array.isArray(value)) return value.flatMap((part) => valuesAt(part, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value === undefined || value === null ? [] : [value];
  return isRecord(value) ? valuesAt(own(value, name), rest) : [];
}

/** The same form with nothing in it, so that written false values differ from it. */
function undefinedIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(isRecord) ? value.map(undefinedIn) : [];
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, undefinedIn(part)]));
  return value === false ? true : null;
}

/** What is not known before a create. The provider sends no `email = false` of a new `auth0_guardian`. */
export function unknownBefore({ type, after = {}, afterSensitive }: PlannedObject): Values {
  const unsent = Object.entries(after).filter(
    ([name, value]) => type === "auth0_guardian" && value === false && !isMarked(afterSensitive, name),
  );
  return { ...(undefinedIn(after) as Values), ...Object.fromEntries(unsent) };
}
