/** `npm run bench -- --timeline`: shows when each process of the provider gets calls and sends requests, by Terraform's log. */
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Contender } from "./contender";
import { commands, environmentOf, openWorkspace, operations } from "./life";
import { table } from "./table";
import { startTenant } from "./tenant";
import type { Bench } from "./terraform";

/** Events of one name in one process. Milliseconds since the start of Terraform. */
export interface Span {
  readonly name: string;
  readonly count: number;
  readonly begin: number;
  readonly end: number;
}

export interface ProviderProcess {
  readonly pid: string;
  /** From Terraform's start of the process to its exit. The handshake, the calls and the requests are between. */
  readonly spans: readonly Span[];
}

export interface Timeline {
  readonly title: string;
  readonly processes: readonly ProviderProcess[];
  /** When Terraform wrote its last line. */
  readonly end: number;
}

const size = 10;

/** One run of each operation for our builds. The log costs time, so the sums exceed those of other parts. */
export async function measureTimelines(bench: Bench, contenders: readonly Contender[]): Promise<Timeline[]> {
  const tenant = await startTenant({ tls: true, latency: 50 }, bench.folder);
  const authority = path.join(bench.folder, "authority.pem");
  await writeFile(authority, tenant.ca!);
  const timelines: Timeline[] = [];
  try {
    for (const contender of contenders.filter(({ name }) => name !== "peer")) {
      const workspace = await openWorkspace(bench, contender, size);
      const log = path.join(workspace.directory, "log.json");
      const env = { ...environmentOf(tenant, authority), TF_LOG: "json", TF_LOG_PATH: log };
      for (const operation of operations) {
        await workspace.write(operation === "create" || operation === "plan" ? 1 : 1001);
        await workspace.run(commands[operation], env);
        const lines = (await readFile(log, "utf8")).split("\n");
        timelines.push(timelineOf(`${operation} of ${size} policies, ${contender.name}`, lines));
        await rm(log);
      }
    }
    return timelines;
  } finally {
    await tenant.close();
  }
}

interface Line {
  readonly "@message": string;
  readonly "@timestamp": string;
  /** When the provider wrote the line. */
  readonly timestamp?: string;
  readonly pid?: number | string;
  readonly id?: number | string;
  readonly call?: string;
  readonly phase?: "begin" | "end";
  readonly ms?: number;
  readonly method?: string;
  readonly path?: string;
}

/** Terraform runs one process after another, so a line belongs to the process that was started last. */
export function timelineOf(title: string, log: readonly string[]): Timeline {
  const lines = log.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Line] : []));
  const timeOf = ({ timestamp, "@timestamp": written }: Line) => Date.parse(timestamp ?? written);
  const start = Math.min(...lines.map(timeOf));
  const processes: { pid: string; spans: Map<string, Span> }[] = [];
  const add = (name: string, begin: number, end: number, count: number) => {
    const spans = processes.at(-1)?.spans;
    const known = spans?.get(name) ?? { name, count: 0, begin: Infinity, end: -Infinity };
    spans?.set(name, {
      name,
      count: known.count + count,
      begin: Math.min(known.begin, begin),
      end: Math.max(known.end, end),
    });
  };
  for (const line of lines) {
    const { "@message": message, call, phase, ms, method, path: asked, pid } = line;
    const at = timeOf(line) - start;
    if (message.endsWith("starting plugin")) {
      processes.push({ pid: "", spans: new Map() });
      add("process", at, at, 1);
    }
    if (message.endsWith("plugin started")) processes.at(-1)!.pid = String(pid);
    if (message.endsWith("using plugin")) add("handshake", at, at, 1);
    if (message.endsWith("plugin process exited")) add("process", at, at, 0);
    if (call !== undefined) add(call, at, at, phase === "begin" ? 1 : 0);
    if (method !== undefined && ms !== undefined) add(`${method} ${asked}`, at - ms, at, 1);
  }
  const spansOf = (spans: ReadonlyMap<string, Span>) => [...spans.values()].toSorted((a, b) => a.begin - b.begin);
  return {
    title,
    processes: processes.map(({ pid, spans }) => ({ pid, spans: spansOf(spans) })),
    end: Math.max(...lines.map(timeOf)) - start,
  };
}

export function timelineText({ title, processes, end }: Timeline): string {
  const rows = processes.flatMap(({ pid, spans }) =>
    spans.map(({ name, count, begin, end: last }, index) => [
      index === 0 ? pid : "",
      count > 1 ? `${name} (${count})` : name,
      ...[begin, last, last - begin].map((ms) => ms.toFixed(0)),
    ]),
  );
  return table([title, "", "begin ms", "end ms", "ms"], [...rows, ["Terraform", "", "0", end.toFixed(0), ""]], 2);
}
