/** Lays out reviews once for every form: the verdict, what changes, and details. */
import { counts, type Effect, effectIdentity, isFailure, isUnreviewed } from "../../judge/impact/effect";
import { titleOf } from "../../judge/impact/network-acl/words";
import { type MemberChange, personWords } from "../../judge/impact/organization-member-set/changes";
import { clipped } from "../../formats/text/lists";
import { distinctBy, grouped } from "../../judge/impact/model";
import { effectsOfLines, type Verdict, wholeEffects } from "../../judge/impact/verdict";
import { gainWords, lossWords } from "../../judge/impact/words/members";
import { unjudgedKey, unjudgedWords } from "../../judge/impact/words/row";
import { verdictParts } from "../../judge/impact/words/verdict";
import { causesAlone, isWhole, withCauses } from "../../judge/impact/words/words";
import { blindWords, families } from "../input/remote";
import { placeOf } from "../input/root";
import { forTenant } from "../input/tenant-address";
import type { Review } from "../judge/review";
import type { Cell, Item, Page, Pages, Section } from "./document";
import { expectationSection } from "./expectations";
import { trafficSection } from "./traffic";

/** What each form for people shows of reviews, and in which order. */
export const pagesOf = (reviews: readonly Review[], lead: readonly string[] = []): Pages => ({
  lead,
  pages: reviews.map(pageOf),
  note: blindSpot(reviews),
});

/** The unmanaged objects that the reviews could not see. */
export function blindSpot(reviews: readonly Review[]): string | undefined {
  const unseen = families.filter((family) => reviews.some(({ blind }) => blind.includes(family)));
  return unseen.length === 0 ? undefined : blindWords(unseen);
}

function pageOf(review: Review): Page {
  const sections = sectionsOf(review);
  const { caused, already } = effectSections(review);
  const all = [
    ...sections.filter(({ isOpen }) => isOpen),
    caused,
    ...sections.filter(({ isOpen }) => !isOpen),
    already,
  ];
  return {
    name: review.name,
    title: review.title ?? `Review of ${review.name}${forTenant(review)}`,
    summary: verdictParts(review.verdict),
    sections: all.filter(({ rows, items = [] }) => rows.length + items.length > 0),
    review,
  };
}

/** More sets of members are folded below the effects. */
const mostOpen = 20;

/** Without the effects. The changes of a plan that failed are not known. */
function sectionsOf(review: Review): Section[] {
  const { acls, scopes, effects, errors, traffic, differences = [] } = review;
  const members = membersOf(review);
  const isKnown = !effects.some(isFailure);
  const isBroken = review.expectations.some(({ verdict, already }) => verdict === "broken" && !already);
  return [
    {
      title: "Errors of `terraform plan`",
      isOpen: true,
      // The first line says the first summary.
      rows: errors.map(({ summary, detail, address }, index) => [
        index === 0 ? (address ?? summary) : [summary, address ?? []].flat().join(", at "),
        ...(detail === "" ? [] : [clipped(detail, 1_500)]),
      ]),
    },
    ...(traffic ? [trafficSection(traffic)] : []),
    { title: "Differs from most tenants", isOpen: true, rows: differences.map((text) => [text]) },
    { title: "Members", isOpen: members.length <= mostOpen, rows: members },
    ...(review.expectations.length > 0 && (isKnown || isBroken) ? [expectationSection(review)] : []),
    { title: "Order of evaluation", columns: ["", "before", "after"], rows: isKnown ? orderOf(acls) : [] },
    {
      title: "Token scopes that the apply needs for ACLs, limits and members",
      // A plan that changes nothing has no apply.
      rows: isKnown && scopes.some((scope) => !scope.startsWith("read:")) ? [[{ text: "", names: scopes }]] : [],
    },
  ];
}

/** Empty: it does not change. */
function orderOf({ before, after }: Review["acls"]): Section["rows"] {
  const [were, are] = [before, after].map((side) => side.map(({ key }) => key).join("\n"));
  const length = were === are ? 0 : Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => [
    String(index + 1),
    ...[before, after].map((side) => (side[index] ? titleOf(side[index]) : "none")),
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

/** The effects that the verdict does not tell: those that the plan causes, and those that were so before. */
function effectSections(review: Review): { readonly caused: Section; readonly already: Section } {
  const isInVerdict = shownIn(review.verdict);
  const beside = distinct(review.effects).filter((one) => !isInVerdict(one));
  const caused = beside.filter((one) => !one.already);
  const relevant = caused.filter(counts);
  const hasVerdict = review.effects.some((one) => !one.already && isInVerdict(one));
  const name = hasVerdict ? "More effects" : "Effects";
  const shown = (effects: readonly Effect[]) => ({ rows: [], items: itemsOf(effects, review) });
  return {
    caused: {
      title: relevant.length === 0 ? name : `${name}: ${levelCounts(relevant)}.`,
      isOpen: true,
      ...shown(caused),
    },
    already: { title: "Already so before this plan", ...shown(beside.filter((one) => one.already)) },
  };
}

/** More effects with one code are summed up. */
const mostOfCode = 10;

/** With the words that the verdict does not have. */
function itemsOf(all: readonly Effect[], review: Review): Item[] {
  const heads = new Set(effectsOfLines(review.verdict));
  // What nobody judges of one type is one item.
  const unjudgedAs = (one: Effect) => `${one.level} ${one.ignored} ${unjudgedKey(one)}`;
  const unjudged = grouped(all.filter(isUnreviewed), unjudgedAs);
  const effects = all.filter((one) => !isUnreviewed(one) || unjudged.get(unjudgedAs(one))![0] === one);
  const groupOf = ({ code, ignored = "" }: Effect) => `${code} ${ignored}`;
  const groups = grouped(effects, groupOf);
  return effects.flatMap((one) => {
    const { code, level, ignored, subject } = one;
    const alike = groups.get(groupOf(one))!;
    // Leaving out a single effect would save nothing.
    const most = alike.length > mostOfCode + 1 ? mostOfCode : alike.length;
    const item = { code, level, ignored, place: placeOf(review, subject.address, subject.plan) };
    if (one === alike[most]) return { ...item, words: restWords(alike.slice(most)) };
    if (!alike.slice(0, most).includes(one)) return [];
    const isSaid = one.cause.length > 1 && heads.has(one) && isWhole(one);
    if (isUnreviewed(one)) return { ...item, words: unjudgedWords(unjudged.get(unjudgedAs(one))!) };
    return { ...item, words: isSaid ? causesAlone(one) : withCauses(one) };
  });
}

/** One effect for several objects has the same words at each of them. What other objects cause is another effect. */
function keyOf(one: Effect): string {
  const { facts, subject, cause } = one;
  // A plan may have 100,000 of these, each about an object of its own.
  if (facts.kind === "unreviewed" && subject.plan === undefined) return facts.address;
  return [effectIdentity(one), ...cause.map(({ address, plan }) => `${address} ${plan}`)].join(" ");
}

const distinct = (effects: readonly Effect[]): Effect[] => distinctBy(effects, keyOf);

/** Whether the verdict tells an effect: as an effect, or as the cause of one, such as `tenant_network_acl.a is destroyed`. */
function shownIn(verdict: Verdict): (effect: Effect) => boolean {
  const whole = new Set(wholeEffects(verdict).map(keyOf));
  const destroyed = new Set(
    effectsOfLines(verdict).flatMap(({ cause: [first] }) => (first?.change.kind === "destroyed" ? first.address : [])),
  );
  return (one) => {
    const isCause = one.code === "TNF-DESTROYED" && destroyed.has(one.subject.address ?? "");
    return (whole.size > 0 && whole.has(keyOf(one))) || (!one.already && isCause);
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

/** `Effects: 2 high, 1 low.`, without those that the person ignores and those that were so before. */
export function effectCounts({ effects }: Review): string {
  const relevant = distinct(effects).filter(counts);
  return relevant.length === 0 ? "No effects." : `Effects: ${levelCounts(relevant)}.`;
}

function levelCounts(effects: readonly Effect[]): string {
  const levels = [...new Set(effects.map(({ level }) => level))];
  return levels.map((level) => `${effects.filter((one) => one.level === level).length} ${level}`).join(", ");
}
