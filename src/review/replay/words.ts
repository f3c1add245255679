/** Words the result of a replay: how many logged requests get another outcome, and from where. */
import { andWords } from "../../impact/list-words";
import { clipped } from "../../impact/clipped";
import type { Dependency } from "../../traffic/fact-class";
import type { Group } from "../../traffic/group";
import type { GroupName } from "../../traffic/tally";
import { durationWords } from "./duration";
import { spanOf, type TrafficReport } from "./report";

export const amount = (count: number): string => count.toLocaleString("en-US");

export const counted = (count: number, one: string, many = `${one}s`) => `${amount(count)} ${count === 1 ? one : many}`;

/** Shown for an event that does not have the fact. */
export const missing = "not in the log";

/** What the plan does to the requests of a group. The most important group is first. */
const groupWords: Readonly<Record<Exclude<GroupName, "possible">, readonly [verb: string, which: string]>> = {
  blocks: ["blocks", "that are allowed now"],
  redirects: ["redirects", "that are allowed now"],
  opens: ["allows", "that are blocked or redirected now"],
  moves: ["blocks or redirects", "in another way"],
};

const dependencyWords: Readonly<Record<Dependency, string>> = {
  api: "the API",
  ip: "the address",
  connecting_ip: "the connecting address",
  asn: "the AS number",
  country: "the country",
  subdivision: "the region",
  user_agent: "the user agent header",
  hostname: "the host name",
  ja3: "the JA3 fingerprint",
  ja4: "the JA4 fingerprint",
  managed: "the curated lists",
  signature_key: "the signature",
  comparison: "how the service compares user agents",
  assumption: "details that the service does not document or the plan does not know",
};

/** `The plan blocks 37 of 41,200 logged requests in 7 days that are allowed now (12 users). It allows 3 that are blocked or redirected now.` */
export function headlineOf(report: TrafficReport): string {
  const { tally } = report.replayed;
  if (tally.requests === 0) return "The log has no request that the review can replay.";
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
  if (!possible) return sentences.length === 0 ? `None of ${whole} gets another outcome.` : sentences.join(" ");
  const open = `may get another outcome. That depends on ${dependencyList(report)}.`;
  return sentences.length === 0
    ? `None of ${whole} certainly gets another outcome. ${amount(possible.count)} ${open}`
    : `${sentences.join(" ")} ${amount(possible.count)} more ${open}`;
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
export function troubleWords({ replayed: { troubles, tally, otherTenants } }: TrafficReport): string[] {
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
