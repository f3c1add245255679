/** Stacks under a tenant's rate limit with each provider: seconds, API calls and responses with status 429. */
import type { Tier } from "../../emulator/http/limit";
import type { Contender } from "./contender";
import type { Bench, Ended } from "./program";
import { figure, table } from "./table";
import type { Tenant } from "./tenant";
import { commands, onTenant, openWorkspace, policiesOf } from "./workspace";

export interface UnderLimit {
  readonly name: string;
  readonly tier: Tier;
  readonly what: string;
  /** `applied`, or the first line of the error. */
  readonly result: string;
  readonly seconds: number;
  readonly requests: number;
  /** Responses with status 429. */
  readonly throttled: number;
}

/** A priority is unique, so the order of the writes matters. */
const priorities = Array.from({ length: 20 }, (_, index) => index + 1);
const changes: Readonly<Record<string, readonly number[]>> = {
  "2 of 20 ACLs swap priorities": [2, 1, ...priorities.slice(2)],
  "20 ACLs move by one priority": priorities.map((priority) => priority + 1),
};
const aclsAt = (places: readonly number[]) =>
  places.map((priority, index) => ({
    description: `Benchmark ${index + 1}`,
    active: true,
    priority,
    rule: { action: { block: true }, match: { asns: [64_500 + index] }, scope: "authentication" },
  }));

export function measureUnderLimit(
  bench: Bench,
  contenders: readonly Contender[],
  size: number,
  tier: Tier,
): Promise<UnderLimit[]> {
  return onTenant(bench, { tier }, async (tenant, env) => {
    const rows: UnderLimit[] = [];
    for (const contender of contenders) {
      const record = async (what: string, ended: Ended) =>
        rows.push({ name: contender.name, tier, what, ...(await resultOf(ended, tenant)) });
      await tenant.reset();
      const policies = await openWorkspace(bench, contender, "policy", env);
      await policies.write(policiesOf(size));
      for (const operation of ["create", "plan"] as const)
        await record(`${operation} ${size} policies`, await policies.run(commands[operation]));
      for (const [what, places] of Object.entries(changes)) {
        const acls = await openWorkspace(bench, contender, "acl", env);
        await tenant.reset();
        await acls.write(aclsAt(priorities));
        await acls.run(commands.create);
        await tenant.served();
        await acls.write(aclsAt(places));
        await record(what, await acls.run(commands.change, true));
      }
      bench.say(`under the limit of ${tier} with ${contender.name}: measured`);
    }
    return rows;
  });
}

async function resultOf({ code, output, seconds }: Ended, tenant: Tenant) {
  const served = await tenant.served();
  const throttled = served.filter(({ status }) => status === 429).length;
  const error = /Error: .*/.exec(output)?.[0].slice(0, 80) ?? "failed";
  return { result: code === 0 ? "applied" : error, seconds, requests: served.length, throttled };
}

export function underLimitTable(rows: readonly UnderLimit[]): string {
  return table(
    ["", "tier", "provider", "result", "s", "requests", "429s"],
    rows.map(({ what, tier, name, result, seconds, requests, throttled }) => [
      what,
      tier,
      name,
      result,
      figure(seconds),
      ...[requests, throttled].map(String),
    ]),
    4,
  );
}
