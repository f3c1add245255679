/** Lays out what a log says about a change, for every form. Each form escapes the text itself. */
import { countryNames } from "../../access/access";
import { clipped } from "../../impact/clipped";
import { titleOf } from "../../impact/network-acl/words";
import { evidenceWords } from "../../impact/promotion/promotion";
import { breakdowns, type Breakdown } from "../../traffic/group";
import type { GroupName } from "../../traffic/tally";
import type { Section } from "../section";
import type { TrafficReport } from "./report";
import { amount, counted, headlineOf, missing, troubleWords } from "./words";

export const trafficTitle = "Logged requests";

/** Said once, because the numbers look complete. */
const caveat =
  "Events are not all requests: most reads leave no event, a login takes several requests, and blocked requests leave none.";

export function trafficSections(report: TrafficReport): Section[] {
  const { tally } = report.replayed;
  return [
    { title: trafficTitle, isOpen: true, rows: mainLines(report).map((line) => [line]) },
    ...(tally.groups.size === 0 ? [] : breakdowns.flatMap((name) => breakdownSection(name, report))),
  ];
}

/** The result first. */
export function mainLines(report: TrafficReport): string[] {
  const { tally, troubles } = report.replayed;
  const left = troubleWords(report);
  return [
    headlineOf(report),
    ...(report.stopped === undefined ? [] : [report.stopped]),
    ...deniedLines(report),
    ...contradictionLines(report),
    ...report.promotions.map((one) => `${one.title} changes from log to ${one.action}: ${evidenceWords(one)}.`),
    ...(tally.apiLimits > 0
      ? [
          `The log has ${counted(tally.apiLimits, "api_limit event")}. The service logs at most one a minute for each limit and application, so this is not the number of rejected requests.`,
        ]
      : []),
    ...timeLines(report),
    ...(tally.timeless > 0
      ? [
          `${amount(tally.timeless)} of the requests have no time, or a time that cannot be right. They count only in the totals.`,
        ]
      : []),
    ...(left.length > 0 ? [`Not replayed: ${left.join("; ")}.`] : []),
    ...(troubles.torn > 0
      ? [`${counted(troubles.torn, "file ends", "files end")} too early, so the log may have more requests.`]
      : []),
    ...(tally.requests > 0 ? [caveat] : []),
  ];
}

/** Blocked requests leave no event, so a logged request was most likely allowed. */
function deniedLines({ replayed: { tally } }: TrafficReport): string[] {
  if (tally.denied === 0) return [];
  return [
    `The plan certainly blocks or redirects ${amount(tally.denied)} of the requests with an uncertain change. Only their outcome before the plan is uncertain, and the log suggests that they were allowed.`,
  ];
}

function contradictionLines({ replayed: { tally }, acls }: TrafficReport): string[] {
  const { contradicted } = tally;
  const names = new Map([...acls.values()].flatMap((acl) => (acl.id === undefined ? [] : [[acl.id, acl] as const])));
  const missed = [...tally.summaries].filter(([id, { matched }]) => matched > 0 && names.size > 0 && !names.has(id));
  const other =
    "The tenant had another configuration then, so the numbers compare the plan with the present network ACLs, not with those of that time.";
  return [
    ...(contradicted > 0
      ? [
          `The log contradicts the plan: the tenant handled ${amount(contradicted)} of the requests, but the network ACLs before the plan block or redirect them. ${other}`,
        ]
      : []),
    ...(missed.length > 0
      ? [
          `The log counts matches of ${amount(missed.length)} network ${missed.length === 1 ? "ACL" : "ACLs"} that the plan does not show (${missed
            .slice(0, 3)
            .map(([id]) => clipped(id))
            .join(", ")}).`,
        ]
      : []),
  ];
}

function timeLines({ replayed: { tally } }: TrafficReport): string[] {
  if (tally.first > tally.last) return [];
  const changed = [...tally.groups].filter(([name, group]) => name !== "possible" && group.first <= group.last);
  const first = Math.min(...changed.map(([, group]) => group.first));
  const last = Math.max(...changed.map(([, group]) => group.last));
  const times = `The first request is from ${timeWords(tally.first)}, the last from ${timeWords(tally.last)}.`;
  return [
    changed.length === 0
      ? times
      : `${times} The first that gets another outcome is from ${timeWords(first)}, the last from ${timeWords(last)}.`,
  ];
}

export const timeWords = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const titles: Readonly<Record<Breakdown, readonly [title: string, column: string]>> = {
  country: ["Logged requests by country", "country"],
  api: ["Logged requests by API", "API"],
  client: ["Logged requests by application", "application"],
  agent: ["Logged requests by user agent", "user agent"],
  network: ["Logged requests by network", "network"],
  rule: ["Logged requests by network ACL", "network ACL"],
};

const columns: Readonly<Record<GroupName, string>> = {
  blocks: "newly blocked",
  redirects: "newly redirected",
  opens: "newly allowed",
  moves: "denied in another way",
  possible: "possible",
};

const mostRows = 15;

function breakdownSection(name: Breakdown, { replayed: { tally }, acls }: TrafficReport): Section[] {
  const groups = (Object.keys(columns) as GroupName[]).flatMap((group) => {
    const own = tally.groups.get(group);
    return own ? [[group, own] as const] : [];
  });
  const totals = new Map<string, number>();
  for (const [, group] of groups) {
    for (const [value, count] of group.by[name].top(Infinity).shown)
      totals.set(value, (totals.get(value) ?? 0) + count);
  }
  const sorted = [...totals].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const shown = sorted.slice(0, mostRows);
  const [title, column] = titles[name];
  const rest = groups.map(([, group]) => {
    const own = shown.reduce((sum, [value]) => sum + group.by[name].get(value), 0);
    return group.count - own;
  });
  const rows = [
    ...shown.map(([value]) => [
      shownValue(name, value, acls),
      ...groups.map(([, group]) => amount(group.by[name].get(value))),
    ]),
    ...(rest.some((count) => count > 0) ? [["others", ...rest.map(amount)]] : []),
  ];
  return [{ title, columns: [column, ...groups.map(([group]) => columns[group])], rows }];
}

const apiNames: Readonly<Record<string, string>> = {
  authentication: "sign-in",
  management: "management",
  dynamic_client_registration: "registration",
};

function shownValue(name: Breakdown, value: string, acls: TrafficReport["acls"]): string {
  if (name === "rule") return value === "" ? "no ACL matches" : titleOf(acls.get(value));
  if (value === "") return missing;
  if (name === "api")
    return value
      .split(" or ")
      .map((api) => apiNames[api] ?? api)
      .join(" or ");
  if (name === "country") {
    const country = countryNames().get(value);
    return country === undefined ? value : `${value} (${country})`;
  }
  return clipped(value, 100);
}
