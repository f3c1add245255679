/** A stack of policies under a tenant's rate limit with each provider: seconds, API calls and responses with status 429. */
import type { Tier } from "../../emulator/emulator";
import { figure, table } from "./table";
import { onTenant } from "./tenant";
import { commands, openWorkspace, policiesOf, type Bench, type Contender } from "./workspace";

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

const size = 60;

export function measureUnderLimit(bench: Bench, contenders: readonly Contender[], tier: Tier): Promise<UnderLimit[]> {
  return onTenant(bench, tier, async (tenant) => {
    const rows: UnderLimit[] = [];
    for (const contender of contenders) {
      await tenant.reset();
      const workspace = await openWorkspace(bench, contender, "policy", tenant.env);
      await workspace.write(policiesOf(size));
      for (const operation of ["create", "plan"] as const) {
        const { code, output, seconds } = await workspace.run(commands[operation], true);
        const served = await tenant.served();
        const throttled = served.filter(({ status }) => status === 429).length;
        const result = code === 0 ? "applied" : (/Error: .*/.exec(output)?.[0].slice(0, 80) ?? "failed");
        const what = `${operation} ${size} policies`;
        rows.push({ name: contender.name, tier, what, result, seconds, requests: served.length, throttled });
      }
      bench.say(`under the limit of ${tier} with ${contender.name}: measured`);
    }
    return rows;
  });
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
