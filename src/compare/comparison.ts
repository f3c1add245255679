/** Compares the meanings of two sides: the review of a plan that would turn the first into the second. */
import { compareMeanings, unchanged, type MeaningComparison } from "../impact/meaning/same";
import type { Meaning } from "../impact/meaning/meaning";
import { requestWords } from "../impact/network-acl/witness";
import type { Cause, Change } from "../impact/cause";
import { effect, inOrder, type Code, type Effect } from "../impact/effect";
import { isOnPeople } from "../impact/facts";
import { verdictOf, type Verdict } from "../impact/verdict";
import { clipped, andWords } from "../impact/phrases";
import { comparable, meant } from "../impact/value";
import { nothingElse } from "../impact/model";
import type { Kind } from "../kinds/kind";
import { networkAcl } from "../kinds/network-acl";
import { reviewPlans, type Review } from "../review/review";
import { planBetween, type Pairing } from "./matched";
import type { Side } from "./side";

export interface Comparison {
  readonly verdict: "equal" | "different" | "not known";
  readonly one: string;
  readonly other: string;
  /** The parts that are not known, in clauses without a verb. */
  readonly unknown: readonly string[];
  /** How the organizations of the two sides were paired, if a side does not name one. */
  readonly pairing: readonly Exclude<Pairing, "name">[];
  /** Its "before" is the first side, and its "after" the second. */
  readonly review: Review;
}

export function compareSides(first: Side, second: Side): Comparison {
  const [one, other] = [readable(first, second), readable(second, first)];
  const { plan, organizations, unknown, ...between } = planBetween(one, other);
  const isPartial = between.isPartial || one.isPartial || other.isPartial;
  const title = `${other.name} compared with ${one.name}`;
  // Both sides show all of their objects.
  const review = reviewPlans(title, [plan], { remote: nothingElse });
  const meaning: Meaning = {
    ...review.meaning!,
    unknown: [...one.unknown, ...other.unknown, ...unknown, ...review.meaning!.unknown],
  };
  const pairing = (["id", "address"] as const).filter((way) => organizations.has(way));
  const found = compareMeanings(unchanged(meaning), meaning);
  const effects = inOrder(
    effectsOf(review, found, one, other).map((each): Effect => (isPartial ? { ...each, certainty: "possible" } : each)),
  );
  const isCertain = effects.some(({ certainty }) => certainty === "certain");
  const verdict = isPartial
    ? "not known"
    : found.verdict === "same"
      ? "equal"
      : isCertain
        ? "different"
        : found.verdict;
  return {
    verdict,
    one: one.name,
    other: other.name,
    unknown: found.unknown,
    pairing,
    review: {
      ...review,
      title,
      ...(pairing.length > 0 && { note: pairingWords(pairing) }),
      effects,
      scopes: [],
      verdict: verdictIn(verdict, effects, found.unknown, [one, other], isPartial),
    },
  };
}

const pairingWords = (ways: readonly string[]) =>
  `Some organizations are paired by ${ways.map((way) => (way === "id" ? "id" : "the address of their member sets")).join(" or ")}, because a side does not name ` +
  "them. Each tenant gives an organization another id.";

/** Without the kinds that one of the tenants does not show. */
function readable(side: Side, other: Side): Side {
  const unread = new Set([...side.unread, ...other.unread]);
  const all = [...side.objects, ...other.objects];
  // A key that no rule names has no effect.
  const areKeysNamed = all.some(
    ({ kind, values }) =>
      kind === networkAcl && comparable(meant(values["rule"]) ?? "").includes("http_message_signature"),
  );
  const matters = (kind: Kind) =>
    kind.actsThrough === undefined || areKeysNamed || all.some((object) => object.kind === kind);
  return {
    ...side,
    objects: side.objects.filter(({ kind }) => !unread.has(kind)),
    unknown: [...side.unknown, ...side.unread.filter(matters).map(({ plural }) => `the ${plural} of ${side.name}`)],
  };
}

function verdictIn(
  verdict: string,
  effects: readonly Effect[],
  unknown: readonly string[],
  [one, other]: readonly [Side, Side],
  isPartial: boolean,
): Verdict {
  const open =
    unknown.length > 0
      ? `Not known: ${andWords(unknown.slice(0, 5))}${unknown.length > 5 ? ", and more" : ""}.`
      : undefined;
  if (verdict === "equal" || effects.length === 0) {
    const isEqual = open === undefined && verdict === "equal";
    const text = isEqual
      ? `${one.name} and ${other.name} mean the same for every request, limit, member and key.`
      : `No difference was found, and ${one.name} and ${other.name} are not proven equal. ${open ?? ""}`;
    const { level } = verdictOf([], { unread: open });
    return { level, lines: [{ kind: "said", sign: isEqual ? "✔" : "○", text: text.trim() }] };
  }
  if (!isPartial) return verdictOf(effects, { unread: open });
  const reservation = `${open} What was not read may undo each difference that is listed.`;
  const { lines, level } = verdictOf(effects, { unread: reservation });
  return { level, lines: [lines.at(-1)!, ...lines.slice(0, -1)] };
}

const limits: readonly Code[] = [
  "TNF-LIMIT-BLOCKED",
  "TNF-LIMIT-UNKNOWN",
  "TNF-LIMIT-REDIRECT",
  "TNF-LIMIT-TIGHTENED",
  "TNF-LIMIT-LOOSENED",
  "TNF-LIMIT-LOGGED",
];
const logs: readonly Code[] = ["TNF-ACL-RECORDED", "TNF-ACL-UNRECORDED"];
const others: readonly Code[] = [
  "TNF-ACL-WIDENED",
  "TNF-ACL-OPENED",
  "TNF-ACL-TIGHTENED",
  "TNF-ACL-REDIRECT",
  "TNF-MEMBERS-EMPTIED",
  "TNF-MEMBERS-MANY",
  "TNF-MEMBERS-REMOVED",
  "TNF-MEMBERS-ADDED",
  "TNF-MEMBERS-UNKNOWN",
];
/** What two sides can differ in. */
const compared: ReadonlySet<Code> = new Set([...limits, ...logs, ...others]);

function effectsOf(review: Review, found: MeaningComparison, one: Side, other: Side): Effect[] {
  const judged = review.effects.filter((each) => isOnPeople(each) && compared.has(each.code));
  const hasNone = (codes: readonly Code[]) => !judged.some(({ code }) => codes.includes(code));
  const only = (isFirst: boolean) => `only in ${isFirst ? one.name : other.name}`;
  const keys = found.keys.map(({ other: key }) => {
    const where = key!.before && key!.after ? "has other material on each side" : `is ${only(key!.after === null)}`;
    const text = `The key ${JSON.stringify(clipped(key!.name))} ${where}.`;
    return effect("TNF-KEY-ROTATED", text, { who: "signers of requests" });
  });
  const rates = found.limits
    .filter(() => hasNone(limits))
    .map(({ other: limit }) => {
      const callers = clipped(limit!.consumer_selector);
      const text = `The limit of ${callers} comes from another policy, with the same rate.`;
      return effect("TNF-LIMIT-LOGGED", text, { who: callers });
    });
  const records = found.records
    .filter(() => hasNone(logs))
    .map(({ witness, other: { after } }) => {
      const request = `request such as ${requestWords(witness, review.acls.secrets)}`;
      const text = `A ${request} is recorded ${only(after.outcome !== "blocked")}.`;
      return effect("TNF-ACL-RECORDED", text, { who: `a ${request}`, level: "low" });
    });
  return [
    ...judged.map((each) => ({ ...each, cause: each.cause.map(reworded(one, other)) })),
    ...rates,
    ...records,
    ...keys,
  ];
}

/** A comparison has no before and after. */
const reworded =
  (one: Side, other: Side): ((cause: Cause) => Cause) =>
  (cause) => ({ ...cause, change: comparedChange(cause.change, one.name, other.name) });

function comparedChange(change: Change, one: string, other: string): Change {
  switch (change.kind) {
    case "created":
      return { kind: "only in", side: other };
    case "destroyed":
      return { kind: "only in", side: one };
    case "activated":
      return { kind: "only in", side: other, isActive: true };
    case "deactivated":
      return { kind: "only in", side: one, isActive: true };
    default:
      return { kind: "differs", attributes: change.kind === "changed" ? change.attributes : [], sides: [one, other] };
  }
}
