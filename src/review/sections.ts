/** Lays out a review once for every form: a head, and sections with rows of plain text. Each form escapes the text itself. */
import { changeWords, shadowWords, titleOf } from "../impact/network-acl/words";
import { gainWords, lossWords } from "../impact/organization-member-set/findings";
import { limitWords } from "../impact/rate-limit-policy/limit";
import { families, type Family } from "./remote";
import { sideWords } from "./probe";
import type { Review } from "./review";

/** A text, or names that a form shows as code behind the text. */
export type Cell = string | { readonly text: string; readonly names: readonly string[] };

export interface Section {
  readonly title: string;
  /** The columns of a table; left out: a list whose items are "first: second, third". */
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export const orderTitle = "Order of evaluation";

/** Without the findings, and without empty sections. */
export function sectionsOf(review: Review): Section[] {
  const { acls, rules, policies, members, scopes, probes } = review;
  const [before, after] = [acls.before, acls.after].map((side) => side.map(titleOf)) as [string[], string[]];
  const isReordered = acls.changes.length > 0 || before.join() !== after.join();
  const length = isReordered ? Math.max(before.length, after.length) : 0;
  const changedMembers = members.filter(
    ({ gains, may_gain, loses, may_lose }) => gains.length + loses.length > 0 || may_gain || may_lose !== 0,
  );
  const sections: Section[] = [
    { title: "Rules that change", rows: rules.map(({ acl, words }) => [titleOf(acl), words.join("; ")]) },
    { title: "Changes in outcome", rows: acls.changes.map((change) => [changeWords(change, acls.secrets)]) },
    {
      title: orderTitle,
      columns: ["", "before", "after"],
      rows: Array.from({ length }, (_, index) => [String(index + 1), before[index] ?? "", after[index] ?? ""]),
    },
    {
      title: "Rules that can never match",
      rows: acls.unreachable.map(({ acl, shadowedBy }) => [titleOf(acl), `${shadowWords(shadowedBy)}.`]),
    },
    {
      title: "Probes",
      columns: ["request", "before", "after"],
      rows: probes.map((probe) => [probe.name, sideWords(probe.before), sideWords(probe.after)]),
    },
    {
      title: "Rate limits",
      columns: ["consumer", "before", "after"],
      rows: policies.map((policy) => [policy.consumer_selector, limitWords(policy.before), limitWords(policy.after)]),
    },
    {
      title: "Members",
      rows: changedMembers.map((set) => [
        { text: "", names: [set.organization_id ?? set.address] },
        { text: gainWords(set), names: set.gains },
        { text: lossWords(set), names: set.loses },
      ]),
    },
    { title: "Scopes that the apply needs", rows: scopes.length > 0 ? [[{ text: "", names: scopes }]] : [] },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

/** How outcomes of requests, limits and members change. */
export function verdictWords({ acls, policies, members }: Review): string {
  const limits = policies.filter(({ before, after, open }) => !open && limitWords(before) !== limitWords(after));
  const open = policies.filter((policy) => policy.open);
  const leaving = members.reduce((sum, { loses }) => sum + loses.length, 0);
  const coming = members.reduce((sum, { gains }) => sum + gains.length, 0);
  const mayLeave = members.some(({ may_lose }) => may_lose !== 0);
  const mayCome = members.some(({ may_gain }) => may_gain);
  return [
    outcomeWords(acls),
    ...(limits.length > 0 ? [`${countOf(limits.length, "limit")} ${limits.length === 1 ? "changes" : "change"}.`] : []),
    ...(open.length > 0 ? [`${countOf(open.length, "limit")} may change.`] : []),
    ...(leaving > 0 ? [`${countOf(leaving, "member")} ${leaving === 1 ? "loses" : "lose"} access.`] : []),
    ...(mayLeave ? [`${leaving > 0 ? "More members" : "Members"} may lose access.`] : []),
    ...(coming > 0 ? [`${countOf(coming, "member")} ${coming === 1 ? "gains" : "gain"} access.`] : []),
    ...(mayCome ? [`${coming > 0 ? "More members" : "Members"} may gain access.`] : []),
  ].join(" ");
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function outcomeWords({ verdict, proven, changes }: Review["acls"]): string {
  if (verdict === "equivalent") {
    return proven
      ? "No network ACL changes the outcome of a request. Proven complete."
      : "No change in outcome was found, but not everything could be decided.";
  }
  const direction = {
    more_permissive: "More requests are allowed",
    less_permissive: "Fewer requests are allowed",
    incomparable: "Outcomes change in both directions, or redirects change",
  }[verdict];
  const rest = proven ? "Proven complete: the network ACLs affect no other request." : "Not everything is certain.";
  return `${direction}: ${countOf(changes.length, "change")} in outcome. ${rest}`;
}

/** `2 high, 1 low`, without the findings that the person ignores. */
export function findingCounts({ findings }: Review): string {
  const relevant = findings.filter(({ ignored }) => ignored === undefined);
  const levels = [...new Set(relevant.map(({ level }) => level))];
  const counts = levels.map((level) => `${relevant.filter((one) => one.level === level).length} ${level}`);
  return counts.length === 0 ? "No findings." : `Findings: ${counts.join(", ")}.`;
}

const familyNames: Record<Family, string> = {
  network_acls: "network ACLs",
  rate_limit_policies: "rate limit policies",
  organization_members: "members of organizations",
};

/** One sentence for all reviews about the unmanaged objects that they could not see. */
export function blindSpot(reviews: readonly Review[]): string | undefined {
  const unseen = families.filter((family) => reviews.some((review) => review.unseen.includes(family)));
  if (unseen.length === 0) return undefined;
  const names = new Intl.ListFormat("en-GB").format(unseen.map((family) => familyNames[family]));
  const sources = unseen.map((family) => `data.tenant_${family}`).join(", ");
  return (
    `The review does not know ${names} that no plan manages, such as those made by hand. To include them, give --tenant, ` +
    `or read ${sources} in the configuration.`
  );
}
