/** Reads logs, and replays them against the plans of each tenant. */
import type { PlannedAcl } from "../../impact/network-acl/acl";
import { enforcedIn, type Enforced, type Enforcement } from "../../impact/enforcement";
import { createReplay, type Replay } from "../../traffic/replay";
import { tenantOfHost } from "../../traffic/request";
import { createValueReader, type ValueReader, type ValueSink } from "../../traffic/values";
import { instantOf } from "../../text/instant";
import { aclsOnTenant } from "../acls";
import { ReviewError } from "../error";
import type { Edge } from "../input/input";
import type { RemoteState } from "../remote";
import type { Tenant } from "../tenants";
import { createProgress, stopAtInterrupt, type Progress } from "./progress";
import { coverageOf, durationIn, type TrafficReport } from "./report";
import type { Readable } from "node:stream";
import { chunksOf, Inflated, UnreadableForm, sourcesAt, type Source } from "../../traffic/source";

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

/** Replays the logs that a review was given. */
export async function trafficOf(
  tenants: readonly Tenant[],
  { logs = [], since }: { readonly logs?: readonly string[]; readonly since?: string },
  edge: Edge,
  remote: ReadonlyMap<Tenant, RemoteState>,
): Promise<ReadonlyMap<Tenant, TrafficReport>> {
  const now = Date.now();
  const time = sinceIn(since, now);
  const stopping = stopAtInterrupt();
  try {
    return await replayLogs(tenants, edge, {
      logs,
      ...(time !== undefined && { since: time }),
      remote,
      now,
      progress: createProgress(process.stderr, () => performance.now()),
      signal: stopping.signal,
    });
  } finally {
    stopping.end();
  }
}

interface Prepared {
  readonly tenant: Tenant;
  readonly replay: Replay<PlannedAcl>;
  readonly enforced: readonly Enforced[];
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
  const { site } = tenant;
  const { versions } = aclsOnTenant(tenant.plans, remote.get(tenant));
  const enforced = enforcedIn(versions);
  // A plan without a host is for the tenant that --tenant read.
  const host = site.kind === "host" ? site.host.replace(/:\d+$/, "") : (remote.get(tenant)?.from?.host ?? "");
  const names = [tenantOfHost(host)].filter((name) => name !== undefined);
  const { before, after } = versions;
  return {
    tenant,
    enforced,
    acls: new Map([...before, ...after].map((acl) => [acl.key, acl])),
    replay: createReplay({
      before,
      after,
      keyOf: ({ key }) => key,
      watched: new Set(enforced.map(({ acl }) => acl)),
      // With one tenant the plan's host may be a custom domain, but a name of the service is certain.
      ...((names.length > 0 || count > 1) && { tenants: names }),
      ...(since !== undefined && { since }),
      now,
    }),
  };
}

function reportOf({ replay, enforced, acls }: Prepared, stopped: string | undefined): TrafficReport {
  const replayed = replay.result();
  const { tally } = replayed;
  const span = coverageOf({ replayed });
  const enforcements = enforced.map((one): Enforcement => {
    const own = tally.evidence.get(one.acl.key);
    const summed = one.acl.id === undefined ? undefined : tally.summaries.get(one.acl.id);
    return {
      ...one,
      matched: own?.certain ?? 0,
      possible: own?.possible ?? 0,
      same: own?.same ?? 0,
      of: tally.requests,
      users: own?.users.count ?? 0,
      span,
      ...(summed && { summed }),
    };
  });
  return { replayed, enforcements, acls, ...(stopped !== undefined && { stopped }) };
}

/** A duration before now such as 7d, or a time in ISO 8601. */
export function sinceIn(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const duration = durationIn(text);
  if (duration !== undefined) return now - duration;
  const time = timeIn(text);
  if (time === undefined)
    throw new ReviewError(
      `--since ${JSON.stringify(text)} is not a time: give one such as 7d, 12h or 2026-11-15.`,
      "usage",
    );
  return time;
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Without an offset, a time is local, and a date begins in UTC. undefined: no such time, such as 30 February. */
function timeIn(text: string): number | undefined {
  const [, date, time, seconds, zone] = isoTime.exec(text) ?? [];
  const instant = instantOf(`${date}T${time ?? "00:00"}${seconds ?? ":00"}${zone ?? "Z"}`);
  return instant !== undefined && time !== undefined && zone === undefined ? Date.parse(text) : instant;
}

/** The files below the names. `-`: standard input. */
function filesOf(names: readonly string[], edge: Edge): Source[] {
  return names.flatMap((name) => {
    if (name === "-") return [{ name: "standard input", open: () => edge.stdin as Readable }];
    try {
      return sourcesAt(name);
    } catch (error) {
      throw cannotRead(name, error as NodeJS.ErrnoException);
    }
  });
}

const cannotRead = (name: string, { code, message }: NodeJS.ErrnoException) =>
  new ReviewError(
    code === "ENOENT"
      ? `--logs ${name} does not exist: give a file, a folder, or - for standard input.`
      : `--logs ${name} cannot be read (${code ?? message}).`,
  );

interface ReadingOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Returns how far it came if it was stopped. `events`: the events so far. */
async function readFiles(
  sources: readonly Source[],
  sink: ValueSink,
  events: () => number,
  { progress, signal }: ReadingOptions,
): Promise<string | undefined> {
  const total = sources.every(({ size }) => size !== undefined)
    ? sources.reduce((sum, { size }) => sum + size!, 0)
    : undefined;
  let read = 0;
  for (const [index, source] of sources.entries()) {
    const pushed = (bytes: number) => {
      read += bytes;
      progress.update(events(), total ? read / total : undefined);
    };
    await readSource(source, createValueReader(sink), signal, pushed);
    if (signal.aborted) return stoppedWords(events(), total && read / total, sources.length - index - 1);
  }
  return undefined;
}

/** `pushed`: is given the compressed bytes of each chunk. */
async function readSource(
  { name, open }: Source,
  reader: ValueReader,
  signal: AbortSignal,
  pushed: (bytes: number) => void,
): Promise<void> {
  const end = { isTorn: false };
  const input = open();
  // Standard input may wait for its next bytes forever.
  const stop = () => void input.destroy();
  signal.addEventListener("abort", stop);
  try {
    for await (const chunk of chunksOf(input, end)) {
      reader.push(chunk.bytes);
      pushed(chunk.read);
      if (signal.aborted) return;
    }
    reader.end(end.isTorn);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof UnreadableForm)
      throw new ReviewError(
        `--logs ${name} is in the form ${error.form}, which a replay cannot read: give JSON or gzip.`,
      );
    if (error instanceof Inflated)
      throw new ReviewError(
        `--logs ${name} is compressed more than any log is: decompress it once, and give the result.`,
      );
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw cannotRead(name, error as NodeJS.ErrnoException);
  } finally {
    signal.removeEventListener("abort", stop);
    input.destroy();
  }
}

function stoppedWords(events: number, share: number | undefined, files: number): string {
  const part = share === undefined ? "" : `, about ${Math.floor(share * 100)} % of the log`;
  const rest = files > 0 ? ` ${files} more ${files === 1 ? "file was" : "files were"} not read.` : "";
  return `The replay stopped reading after ${events.toLocaleString("en-US")} events${part}.${rest} The numbers cover only these events.`;
}
