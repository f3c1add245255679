/** Reads logs, and replays them against the plans of each tenant. */
import { limitChanges } from "../../impact/rate-limit-policy/changes";
import type { PlannedAcl } from "../../impact/network-acl/acl";
import { promotedIn, type Promoted, type Promotion } from "../../impact/promotion/promotion";
import { kindOf } from "../../kinds/kinds";
import { rateLimitPolicy } from "../../kinds/rate-limit-policy";
import { createReplay, type Replay } from "../../traffic/replay";
import { tenantOfHost } from "../../traffic/request";
import type { ValueSink } from "../../traffic/values";
import { aclsOf } from "../acls";
import { ReviewError } from "../error";
import type { Edge } from "../input";
import { objectsOf } from "../objects";
import { remoteIn, type RemoteState } from "../remote";
import type { Tenant } from "../tenants";
import { durationIn } from "./duration";
import { filesOf, readFiles } from "./files";
import { limitReports } from "./limits";
import { otherLimits } from "./other-limits";
import type { Progress } from "./progress";
import { coverageOf, type TrafficReport } from "./report";

export interface LogOptions {
  readonly logs: readonly string[];
  /** Only events from this time on. */
  readonly since?: number;
  readonly remote: ReadonlyMap<Tenant, RemoteState>;
  readonly now: number;
  readonly progress: Progress;
  /** Ends the reading. The report then says how far it came. */
  readonly signal: AbortSignal;
  /** Reads events from the tenant itself, in addition to the files. */
  readonly fetch?: (sink: ValueSink, replays: readonly Replay<PlannedAcl>[]) => Promise<string | undefined>;
}

interface Prepared {
  readonly tenant: Tenant;
  readonly replay: Replay<PlannedAcl>;
  readonly policies: ReturnType<typeof limitChanges>;
  readonly promoted: readonly Promoted[];
  readonly acls: ReadonlyMap<string, PlannedAcl>;
}

/** Reads the logs once for all tenants. */
export async function replayLogs(
  tenants: readonly Tenant[],
  edge: Edge,
  options: LogOptions,
): Promise<ReadonlyMap<Tenant, TrafficReport>> {
  const prepared = tenants.map((tenant) => prepare(tenant, tenants.length, options));
  const replays = prepared.map(({ replay }) => replay);
  const sink: ValueSink = {
    value: (value) => replays.forEach((replay) => replay.value(value)),
    broken: () => replays.forEach((replay) => replay.broken()),
    torn: () => replays.forEach((replay) => replay.torn()),
  };
  const stopped =
    (await readFiles(filesOf(options.logs, edge), sink, () => replays[0]?.events ?? 0, options)) ??
    (await options.fetch?.(sink, replays));
  options.progress.end();
  return new Map(prepared.map((one) => [one.tenant, reportOf(one, stopped)]));
}

function prepare(tenant: Tenant, count: number, { since, remote, now }: LogOptions): Prepared {
  const { plans, sites } = tenant;
  const state = remoteIn(plans, remote.get(tenant));
  const versions = aclsOf(plans, state.network_acls);
  const limited = plans.flatMap((plan) => objectsOf(plan)).filter(({ type }) => kindOf(type) === rateLimitPolicy);
  const policies = limitChanges(limited, state.rate_limit_policies);
  const promoted = promotedIn(versions, policies);
  const keys = new Set(promoted.flatMap(({ kind, key }) => (kind === "acl" ? [key] : [])));
  const names = [
    ...new Set(
      sites.flatMap((site) => (site.kind === "host" ? (tenantOfHost(site.host.replace(/:\d+$/, "")) ?? []) : [])),
    ),
  ];
  const { before, after } = versions;
  return {
    tenant,
    policies,
    promoted,
    acls: new Map([...before, ...after].map((acl) => [acl.key, acl])),
    replay: createReplay({
      before,
      after,
      keyOf: ({ key }) => key,
      watched: new Set(after.filter(({ key }) => keys.has(key))),
      // With one tenant the plan's host may be a custom domain, but a name of the service is certain.
      ...((names.length > 0 || count > 1) && { tenants: names }),
      ...(since !== undefined && { since }),
      now,
    }),
  };
}

function reportOf({ replay, policies, promoted, acls }: Prepared, stopped: string | undefined): TrafficReport {
  const replayed = replay.result();
  const { rates, passedLimits } = replayed.tally;
  const limits = limitReports(policies, rates, passedLimits.all());
  const selectors = new Set(policies.map(({ consumer_selector: selector }) => selector));
  const passed = otherLimits(passedLimits.all(), selectors, limits);
  const span = coverageOf({ replayed });
  const promotions = promoted.map((one): Promotion => {
    const { tally } = replayed;
    if (one.kind === "policy") {
      const own = limits.find(({ selector }) => selector === one.key);
      const evidence = { possible: 0, of: own?.requests ?? 0, users: 0, span };
      return { ...one, ...evidence, matched: own ? own.rejected : 0, reported: own?.reported ?? 0 };
    }
    const own = tally.evidence.get(one.key);
    const summed = one.id === undefined ? undefined : tally.summaries.get(one.id);
    return {
      ...one,
      matched: own?.certain ?? 0,
      possible: own?.possible ?? 0,
      of: tally.requests,
      users: own?.users.count ?? 0,
      span,
      ...(summed && { summed }),
    };
  });
  return { replayed, limits, passed, promotions, acls, ...(stopped !== undefined && { stopped }) };
}

/** A duration before now such as 7d, or a time in ISO 8601. */
export function sinceIn(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const duration = durationIn(text);
  const time = duration === undefined ? Date.parse(text) : now - duration;
  if (/^\d+$/.test(text) || Number.isNaN(time))
    throw new ReviewError(`--since ${JSON.stringify(text)} is not a time: give one such as 7d, 12h or 2026-11-15.`, 1);
  return time;
}
