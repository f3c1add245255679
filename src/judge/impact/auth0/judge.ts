/**
 * Judges the changes of a plan to objects of the provider auth0/auth0 by the table: each change of a value, and each object that is created,
 * destroyed or replaced, is decided by the first row that fits. What no row knows is an effect of its own, "Changed, and not judged".
 *
 * One accident is one effect: what a destroyed or replaced object drags along is named in its effect.
 */
import { isRecord } from "../../../formats/text/record";
import { effect, type Effect, isAtLeast, type Level } from "../effect";
import { acts, distinctBy, grouped, isReplaced, type PlannedObject, splitKept } from "../model";
import { subjectOf } from "../objects/actions";
import { duplicateEffects } from "../objects/duplicates";
import { type Again, madeAgain, unwritten } from "./again";
import { changesOf, isBlank, listOf, unknownBefore, type ValueChange } from "./changes";
import { type Because, effectOf, type Found, type Unread, unreadEffect } from "./effects";
import {
  fitsObject,
  fitsValue,
  isTowards,
  mayFit,
  objectChange,
  type ObjectChange,
  openRows,
  setsValue,
} from "./match";
import { isSetting, sharedIn } from "./managed";
import type { Known } from "./names";
import { isMovedLink, leading, locksOut, together, usersOf } from "./others";
import { type Decision, decisionOf, rank, type Refused, refusedEffects } from "./proposed";
import type { Row } from "./row";
import type { Table } from "./table";
import { isUnknown } from "../../../formats/cty/value";

/** `all`: those that stay as they are too, because they may use others. */
export function judgeAuth0(given: readonly PlannedObject[], table: Table, known: Known): Effect[] {
  const all = given.flatMap(splitKept);
  const objects = all.filter(acts);
  const byType = grouped(all, ({ type }) => type);
  const { gone, made } = madeAgain(objects);
  const judgedOf = (object: PlannedObject): Judged[] => {
    const isUsed = ({ usedBy }: Row) => usedBy === undefined || usersOf(object, usedBy, byType).length > 0;
    const rows = table(object.type).filter(isUsed);
    const asNew = (one: Judged): Judged[] => {
      if (made.get(object) === "same") return [];
      return [made.has(object) ? { ...one, found: one.found.filter(isMoreThanEntries) } : one];
    };
    const again = gone.get(object);
    const own = judgeOne(again?.lost ?? object, rows, known);
    if (object.actions.join() === "create") return asNew(own);
    const isNewToo = isReplaced(object) && !isSetting(object.type) && !again?.by.includes(object);
    return [
      again ? { ...own, found: own.found.flatMap((one) => foundAgain(one, again)) } : own,
      ...(again?.rest ? [judgeOne(restOf(again.rest, own, known), rows, known)] : []),
      ...(isNewToo ? asNew(created(object, rows, known)) : []),
    ];
  };
  const [changed, refused, unread]: [Found[], Refused[], Effect[]] = [[], [], []];
  for (const object of objects)
    for (const one of judgedOf(object)) {
      changed.push(...one.found);
      refused.push(...one.refused);
      if (one.unread) unread.push(unreadEffect(one.unread));
    }
  const lasting = changed
    .filter((one) => !isMovedLink(one, objects))
    .map((one) => ({ ...one, users: usersOf(one.object, one.row.usedBy, byType) }))
    .map((one) => (locksOut(one, known) ? { ...one, level: "critical" as const, isLockout: true as const } : one));
  return [
    ...refusedEffects(refused),
    ...together(leading(lasting), known).map((one) => effectOf(one, known)),
    ...duplicateEffects(sharedIn(all)),
    ...all.filter(isForgotten).map(forgottenEffect),
    ...unread,
  ];
}

const isForgotten = (object: PlannedObject) => object.actions.includes("forget") && !acts(object);

const forgottenEffect = (object: PlannedObject): Effect =>
  effect(
    "TNF-FORGOTTEN",
    { kind: "object", object: { address: object.address }, change: "forgotten" },
    subjectOf(object),
  );

/** People have had the permissions of entries that are made again, and their values are compared. What else the create of a list does may be new. */
const isMoreThanEntries = ({ level, row }: Found): boolean =>
  isAtLeast(level, "medium") && row.code !== "TNF-PERMISSION-ADDED" && row.when === undefined;

/** Who gets what a replaced link takes from another one. */
function created(object: PlannedObject, rows: readonly Row[], known: Known): Judged {
  const { before = {}, ...made } = object;
  const isSame = Object.entries(object.after ?? {}).every(([name, value]) => {
    const was = before[name];
    if (!isUnknown(value)) return isBlank(value) ? isBlank(was) : JSON.stringify(value) === JSON.stringify(was);
    return known.isConfigured(object, name) !== true || known.writtenAt(object, name)?.renewed.has(was) === true;
  });
  return { found: isSame ? [] : judgeOne({ ...made, actions: ["create"] }, rows, known).found, refused: [] };
}

/** What a destroyed setting leaves, and the create does not write. */
function restOf(rest: PlannedObject, own: Judged, known: Known): PlannedObject {
  if (!isSetting(rest.type)) return rest;
  const isOff = own.found.some(({ row }) => row.code !== "TNF-FORGOTTEN");
  return unwritten(rest, (name) => known.isConfigured(rest, name) !== false, isOff);
}

/** What is made again is lost only if the destroy comes last. */
function foundAgain(one: Found, again: Again): Found[] {
  if (!again.isKept) return [{ ...one, again }];
  if (one.row.code === "TNF-FORGOTTEN") return [];
  return [{ ...one, again, level: isAtLeast(one.level, "medium") ? "medium" : one.level }];
}

interface Judged {
  readonly found: Found[];
  readonly unread?: Unread;
  readonly refused: readonly Refused[];
}

function judgeOne(object: PlannedObject, rows: readonly Row[], known: Known): Judged {
  const { actions } = object;
  const isKnownType = rows.some(({ type }) => type !== "*");
  const change = objectChange(object);
  // A row that nobody has reviewed must not take the place of what the values tell.
  const isOfObject = rows.some((row) => row.proposed === undefined && fitsObject(row, "create", object));
  if (change === "create" && isSetting(object.type) && !isOfObject) return valuesFound(object, rows, known, "set");
  if (change !== undefined) return objectFound(object, change, rows, known);
  const unread = { object, paths: [], level: unreadLevel(undefined) };
  if (!actions.includes("update")) return { found: [], unread, refused: [] };
  return { ...(!isKnownType && { unread }), ...valuesFound(object, rows, known) };
}

/** A replacement destroys the old object. */
function objectFound(object: PlannedObject, change: ObjectChange, rows: readonly Row[], known: Known): Judged {
  const tests = [change, ...(change === "replace" ? ["destroy" as const] : [])];
  const fits = tests.map((wanted) => (row: Row, may?: boolean) => fitsObject(row, wanted, object, may));
  const decision = decisionOf(rows, fits, unreadLevel(change));
  const { row, refused } = decision;
  return {
    found: foundBy(rows, decision, fits, { object, change, known }) ?? [],
    refused: refused ? [refused] : [],
    ...(!row && { unread: { object, paths: [], level: unreadLevel(change) } }),
  };
}

interface Judging {
  readonly object: PlannedObject;
  readonly change: ObjectChange | ValueChange;
  readonly known: Known;
}

/** What the row decides. If values that nobody knows, or may see, decide whether another row does, the worst of them is possible too. */
function foundBy(
  rows: readonly Row[],
  { row, builtIn }: Decision,
  fits: Parameters<typeof openRows>[2],
  judging: Judging,
): Found[] | undefined {
  const { object, change } = judging;
  const about = { object, ...(typeof change === "string" ? { changes: [], change } : { changes: [change] }) };
  const others = openRows(rows, row, fits, judging);
  const [worst] = others.toSorted((one, other) => rank(other.row.level) - rank(one.row.level));
  if (!row && !worst) return undefined;
  const not = distinctBy(
    others.map(({ open }) => open[0]!),
    (one) => JSON.stringify(one),
  );
  return [
    ...(row ? found({ ...about, row, builtIn, ...(not.length > 0 && { not }) }) : []),
    ...(worst && rank(worst.row.level) > (row ? rank(row.level) : -1) ? found({ ...about, ...worst }) : []),
  ];
}

/** What no row knows is at least medium if it takes something away. */
const unreadLevel = (change: ObjectChange | undefined, changes: readonly ValueChange[] = []): Level =>
  change === "destroy" || change === "replace" || changes.some(takesAway) ? "medium" : "info";

const takesAway = ({ kind, was, is, isSensitive }: ValueChange): boolean =>
  isSensitive || kind === "removed" || (kind === "value" && isBlank(is) && !isBlank(was));

/** `set`: a create that overwrites what the tenant has. What each value was is not known. */
function valuesFound(object: PlannedObject, rows: readonly Row[], known: Known, how?: "set"): Judged {
  const byRow = new Map<string, Found & { readonly changes: ValueChange[] }>();
  const unread: ValueChange[] = [];
  const lowering: Refused[] = [];
  const written = how === "set" ? { ...object, before: unknownBefore(object) } : object;
  const changes = changesOf(written, (path) => known.writtenAt(object, path));
  for (const change of changes) {
    if (change.kind === "unknown" && isComputed(object, change, known)) continue;
    // Nobody knows which elements a list had.
    if (how === "set" && change.kind === "removed") continue;
    const unreadAs = change.kind === "order" ? "none" : unreadLevel(undefined, [change]);
    const fits = (row: Row, may?: boolean) =>
      how === "set" ? setsValue(row, change, object, may) : fitsValue(row, change, object, may);
    const fitting = how === "set" ? worstSet(rows, change, object) : rows;
    const decision: Decision = change.kind === "unknown" ? {} : decisionOf(fitting, [fits], unreadAs);
    if (decision.refused) lowering.push(decision.refused);
    const one =
      change.kind === "unknown"
        ? undecided(object, rows, change, how ?? "unknown")
        : revealsValue(rows, change, decision, object)
          ? undecided(object, rows, change, "sensitive")
          : foundBy(fitting, decision, [fits], { object, change, known });
    // Only a row can say that an order matters.
    if (!one && change.kind !== "order") unread.push(change);
    for (const { row, ...about } of one ?? []) {
      const { because, mayStay, open, not } = about;
      const isOfElement = /\{(?:removed|added|element)\}/.test(row.text ?? "");
      const key = JSON.stringify([
        rows.indexOf(row),
        isOfElement && [change.kind, change.element?.value],
        [because, mayStay, open, not, change.isRenewed],
        isOfPath(row) && change.path,
      ]);
      const earlier = byRow.get(key);
      if (earlier) for (const each of about.changes) earlier.changes.push(each);
      else byRow.set(key, { ...about, row, changes: [...about.changes] });
    }
  }
  return {
    found: how === "set" ? setFound([...byRow.values()]) : [...byRow.values()],
    refused: lowering,
    ...(unread.length > 0 && {
      unread: {
        object,
        paths: [...new Set(unread.map(({ label }) => label))],
        level: unreadLevel(undefined, how === "set" ? [] : unread),
      },
    }),
  };
}

/** The rows that may decide, the worst first: the value may have been any, so all rows count up to the first one for any change. */
const worstSet = (rows: readonly Row[], change: ValueChange, object: PlannedObject): Row[] =>
  upToAny(
    rows.filter((row) => setsValue(row, change, object, true)),
    change,
    object,
  ).toSorted((one, other) => rank(other.level) - rank(one.level));

/** The rows up to the first reviewed one for any change. */
function upToAny(rows: readonly Row[], change: ValueChange, object: PlannedObject): readonly Row[] {
  const isLast = (row: Row) => row.proposed === undefined && row.change === "any" && fitsValue(row, change, object);
  const last = rows.findIndex(isLast);
  return last < 0 ? rows : rows.slice(0, last + 1);
}

/** One effect for all values that the plan sets: the worst leads. What else is at least medium, and says another thing, has one too. */
function setFound(all: readonly Found[]): Found[] {
  const causes = all
    .filter(({ because }) => because === undefined)
    .toSorted((one, other) => rank(other.level) - rank(one.level));
  const sets = causes.flatMap(({ changes }) => changes);
  const leads = causes.filter(({ level, row }, index) => {
    const isFirst = causes.findIndex((one) => one.row.code === row.code) === index;
    return index === 0 || (isFirst && isAtLeast(level, "medium") && isTowards(row));
  });
  return [
    ...leads.map((one, index) => ({ ...one, change: "create" as const, sets: index === 0 ? sets : one.changes })),
    ...all.filter(({ because }) => because),
  ];
}

/** Auth0 computes the value, and the configuration does not set it. Plans leave out dynamic blocks, which may have set a block that was there. */
const isComputed = (object: PlannedObject, { path, was }: ValueChange, known: Known): boolean =>
  known.isConfigured(object, path) === false && !listOf(was).some(isRecord);

/** A row with values in its text tells each path by itself. */
const isOfPath = ({ text = "" }: Row) =>
  /\{(?:was|is|changes|method|factor)\}|(?<!\()\{(?:path|attribute)\}/.test(text);

/** Whether the row that decides tells what the value is: another one would, if the value were another one. */
const revealsValue = (rows: readonly Row[], change: ValueChange, { row }: Decision, object: PlannedObject): boolean =>
  change.isSensitive && (row?.change !== "any" || rows.find((one) => mayFit(one, change, object, true)) !== row);

/** The worst that the value can do, but at most high. What a list may lose is named. */
function undecided(
  object: PlannedObject,
  rows: readonly Row[],
  change: ValueChange,
  how: Because | "set",
): Found[] | undefined {
  const may = rows.filter(
    (row) => mayFit(row, change, object, how !== "unknown") && !(row.proposed && row.level === "none"),
  );
  if (may.length === 0) return undefined;
  const levelOf = ({ level }: Row) => (level === "critical" ? "high" : level);
  const order = (row: Row) => rank(levelOf(row)) * 2 + (row.change === "emptied" ? 0 : 1);
  const [worst] = upToAny(may, change, object).toSorted((one, other) => order(other) - order(one));
  const level = levelOf(worst!);
  if (level === "none") return [];
  const about = { object, row: worst!, level, along: [], users: [] };
  const lost = how === "unknown" && /^(?:removed|emptied)/.test(worst!.change) && Array.isArray(change.was);
  if (!lost) return [{ ...about, changes: [change], because: how === "set" ? ("unknown" as const) : how }];
  const changes = listOf(change.was).map((was) => ({ ...change, kind: "removed" as const, was }));
  return [{ ...about, changes, mayStay: true as const }];
}

/** None for a row without an effect, unless a person took it out. */
function found(one: Omit<Found, "level" | "along" | "users">): Found[] {
  const { level, reason } = one.row;
  if (level === "none" && reason === undefined) return [];
  return [{ ...one, level: level === "none" ? "info" : level, along: [], users: [] }];
}
