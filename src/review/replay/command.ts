/** Runs `tenantform replay`. */
import { exitCodes } from "../../text/exit-codes";
import { oneLine, print } from "../../text/printable";
import { ReviewError } from "../error";
import { withCommandPage } from "../../text/page";
import { distinctNames, readPlans, type Edge } from "../input/input";
import { version } from "../../version";
import { asPages, outputsOf, write, type OutputFlags } from "../render/output";
import type { RemoteState } from "../remote";
import { tenantsIn, type Tenant } from "../tenants";
import { createProgress, stopAtInterrupt } from "./progress";
import { replayLogs, sinceIn } from "./read";
import type { NamedReport } from "./report";

export interface ReplayFlags extends OutputFlags {
  readonly logs?: readonly string[];
  readonly tenant?: boolean;
  readonly since?: string;
  readonly show?: string;
}

/** Returns the exit code. If it was stopped or the tenant failed, the output covers a part of the log. */
export async function replay(names: readonly string[], flags: ReplayFlags, edge: Edge): Promise<number> {
  const stopping = stopAtInterrupt();
  try {
    return await replayed(names, flags, edge, stopping.signal);
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    print(process.stderr, withCommandPage(oneLine(error.message), "replay", version));
    return exitCodes.error;
  } finally {
    stopping.end();
  }
}

async function replayed(
  names: readonly string[],
  flags: ReplayFlags,
  edge: Edge,
  signal: AbortSignal,
): Promise<number> {
  const outputs = outputsOf(flags, ["text", "markdown", "json", "html"]);
  const logs = flags.logs ?? [];
  if (logs.length === 0 && !flags.tenant)
    throw new ReviewError("Give the log: --logs FILE, or --tenant to read it from the tenant.", "usage");
  const isPlanOnInput = names.length === 0 || names.includes("-");
  if (isPlanOnInput && logs.includes("-"))
    throw new ReviewError("Standard input cannot be both the plan and the log: name a file for one of them.", "usage");
  const users = showsUsers(flags, outputs);
  const now = Date.now();
  const since = sinceIn(flags.since, now);
  const tenants = tenantsIn(distinctNames(await readPlans(names, edge)));
  const remote: ReadonlyMap<Tenant, RemoteState> = flags.tenant
    ? await (
        await import("../ask.js")
      ).remoteStates(edge.environment, tenants, () => ({ families: new Set(["network_acls"]) }))
    : new Map<Tenant, never>();
  const progress = createProgress(process.stderr, () => performance.now());
  const fetch = flags.tenant && logs.length === 0 ? await tenantLog(edge, since ?? now - usualTime, signal) : undefined;
  let isFailed = false;
  const reports = await replayLogs(tenants, edge, {
    logs,
    ...(since !== undefined && { since }),
    remote,
    now,
    progress,
    signal,
    ...(fetch && {
      async fetch(sink, replays) {
        const stopped = await fetch(sink, () => progress.update(replays[0]?.events ?? 0, undefined));
        isFailed = stopped?.isFailed === true;
        return stopped?.words;
      },
    }),
  });
  const named = [...reports].map(([{ name }, report]): NamedReport => ({ name, report }));
  await write(outputs, async (format) => {
    if (format !== "json") return asPages(format, (await import("./sections.js")).replayPages(named, users));
    const { trafficJson } = await import("./json.js");
    const replays = named.map(({ name, report }) => ({ name, ...trafficJson(report) }));
    return `${JSON.stringify({ format_version: "1.0", replays }, undefined, 2)}\n`;
  });
  return signal.aborted ? exitCodes.stopped : isFailed ? exitCodes.error : exitCodes.fine;
}

/** Seven days, if --since does not say it. */
const usualTime = 7 * 86_400_000;

async function tenantLog(edge: Edge, since: number, signal: AbortSignal) {
  const { readTenantLog } = await import("./tenant-log.js");
  return (sink: Parameters<typeof readTenantLog>[1], report: () => void) =>
    readTenantLog(edge.environment, sink, { since, signal, report });
}

/** Names of users appear on a terminal only, so that no comment or file has them by accident. */
function showsUsers({ show }: ReplayFlags, outputs: ReturnType<typeof outputsOf>): boolean {
  if (show === undefined) return false;
  if (show !== "users") throw new ReviewError(`--show ${JSON.stringify(show)} is not known: choose users.`, "usage");
  const isTerminal =
    process.stdout.isTTY && outputs.every(({ format, file }) => format === "text" && file === undefined);
  if (!isTerminal) throw new ReviewError("--show users works only on a terminal, with --format text.", "usage");
  return true;
}
