/** Lays out what a log says about a change: in words for every form, which escapes the text itself, and as JSON. */
import { titleOf } from "../../judge/impact/network-acl/words";
import { amount, andWords, clipped, counted } from "../../formats/text/lists";
import { mostIds, type LeftOut, type Replay, type TrafficReport } from "../traffic/replay";
import { mostUsers, type Counter } from "../traffic/tally";
import type { Section } from "./document";

export function trafficSection(report: TrafficReport): Section {
  return { title: "Logged requests", isOpen: true, rows: trafficLines(report).map((line) => [line]) };
}

export function trafficLines(report: TrafficReport): string[] {
  const { tally } = report.replay;
  const [contradicted, apiLimits] = [tally.marks.get("contradicted"), tally.marks.get("api_limits")];
  const lines = [
    headlineOf(report.replay),
    ...deniedLines(report),
    contradicted > 0 &&
      `The network ACLs before the plan block ${amount(contradicted)} of the requests, although the log has them: the tenant had other ACLs then.`,
    apiLimits > 0 &&
      `The log has ${counted(apiLimits, "api_limit event")}. Auth0 logs at most one a minute for each limit and application, so this is not the number of rejected requests.`,
    leftOutWords(report.replay),
    report.replay.events > mostIds &&
      `The review remembers ${amount(mostIds)} ids, so an event that was delivered twice may count twice.`,
    // The numbers look complete.
    tally.outcomes.total > 0 &&
      "Events are not all requests: most reads leave no event, a login takes several requests, and blocked requests leave none.",
  ];
  return lines.filter((line) => line !== false);
}

/** `41,200 logged requests in 7 days: 37 surely blocked, 41,043 surely let in, 120 not decidable from a log (it lacks the AS number).` */
function headlineOf(replay: Replay): string {
  const { outcomes, first, last, lacks } = replay.tally;
  if (outcomes.total === 0) return `The log has no request that the review can replay.${elsewhereWords(replay)}`;
  const hours = Math.max(1, Math.round((last - first) / 3_600_000));
  const span =
    last <= first ? "" : ` in ${hours < 48 ? counted(hours, "hour") : counted(Math.round(hours / 24), "day")}`;
  const missing = lacks.top(4).map(([name]) => `the ${name}`);
  const redirected = outcomes.get("redirected");
  const parts = [
    `${amount(outcomes.get("blocked"))} surely blocked`,
    ...(redirected > 0 ? [`${amount(redirected)} surely redirected`] : []),
    `${amount(outcomes.get("let in"))} surely let in`,
    `${amount(outcomes.get("not decidable"))} not decidable from a log${missing.length > 0 ? ` (it lacks ${andWords(missing)})` : ""}`,
  ];
  return `${counted(outcomes.total, "logged request")}${span}: ${parts.join(", ")}.${elsewhereWords(replay)}`;
}

/** ` 10 events are left out, because …`; empty if there are none, or the plan names its tenant. */
function elsewhereWords({ leftOut, tenant, isGuessed, otherTenants }: Replay): string {
  const count = leftOut.get("other_tenants");
  if (!isGuessed || count === 0) return "";
  const most =
    tenant && `, and ${clipped(tenant, 40)} has the most events of ${amount(otherTenants.length + 1)} tenants`;
  return ` ${counted(count, "event is", "events are")} left out, because the plan does not name its tenant${most ?? ""}.`;
}

/** Who is blocked, and by what. */
function deniedLines({ replay: { tally }, acls }: TrafficReport): string[] {
  const { outcomes, users } = tally;
  const redirected = outcomes.get("redirected");
  const line = (words: string, counter: Counter, shown = (name: string) => clipped(name, 60)) => {
    const top = counter.top(5).filter(([name]) => name !== "");
    const rest = outcomes.get("blocked") + redirected - top.reduce((sum, [, count]) => sum + count, 0);
    const parts = top.map(([name, count]) => `${shown(name)} (${amount(count)})`);
    if (rest > 0) parts.push(`others (${amount(rest)})`);
    return top.length === 0 ? [] : [`${words}: ${parts.join(", ")}.`];
  };
  const named = (key: string) => (key.startsWith("policy ") ? key : titleOf(acls.get(key)));
  return [
    ...line(redirected > 0 ? "Blocked or redirected by" : "Blocked by", tally.by, named),
    ...(users.size === 0
      ? []
      : [`${users.size >= mostUsers ? "at least " : ""}${counted(users.size, "user")} sent them.`]),
    ...line("From", tally.countries),
    ...line("By application", tally.applications),
  ];
}

const leftOutNames: readonly (readonly [name: LeftOut, one: string, many: string])[] = [
  ["broken", "broken line", "broken lines"],
  ["torn", "missing end of a file", "missing ends of files"],
  ["no_events", "JSON value that is no event", "JSON values that are no events"],
  ["duplicates", "event that was delivered twice", "events that were delivered twice"],
  ["before_since", "event before the time of --since", "events before the time of --since"],
  ["other_tenants", "event of another tenant", "events of other tenants"],
];

function leftOutWords({ leftOut, tally: { unknownTypes: types } }: Replay): string | false {
  const known = leftOutNames.map(([name, one, many]) => leftOut.get(name) > 0 && counted(leftOut.get(name), one, many));
  const shown = types.top(3).map(([name]) => clipped(name, 40));
  const all = [...known, types.total > 0 && `${counted(types.total, "event")} of unknown types (${shown.join(", ")})`];
  return all.some(Boolean) && `Not replayed: ${all.filter(Boolean).join("; ")}.`;
}

/** In the format that review.schema.json describes. */
export function trafficJson(report: TrafficReport): object {
  const { tally, leftOut, events, tenant, otherTenants } = report.replay;
  const { outcomes, marks } = tally;
  return {
    summary: trafficLines(report),
    ...(tenant !== undefined && { tenant }),
    events,
    requests: outcomes.total,
    first: jsonTime(tally.first),
    last: jsonTime(tally.last),
    blocked: outcomes.get("blocked"),
    redirected: outcomes.get("redirected"),
    let_in: outcomes.get("let in"),
    not_decidable: outcomes.get("not decidable"),
    lacks: topOf(tally.lacks),
    denied: { users: tally.users.size, countries: topOf(tally.countries), applications: topOf(tally.applications) },
    contradicted: marks.get("contradicted"),
    api_limits: marks.get("api_limits"),
    left_out: {
      ...Object.fromEntries(leftOutNames.map(([name]) => [name, leftOut.get(name)])),
      unknown_types: topOf(tally.unknownTypes),
      without_time: marks.get("without_time"),
      notices: marks.get("notices"),
    },
    other_tenants: otherTenants.slice(0, 20),
  };
}

const jsonTime = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);

const topOf = (counter: Counter) => Object.fromEntries(counter.top(50));
