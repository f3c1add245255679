/** Several runs at one tenant at a time, each a process of its own: what all take together, and whether one of them starves. */
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
  /** Runs at a time. */
  readonly runs: number;
  readonly tier: Tier;
  /** Seconds of each run, from the start of all to its end, the fastest first. */
  readonly seconds: readonly number[];
  /** From the first request's arrival to the last answer. */
  readonly asking: number;
  readonly requests: number;
  /** The fewest that would do. */
  readonly needed: number;
  /** Answers of status 429. */
  readonly throttled: number;
  /** Runs that gave up. */
  readonly failed: number;
  /** Seconds in which the tenant's quota lets the fewest requests of all through, at the least. */
  readonly limit: number;
  /** The slowest beside the fastest; 1 where all take the same. */
  readonly unfairness: number;
}

/** Policies of each run. */
const size = 15;
const tier = "essentials";
const timeout = 170;
const flags = ["-input=false", "-no-color"];
const commands = {
  apply: ["apply", "-auto-approve", ...flags],
  // Fails where anything is left to do.
  plan: ["plan", "-detailed-exitcode", ...flags],
};

/** Each has objects of its own: no two runs manage the same. */
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

/** The same for each of the runs; a chain of one of them is not made longer by the others. */
function together(work: Work, runs: number): Work {
  return { ...work, tokens: work.tokens * runs, plain: work.plain * runs };
}

async function measure(bench: Bench, tenant: Tenant, operation: Parallel["operation"], directories: readonly string[]) {
  const env = {
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
  // One that finds its own on the first page of the list need not read on.
  const work = together(operation === "apply" ? makingOf(size) : readingOf(0, size), runs);
  const { asking, requests, throttled } = tally(seconds.at(-1)!, await tenant.served());
  const row: Parallel = {
    operation,
    runs,
    tier,
    seconds,
    asking,
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

/** An apply and then a plan by so many runs at a time, at a tenant that had nothing. */
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
  const head = [
    "",
    "at a time",
    "requests",
    "(least)",
    "429s",
    "limit s",
    "asking s",
    "fastest s",
    "slowest s",
    "ratio",
  ];
  return `runs at a time on one tenant of tier ${tier}, ${size} policies each\n${table(
    [...head, "failed"],
    rows.map((row) => [
      row.operation,
      String(row.runs),
      String(row.requests),
      `(${row.needed})`,
      String(row.throttled),
      ...[row.limit, row.asking, row.seconds[0]!, row.seconds.at(-1)!, row.unfairness].map(figure),
      String(row.failed),
    ]),
  )}`;
}
