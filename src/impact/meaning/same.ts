/** Decides whether two changes mean the same for every request, limit, member and key. */
import { asRecording, compareEffects, type EffectDifference } from "../../access/access";
import { canonical } from "./canonical";
import { isOfEnds, type MeantEnd } from "./ends";
import type { Meaning, MeantAcl, MeantKey, MeantLimit, MeantMembers } from "./meaning";

/** "not known": nothing differs as far as both are known, and something is not known. */
export type MeaningVerdict = "same" | "different" | "not known";

export interface MeaningComparison {
  readonly verdict: MeaningVerdict;
  /** Requests with other outcomes. */
  readonly requests: readonly EffectDifference[];
  /** Requests of which one change alone starts or stops a record. "blocked" stands for recorded. */
  readonly records: readonly EffectDifference[];
  readonly limits: readonly Both<MeantLimit>[];
  readonly members: readonly Both<MeantMembers>[];
  readonly keys: readonly Both<MeantKey>[];
  readonly ends: readonly Both<MeantEnd>[];
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
  const acls = unknown.length > 0 ? { requests: [], records: [], isDecided: true } : compareAcls(one.acls, other.acls);
  const limits = differing(one.limits, other.limits, ({ resource, consumer, selector }) =>
    JSON.stringify([resource, consumer, selector]),
  );
  const members = differing(one.members, other.members, ({ organization }) => organization);
  const keys = differing(one.keys, other.keys, ({ name }) => name);
  // An end that one side lacks may be the one that is not known.
  const isOpen = unknown.some(isOfEnds);
  const ends = differing(one.ends, other.ends, ({ key }) => key).filter((both) => !isOpen || (both.one && both.other));
  const count = [acls.requests, acls.records, limits, members, keys, ends].reduce((sum, { length }) => sum + length, 0);
  const open = [...unknown, ...(acls.isDecided ? [] : ["some requests, because to compare them would take too long"])];
  const { isDecided: _isDecided, ...found } = acls;
  const verdict = count > 0 ? "different" : open.length > 0 ? "not known" : "same";
  return { verdict, ...found, limits, members, keys, ends, unknown: open };
}

type Sides = Meaning["acls"];

function compareAcls(one: Sides, other: Sides) {
  const shared = sharing();
  const [first, second] = [one, other].map(({ before, after }) => ({ before: shared(before), after: shared(after) }));
  const outcomes = compareEffects(first!, second!);
  const logs = [first!, second!].some((sides) =>
    [...sides.before, ...sides.after].some(({ rule }) => rule.action["log"]),
  );
  // Without logging, the tenant records the blocked requests alone.
  const records = logs ? compareEffects(recording(first!), recording(second!)) : undefined;
  return {
    requests: outcomes.differences,
    records: records?.differences ?? [],
    isDecided: [outcomes, records].every((found) => found?.verdict !== "not decided"),
  };
}

const recording = ({ before, after }: { readonly before: readonly Known[]; readonly after: readonly Known[] }) => ({
  before: asRecording(before),
  after: asRecording(after),
});

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
    if (canonical(meantPart(mine)) === canonical(meantPart(theirs))) return [];
    return [{ ...(mine && { one: mine }), ...(theirs && { other: theirs }) }];
  });
}

/** `what` has a priority, for people only. */
const meantPart = (part: object | undefined) => part && { ...part, what: undefined };

/** A text that is equal for changes whose sameness needs no proof. Undefined: something is not known. */
export function digestOf({ acls, limits, members, keys, ends, unknown, unseen }: Meaning): string | undefined {
  return unknown.length > 0 ? undefined : canonical({ acls, limits, members, keys, ends: ends.map(meantPart), unseen });
}

/** Whether the change has an effect on nothing. Undefined: not known. */
export function isNothing(meaning: Meaning): boolean | undefined {
  const { before } = meaning.acls;
  const none = { ...meaning, acls: { before, after: before }, limits: [], members: [], keys: [], unknown: [] };
  const { verdict } = compareMeanings(none, meaning);
  return verdict === "not known" ? undefined : verdict === "same";
}
