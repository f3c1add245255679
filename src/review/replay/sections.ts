/** Lays out what a log says about a change, for every form. Each form escapes the text itself. */
import { titleOf } from "../../impact/network-acl/words";
import { amount, andWords, clipped, counted } from "../../impact/phrases";
import { mostUsers, type Counter } from "../../traffic/tally";
import { mostIds, type Troubles } from "../../traffic/replay";
import type { Section } from "../render/section";
import { durationWords, type TrafficReport } from "./report";

/** Said once, because the numbers look complete. */
const caveat =
  "Events are not all requests: most reads leave no event, a login takes several requests, and blocked requests leave none.";

export const trafficSections = (report: TrafficReport): Section[] => [
  { title: "Logged requests", isOpen: true, rows: mainLines(report).map((line) => [line]) },
];

/** The result first. */
export function mainLines(report: TrafficReport): string[] {
  const { tally, troubles } = report.replayed;
  const left = troubleWords(report);
  return [
    headlineOf(report),
    ...deniedLines(report),
    ...contradictionLines(report),
    ...(tally.apiLimits > 0
      ? [
          `The log has ${counted(tally.apiLimits, "api_limit event")}. Auth0 logs at most one a minute for each limit and application, so this is not the number of rejected requests.`,
        ]
      : []),
    ...(tally.first <= tally.last
      ? [`The first request is from ${timeWords(tally.first)}, the last from ${timeWords(tally.last)}.`]
      : []),
    ...(tally.timeless > 0
      ? [`${amount(tally.timeless)} of the requests have no time, or a time that cannot be right.`]
      : []),
    ...(left.length > 0 ? [`Not replayed: ${left.join("; ")}.`] : []),
    ...(troubles.torn > 0
      ? [`${counted(troubles.torn, "file ends", "files end")} too early, so the log may have more requests.`]
      : []),
    ...(tally.requests > 0 ? [caveat] : []),
  ];
}

const timeWords = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** `41,200 logged requests in 7 days: 37 surely blocked, 41,043 surely let in, 120 not decidable from a log (they lack the AS number).` */
function headlineOf(report: TrafficReport): string {
  const { tally } = report.replayed;
  if (tally.requests === 0) return `The log has no request that the review can replay.${elsewhereWords(report)}`;
  const { blocked, redirected, letIn, undecided, lacks } = tally;
  const span = tally.last > tally.first ? ` in ${durationWords(tally.last - tally.first)}` : "";
  const missing = lacks.top(4).map(([name]) => `the ${name}`);
  const parts = [
    `${amount(blocked)} surely blocked`,
    ...(redirected > 0 ? [`${amount(redirected)} surely redirected`] : []),
    `${amount(letIn)} surely let in`,
    `${amount(undecided)} not decidable from a log${undecided > 0 ? ` (it lacks ${andWords(missing)})` : ""}`,
  ];
  return `${counted(tally.requests, "logged request")}${span}: ${parts.join(", ")}.${elsewhereWords(report)}`;
}

const mostShown = 5;

/** Who is blocked, and by what. */
function deniedLines({ replayed: { tally }, acls }: TrafficReport): string[] {
  const denied = tally.blocked + tally.redirected;
  if (denied === 0) return [];
  const users = tally.users.size;
  const people = users === 0 ? "" : `${users >= mostUsers ? "at least " : ""}${counted(users, "user")} sent them`;
  const line = (words: string, counter: Counter, shown: (name: string) => string = (name) => clipped(name, 60)) => {
    const top = counter.top(mostShown).filter(([name]) => name !== "");
    if (top.length === 0) return [];
    const rest = denied - top.reduce((sum, [, count]) => sum + count, 0);
    return [
      `${words}: ${[...top.map(([name, count]) => `${shown(name)} (${amount(count)})`), ...(rest > 0 ? [`others (${amount(rest)})`] : [])].join(", ")}.`,
    ];
  };
  const named = (key: string) => (key.startsWith("policy ") ? key : titleOf(acls.get(key)));
  return [
    ...line(tally.redirected > 0 ? "Blocked or redirected by" : "Blocked by", tally.by, named),
    ...(people === "" ? [] : [`${people}.`]),
    ...line("From", tally.countries),
    ...line("By application", tally.applications),
  ];
}

function contradictionLines({ replayed: { tally } }: TrafficReport): string[] {
  if (tally.contradicted === 0) return [];
  return [
    `The network ACLs before the plan block ${amount(tally.contradicted)} of the requests, although the log has them: the tenant had other ACLs then.`,
  ];
}

/** ` 10 events are left out, because …`; empty if there are none, or the plan names its tenant. */
function elsewhereWords({ replayed: { troubles, tenant, isGuessed, otherTenants } }: TrafficReport): string {
  if (!isGuessed || troubles.elsewhere === 0) return "";
  const chosen =
    tenant === undefined
      ? ""
      : `, and ${clipped(tenant, 40)} has the most events of ${amount(otherTenants.length + 1)} tenants`;
  return ` ${counted(troubles.elsewhere, "event is", "events are")} left out, because the plan does not name its tenant${chosen}.`;
}

const troubleNames: readonly (readonly [keyof Troubles, one: string, many: string])[] = [
  ["broken", "broken line or object", "broken lines or objects"],
  ["strange", "JSON value that is no event", "JSON values that are no events"],
  ["duplicates", "event that was delivered twice", "events that were delivered twice"],
  ["early", "event before the time of --since", "events before the time of --since"],
  ["elsewhere", "event of another tenant", "events of other tenants"],
];

/** `3 broken lines, 12 events that were delivered twice`; empty if nothing was left out. */
function troubleWords({ replayed: { troubles, tally, events } }: TrafficReport): string[] {
  const types = tally.unknownTypes;
  const shown = types.top(3).map(([name]) => clipped(name, 40));
  return [
    ...troubleNames.flatMap(([name, one, many]) => (troubles[name] > 0 ? [counted(troubles[name], one, many)] : [])),
    ...(types.total > 0 ? [`${counted(types.total, "event")} of unknown types (${shown.join(", ")})`] : []),
    ...(events > 2 * mostIds ? [`duplicates that are more than ${amount(mostIds)} events apart may count twice`] : []),
  ];
}
