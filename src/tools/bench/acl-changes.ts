/** Changes the priorities of network ACLs under a tenant's rate limit with each provider: a swap, and a batch. */
import { mkdtemp, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { installInto, type Contender } from "./contender";
import { commands, environmentOf } from "./life";
import { run, succeed } from "./program";
import { figure, table } from "./table";
import { startTenant, type Tenant, type TenantOptions } from "./tenant";
import { terraform, type Bench } from "./terraform";

const count = 20;
const identity = Array.from({ length: count }, (_, index) => index + 1);
/** The priorities of all ACLs after the change. */
const changes: Readonly<Record<string, readonly number[]>> = {
  "2 of 20 ACLs swap priorities": [2, 1, ...identity.slice(2)],
  "20 ACLs move by one priority": identity.map((priority) => priority + 1),
};

export interface AclChange {
  readonly name: string;
  readonly change: string;
  readonly tier: string;
  readonly seconds: number;
  readonly requests: number;
  /** Responses with status 429. */
  readonly throttled: number;
  /** First line of the error if the apply failed. */
  readonly error?: string;
}

function configuration({ source, policy }: Contender, priorities: readonly number[]): string {
  const acls = priorities.map((priority, index) => [
    `acl${index + 1}`,
    {
      description: `Benchmark ${index + 1}`,
      active: true,
      priority,
      rule: { action: { block: true }, match: { asns: [64_500 + index] }, scope: "authentication" },
    },
  ]);
  return JSON.stringify(
    {
      terraform: { required_providers: { [path.posix.basename(source)]: { source } } },
      resource: { [policy.replace("rate_limit_policy", "network_acl")]: Object.fromEntries(acls) },
    },
    undefined,
    2,
  );
}

export async function measureAclChanges(
  bench: Bench,
  contenders: readonly Contender[],
  tier: TenantOptions["tier"] & string,
): Promise<AclChange[]> {
  const tenant = await startTenant({ tls: true, latency: 50, tier }, bench.folder);
  const authority = path.join(bench.folder, "authority.pem");
  await writeFile(authority, tenant.ca!);
  const env = environmentOf(tenant, authority);
  const rows: AclChange[] = [];
  try {
    for (const contender of contenders) {
      for (const change of Object.keys(changes)) {
        rows.push({
          name: contender.name,
          change,
          tier,
          ...(await measureChange(bench, contender, change, tenant, env)),
        });
        bench.say(`${change} with ${contender.name} at ${tier}: measured`);
      }
    }
    return rows;
  } finally {
    await tenant.close();
  }
}

async function measureChange(
  { folder, signal }: Bench,
  contender: Contender,
  change: string,
  tenant: Tenant,
  env: NodeJS.ProcessEnv,
): Promise<Omit<AclChange, "name" | "change" | "tier">> {
  const cwd = await realpath(await mkdtemp(path.join(folder, "acls-")));
  const write = (priorities: readonly number[]) =>
    writeFile(path.join(cwd, "main.tf.json"), configuration(contender, priorities));
  const options = { cwd, env, signal, timeout: 300 };
  await tenant.reset();
  await installInto(cwd, contender);
  await write(identity);
  await succeed(terraform, ["init", "-input=false", "-no-color"], options);
  await succeed(terraform, commands.create, options);
  await tenant.served();
  await write(changes[change]!);
  const { code, output, seconds } = await run(terraform, commands.change, options);
  const served = await tenant.served();
  const throttled = served.filter(({ status }) => status === 429).length;
  return { seconds, requests: served.length, throttled, ...(code !== 0 && { error: firstErrorIn(output) }) };
}

const firstErrorIn = (output: string) => /Error: .*/.exec(output)?.[0].slice(0, 80) ?? "failed";

export function aclChangeTable(rows: readonly AclChange[]): string {
  return table(
    ["change", "tier", "provider", "result", "s", "requests", "429s"],
    rows.map(({ change, tier, name, seconds, requests, throttled, error = "applied" }) => [
      change,
      tier,
      name,
      error,
      figure(seconds),
      `${requests}`,
      `${throttled}`,
    ]),
    4,
  );
}
