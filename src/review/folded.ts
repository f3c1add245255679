/** Folds the reviews of many tenants: each effect is shown once, with the tenants that have it. */
import { levels } from "../impact/effect";
import { compareMeanings, digestOf, isNothing, differenceLines } from "../impact/meaning/same";
import type { Review } from "./review";
import { titleOfTenant } from "./site";
import type { TenantReview } from "./tenants";

/** Tenants whose plans have the same effect, proven by the engine. */
export interface TenantGroup {
  readonly tenants: readonly TenantReview[];
  /** The plans change no request, limit, member or key. */
  readonly isUnchanged: boolean;
}

/** The first group of several tenants, then the others with the gravest first, then the unchanged tenants. */
export function groupsOf(tenants: readonly TenantReview[]): TenantGroup[] {
  const classes = new Map<unknown, TenantReview[]>();
  for (const tenant of tenants) {
    const digest = digestOf(tenant.whole.meaning!);
    // A tenant with a log of its own, or with something that is not known, is like no other.
    const key = digest === undefined || tenant.whole.traffic ? tenant : `${signatureOf(tenant.whole)}\n${digest}`;
    classes.set(key, [...(classes.get(key) ?? []), tenant]);
  }
  const groups: TenantReview[][] = [];
  let left = mostComparisons;
  for (const own of [...classes.values()].toSorted((a, b) => b.length - a.length)) {
    const same = groups.find((group) => left-- > 0 && isSame(group[0]!.whole, own[0]!.whole));
    if (same) same.push(...own);
    else groups.push(own);
  }
  const order = new Map(tenants.map((tenant, index) => [tenant, index]));
  const inOrder = (own: readonly TenantReview[]) => own.toSorted((a, b) => order.get(a)! - order.get(b)!);
  const all = groups.map((own): TenantGroup => ({ tenants: inOrder(own), isUnchanged: changesNothing(own[0]!.whole) }));
  const [largest] = all.filter((one) => !one.isUnchanged).toSorted((a, b) => b.tenants.length - a.tenants.length);
  return all.toSorted(
    (a, b) =>
      Number(a.isUnchanged) - Number(b.isUnchanged) ||
      Number(b === largest) - Number(a === largest) ||
      gravity(b) - gravity(a) ||
      b.tenants.length - a.tenants.length,
  );
}

/** Enough for 25 effects that all differ, in seconds. More groups stay apart without a comparison. */
const mostComparisons = 300;

const ranks = ["none", ...levels];
const gravity = ({ tenants: [first] }: TenantGroup) => ranks.indexOf(first!.whole.verdict.level);

/** A folded tenant must not hide an effect, a probe or an expectation, so only tenants with the same ones fold. */
function signatureOf({ effects, probes, expectations }: Review): string {
  const own = effects.filter(({ already }) => !already);
  const found = [...new Set(own.map(({ code, level, subject }) => `${code} ${level} ${subject.address ?? ""}`))];
  const asked = probes.map(({ name, before, after }) => [
    name,
    ...[before, after].map(({ outcome, certain, redirect_uri: uri }) => [outcome, certain, uri]),
  ]);
  const judged = expectations.map(({ expectation: { name }, verdict, already }) => [name, verdict, already]);
  return JSON.stringify([found.toSorted(), asked, judged]);
}

function isSame(one: Review, other: Review): boolean {
  if (one.traffic || other.traffic || signatureOf(one) !== signatureOf(other)) return false;
  const [first, second] = [one.meaning!, other.meaning!];
  return first.unseen.join() === second.unseen.join() && compareMeanings(first, second).verdict === "same";
}

/** A tenant with an effect above "info" keeps its review. */
function changesNothing({ meaning, verdict, traffic }: Review): boolean {
  return !traffic && (verdict.level === "none" || verdict.level === "info") && isNothing(meaning!) === true;
}

export interface Folded {
  /** In sentences. */
  readonly lead: readonly string[];
  readonly reviews: readonly Review[];
}

/** More outliers are only named. */
const mostShown = 20;
const mostNamed = 40;
const mostDifferences = 10;

/** undefined: no two tenants have the same effect, and there are few. */
export function foldedReviews(tenants: readonly TenantReview[]): Folded | undefined {
  if (tenants.length < 2) return undefined;
  const groups = groupsOf(tenants);
  if (groups.length === tenants.length && groups.length <= mostShown) return undefined;
  const changed = groups.filter(({ isUnchanged }) => !isUnchanged);
  const same = groups.flatMap(({ isUnchanged, tenants: own }) => (isUnchanged ? own : []));
  const shown = changed.slice(0, mostShown);
  const hidden = changed.slice(mostShown).flatMap(({ tenants: own }) => own);
  const [first] = changed;
  const counts = [
    ...(first && first.tenants.length > 1
      ? [`${first.tenants.length} of ${tenants.length} tenants: the same effect.`]
      : []),
    ...(hidden.length > 0
      ? [`${hidden.length} more tenants have other effects, none graver than those shown: ${namesOf(hidden)}.`]
      : []),
    ...(same.length > 0 ? [`${same.length} of ${tenants.length} tenants: nothing changes.`] : []),
  ];
  return { lead: counts, reviews: shown.flatMap((group) => reviewsOf(group, first!, tenants.length)) };
}

/** How a group differs from the largest one that changes something, in sentences. Empty for the largest group. */
export function differencesOf({ tenants: own }: TenantGroup, first: TenantGroup): string[] {
  if (own === first.tenants || first.isUnchanged || first.tenants.length < 2) return [];
  const found = compareMeanings(first.tenants[0]!.whole.meaning!, own[0]!.whole.meaning!);
  const other = own.length === 1 ? "This tenant" : "These tenants";
  const differences = differenceLines(found, { one: "Most tenants", other });
  const shown = differences.slice(0, mostDifferences);
  const more = differences.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more differences.`] : [])];
}

function reviewsOf(group: TenantGroup, first: TenantGroup, count: number): Review[] {
  const { tenants: own } = group;
  const [{ whole, parts }] = own as [TenantReview];
  const rows = differencesOf(group, first);
  const extra = rows.length > 0 ? { differences: rows } : {};
  if (own.length === 1) return [{ ...whole, ...extra }, ...parts];
  return [{ ...whole, ...extra, title: `${own.length} of ${count} tenants: ${namesOf(own)}` }];
}

function namesOf(tenants: readonly TenantReview[]): string {
  const names = tenants.slice(0, mostNamed).map(({ whole }) => titleOfTenant(whole));
  const rest = tenants.length - names.length;
  return [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
