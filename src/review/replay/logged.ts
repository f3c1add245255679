/** Replays the log that a review was given. */
import { levels } from "../../impact/finding";
import type { EnforcementGate } from "../../impact/enforcement/enforcement";
import { oneOf } from "../choice";
import { ReviewError } from "../error";
import type { Edge } from "../input/input";
import type { RemoteState } from "../remote";
import type { Tenant } from "../tenants";
import { durationIn } from "./duration";
import type { TrafficReport } from "./report";

interface LogFlags {
  readonly logs?: readonly string[];
  readonly since?: string;
  readonly enforcementLevel?: string;
  readonly enforcementWindow?: string;
}

export function enforcementGate({ enforcementLevel: level, enforcementWindow: text }: LogFlags): EnforcementGate {
  const window = text === undefined ? undefined : durationIn(text);
  if (text !== undefined && window === undefined)
    throw new ReviewError(`--enforcement-window ${JSON.stringify(text)} is not a time: give one such as 3d or 12h.`, 1);
  return {
    ...(level !== undefined && { level: oneOf(level, levels, "--enforcement-level") }),
    ...(window !== undefined && { window }),
  };
}

/** Empty without --logs. */
export async function trafficOf(
  tenants: readonly Tenant[],
  { logs = [], since }: LogFlags,
  edge: Edge,
  remote: ReadonlyMap<Tenant, RemoteState>,
): Promise<ReadonlyMap<Tenant, TrafficReport>> {
  if (logs.length === 0) return new Map();
  const [{ replayLogs, sinceIn }, { createProgress, stopAtInterrupt }] = await Promise.all([
    import("./read.js"),
    import("./progress.js"),
  ]);
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
