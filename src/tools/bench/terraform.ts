/** Measures a plan and an apply of real Terraform with the built provider, and compares them with the physical limit and with Terraform alone. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { address } from "../../install/product";
import { installInto, script } from "./contender";
import type { Tier } from "../../emulator/http/limit";
import { limitOf, requestsOf, type Work } from "./limit";
import { succeed } from "./program";
import type { Blocks, Stack } from "./stack";
import { figure, table } from "./table";
import { startTenant, type Served, type Tenant } from "./tenant";

/** One measurement. */
export interface Run {
  /** From Terraform's start to its end. */
  seconds: number;
  /** From the first request's arrival at the tenant to its last response. */
  traffic: number;
  requests: number;
  /** Responses with status 429. */
  throttled: number;
}

export interface Row extends Run {
  operation: "plan" | "apply";
  stack: string;
  tier: Tier;
  /** The fewest requests that would do. */
  needed: number;
  /** Seconds of the physical limit. */
  limit: number;
  /** Seconds that Terraform takes for the same values in its own resource, without a provider. */
  alone: number;
  /** Seconds of a plan with the provider but without refresh, so without a request. */
  unasked?: number;
  /** `traffic` and `wall` as multiples of the limit, and `wall` as a multiple of limit and `alone`. */
  ratio: { traffic: number; wall: number; wallToBoth: number };
  /** All runs. The row shows the fastest one, and the most requests and 429s of any. */
  runs: Run[];
}

export interface LeftOut {
  what: string;
  /** Seconds that it takes at least. */
  least: number;
}

export interface Bench {
  /** A folder to work in. */
  folder: string;
  /** Seconds that each response of the tenant takes. */
  latency: number;
  /** Seconds. A measurement that takes longer than this is left out. */
  longest: number;
  /** How often a short measurement is repeated. */
  repeats: number;
  signal: AbortSignal;
  say(line: string): void;
}

export const terraform = process.env.TERRAFORM_BINARY_NAME || "terraform";

/** Seconds after which a measurement is not repeated. */
const enough = 5;
/** A run may take this many seconds, and this many times the least. */
const timeout = { base: 120, times: 4 };

interface Workspace {
  /** Returns the seconds. `least`: seconds that the command takes at least. */
  terraform(args: readonly string[], least: number, tenant?: Tenant): Promise<number>;
  readonly state: string;
}

async function openWorkspace({ folder, signal }: Bench, resource: Blocks) {
  const directory = await mkdtemp(path.join(folder, "workspace-"));
  const ours = !("terraform_data" in resource);
  const required = ours && { terraform: { required_providers: { tenant: { source: address } } } };
  await writeFile(path.join(directory, "main.tf.json"), JSON.stringify({ ...required, resource }));
  if (ours) await installInto(directory, script);
  const workspace: Workspace = {
    state: path.join(directory, "terraform.tfstate"),
    async terraform(args, least, tenant) {
      const env = tenant && {
        TENANT_ENDPOINT: tenant.url,
        // The state is from a tenant with the same objects.
        TENANT_EXPECT_NEW: new URL(tenant.url).host,
        TENANT_CLIENT_ID: tenant.clientId,
        TENANT_CLIENT_SECRET: tenant.clientSecret,
      };
      const most = timeout.base + timeout.times * least;
      return (await succeed(terraform, args, { cwd: directory, env, signal, timeout: most })).seconds;
    },
  };
  await workspace.terraform(["init", "-input=false", "-no-color"], 0);
  return workspace;
}

/** Fails if anything is left to do. */
const plan = ["plan", "-detailed-exitcode", "-input=false", "-no-color"];
const apply = ["apply", "-auto-approve", "-input=false", "-no-color"];

export function tally(seconds: number, served: readonly Served[]): Run {
  const arrivals = served.map(({ at, ms }) => at - ms);
  return {
    seconds,
    traffic: served.length === 0 ? 0 : (Math.max(...served.map(({ at }) => at)) - Math.min(...arrivals)) / 1000,
    requests: served.length,
    throttled: served.filter(({ status }) => status === 429).length,
  };
}

async function repeated<T>(bench: Bench, measure: () => Promise<T>): Promise<T[]> {
  const began = performance.now();
  const runs = [await measure()];
  while (runs.length < bench.repeats && performance.now() - began < enough * 1000) runs.push(await measure());
  return runs;
}

function summary(runs: readonly Run[]): Run {
  const fastest = runs.toSorted((a, b) => a.seconds - b.seconds)[0]!;
  const most = (of: (run: Run) => number) => Math.max(...runs.map(of));
  return { ...fastest, requests: most(({ requests }) => requests), throttled: most(({ throttled }) => throttled) };
}

/** Seconds that Terraform alone takes for a plan and an apply of the same values. */
async function measureTerraform(bench: Bench, stack: Stack): Promise<Record<Row["operation"], number>> {
  const workspace = await openWorkspace(bench, stack.bare);
  const applied = await repeated(bench, async () => {
    await rm(workspace.state, { force: true });
    return workspace.terraform(apply, 0);
  });
  const planned = await repeated(bench, () => workspace.terraform(plan, 0));
  return { apply: Math.min(...applied), plan: Math.min(...planned) };
}

/** Puts the stack into the state. Returns the tenant that belongs to it, and the seconds of a plan without a request. */
async function prepare(bench: Bench, { made, seed }: Stack, workspace: Workspace) {
  const tenant = await startTenant({ seed: made?.seed ?? seed }, bench.folder);
  try {
    await workspace.terraform(made ? ["import", "-input=false", "-no-color", made.address, made.id] : apply, 0, tenant);
    const runs = await repeated(bench, () => workspace.terraform([...plan, "-refresh=false"], 0, tenant));
    return { full: await tenant.snapshot(), unasked: Math.min(...runs) };
  } finally {
    await tenant.close();
  }
}

/** A plan and an apply of the stack at each of the tiers. */
export async function measureStack(bench: Bench, stack: Stack, tiers: readonly Tier[]) {
  const { folder, latency, longest, say } = bench;
  const rows: Row[] = [];
  const leftOut: LeftOut[] = [];
  const alone = await measureTerraform(bench, stack);
  say(`Terraform alone, ${stack.title}: plan ${alone.plan.toFixed(2)} s, apply ${alone.apply.toFixed(2)} s`);
  const workspace = await openWorkspace(bench, stack.resources);
  const { full, unasked } = await prepare(bench, stack, workspace);

  const measure = async (operation: Row["operation"], tier: Tier, work: Work) => {
    const limit = limitOf(work, tier, latency);
    const least = limit + (operation === "apply" ? stack.checking : 0);
    const what = `${operation} of ${stack.title} at ${tier}`;
    if (least > longest) {
      leftOut.push({ what, least });
      return;
    }
    const seed = operation === "plan" ? full : stack.seed;
    const tenant = await startTenant({ tier, latency: latency * 1000, seed }, folder);
    const runs = await repeated(bench, async () => {
      if (operation === "apply") await rm(workspace.state, { force: true });
      await tenant.reset();
      const seconds = await workspace.terraform(operation === "plan" ? plan : apply, least, tenant);
      return tally(seconds, await tenant.served());
    }).finally(() => tenant.close());
    const run = summary(runs);
    const ratio = {
      traffic: run.traffic / limit,
      wall: run.seconds / limit,
      wallToBoth: run.seconds / (limit + alone[operation]),
    };
    rows.push({
      operation,
      stack: stack.title,
      tier,
      ...run,
      needed: requestsOf(work),
      limit,
      alone: alone[operation],
      ...(operation === "plan" && { unasked }),
      ratio,
      runs,
    });
    say(`${what}: ${run.seconds.toFixed(2)} s, ${run.requests} requests, ${run.throttled} of them refused`);
  };
  for (const tier of tiers) await measure("plan", tier, stack.plan);
  for (const tier of tiers) await measure("apply", tier, stack.apply);
  return { rows, leftOut };
}

const legend = [
  "limit    least time for the least number of requests, by round trips and by the tier's quota",
  "traffic  from the arrival of the first request at the tenant to the last response; then its ratio to the limit",
  "wall     from Terraform's start to its end in the fastest run; then its ratio to the limit",
  "alone    wall of Terraform for the same values in its own terraform_data, without provider and tenant",
  "to both  ratio of wall to the sum of limit and alone",
  "unasked  wall of the plan with the provider and without refresh, so without a request",
];

export function stackTable(rows: readonly Row[]): string {
  const head = ["", "", "tier", "requests", "(least)", "429s", "limit s", "traffic s", "ratio", "wall s", "ratio"];
  const lines = rows.map((row) => [
    row.operation,
    row.stack,
    row.tier,
    String(row.requests),
    `(${row.needed})`,
    String(row.throttled),
    ...[row.limit, row.traffic, row.ratio.traffic, row.seconds, row.ratio.wall].map(figure),
    ...[row.alone, row.ratio.wallToBoth].map(figure),
    row.unasked === undefined ? "-" : figure(row.unasked),
  ]);
  return table([...head, "alone s", "compare", "unasked s"], lines, 3) + legend.map((line) => `${line}\n`).join("");
}
