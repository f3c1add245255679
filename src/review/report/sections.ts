/** Lays out a review once for every form: the verdict, members, and details. Each form escapes the text itself. */
import { clipped } from "../../judge/impact/phrases";
import { counts, identityOf, type Effect } from "../../judge/impact/effect";
import { effectsOfLines, wholeEffects, type Verdict } from "../../judge/impact/verdict";
import { causesAlone, isWhole, withCauses } from "../../judge/impact/words/words";
import { titleOf } from "../../judge/impact/network-acl/words";
import { isFailure } from "../../judge/impact/facts";
import { gainWords, lossWords } from "../../judge/impact/words/members";
import { personWords, type MemberChange } from "../../judge/impact/organization-member-set/changes";
import { expectationSection } from "./expectation-rows";
import { blindWords, families } from "../input/remote";
import { forTenant } from "../input/tenant-address";
import { verdictParts } from "../../judge/impact/words/verdict";
import { placeOf } from "../input/root";
import { trafficSection } from "./traffic";
import type { Review } from "../judge/review";
import type { Cell, Page, Pages, Section, ShownEffect } from "./section";

/** The title of the effects that the plan does not touch. */
export const oldTitle = "Already so before this plan";

/** More sets of members are folded below the effects. */
const mostOpen = 20;

/** Without the effects, and without sections that say nothing. The changes of a plan that failed are not known. */
export function sectionsOf(review: Review): Section[] {
  const { acls, scopes, effects } = review;
  const members = membersOf(review);
  const isKnown = !effects.some(isFailure);
  const sections: Section[] = [
    {
      title: "Errors of `terraform plan`",
      isOpen: true,
      // The first line says the first summary.
      rows: review.errors.map(({ summary, detail, address }, index) => [
        index === 0 ? (address ?? summary) : [summary, address ?? []].flat().join(", at "),
        clipped(detail, 1_500),
      ]),
    },
    ...(review.traffic ? [trafficSection(review.traffic)] : []),
    { title: "Differs from most tenants", isOpen: true, rows: (review.differences ?? []).map((text) => [text]) },
    { title: "Members", ...(members.length <= mostOpen && { isOpen: true as const }), rows: members },
    ...(isKnown || effects.some(({ facts }) => facts.kind === "statement" && facts.was === "other")
      ? [expectationSection(review)]
      : []),
    { title: "Order of evaluation", columns: ["", "before", "after"], rows: isKnown ? orderOf(acls) : [] },
    {
      title: "Token scopes that the apply needs",
      // A plan that changes nothing has no apply.
      rows: isKnown && scopes.some((scope) => !scope.startsWith("read:")) ? [[{ text: "", names: scopes }]] : [],
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

/** Empty: it does not change. */
function orderOf(acls: Review["acls"]): Section["rows"] {
  const [were, are] = [acls.before, acls.after].map((side) => side.map(({ key }) => key).join("\n"));
  const [before, after] = [acls.before, acls.after].map((side) => side.map(titleOf)) as [string[], string[]];
  const length = were === are ? 0 : Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => [
    String(index + 1),
    ...[before, after].map((side) => side[index] ?? "none"),
  ]);
}

/** An effect names as many people itself. */
const mostNamed = 3;

/** All people of the sets of which the effects name only some. */
function membersOf({ members, places }: Review): Section["rows"] {
  return members
    .filter(({ gains, loses }) => Math.max(gains.length, loses.length) > mostNamed)
    .map((set) => {
      const { address, plan, organization_id: organization } = set;
      const place = placeOf({ places }, address, plan);
      const called = [organization ?? [], address, place ? `${place.file}:${place.line}` : []];
      return [called.flat().join(", "), ...memberCells(set)];
    });
}

function memberCells(set: MemberChange): Cell[] {
  const { gains, may_gain: mayGain, loses, may_lose: mayLose } = set;
  return [
    ...(gains.length > 0 || mayGain ? [{ text: gainWords(set), names: gains.map((id) => personWords(set, id)) }] : []),
    ...(loses.length > 0 || mayLose !== 0
      ? [{ text: lossWords(set), names: loses.map((id) => personWords(set, id)) }]
      : []),
  ];
}

/** More effects with one code are summed up. */
const mostOfCode = 10;

/** The effects that the plan causes and that the verdict does not tell, or those that were so before. */
function besideVerdict({ effects, verdict }: Review, when: "caused" | "already"): Effect[] {
  const isInVerdict = shownIn(verdict);
  return distinct(effects).filter((one) => (one.already === true) === (when === "already") && !isInVerdict(one));
}

/** With the words that the verdict does not have. */
export function shownEffects(review: Review, when: "caused" | "already"): ShownEffect[] {
  const heads = new Set(effectsOfLines(review.verdict));
  const own = besideVerdict(review, when);
  const byCode = new Map<string, Effect[]>();
  const groupOf = ({ code, ignored = "" }: Effect) => byCode.get(`${code} ${ignored}`) ?? [];
  for (const one of own) byCode.set(`${one.code} ${one.ignored ?? ""}`, [...groupOf(one), one]);
  return own.flatMap((one) => {
    const alike = groupOf(one);
    // Leaving out a single effect would save nothing.
    const shown = alike.length > mostOfCode + 1 ? alike.slice(0, mostOfCode) : alike;
    if (shown.includes(one)) {
      const isSaid = one.cause.length > 1 && heads.has(one) && isWhole(one);
      return [{ effect: one, words: isSaid ? causesAlone(one) : withCauses(one) }];
    }
    const rest = alike.slice(mostOfCode);
    return one === rest[0] ? [{ effect: one, words: restWords(rest) }] : [];
  });
}

/** One effect for several objects has the same text at each of them. */
function distinct(effects: readonly Effect[]): Effect[] {
  const found = new Map<string, Effect>();
  for (const one of effects) {
    const key = identityOf(one);
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

/**
 * Whether the verdict tells an effect: as an effect, or as the cause of one, such as `tenant_network_acl.a is destroyed`. A person must
 * see why an effect is ignored.
 */
function shownIn(verdict: Verdict): (effect: Effect) => boolean {
  const whole = new Set(wholeEffects(verdict).map(identityOf));
  const destroyed = new Set(
    effectsOfLines(verdict).flatMap(({ cause: [first] }) => (first?.change.kind === "destroyed" ? first.address : [])),
  );
  return (one) => {
    if (one.ignored !== undefined) return false;
    const isCause = one.code === "TNF-DESTROYED" && destroyed.has(one.subject.address ?? "");
    return whole.has(identityOf(one)) || (!one.already && isCause);
  };
}

/** `134 more: 12 medium, 122 low. The largest are at tenant_network_acl.a, …` */
function restWords(rest: readonly Effect[]): string {
  const addresses = [...new Set(rest.flatMap(({ subject }) => subject.address ?? []))];
  const shown = addresses.slice(0, 5).map((address) => clipped(address));
  const more = addresses.length - shown.length;
  const where =
    shown.length === 0 ? "" : ` They are at ${shown.join(", ")}${more > 0 ? ` and ${more} more addresses` : ""}.`;
  return `${rest.length} more effects with this code: ${levelCounts(rest)}.${where}`;
}

/** `More effects: 1 low.` is the title of the effects that the verdict does not tell. */
export function listTitle(review: Review): string {
  const rest = besideVerdict(review, "caused");
  const relevant = rest.filter(counts);
  const isInVerdict = shownIn(review.verdict);
  const hasVerdict = review.effects.some((one) => !one.already && isInVerdict(one));
  const name = hasVerdict ? "More effects" : "Effects";
  return relevant.length === 0 ? name : `${name}: ${levelCounts(relevant)}.`;
}

/** `Effects: 2 high, 1 low.`, without those that the person ignores and those that were so before. */
export function effectCounts({ effects }: Review): string {
  const relevant = distinct(effects).filter(counts);
  return relevant.length === 0 ? "No effects." : `Effects: ${levelCounts(relevant)}.`;
}

function levelCounts(effects: readonly Effect[]): string {
  const levels = [...new Set(effects.map(({ level }) => level))];
  return levels.map((level) => `${effects.filter((one) => one.level === level).length} ${level}`).join(", ");
}

/** The unmanaged objects that the reviews could not see. */
export function blindSpot(reviews: readonly Review[]): string | undefined {
  const unseen = families.filter((family) => reviews.some(({ blind }) => blind.includes(family)));
  return unseen.length === 0 ? undefined : blindWords(unseen);
}

/** What each form for people shows of reviews, and in which order. */
export const pagesOf = (reviews: readonly Review[], lead: readonly string[] = []): Pages => ({
  lead,
  pages: reviews.map(pageOf),
  note: blindSpot(reviews),
});

function pageOf(review: Review): Page {
  const effects = shownEffects(review, "caused");
  const sections = sectionsOf(review);
  return {
    name: review.name,
    title: review.title ?? `Review of ${review.name}${forTenant(review)}`,
    summary: verdictParts(review.verdict),
    open: sections.filter(({ isOpen }) => isOpen),
    effects,
    effectsTitle: listTitle(review),
    closed: sections.filter(({ isOpen }) => !isOpen),
    old: shownEffects(review, "already"),
    review,
  };
}
