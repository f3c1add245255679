/** Creates and plans a stack under a tenant's rate limit with each provider: seconds, API calls and responses with status 429. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Contender } from "./contender";
import { commands, environmentOf, openWorkspace } from "./life";
import { figure, table } from "./table";
import { startTenant, type TenantOptions } from "./tenant";
import type { Bench } from "./terraform";

const operations = ["create", "plan"] as const;

export interface UnderLimit {
  readonly name: string;
  /** Policies in the stack. */
  readonly size: number;
  readonly tier: string;
  readonly operation: (typeof operations)[number];
  readonly seconds: number;
  readonly requests: number;
  /** Responses with status 429. */
  readonly throttled: number;
}

export async function measureUnderLimit(
  bench: Bench,
  contenders: readonly Contender[],
  size: number,
  tier: TenantOptions["tier"] & string,
): Promise<UnderLimit[]> {
  const tenant = await startTenant({ tls: true, latency: 50, tier }, bench.folder);
  const authority = path.join(bench.folder, "authority.pem");
  await writeFile(authority, tenant.ca!);
  const env = environmentOf(tenant, authority);
  const rows: UnderLimit[] = [];
  try {
    for (const contender of contenders) {
      const workspace = await openWorkspace(bench, contender, size);
      await tenant.reset();
      for (const operation of operations) {
        const seconds = await workspace.run(commands[operation], env);
        const served = await tenant.served();
        const throttled = served.filter(({ status }) => status === 429).length;
        rows.push({ name: contender.name, size, tier, operation, seconds, requests: served.length, throttled });
        bench.say(`${operation} of ${size} under the limit of ${tier} with ${contender.name}: measured`);
      }
    }
    return rows;
  } finally {
    await tenant.close();
  }
}

export function underLimitTable(rows: readonly UnderLimit[]): string {
  return table(
    ["policies", "tier", "operation", "provider", "s", "requests", "429s"],
    rows.map(({ name, size, tier, operation, seconds, requests, throttled }) => [
      `${size}`,
      tier,
      operation,
      name,
      figure(seconds),
      `${requests}`,
      `${throttled}`,
    ]),
  );
}
