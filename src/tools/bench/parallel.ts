/** Several runs of Terraform at the same time on one tenant: their time together, and whether one of them starves. */
import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Tier } from "../../emulator/http/limit";
import { installInto, script } from "./contender";
import { limitOf, makingOf, readingOf, requestsOf, type Work } from "./limit";
import { run, succeed } from "./program";
import { figure, table } from "./table";
import { startTenant, type Tenant } from "./tenant";
import { tally, terraform, type Bench } from "./terraform";

export interface Parallel {
  readonly operation: "apply" | "plan";
  /** Runs at the same time. */
  readonly runs: number;
  readonly tier: Tier;
  /** Seconds of each run, the fastest first. */
  readonly seconds: readonly number[];
  /** Seconds from the first request's arrival to the last response. */
  readonly traffic: number;
  readonly requests: number;
  /** The fewest requests for this work. */
  readonly needed: number;
  /** Responses with status 429. */
  readonly throttled: number;
  /** Runs that failed. */
  readonly failed: number;
  /** Physical limit in seconds, for all runs together. */
  readonly limit: number;
  /** Ratio of the slowest run to the fastest. */
  readonly unfairness: number;
}

/** Policies of each run. */
const size = 15;
const tier = "essentials";
const timeout = 170;
const flags = ["-input=false", "-no-color"];
const commands = {
  apply: ["apply", "-auto-approve", ...flags],
  // Fails if anything is left to do.
  plan: ["plan", "-detailed-exitcode", ...flags],
};

/** Each run has its own objects. */
function configurationOf(which: number): string {
  const policies = Array.from({ length: size }, (_, index) => [
    `policy${index + 1}`,
    {
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: `client_id:run${which}policy${index + 1}`,
      configuration: { action: "block", limit: 100 },
    },
  ]);
  return JSON.stringify({
    terraform: { required_providers: { tenant: { source: script.source } } },
    resource: { [script.policy]: Object.fromEntries(policies) },
  });
}

async function openWorkspace({ folder, signal }: Bench, which: number): Promise<string> {
  const directory = await mkdtemp(path.join(folder, "parallel-"));
  await writeFile(path.join(directory, "main.tf.json"), configurationOf(which));
  await installInto(directory, script);
  await succeed(terraform, ["init", ...flags], { cwd: directory, signal, timeout });
  return directory;
}

/** The work of all runs. The longest chain stays the same. */
function together(work: Work, runs: number): Work {
  return { ...work, tokens: work.tokens * runs, plain: work.plain * runs };
}

async function measure(bench: Bench, tenant: Tenant, operation: Parallel["operation"], directories: readonly string[]) {
  const env = {
    // The least number of requests has a token for each run.
    TENANT_KEEP_TOKEN: "false",
    TENANT_ENDPOINT: tenant.url,
    TENANT_CLIENT_ID: tenant.clientId,
    TENANT_CLIENT_SECRET: tenant.clientSecret,
  };
  const runs = directories.length;
  await tenant.served();
  const ended = await Promise.all(
    directories.map((cwd) => run(terraform, commands[operation], { cwd, env, signal: bench.signal, timeout })),
  );
  const failed = ended.filter(({ code }) => code !== 0);
  for (const { output } of failed) bench.say(output.slice(-1000));
  const seconds = ended.map((one) => one.seconds).toSorted((a, b) => a - b);
  const work = together(operation === "apply" ? makingOf(size) : readingOf(0, size), runs);
  const { traffic, requests, throttled } = tally(seconds.at(-1)!, await tenant.served());
  const row: Parallel = {
    operation,
    runs,
    tier,
    seconds,
    traffic,
    requests,
    needed: requestsOf(work),
    throttled,
    failed: failed.length,
    limit: limitOf(work, tier, bench.latency),
    unfairness: seconds.at(-1)! / seconds[0]!,
  };
  bench.say(`${runs} at a time, ${operation}: ${seconds.at(-1)!.toFixed(1)} s, ${throttled} of ${requests} refused`);
  return row;
}

/** An apply and then a plan of each number of runs, on an empty tenant. */
export async function measureParallel(bench: Bench, counts: readonly number[]): Promise<Parallel[]> {
  const rows: Parallel[] = [];
  for (const count of counts) {
    const tenant = await startTenant({ tier, latency: bench.latency * 1000 }, bench.folder);
    try {
      const directories: string[] = [];
      for (let which = 1; which <= count; which++) directories.push(await openWorkspace(bench, which));
      for (const operation of ["apply", "plan"] as const) {
        rows.push(await measure(bench, tenant, operation, directories));
      }
    } finally {
      await tenant.close();
    }
  }
  return rows;
}

export function parallelTable(rows: readonly Parallel[]): string {
  const head = ["", "runs", "requests", "(least)", "429s", "limit s", "traffic s", "fastest s", "slowest s", "ratio"];
  return `runs at the same time on one tenant of tier ${tier}, ${size} policies each\n${table(
    [...head, "failed"],
    rows.map((row) => [
      row.operation,
      String(row.runs),
      String(row.requests),
      `(${row.needed})`,
      String(row.throttled),
      ...[row.limit, row.traffic, row.seconds[0]!, row.seconds.at(-1)!, row.unfairness].map(figure),
      String(row.failed),
    ]),
  )}`;
}
