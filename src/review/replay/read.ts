/** Reads logs, and replays them against the plans of each tenant. */
import type { PlannedAcl } from "../../impact/network-acl/acl";
import { promotedIn, type Promoted, type Promotion } from "../../impact/promotion/promotion";
import { createReplay, type Replay } from "../../traffic/replay";
import { tenantOfHost } from "../../traffic/request";
import type { ValueSink } from "../../traffic/values";
import { aclsOf } from "../acls";
import { ReviewError } from "../error";
import type { Edge } from "../input";
import { remoteIn, type RemoteState } from "../remote";
import type { Tenant } from "../tenants";
import { durationIn } from "./duration";
import { filesOf, readFiles } from "./files";
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
  const promoted = promotedIn(versions);
  const keys = new Set(promoted.map(({ key }) => key));
  const names = [
    ...new Set(
      sites.flatMap((site) => (site.kind === "host" ? (tenantOfHost(site.host.replace(/:\d+$/, "")) ?? []) : [])),
    ),
  ];
  const { before, after } = versions;
  return {
    tenant,
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

function reportOf({ replay, promoted, acls }: Prepared, stopped: string | undefined): TrafficReport {
  const replayed = replay.result();
  const { tally } = replayed;
  const span = coverageOf({ replayed });
  const promotions = promoted.map((one): Promotion => {
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
  return { replayed, promotions, acls, ...(stopped !== undefined && { stopped }) };
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
