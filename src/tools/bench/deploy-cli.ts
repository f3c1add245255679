/** Measures auth0-deploy-cli at the same work and the same embedded tenant. */
import { readFile, mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import type { InjectedFault } from "../../emulator/emulator";
import type { Tier } from "../../emulator/http/limit";
import { limitOf, makingOf } from "./limit";
import { succeed } from "./program";
import { objectsOf } from "./stack";
import { figure, table } from "./table";
import { startTenant, type Tenant } from "./tenant";
import { tally, type Bench, type LeftOut, type Row, type Run } from "./terraform";

/*
 * auth0-deploy-cli deploys network ACLs and rate limit policies, and previews a deployment. It does not deploy members.
 * - It requires https, so the tenant has a certificate.
 * - Its preview reads the tenant's clients first. The embedded tenant has no clients, so it returns an empty list.
 * - After it has its token, it compiles all its schemas for many seconds. So its time counts from the next request.
 */

export interface DeployCliRow extends Run {
  /** `preview` and `again` deploy the same objects a second time, unchanged. */
  operation: "create" | "preview" | "again";
  resources: number;
  tier: Tier;
  /** Changes that a preview announces although there are none. */
  mistaken?: number;
  /** Our apply or plan of the same stack, if it was measured. */
  ours?: Run;
}

export interface DeployCli {
  name: string;
  version: string;
  rows: DeployCliRow[];
  leftOut: LeftOut[];
  /** Objects that auth0-deploy-cli cannot deploy. */
  missing: string[];
}

const name = "auth0-deploy-cli";
const missing = ["members of an organization: auth0-deploy-cli does not deploy them"];
/** auth0-deploy-cli sends at most this many requests per second. */
const ownPace = 8;
/** Seconds for one deployment, and for the installation. */
const timeout = 600;
const noClients: InjectedFault = {
  method: "GET",
  path: "/api/v2/clients",
  status: 200,
  body: { total: 0, start: 0, limit: 100, clients: [] },
};

async function install({ folder, signal, say }: Bench): Promise<string> {
  say(`${name} is installed into a temporary folder`);
  const directory = await mkdtemp(path.join(folder, "deploy-cli-"));
  const args = ["install", "--prefix", directory, "--no-audit", "--no-fund", `${name}@8`];
  // The environment may name the registry.
  await succeed("npm", args, { cwd: directory, env: process.env, signal, timeout });
  return path.join(directory, "node_modules", name);
}

async function deploy({ folder, signal }: Bench, installed: string, tenant: Tenant, file: string, args: string[]) {
  const authority = path.join(folder, "authority.pem");
  await writeFile(authority, tenant.ca!);
  const env = {
    NODE_EXTRA_CA_CERTS: authority,
    AUTH0_DOMAIN: new URL(tenant.url).host,
    AUTH0_CLIENT_ID: tenant.clientId,
    AUTH0_CLIENT_SECRET: tenant.clientSecret,
    AUTH0_INCLUDED_ONLY: JSON.stringify(["networkACLs", "rateLimitPolicies"]),
  };
  const program = [path.join(installed, "lib/index.js"), "import", "--input_file", file, ...args];
  return succeed(process.execPath, program, { cwd: folder, env, signal, timeout });
}

/** Creates, previews and deploys again a stack of each size, at each tier. */
export async function measureDeployCli(
  bench: Bench,
  stacks: readonly number[],
  tiers: readonly Tier[],
  ours: readonly Row[],
): Promise<DeployCli> {
  const { folder, latency, longest, say } = bench;
  const installed = await install(bench);
  const { version } = JSON.parse(await readFile(path.join(installed, "package.json"), "utf8")) as { version: string };
  const measured: DeployCli = { name, version, rows: [], leftOut: [], missing };

  const measure = async (operation: DeployCliRow["operation"], resources: number, tier: Tier, tenant: Tenant) => {
    await tenant.reset();
    const file = path.join(folder, `${resources}.yaml`);
    const ended = await deploy(bench, installed, tenant, file, operation === "preview" ? ["--dry-run"] : []);
    const mistaken =
      operation === "preview" ? [...ended.output.matchAll(/│ (CREATE|UPDATE|DELETE)\b/g)].length : undefined;
    const served = await tenant.served();
    const run = { ...tally(ended.seconds, served), traffic: tally(ended.seconds, served.slice(1)).traffic };
    const same = ours.find(
      (row) =>
        row.stack === `${resources} resources` &&
        row.tier === tier &&
        row.operation === (operation === "create" ? "apply" : "plan"),
    );
    measured.rows.push({ operation, resources, tier, ...run, mistaken, ours: same });
    say(
      `${name}, ${resources} resources at ${tier}, ${operation}: ${run.seconds.toFixed(1)} s, ${run.requests} requests`,
    );
  };

  for (const resources of stacks) {
    const { networkAcls, rateLimitPolicies } = objectsOf(resources);
    const objects = JSON.stringify({ networkACLs: networkAcls, rateLimitPolicies });
    await writeFile(path.join(folder, `${resources}.yaml`), objects);
    for (const tier of tiers) {
      const least = Math.max(limitOf(makingOf(resources), tier, latency), resources / ownPace);
      if (least > longest) {
        measured.leftOut.push({ what: `${name}, ${resources} resources at ${tier}`, least });
        continue;
      }
      const options = { tier, latency: latency * 1000, tls: true, faults: [noClients] };
      const empty = await startTenant(options, folder);
      const full = await measure("create", resources, tier, empty)
        .then(() => empty.snapshot())
        .finally(() => empty.close());
      const filled = await startTenant({ ...options, seed: { ...full, clients: [] } }, folder);
      try {
        await measure("preview", resources, tier, filled);
        await measure("again", resources, tier, filled);
      } finally {
        await filled.close();
      }
    }
  }
  return measured;
}

export function deployCliTable({ name: title, version, rows, missing: cannot }: DeployCli): string {
  const lines = rows.map(({ operation, resources, tier, mistaken, ours, ...run }) => [
    operation,
    `${resources} resources`,
    tier,
    ...[run, ours].flatMap((one) =>
      one
        ? [String(one.requests), String(one.throttled), figure(one.traffic), figure(one.seconds)]
        : Array(4).fill("-"),
    ),
    mistaken === undefined ? "" : String(mistaken),
  ]);
  const columns = ["requests", "429s", "traffic s", "wall s"];
  const head = ["", "", "tier", ...columns, ...columns.map((column) => `ours: ${column}`), "mistaken"];
  const legend = [
    "ours: our apply for create, and our plan for preview and again",
    "traffic: from the request after the token, because auth0-deploy-cli compiles its schemas before it",
    "mistaken: changes that the preview announces although there are none",
    ...cannot.map((what) => `not compared: ${what}`),
  ];
  return `${title} ${version}\n${table(head, lines, 3)}${legend.map((line) => `${line}\n`).join("")}`;
}
