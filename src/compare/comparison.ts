/** Compares the meanings of two sides: the review of a plan that would turn the first into the second. */
import { compareMeanings, type MeaningComparison } from "../impact/meaning/same";
import type { Meaning } from "../impact/meaning/meaning";
import { requestWords } from "../impact/network-acl/witness";
import type { Cause, Effect } from "../impact/verdict/effect";
import { verdictOf, type Verdict } from "../impact/verdict/verdict";
import { clipped } from "../impact/clipped";
import { andWords } from "../impact/list-words";
import { comparable, meant } from "../impact/value";
import type { Kind } from "../kinds/kind";
import { networkAcl } from "../kinds/network-acl";
import { networkAclKey } from "../kinds/network-acl-key";
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
  const remote = {
    network_acls: [],
    rate_limit_policies: [],
    organization_members: new Map<string, readonly string[]>(),
  };
  const review = reviewPlans(title, [plan], { remote });
  const meaning: Meaning = {
    ...review.meaning!,
    unknown: [...one.unknown, ...other.unknown, ...unknown, ...review.meaning!.unknown],
  };
  const pairing = (["id", "address"] as const).filter((way) => organizations.has(way));
  const { before } = meaning.acls;
  const nothing: Meaning = { ...meaning, acls: { before, after: before }, limits: [], members: [], keys: [] };
  const found = compareMeanings(nothing, meaning);
  const effects = effectsOf(review, found, one, other).map((effect): Effect =>
    isPartial ? { ...effect, certainty: "possible" } : effect,
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
      findings: [],
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
  const matters = (kind: Kind) => kind !== networkAclKey || areKeysNamed || all.some((object) => object.kind === kind);
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
    const text =
      open === undefined && verdict === "equal"
        ? `✔ ${one.name} and ${other.name} mean the same for every request, limit, member and key.`
        : `○ No difference was found, and ${one.name} and ${other.name} are not proven equal. ${open ?? ""}`;
    const quiet = verdictOf({ effects: [], findings: [], gaps: [], unread: open });
    return { ...quiet, summary: [text.trim()] };
  }
  if (!isPartial) return verdictOf({ effects, findings: [], gaps: [], unread: open });
  const { summary, ...rest } = verdictOf({ effects, findings: [], gaps: [] });
  return {
    ...rest,
    summary: [`○ ${open} What was not read may undo each difference that is listed.`, ...summary.slice(0, 2)],
  };
}

const compared: ReadonlySet<Effect["kind"]> = new Set(["blocks", "allows", "redirects", "logs", "limit", "members"]);

function effectsOf(review: Review, found: MeaningComparison, one: Side, other: Side): Effect[] {
  const judged = review.verdict.effects.filter(({ kind }) => compared.has(kind));
  const has = (kind: Effect["kind"]) => judged.some((effect) => effect.kind === kind);
  const only = (isFirst: boolean) => `only in ${isFirst ? one.name : other.name}`;
  const keys = found.keys.map(({ other: key }) => {
    const where = key!.before && key!.after ? "has other material on each side" : `is ${only(key!.after === null)}`;
    return plainEffect("key", "medium", `The key ${JSON.stringify(clipped(key!.name))} ${where}.`);
  });
  const limits = found.limits
    .filter(() => !has("limit"))
    .map(({ other: limit }) =>
      plainEffect(
        "limit",
        "info",
        `The limit of ${clipped(limit!.selector)} comes from another policy, with the same rate.`,
      ),
    );
  const records = found.records
    .filter(() => !has("logs"))
    .map(({ witness, other: { after } }) =>
      plainEffect(
        "logs",
        "low",
        `A request such as ${requestWords(witness, review.acls.secrets)} is recorded ${only(after.outcome !== "blocked")}.`,
      ),
    );
  return [
    ...judged.map((effect) => ({ ...effect, cause: effect.cause.map(reworded(one, other)) })),
    ...limits,
    ...records,
    ...keys,
  ];
}

const plainEffect = (kind: Effect["kind"], level: Effect["level"], text: string): Effect => ({
  kind,
  level,
  apis: [],
  share: null,
  who: "",
  text,
  cause: [],
  certainty: "certain",
  assumptions: [],
  examples: [],
});

/** A comparison has no before and after. */
function reworded(one: Side, other: Side): (cause: Cause) => Cause {
  return (cause) => {
    const [, from, to] = /^moves from priority (\S+) to (\S+)$/.exec(cause.words) ?? [];
    if (from !== undefined)
      return { ...cause, words: `has priority ${from} in ${one.name} and ${to} in ${other.name}` };
    const words: Readonly<Record<string, string>> = {
      "is created": `is only in ${other.name}`,
      "is destroyed": `is only in ${one.name}`,
      "is switched on": `is active only in ${other.name}`,
      "is switched off": `is active only in ${one.name}`,
    };
    return { ...cause, words: words[cause.words] ?? "differs" };
  };
}
