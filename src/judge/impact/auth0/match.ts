/** Whether a row of the table fits a change. */
import { isRecord } from "../../../formats/text/record";
import { countAddresses, parseBlock } from "../../access/access";
import { isWhollySensitive, placeIn, type PlannedObject } from "../model";
import { isBlank, lastName, listOf, type ValueChange, valuesAt } from "./changes";
import { type Known, references } from "./names";
import type { Row } from "./row";
import { isUnknown } from "../../../formats/cty/value";

export type ObjectChange = "create" | "destroy" | "replace";

/** Left out: the change is of values, or nothing changes. */
export function objectChange({ actions }: PlannedObject): ObjectChange | undefined {
  const [creates, deletes] = [actions.includes("create"), actions.includes("delete")];
  if (creates && deletes) return "replace";
  return deletes ? "destroy" : creates ? "create" : undefined;
}

/** The values that a condition reads: those after the change, or before it if the change is of an object that goes. */
export type Sides = Pick<PlannedObject, "before" | "after" | "beforeSensitive" | "afterSensitive">;

/** `may`: a value that nobody knows, or may see, is as the row wants it. */
type Fits = (row: Row, may?: boolean) => boolean;

export const fitsObject = (row: Row, change: ObjectChange, sides: Sides, may = false): boolean =>
  row.path === undefined && row.change === change && fitsWhen(row, sides, change, may);

export const fitsValue = (row: Row, change: ValueChange, sides: Sides, may = false): boolean =>
  row.path !== undefined &&
  fitsPath(row.path, change.path) &&
  fitsChange(row.change, change) &&
  fitsWhen(row, sides, change, may);

/** What the `when` of a row wants of a value that is known only after the apply, or that the plan marks as sensitive. */
export interface Wanted {
  readonly attribute: string;
  readonly value: string;
  readonly isSensitive?: true;
}

/** The reviewed rows that decide in place of `row` if such values are as their `when` wants, in the order of `fits`. */
export function openRows(
  rows: readonly Row[],
  row: Row | undefined,
  fits: readonly Fits[],
  { object, change, known }: { object: PlannedObject; change: ObjectChange | ValueChange; known: Known },
): { readonly row: Row; readonly open: readonly Wanted[] }[] {
  const may = fits.flatMap((one) =>
    rows.filter((other) => other === row || (other.proposed === undefined && one(other, true))),
  );
  return may.slice(0, row && may.indexOf(row)).flatMap((one) => {
    const wanted = Object.entries(one.when ?? {}).flatMap(([path, value]) => {
      const found = whenValues(path, object, change).find(isUnknown);
      return found === undefined ? [] : { path, value, isSensitive: found === sealed };
    });
    // Auth0 computes what the configuration does not set, and an id that is not known may be that of a new object.
    const isNo = wanted.some(
      ({ path, isSensitive }) =>
        !isSensitive &&
        (known.isConfigured(object, path) === false ||
          (references.has(path) && known.writtenAt(object, path)?.isNew === true)),
    );
    const open = wanted.map(({ path, value, isSensitive }): Wanted => ({
      attribute: lastName(path),
      value,
      ...(isSensitive && { isSensitive }),
    }));
    return open.length === 0 || isNo ? [] : [{ row: one, open }];
  });
}

/** Whether the row is about the value at the path, or about a value below it. */
export const concerns = (row: Row, path: string): boolean =>
  row.path !== undefined && (fitsPath(row.path, path) || row.path.split("|").some((one) => isBelow(one, path)));

/** Whether the first names of the pattern stand for the path. A `*` at its begin stands for blocks, and the path may be that of a text. */
function isBelow(wanted: string, path: string): boolean {
  const [names, all] = [wanted.split("."), path.split(".")];
  return names.length > all.length && names[0] === all[0] && fitsPath(names.slice(0, all.length).join("."), path);
}

/** Whether the row may decide a change to a value that nobody knows. `isAny`: nor what it was. Of a list, `was` is what it may lose. */
export function mayFit(row: Row, change: ValueChange, sides: Sides, isAny: boolean): boolean {
  const { path, was } = change;
  if (!concerns(row, path) || !fitsWhen(row, sides, change, true)) return false;
  const [verb = "", element = "*"] = row.change.split(" ");
  const isOfBlock = !fitsPath(row.path!, path) || listOf(was).some(isRecord);
  const hadValues = !isBlank(valuesAt(sides.before, path.split(".")));
  if (isAny || (isOfBlock && hadValues)) return suits(row, change);
  const old = isOfBlock ? undefined : was;
  const lost = listOf(old);
  if (verb === "removed") return lost.some((one) => fitsText(element, one));
  if (verb === "emptied") return lost.length > 0;
  if (verb === "loses") return holds(old, element);
  if (verb === "lower" || verb === "higher") return typeof old === "number";
  const [from, to] = verb.split("->");
  return to === undefined || (!Array.isArray(old) && fitsText(from!, old));
}

/** `{ strategy: "auth0|sms" }`. A value that is not known fits nothing, unless anything will do that it `may` be. */
function fitsWhen({ when = {} }: Row, sides: Sides, change: ObjectChange | ValueChange, may: boolean): boolean {
  return Object.entries(when).every(([path, wanted]) => {
    const all = whenValues(path, sides, change);
    return (all.length === 0 ? [undefined] : all).some((value) => {
      if (isUnknown(value)) return may;
      return wanted === "*" ? !isBlank(value) : fitsText(wanted, value);
    });
  });
}

/** In place of a value that nobody may see, because the row that decides would tell it. */
const sealed = Symbol("sensitive");

function whenValues(path: string, sides: Sides, change: ObjectChange | ValueChange): readonly unknown[] {
  const names = path.split(".");
  const { before, after } = sides;
  if (isWhollySensitive(placeIn(sides, ...names))) return [sealed];
  // Auth0 computes a block of a new object that is not known as a whole.
  if (change === "create" && names.length > 1 && isUnknown(after?.[names[0]!])) return [];
  if (typeof change === "string") return valuesAt(change === "create" ? after : before, names);
  // Below a list that gets an element or loses one: of the element.
  const ofElement = /added|removed/.test(change.kind) && path.startsWith(`${change.path}.`);
  return ofElement
    ? valuesAt(change.is ?? change.was, path.slice(change.path.length + 1).split("."))
    : valuesAt(after, names);
}

/** Whether the row may be about such a change, whatever the value is. */
const suits = ({ change }: Row, { kind }: ValueChange): boolean =>
  kind === "added"
    ? /^(?:added|any|covers|leads|loads)/.test(change)
    : kind !== "removed" || /^(?:any|emptied|removed)/.test(change);

function fitsChange(wanted: string, change: ValueChange): boolean {
  const { kind, was, is, left, lists } = change;
  const isRemoved = kind === "removed" || (kind === "value" && isBlank(is));
  const isAdded = kind === "added" || (kind === "value" && isBlank(was));
  const [verb = "", element = "*"] = wanted.split(" ");
  if (verb === "any") return true;
  if (verb === "removed") return isRemoved && fitsText(element, was);
  if (verb === "added") return isAdded && fitsText(element, is);
  if (verb === "emptied") return kind === "removed" && left === 0;
  if (verb === "order") return kind === "order";
  if (verb === "loses") return kind === "value" && holds(was, element) && !holds(is, element);
  if (verb === "loads") {
    const known = new Set(kind === "value" || kind === "added" ? hostsIn(was) : []);
    return (kind === "value" || kind === "added") && hostsIn(is).some((host) => !known.has(host));
  }
  if (verb === "covers") return lists !== undefined && widened(...lists);
  if (verb === "leads") return lists ? !hostsOf(lists[0]).has(hostOf(is)) : kind === "value" && linksElsewhere(was, is);
  if (verb === "lower" || verb === "higher")
    return typeof was === "number" && (verb === "lower" ? Number(is) < was : Number(is) > was) && reaches(wanted, is);
  const [from = "", to = ""] = wanted.split("->");
  return kind === "value" && fitsText(from, was) && fitsText(to, is);
}

/** Whether the number is at most that of `lower 10`, or at least that of `higher 10`. */
function reaches(wanted: string, is: unknown): boolean {
  const [verb, most] = wanted.split(" ");
  return typeof is === "number" && (most === undefined || (verb === "lower" ? is <= Number(most) : is >= Number(most)));
}

/** Whether the blocks have more sixteenths of all addresses of a family than before. One is half of the IPv6 addresses of hosts. */
function widened(was: readonly unknown[], is: readonly unknown[]): boolean {
  const before = sixteenthsOf(was);
  return sixteenthsOf(is).some((count, family) => count > before[family]!);
}

const counted = new WeakMap<object, readonly bigint[]>();

function sixteenthsOf(list: readonly unknown[]): readonly bigint[] {
  const known = counted.get(list);
  if (known) return known;
  const blocks = list.flatMap((one) => (typeof one === "string" ? (parseBlock(one) ?? []) : []));
  const made = [countAddresses(blocks, 4) >> 28n, countAddresses(blocks, 6) >> 124n];
  counted.set(list, made);
  return made;
}

/** `a.example` of `https://a.example/cb`, and `app://cb` of an address of an own scheme. */
function hostOf(url: unknown): string {
  const [, scheme = "", host = ""] = /^([a-z][\w+.-]*):\/\/(?:[^/\\?#@]*@)?([^/\\?#:]*)/i.exec(String(url)) ?? [];
  return (/^https?$/i.test(scheme) ? host : `${scheme}://${host}`).toLowerCase();
}

const hostLists = new WeakMap<readonly unknown[], ReadonlySet<string>>();

/** Computed once for a list: each of its new elements asks. */
function hostsOf(urls: readonly unknown[]): ReadonlySet<string> {
  const hosts = hostLists.get(urls) ?? new Set(urls.map(hostOf));
  hostLists.set(urls, hosts);
  return hosts;
}

/** Whether the text has one of the parts, wherever blanks are: `{{url|{{link`. */
const holds = (value: unknown, parts: string): boolean =>
  typeof value === "string" && parts.split("|").some((part) => value.replace(/\s/g, "").includes(part));

/** Tags that load code, send what people type, or lead elsewhere. */
const loading = /^(?:base|button|embed|form|iframe|input|meta|object)\b/i;
/** An event handler, which may follow a slash or the quote of another attribute, or a link that is code. */
const handler = /[\s"'/]on\w+\s*=|\bjavascript:/i;
const address =
  /(?:https?:[/\t\r\n]*|(?<!\/)\/{2,}(?=\[|[^\s/]*\.))(?:[^\s/"'@]{0,200}@)?(\[[\da-f:.]+\]|[^\s/"'`?#:<>()[\]{}$,;]+)/gi;
/** Auth0 serves its own libraries there, and names of XML begin so. */
const trusted = new Set(["cdn.auth0.com", "www.w3.org"]);

/** The hosts from which a page loads code, or to which it sends what people type. */
function hostsIn(value: unknown): string[] {
  const page = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const code: string[] = [];
  let isScript = false;
  for (const part of page.split("<").slice(1)) {
    isScript = isScript ? !/^\/script\b/i.test(part) : /^script\b/i.test(part);
    const [tag = ""] = part.split(">", 1);
    if (isScript) code.push(part);
    else if (loading.test(tag) || handler.test(asRead(tag))) code.push(tag);
  }
  return namedIn(code.join(" ")).filter((host) => !trusted.has(host));
}

/** Whether a text names a host that the old one did not. */
function linksElsewhere(was: unknown, is: unknown): boolean {
  const [before, after] = [was, is].map((text) => new Set(typeof text === "string" ? namedIn(text) : []));
  return [...after!].some((host) => !before!.has(host) && !trusted.has(host));
}

const namedIn = (text: string): string[] =>
  [...asRead(text).matchAll(address)].map(([, host]) => host!.toLowerCase().replace(/\.+$/, ""));

/** A browser reads `&#47;` and a backslash as a slash, and leaves out `&#9;`. */
const asRead = (code: string): string =>
  code
    .replace(/&#(x?)0*([\da-f]{1,6});?/gi, (_, hex: string, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, hex === "" ? 10 : 16)).replace(/[\t\n\r]/, ""),
    )
    .replace(/&sol;|\\/gi, "/")
    .replace(/&colon;/gi, ":");

/** Whether the row says what a value becomes, whatever it was. */
export const isTowards = ({ change, text = "" }: Row): boolean =>
  (/^(?:loads|loses|covers|(?:removed|lower|higher) )/.test(change) ||
    (change.includes("->") && !change.endsWith("->*"))) &&
  !/\{(?:was|removed|changes)\}/.test(text);

/** Whether a written value may be such a change, if what it was is not known. Nor is what the plan does not write. */
export const setsValue = (row: Row, change: ValueChange, sides: Sides, may?: boolean): boolean =>
  fitsValue({ ...row, change: "any" }, change, sides, may) && maySet(row, change, sides);

function maySet(row: Row, change: ValueChange, sides: Sides): boolean {
  const unwritten = Object.entries(row.when ?? {}).some(
    ([path, one]) => one === "false" && whenValues(path, sides, "create").length === 0,
  );
  if (unwritten) return false;
  const [from, to] = row.change.split("->");
  if (to !== undefined) return change.kind === "value" && fitsText(to, change.is) && (to !== "*" || from !== change.is);
  if (/^(?:lower|higher)/.test(row.change)) return reaches(row.change, change.is);
  const [verb, parts] = row.change.split(" ");
  if (verb === "loses") return typeof change.is === "string" && !holds(change.is, parts!);
  if (verb === "removed") return parts !== undefined && change.lists?.[1].some((one) => fitsText(parts, one)) === false;
  return /^(?:any|added|covers|leads|loads)/.test(row.change) && fitsChange(row.change, change);
}

/** `auth0|sms`, `prod-*`. Blank values are `false`, `none` and `*`, and `[false]` is false that is written. */
function fitsText(wanted: string, value: unknown): boolean {
  if (value === false && wanted === "[false]") return true;
  if (isBlank(value)) return ["*", "false", "none"].some((one) => wanted.split("|").includes(one));
  if (typeof value === "object" || isUnknown(value)) return wanted === "*";
  return wanted.split("|").some((one) => fitsWord(one, String(value)));
}

/** `[*]` is a star itself. */
const fitsWord = (wanted: string, found: string): boolean =>
  wanted.includes("*")
    ? fitsParts(wanted.match(/\[\*\]|./gs)!, found, "*", (one, other) => (one === "[*]" ? "*" : one) === other)
    : wanted === found;

/** For paths: `*` stands for any part of one name, `**` for any names or none. */
function fitsPath(wanted: string, path: string): boolean {
  const names = path.split(".");
  return wanted.split("|").some((one) => fitsParts(one.split("."), names, "**", fitsWord));
}

/** The parts stand for each other, and `gap` for any parts or none. Only the newest gap grows, so no pattern takes more than both lengths multiplied. */
function fitsParts(
  wanted: ArrayLike<string>,
  found: ArrayLike<string>,
  gap: string,
  fits: (wanted: string, found: string) => boolean,
): boolean {
  let [at, afterGap, index, resumed] = [0, 0, 0, 0];
  while (index < found.length) {
    if (wanted[at] === gap) [afterGap, resumed] = [++at, index];
    else if (at < wanted.length && fits(wanted[at]!, found[index]!)) [at, index] = [at + 1, index + 1];
    else if (afterGap > 0) [at, index] = [afterGap, ++resumed];
    else return false;
  }
  while (wanted[at] === gap) at += 1;
  return at === wanted.length;
}
