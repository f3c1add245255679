/**
 * Folds the reviews of many tenants: tenants with equal lists of effects and expectations are one group, which is shown once.
 *
 *     acme, beta, delta: blocks sign-in for KP      one group of 3
 *     gamma:             blocks sign-in for KP, IR  a group of its own, with what it has more
 */
import { counts, type Effect } from "../../judge/impact/effect";
import { canonical } from "../../formats/cty/value";
import { sentence } from "../../judge/impact/words/words";
import { worstTenantFirst, type Review, type TenantReview } from "../judge/review";
import { titleOfTenant } from "../input/tenant-address";
import { trafficLines } from "./traffic";

export interface TenantGroup {
  readonly tenants: readonly TenantReview[];
  /** The plans change no request, limit, member or key. */
  readonly isUnchanged: boolean;
}

/** The worst first, then the largest. Unchanged tenants are last. */
export function groupsOf(tenants: readonly TenantReview[]): TenantGroup[] {
  const byContent = new Map<string, TenantReview[]>();
  for (const tenant of tenants) {
    const key = contentOf(tenant.whole);
    byContent.set(key, [...(byContent.get(key) ?? []), tenant]);
  }
  const all = [...byContent.values()].map((own) => ({ tenants: own, isUnchanged: changesNothing(own[0]!.whole) }));
  return all.toSorted(
    (a, b) =>
      Number(a.isUnchanged) - Number(b.isUnchanged) ||
      worstTenantFirst(a.tenants[0]!, b.tenants[0]!) ||
      b.tenants.length - a.tenants.length,
  );
}

/** With which the others are compared. */
export const largestOf = (groups: readonly TenantGroup[]): TenantGroup =>
  groups.toSorted((a, b) => Number(a.isUnchanged) - Number(b.isUnchanged) || b.tenants.length - a.tenants.length)[0]!;

/** A folded tenant must not hide an effect or an expectation. */
function contentOf(review: Review): string {
  const { effects, expectations, unseen, complete } = review;
  const judged = expectations.map(({ expectation: { name }, verdict, already }) => [name, verdict, already]);
  return JSON.stringify([complete, unseen, effects.map(keyOf).toSorted(), judged, logOf(review)]);
}

/** What the log of the tenant shows. Empty: none was given. */
const logOf = ({ traffic }: Review): readonly string[] => (traffic ? trafficLines(traffic) : []);

/** Files and plans have other names for each tenant. */
const keyOf = ({ code, level, facts, already, ignored, cause }: Effect): string =>
  canonical([code, level, facts, already, ignored, cause.map(({ address, change }) => [address, change])]);

/** A tenant with an effect above "info" keeps its review. */
const changesNothing = ({ verdict, traffic, changes }: Review): boolean =>
  !traffic && (verdict.level === "none" || verdict.level === "info") && changes().length === 0;

interface Folded {
  /** In sentences. */
  readonly lead: readonly string[];
  readonly reviews: readonly Review[];
}

/** More outliers are only named. */
const mostShown = 20;
const mostNamed = 40;
const mostDifferences = 10;

/** undefined: no two tenants have the same effects, and there are few. */
export function foldedReviews(tenants: readonly TenantReview[]): Folded | undefined {
  if (tenants.length < 2) return undefined;
  const groups = groupsOf(tenants);
  if (groups.length === tenants.length && groups.length <= mostShown) return undefined;
  const changed = groups.filter(({ isUnchanged }) => !isUnchanged);
  const same = groups.flatMap(({ isUnchanged, tenants: own }) => (isUnchanged ? own : []));
  const first = largestOf(groups);
  const worst = changed.slice(0, mostShown);
  // The others are compared with it.
  const shown = first.isUnchanged || worst.includes(first) ? worst : [...worst.slice(0, -1), first];
  const hidden = changed.filter((one) => !shown.includes(one)).flatMap(({ tenants: own }) => own);
  const counted = [
    ...(!first.isUnchanged && first.tenants.length > 1
      ? [`${first.tenants.length} of ${tenants.length} tenants: the same effects.`]
      : []),
    ...(hidden.length > 0
      ? [
          `${hidden.length} more ${hidden.length === 1 ? "tenant has" : "tenants have"} other effects, none of a higher level than those shown: ${namesOf(hidden)}.`,
        ]
      : []),
    ...(same.length > 0 ? [`${same.length} of ${tenants.length} tenants: nothing changes.`] : []),
  ];
  return { lead: counted, reviews: shown.flatMap((group) => reviewsOf(group, first, tenants.length)) };
}

/** How a group differs from the largest one that changes something, in sentences. Empty for the largest group. */
export function differencesOf({ tenants: own }: TenantGroup, first: TenantGroup): string[] {
  if (own === first.tenants || first.isUnchanged || first.tenants.length < 2) return [];
  const [theirs, ours] = [first, { tenants: own }].map(({ tenants: [one] }) => one!.whole) as [Review, Review];
  const lacks = ({ effects }: Review) => {
    const keys = new Set(effects.map(keyOf));
    return (one: Effect) => counts(one) && !keys.has(keyOf(one));
  };
  const verdicts = ({ expectations }: Review) =>
    new Map(expectations.map(({ expectation: { name }, verdict }) => [name, verdict]));
  const [their, our] = [verdicts(theirs), verdicts(ours)];
  const rows = [
    ...ours.effects.filter(lacks(theirs)).map((one) => `Only here: ${sentence(one)}`),
    ...theirs.effects.filter(lacks(ours)).map((one) => `Not here: ${sentence(one)}`),
    ...[...our]
      .filter(([name, verdict]) => their.get(name) !== verdict)
      .map(
        ([name, verdict]) =>
          `The expectation "${name}" is ${verdict} here, and ${their.get(name) ?? "absent"} for most tenants.`,
      ),
    ...logOf(ours).filter((line) => !logOf(theirs).includes(line)),
  ];
  const shown = rows.length > 0 ? rows : ["The unmanaged objects that were read differ."];
  const rest = shown.length - mostDifferences;
  return [...shown.slice(0, mostDifferences), ...(rest > 0 ? [`${rest} more differences.`] : [])];
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
