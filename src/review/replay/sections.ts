/** Lays out what a log says about a change, for every form. Each form escapes the text itself. */
import { countryNames, factNames, rowOf, type FactName } from "../../access/access";
import { amount, andWords, clipped, counted, orWords } from "../../impact/phrases";
import { titleOf } from "../../impact/network-acl/words";
import { evidenceWords } from "../../impact/enforcement";
import { breakdowns, type Breakdown, type Group } from "../../traffic/group";
import type { GroupName } from "../../traffic/tally";
import type { Section, Page, Pages } from "../render/section";
import { durationWords, spanOf, type NamedReport, type TrafficReport } from "./report";
import type { Dependency } from "../../traffic/fact-class";

const trafficTitle = "Logged requests";

/** Said once, because the numbers look complete. */
const caveat =
  "Events are not all requests: most reads leave no event, a login takes several requests, and blocked requests leave none.";

/** `isReview`: effects tell which ACLs change from log to another action. */
export function trafficSections(report: TrafficReport, isReview = false): Section[] {
  const { tally } = report.replayed;
  return [
    {
      title: trafficTitle,
      isOpen: true,
      rows: mainLines(isReview ? { ...report, enforcements: [] } : report).map((line) => [line]),
    },
    ...(tally.groups.size === 0 ? [] : breakdowns.flatMap((name) => breakdownSection(name, report))),
  ];
}

/** A page for each replay. `users`: the users whose requests get another outcome are named. */
export const replayPages = (reports: readonly NamedReport[], users: boolean): Pages => ({
  pages: reports.map(({ name, report }): Page => {
    const [{ rows, ...main }, ...tables] = trafficSections(report) as [Section, ...Section[]];
    const [[headline] = [], ...others] = rows;
    const lines = [...(others.length > 0 ? [{ ...main, rows: others }] : []), ...tables];
    return {
      name,
      title: `Replay of logged requests against ${name}`,
      summary: [{ ...(report.replayed.tally.groups.size > 0 && { sign: "●" as const }), words: String(headline) }],
      open: [...lines, ...(users ? [userSection(report)] : [])],
      effects: [],
      effectsTitle: "",
      closed: [],
      old: [],
      traffic: report,
    };
  }),
});

const mostUsers = 100;

function userSection({ replayed: { tally } }: TrafficReport): Section {
  const ids = [...new Set([...tally.groups.values()].flatMap(({ users }) => users.ids))];
  const rest = ids.length - mostUsers;
  const names = [...ids.slice(0, mostUsers), ...(rest > 0 ? [`${rest} more`] : [])];
  return { title: "Users whose requests get, or may get, another outcome", rows: names.map((name) => [name]) };
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
    ...report.enforcements.map(
      (one) => `${titleOf(one.acl)} changes from log to ${one.action}: ${evidenceWords(one)}.`,
    ),
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
  return [{ title, areNumbers: true, columns: [column, ...groups.map(([group]) => columns[group])], rows }];
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

/** Shown for an event that does not have the fact. */
const missing = "not in the log";

/** What the plan does to the requests of a group. The most important group is first. */
const groupWords: Readonly<Record<Exclude<GroupName, "possible">, readonly [verb: string, which: string]>> = {
  blocks: ["blocks", "that are allowed now"],
  redirects: ["redirects", "that are allowed now"],
  opens: ["allows", "that are blocked or redirected now"],
  moves: ["blocks or redirects", "in another way"],
};

const dependencyWords: Readonly<Record<Dependency, string>> = {
  api: "the API",
  ...(Object.fromEntries(factNames.map((name) => [name, `the ${rowOf(name).noun}`])) as Record<FactName, string>),
  user_agent: "the user agent header",
  managed: "the curated lists",
  signature_key: "the signature",
  comparison: "how the service compares user agents",
  assumption: "details that the service does not document or the plan does not know",
};

/** `The plan blocks 37 of 41,200 logged requests in 7 days that are allowed now (12 users). It allows 3 that are blocked or redirected now.` */
function headlineOf(report: TrafficReport): string {
  const { tally } = report.replayed;
  if (tally.requests === 0) return `The log has no request that the review can replay.${elsewhereWords(report)}`;
  const whole = `${counted(tally.requests, "logged request")}${spanWords(report)}`;
  const certain = (Object.keys(groupWords) as (keyof typeof groupWords)[]).flatMap((name) => {
    const group = tally.groups.get(name);
    return group ? [[groupWords[name], group] as const] : [];
  });
  const sentences = certain.map(([[verb, which], group], index) => {
    const [subject, all] = index === 0 ? ["The plan", ` of ${whole}`] : ["It", ""];
    return `${subject} ${verb} ${amount(group.count)}${all} ${which}${whoseWords(group)}.`;
  });
  const possible = tally.groups.get("possible");
  const none = `None of ${whole} ${possible ? "certainly " : ""}gets another outcome.`;
  const more = sentences.length === 0 ? "" : "more ";
  const open = possible
    ? ` ${amount(possible.count)} ${more}may get another outcome. That depends on ${dependencyList(report)}.`
    : "";
  return `${sentences.length === 0 ? none : sentences.join(" ")}${assumedWords(report)}${open}${elsewhereWords(report)}`;
}

/** ` This assumes that no rule matches by the AS number, which no event has.` */
function assumedWords({ replayed: { tally } }: TrafficReport): string {
  const facts = [...tally.assumed].map((name) => dependencyWords[name]);
  return facts.length === 0 ? "" : ` This assumes that no rule matches by ${orWords(facts)}, which no event has.`;
}

/** ` 10 events are left out, because …`; empty: there are none, or the plan names its tenant. */
function elsewhereWords({ replayed: { troubles, tenant, isGuessed, otherTenants } }: TrafficReport): string {
  if (!isGuessed || troubles.elsewhere === 0) return "";
  const chosen =
    tenant === undefined
      ? ""
      : `, and ${clipped(tenant, 40)} has the most events of ${amount(otherTenants.length + 1)} tenants`;
  return ` ${counted(troubles.elsewhere, "event is", "events are")} left out, because the plan does not name its tenant${chosen}.`;
}

function spanWords(report: TrafficReport): string {
  const span = spanOf(report);
  return span === 0 ? "" : ` in ${durationWords(span)}`;
}

/** ` (12 users; 31 of them from DE, user agent curl/8.0)` */
function whoseWords({ count, users, by }: Group): string {
  const [country] = by.country.top(1).shown;
  const [agent] = by.agent.top(1).shown;
  const isMost = (one: readonly [string, number] | undefined): one is readonly [string, number] =>
    one !== undefined && one[0] !== "" && one[1] * 2 > count;
  const from = isMost(country) ? [`${country[1] === count ? "all" : amount(country[1])} from ${country[0]}`] : [];
  const with1 = isMost(agent)
    ? [`${agent[1] === count ? "all" : amount(agent[1])} with user agent ${JSON.stringify(clipped(agent[0], 60))}`]
    : [];
  const people = users.count > 0 ? [`${users.isMore ? "at least " : ""}${counted(users.count, "user")}`] : [];
  const all = [...people, ...from, ...with1];
  return all.length === 0 ? "" : ` (${all.join("; ")})`;
}

/** `the AS number, which these events do not have` */
function dependencyList({ replayed: { tally } }: TrafficReport): string {
  const sorted = [...tally.dependencies].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  const isOther = (name: Dependency) => name === "comparison" || name === "assumption";
  const facts = sorted.filter((name) => !isOther(name));
  const others = sorted.filter(isOther);
  const [only] = facts;
  const known =
    only === undefined
      ? []
      : [`${andWords(facts.map((name) => dependencyWords[name]))}, which these events do not have`];
  return [...known, ...others.map((name) => dependencyWords[name])].join(", and on ");
}

/** `3 broken lines, 12 events that were delivered twice`; empty: nothing was left out. */
function troubleWords({ replayed: { troubles, tally, otherTenants } }: TrafficReport): string[] {
  const { broken, strange, duplicates, elsewhere, early, isForgetful } = troubles;
  const types = tally.unknownTypes;
  const shown = types.top(3).shown.map(([name]) => clipped(name, 40));
  return [
    ...(broken > 0 ? [counted(broken, "broken line or object", "broken lines or objects")] : []),
    ...(strange > 0 ? [counted(strange, "JSON value that is no event", "JSON values that are no events")] : []),
    ...(duplicates > 0
      ? [counted(duplicates, "event that was delivered twice", "events that were delivered twice")]
      : []),
    ...(elsewhere > 0
      ? [
          `${counted(elsewhere, "event")} of ${counted(otherTenants.length, "other tenant")} (${otherTenants
            .slice(0, 3)
            .map((name) => clipped(name, 40))
            .join(", ")})`,
        ]
      : []),
    ...(early > 0
      ? [counted(early, "event before the time that --since names", "events before the time that --since names")]
      : []),
    ...(types.total > 0 ? [`${counted(types.total, "event")} of unknown types (${shown.join(", ")})`] : []),
    ...(isForgetful ? ["duplicates that are more than 1.5 million events apart may count twice"] : []),
  ];
}
