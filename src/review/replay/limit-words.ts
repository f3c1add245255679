/** Words the effect of rate limits on the requests of a log. */
import { andWords } from "../../impact/list-words";
import { clipped } from "../../impact/clipped";
import type { LimitReport } from "./limits";
import type { TrafficReport } from "./report";
import { amount, counted } from "./words";

/** `Limit for default, block above 25/s: would have rejected 214 of 9,120 logged requests of 3 clients, peak 61/s.` */
export function limitLine(one: LimitReport): string {
  const { selector, after, requests, reported, passed, peak, suggested, isPartial } = one;
  const head = `Limit for ${clipped(selector)}, ${after}`;
  const effect = requests === 0 ? "no logged request counts toward it" : `${effectWords(one)}, peak ${amount(peak)}/s`;
  const own =
    reported === 0
      ? []
      : [
          `The service itself logged ${counted(reported, "passed limit")} (api_limit) of ${counted(one.reportedClients, "client")}, and logs at most one a minute for each client.`,
        ];
  const isHigher = passed > 0 && passed + 1 > peak;
  const real = isHigher ? [`The real peak was above ${amount(passed)}/s.`] : [];
  const advice = suggested
    ? [
        `A limit of ${amount(suggested[0])} to ${amount(suggested[1])}/s is two to three times the ${isHigher ? "least possible peak" : "peak"}, as the service advises.`,
      ]
    : [];
  const partial = isPartial
    ? ["The log has more clients or seconds than the replay counts, so these numbers may be too low."]
    : [];
  return [`${head}: ${effect}.`, ...own, ...real, ...advice, ...partial].join(" ");
}

function effectWords({ action, requests, rejected, rejectedClients, rejectedBefore }: LimitReport): string {
  if (rejected === null) return "the limit is not known";
  const verb = action === "redirect" ? "would have rejected or redirected" : "would have rejected";
  const old = rejectedBefore !== null && rejectedBefore > 0 ? ` (${amount(rejectedBefore)} with the limit before)` : "";
  const all = counted(requests, "logged request");
  if (rejected === 0) return `${verb} none of ${all}${old}`;
  return `${verb} ${amount(rejected)} of ${all}, from ${counted(rejectedClients, "client")}${old}`;
}

const mostLimits = 3;

/** The `api_limit` events about limits that the plan does not change. */
export function otherLimitLines({ passed, replayed: { tally } }: TrafficReport): string[] {
  const events = passed.reduce((sum, one) => sum + one.events, tally.passedLimits.rest);
  if (events === 0) return [];
  const shown = passed.slice(0, mostLimits).map(({ bucket, isPolicy, events: own, size }) => {
    const limit = size > 0 ? ` of ${amount(size)}/s` : "";
    const name = bucket === "" ? "a limit without a name" : clipped(bucket, 60);
    return `${amount(own)} for ${name}${limit}${isPolicy ? "" : " (a limit of the service)"}`;
  });
  const rest = events - passed.slice(0, mostLimits).reduce((sum, one) => sum + one.events, 0);
  const parts = andWords([...shown, ...(rest > 0 ? [`${amount(rest)} for others`] : [])]);
  const one = events === 1;
  return [
    `The log has ${counted(events, "api_limit event")} about ${one ? "a limit" : "limits"} that the plan does not change: ${parts}. The service logs at most one a minute for each limit and client, so these are not the numbers of rejected requests.`,
  ];
}
