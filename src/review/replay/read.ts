/** Reads logs, and replays them against the plans of each tenant. */
import type { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { statesOf, type TenantObject } from "../../impact/state";
import { clipped } from "../../impact/phrases";
import { block, isMarked } from "../../impact/value";
import { instantOf } from "../../text/instant";
import { forms } from "../../traffic/event";
import type { LoggedPolicy } from "../../traffic/limits";
import { createReplay, type Replay } from "../../traffic/replay";
import { tenantOfHost } from "../../traffic/request";
import { chunksOf, Inflated, sourcesAt, UnreadableForm, type Source } from "../../traffic/source";
import { createValueReader, type ValueSink } from "../../traffic/values";
import { aclsOnTenant } from "../acls";
import { ReviewError } from "../error";
import type { Edge } from "../input/input";
import { objectsOf } from "../objects";
import { remoteIn, type RemoteState } from "../remote";
import type { Tenant } from "../tenants";
import { createProgress, type Progress } from "./progress";
import { durationIn, type TrafficReport } from "./report";

export interface LogOptions {
  readonly logs: readonly string[];
  /** Only events from this time on. */
  readonly since?: number;
  readonly remote: ReadonlyMap<Tenant, RemoteState>;
  readonly now: number;
  readonly progress: Progress;
}

/** Replays the logs that a review was given. */
export async function trafficOf(
  tenants: readonly Tenant[],
  { logs = [], since }: { readonly logs?: readonly string[]; readonly since?: string },
  edge: Edge,
  remote: ReadonlyMap<Tenant, RemoteState>,
): Promise<ReadonlyMap<Tenant, TrafficReport>> {
  const now = Date.now();
  const time = sinceIn(since, now);
  // Events are garbage at once. A small space for new objects keeps the memory low, and costs no time.
  setFlagsFromString("--semi-space-growth-factor=1");
  const progress = createProgress(process.stderr, () => performance.now());
  return replayLogs(tenants, edge, { logs, ...(time !== undefined && { since: time }), remote, now, progress });
}

interface Prepared {
  readonly tenant: Tenant;
  readonly replay: Replay;
  readonly acls: TrafficReport["acls"];
}

/** Reads the logs once for all tenants. */
export async function replayLogs(
  tenants: readonly Tenant[],
  edge: Edge,
  options: LogOptions,
): Promise<ReadonlyMap<Tenant, TrafficReport>> {
  const prepared = tenants.map((tenant) => prepare(tenant, tenants.length, options));
  const replays = prepared.map(({ replay }) => replay);
  const named = options.logs.map((name) => ({ name, sources: sourcesOf(name, edge) }));
  const sizes = named.flatMap(({ sources }) => sources.map(({ size }) => size));
  const total = sizes.every((size) => size !== undefined) ? sizes.reduce((sum, size) => sum + size, 0) : undefined;
  let read = 0;
  for (const { name, sources } of named) {
    const before = replays[0]?.events ?? 0;
    for (const source of sources) {
      await readSource(source, sinkOf(replays), (bytes) => {
        read += bytes;
        options.progress.update(replays[0]?.events ?? 0, total ? read / total : undefined);
      });
    }
    if (replays[0] && replays[0].events === before) throw nothingRead(name, replays[0].strangeKey);
  }
  options.progress.end();
  return new Map(prepared.map(({ tenant, replay, acls }) => [tenant, { replayed: replay.result(), acls }]));
}

const sinkOf = (replays: readonly Replay[]): ValueSink => ({
  value: (value) => replays.forEach((replay) => replay.value(value)),
  broken: () => replays.forEach((replay) => replay.broken()),
  torn: () => replays.forEach((replay) => replay.torn()),
});

function nothingRead(name: string, key: string | undefined): ReviewError {
  const seen = key === undefined ? "" : ` Its first key is ${JSON.stringify(clipped(key))}.`;
  return new ReviewError(
    `--logs ${name} has no log event that the review can read.${seen} Give JSON, plain or compressed with gzip, in a form of ${forms}. ` +
      "Split a value above 16 MB into lines, for example with `jq -c '.events[]'`.",
  );
}

function prepare(tenant: Tenant, count: number, { since, remote, now }: LogOptions): Prepared {
  const { site } = tenant;
  const asked = remote.get(tenant);
  const { plans, versions } = aclsOnTenant(tenant.plans, asked);
  const objects = plans.flatMap((plan) => objectsOf(plan));
  const states = statesOf({ versions, objects, remote: remoteIn(plans, asked) });
  // A plan without a host is for the tenant that --tenant read.
  const host = site.kind === "host" ? site.host.replace(/:\d+$/, "") : (asked?.from?.host ?? "");
  const names = [tenantOfHost(host)].filter((name) => name !== undefined);
  const { before, after } = versions;
  return {
    tenant,
    acls: new Map([...before, ...after].map((acl) => [acl.key, acl])),
    replay: createReplay({
      before,
      after,
      policies: {
        before: (states.before.policies ?? []).map(loggedPolicy),
        after: (states.after.policies ?? []).map(loggedPolicy),
      },
      // With one tenant the plan's host may be a custom domain, but a name of the service is certain.
      ...((names.length > 0 || count > 1) && { tenants: names }),
      ...(since !== undefined && { since }),
      now,
    }),
  };
}

function loggedPolicy({ address, values, sensitive }: TenantObject): LoggedPolicy {
  const { consumer_selector: selector } = values;
  const configuration = block(values["configuration"]);
  const { action, limit } = typeof configuration === "object" ? configuration : {};
  const shown = typeof selector === "string" && !isMarked(sensitive, "consumer_selector") ? selector : "";
  const number = typeof limit !== "number" && (typeof limit !== "string" || limit === "") ? NaN : Number(limit);
  return {
    name: address ?? shown,
    selector: typeof selector === "string" ? selector : undefined,
    action: typeof action === "string" ? action : undefined,
    limit: typeof limit === "symbol" || Number.isNaN(number) ? undefined : number,
  };
}

/** A duration before now such as 7d, or a time in ISO 8601. */
export function sinceIn(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const duration = durationIn(text);
  const time = duration === undefined ? timeIn(text) : now - duration;
  if (time === undefined || Number.isNaN(time))
    throw new ReviewError(
      `--since ${JSON.stringify(text)} is not a time: give one such as 7d, 12h or 2026-11-15.`,
      "usage",
    );
  return time;
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Without an offset, a time is local, and a date begins in UTC. Undefined if there is no such time, such as 30 February. */
function timeIn(text: string): number | undefined {
  const [, date, time, seconds, zone] = isoTime.exec(text) ?? [];
  const instant = instantOf(`${date}T${time ?? "00:00"}${seconds ?? ":00"}${zone ?? "Z"}`);
  return instant !== undefined && time !== undefined && zone === undefined ? Date.parse(text) : instant;
}

/** The files below the name. `-`: standard input. */
function sourcesOf(name: string, edge: Edge): Source[] {
  if (name === "-") return [{ name: "standard input", open: () => edge.stdin as Readable }];
  try {
    return sourcesAt(name);
  } catch (error) {
    throw cannotRead(name, error as NodeJS.ErrnoException);
  }
}

const cannotRead = (name: string, { code, message }: NodeJS.ErrnoException) =>
  new ReviewError(
    code === "ENOENT"
      ? `--logs ${name} does not exist: give a file, a folder, or - for standard input.`
      : `--logs ${name} cannot be read (${code ?? message}).`,
  );

/** `pushed`: is given the compressed bytes of each chunk. */
async function readSource({ name, open }: Source, sink: ValueSink, pushed: (bytes: number) => void): Promise<void> {
  if (/\.(tar(\.\w{1,4})?|tgz|tbz2?|txz)$/i.test(name))
    throw new ReviewError(`--logs ${name} is a tar archive: extract it, and give the folder with its files.`);
  const end = { isTorn: false };
  const reader = createValueReader(sink);
  const input = open();
  try {
    for await (const chunk of chunksOf(input, end)) {
      reader.push(chunk.bytes);
      pushed(chunk.read);
    }
    reader.end(end.isTorn);
  } catch (error) {
    throw asReviewError(name, error);
  } finally {
    input.destroy();
  }
}

function asReviewError(name: string, error: unknown): unknown {
  if (error instanceof UnreadableForm)
    return new ReviewError(
      `--logs ${name} is in the form ${error.form}, which a review cannot read: give JSON or gzip.`,
    );
  if (error instanceof Inflated)
    return new ReviewError(
      `--logs ${name} is compressed more than any log is: decompress it once, and give the result.`,
    );
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : cannotRead(name, error as NodeJS.ErrnoException);
}
