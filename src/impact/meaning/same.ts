/** Decides whether two changes mean the same for every request, limit, member and key. */
import { canonical } from "../value";
import { byRecord, compareEffects, type EffectDifference } from "../../access/access";
import { clipped } from "../phrases";
import { requestWords } from "../network-acl/witness";
import { few } from "../words/members";
import { limitWords } from "../words/limits";
import { type Meaning, type MeantAcl, type MeantKey, type MeantLimit, type MeantMembers } from "./meaning";

/** "not known": nothing differs as far as both are known, and something is not known. */
type MeaningVerdict = "same" | "different" | "not known";

export interface MeaningComparison {
  readonly verdict: MeaningVerdict;
  /** Requests with other outcomes. */
  readonly requests: readonly EffectDifference[];
  /** Requests of which one change alone starts or stops a record. "blocked" stands for recorded. */
  readonly records: readonly EffectDifference[];
  readonly limits: readonly Both<MeantLimit>[];
  readonly members: readonly Both<MeantMembers>[];
  readonly keys: readonly Both<MeantKey>[];
  /** What is not known, in clauses without a verb. */
  readonly unknown: readonly string[];
}

/** Left out: the change leaves it alone. */
export interface Both<T> {
  readonly one?: T;
  readonly other?: T;
}

export function compareMeanings(one: Meaning, other: Meaning): MeaningComparison {
  const unknown = [...new Set([...one.unknown, ...other.unknown])];
  const acls =
    unknown.length > 0
      ? { requests: [], records: [], isDecided: true }
      : compareAcls(one.network_acls, other.network_acls);
  const limits = differing(one.limits, other.limits, ({ resource, consumer, consumer_selector: selector }) =>
    JSON.stringify([resource, consumer, selector]),
  );
  const members = differing(one.members, other.members, ({ organization_id: id }) => id);
  const keys = differing(one.keys, other.keys, ({ name }) => name);
  const count = [acls.requests, acls.records, limits, members, keys].reduce((sum, { length }) => sum + length, 0);
  const open = [...unknown, ...(acls.isDecided ? [] : ["some requests, because to compare them would take too long"])];
  const { isDecided: _isDecided, ...found } = acls;
  const verdict = count > 0 ? "different" : open.length > 0 ? "not known" : "same";
  return { verdict, ...found, limits, members, keys, unknown: open };
}

type Sides = Meaning["network_acls"];

function compareAcls(one: Sides, other: Sides) {
  const shared = sharing();
  const [first, second] = [one, other].map(({ before, after }) => ({ before: shared(before), after: shared(after) }));
  const outcomes = compareEffects(first!, second!);
  const logs = [first!, second!].some((sides) =>
    [...sides.before, ...sides.after].some(({ rule }) => rule.action["log"]),
  );
  // Without logging, the tenant records the blocked requests alone.
  const records = logs ? compareEffects(first!, second!, { reading: byRecord }) : undefined;
  return {
    requests: outcomes.differences,
    records: records?.differences ?? [],
    isDecided: [outcomes, records].every((found) => found?.verdict !== "not decided"),
  };
}

interface Known extends MeantAcl {
  readonly active: true;
  readonly key: string;
}

/** Equal ACLs and equal lists of ACLs become the same ones, which the engine compares at once. */
function sharing(): (acls: readonly MeantAcl[]) => readonly Known[] {
  const known = new Map<string, Known>();
  const lists = new Map<string, readonly Known[]>();
  return (acls) => {
    const own = new Map(acls.map((acl) => [canonical(acl), acl]));
    const list = JSON.stringify([...own.keys()].toSorted());
    const made =
      lists.get(list) ??
      [...own].map(([key, acl]) => {
        const one = known.get(key) ?? { ...acl, active: true as const, key };
        known.set(key, one);
        return one;
      });
    lists.set(list, made);
    return made;
  };
}

function differing<T extends object>(one: readonly T[], other: readonly T[], keyOf: (part: T) => string): Both<T>[] {
  const [first, second] = [one, other].map((all) => new Map(all.map((part) => [keyOf(part), part])));
  return [...new Set([...first!.keys(), ...second!.keys()])].flatMap((key) => {
    const [mine, theirs] = [first!.get(key), second!.get(key)];
    if (canonical(mine) === canonical(theirs)) return [];
    return [{ ...(mine && { one: mine }), ...(theirs && { other: theirs }) }];
  });
}

/** A text that is equal for changes whose sameness needs no proof. Undefined: something is not known. */
export function digestOf(meaning: Meaning): string | undefined {
  return meaning.unknown.length > 0 ? undefined : canonical(meaning);
}

/** Whether the change has an effect on nothing. Undefined: not known. */
export function isNothing(meaning: Meaning): boolean | undefined {
  const { verdict } = compareMeanings(unchanged(meaning), meaning);
  return verdict === "not known" ? undefined : verdict === "same";
}

/** A change of nothing, from the same tenant. */
export function unchanged(meaning: Meaning): Meaning {
  const { before } = meaning.network_acls;
  return { ...meaning, network_acls: { before, after: before }, limits: [], members: [], keys: [] };
}

/** How to name the two changes: "Approved" and "Now". */
export interface Names {
  readonly one: string;
  readonly other: string;
}

const none: ReadonlySet<string> = new Set();

/** One line for each difference. */
export function differenceLines(found: MeaningComparison, names: Names): string[] {
  return [
    ...found.requests.map((each) => requestLine(each, names, outcomeWords)),
    ...found.records.map((each) => requestLine(each, names, recordWords)),
    ...found.limits.map((each) => line(limitTitle(each), each, names, limitSides)),
    ...found.members.map((each) => line(memberTitle(each), each, names, memberSides)),
    ...found.keys.map((each) => line(keyTitle(each), each, names, keySides)),
    ...found.unknown.map((what) => `Not known: ${what}.`),
  ];
}

type Side = EffectDifference["one"];

function requestLine({ witness, one, other }: EffectDifference, names: Names, words: (side: Side) => string): string {
  return `A request such as ${requestWords(witness, none)}. ${names.one}: ${words(one)}. ${names.other}: ${words(other)}.`;
}

function outcomeWords({ before, after }: Side): string {
  const [was, is] = [before, after].map(resultWords);
  return was === is ? `stays ${was}` : `${was} becomes ${is}`;
}

const resultWords = ({ outcome, redirect_uri: uri }: Side["before"]) =>
  uri === undefined ? outcome : `${outcome} to ${clipped(uri, 200)}`;

function recordWords({ before, after }: Side): string {
  const [was, is] = [before, after].map(({ outcome }) => (outcome === "blocked" ? "recorded" : "not recorded"));
  return was === is ? `stays ${was}` : `${was} becomes ${is}`;
}

/** The words of each side; "unchanged" for a side that leaves the object alone. */
function line<T>(title: string, { one, other }: Both<T>, names: Names, words: (side: T) => string): string {
  const side = (own: T | undefined) => (own === undefined ? "unchanged" : words(own));
  return `${title}. ${names.one}: ${side(one)}. ${names.other}: ${side(other)}.`;
}

const own = <T>({ one, other }: Both<T>): T => (one ?? other)!;

const limitTitle = (both: Both<MeantLimit>) => `The limit of ${clipped(own(both).consumer_selector)}`;
const limitSides = ({ before, after }: MeantLimit) => {
  const [was, is] = [before, after].map((rate) =>
    rate === null ? "no limit" : limitWords({ ...rate, redirect_uri: rate.redirect_uri ?? "" }, ""),
  );
  return `${was} becomes ${is}`;
};

const memberTitle = (both: Both<MeantMembers>) => `The members of ${clipped(own(both).organization_id)}`;
const memberSides = ({ gains, loses }: MeantMembers) =>
  [
    ...(gains.length > 0 ? [`gains ${peopleWords(gains)}`] : []),
    ...(loses.length > 0 ? [`loses ${peopleWords(loses)}`] : []),
  ].join(" and ");

const peopleWords = (ids: readonly string[]) => few(ids.map((id) => clipped(id)));

const keyTitle = (both: Both<MeantKey>) => `The key ${JSON.stringify(clipped(own(both).name))}`;
function keySides({ before, after }: MeantKey): string {
  if (!before) return "is created";
  return after ? "gets other material" : "is destroyed";
}
