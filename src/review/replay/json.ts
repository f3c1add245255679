/** Renders what a log says about a change as JSON, in the format that review.schema.json describes. */
import { breakdowns, type Group } from "../../traffic/group";
import type { GroupName } from "../../traffic/tally";
import type { TrafficReport } from "./report";
import { mainLines } from "./sections";
import type { Enforcement } from "../../impact/enforcement";
import { titleOf } from "../../impact/network-acl/words";

export function trafficJson(report: TrafficReport): object {
  const { replayed, enforcements, stopped } = report;
  const { tally, troubles, events, tenant, otherTenants } = replayed;
  const group = (name: GroupName) => groupJson(tally.groups.get(name));
  return {
    summary: mainLines(report),
    complete: stopped === undefined,
    ...(tenant !== undefined && { tenant }),
    events,
    requests: tally.requests,
    first: timeOf(tally.first),
    last: timeOf(tally.last),
    newly_blocked: group("blocks"),
    newly_redirected: group("redirects"),
    newly_allowed: group("opens"),
    denied_in_another_way: group("moves"),
    possible: {
      ...group("possible"),
      certainly_denied_after: tally.denied,
      depends_on: Object.fromEntries(tally.dependencies),
    },
    assumes: [...tally.assumed],
    contradicted: tally.contradicted,
    hours: [...tally.hours]
      .toSorted(([a], [b]) => a - b)
      .map(([hour, counts]) => ({ start: new Date(hour * 3_600_000).toISOString(), ...counts })),
    api_limits: tally.apiLimits,
    enforcements: enforcements.map(enforcementJson),
    left_out: {
      broken: troubles.broken,
      torn: troubles.torn,
      no_events: troubles.strange,
      duplicates: troubles.duplicates,
      other_tenants: troubles.elsewhere,
      before_since: troubles.early,
      unknown_types: Object.fromEntries(tally.unknownTypes.top(50).shown),
      without_time: tally.timeless,
      notices: tally.notices,
    },
    other_tenants: otherTenants.slice(0, 20),
  };
}

const timeOf = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);

/** Rules are left out, because their keys are addresses of the plan. */
function groupJson(group: Group | undefined) {
  if (!group) return { count: 0, users: 0, first: null, last: null, by: {} };
  const by = breakdowns.filter((name) => name !== "rule");
  return {
    count: group.count,
    users: group.users.count,
    first: timeOf(group.first),
    last: timeOf(group.last),
    by: Object.fromEntries(by.map((name) => [name, Object.fromEntries(group.by[name].top(50).shown)])),
  };
}

function enforcementJson({ acl, cause: _cause, ...counts }: Enforcement) {
  const { address, plan, id } = acl;
  return {
    title: titleOf(acl),
    ...(address !== undefined && { address }),
    ...(plan !== undefined && { plan }),
    ...(id !== undefined && { id }),
    ...counts,
  };
}
