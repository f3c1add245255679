/** The same work by auth0-deploy-cli, as far as it can do it, at the same embedded tenant. */
import { readFile, mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import type { InjectedFault } from "../../emulator/emulator";
import type { Tier } from "../../emulator/http/limit";
import { limitOf, makingOf } from "./limit";
import { succeed } from "./program";
import { objectsOf } from "./stack";
import { startTenant, type Tenant } from "./tenant";
import { tally, type Bench, type LeftOut, type Row, type Run } from "./terraform";

/*
 * It deploys network ACLs and rate limit policies, and previews a deployment; it knows organizations, but not their members.
 * It insists on https, so that its tenant has a certificate. A preview begins by reading the tenant's clients, whatever is to
 * be deployed: the embedded tenant, which has no such list, is made to answer with an empty one. With its token in hand it
 * compiles the schema of everything it knows, which takes many seconds: so the time it asks is counted from the request after.
 */

export interface DeployCliRow extends Run {
  /** `preview` and `again`: what was created is deployed once more, unchanged. */
  operation: "create" | "preview" | "again";
  resources: number;
  tier: Tier;
  /** Of a preview: changes it announces where there are none. */
  mistaken?: number;
  /** Our apply of the same stack, or our plan; absent where it was not measured. */
  ours?: Run;
}

export interface DeployCli {
  name: string;
  version: string;
  rows: DeployCliRow[];
  leftOut: LeftOut[];
  /** What it cannot do. */
  missing: string[];
}

const name = "auth0-deploy-cli";
const missing = ["members of an organization: they are not among what it deploys"];
/** Requests a second that it allows itself. */
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
  // The registry to use may be told by the environment.
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

/** Stacks of so many resources, each created, previewed and deployed again at each of the tiers. */
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
    const run = { ...tally(ended.seconds, served), asking: tally(ended.seconds, served.slice(1)).asking };
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
