/** Renders what a log says about a change as JSON, in the format that review.schema.json describes. */
import type { Counter } from "../../traffic/tally";
import type { TrafficReport } from "./report";
import { mainLines } from "./sections";

export function trafficJson(report: TrafficReport): object {
  const { tally, troubles, events, tenant, otherTenants } = report.replayed;
  return {
    summary: mainLines(report),
    ...(tenant !== undefined && { tenant }),
    events,
    requests: tally.requests,
    first: timeOf(tally.first),
    last: timeOf(tally.last),
    blocked: tally.blocked,
    redirected: tally.redirected,
    let_in: tally.letIn,
    not_decidable: tally.undecided,
    lacks: countsOf(tally.lacks),
    denied: {
      users: tally.users.size,
      countries: countsOf(tally.countries),
      applications: countsOf(tally.applications),
    },
    contradicted: tally.contradicted,
    api_limits: tally.apiLimits,
    left_out: {
      broken: troubles.broken,
      torn: troubles.torn,
      no_events: troubles.strange,
      duplicates: troubles.duplicates,
      other_tenants: troubles.elsewhere,
      before_since: troubles.early,
      unknown_types: countsOf(tally.unknownTypes),
      without_time: tally.timeless,
      notices: tally.notices,
    },
    other_tenants: otherTenants.slice(0, 20),
  };
}

const timeOf = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);

const countsOf = (counter: Counter) => Object.fromEntries(counter.top(50));
