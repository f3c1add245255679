/** Synthesis of many constructs beside the same of the bare bindings: what checking and shipping cost. */
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { App, TerraformStack } from "cdktf";
import { NetworkAcl, RateLimitPolicy, TenantProvider } from "../../constructs/index";
import { NetworkAcl as BareNetworkAcl } from "../../constructs/bindings/network-acl";
import { TenantProvider as BareTenantProvider } from "../../constructs/bindings/provider";
import { RateLimitPolicy as BareRateLimitPolicy } from "../../constructs/bindings/rate-limit-policy";
import { objectsOf } from "./stack";
import type { Bench } from "./terraform";

export interface Synthesis {
  readonly constructs: number;
  /** Milliseconds of processor time, the least of several rounds. */
  readonly bare: number;
  readonly ours: number;
}

const ours = { NetworkAcl, RateLimitPolicy, TenantProvider };
const bare: typeof ours = {
  NetworkAcl: BareNetworkAcl,
  RateLimitPolicy: BareRateLimitPolicy,
  TenantProvider: BareTenantProvider,
};

/** They take turns, so that whatever else the machine does meets both. */
export async function measureSynthesis({ folder, signal }: Bench, count = 2000, rounds = 7): Promise<Synthesis> {
  const times = { bare: Infinity, ours: Infinity };
  for (let round = 0; round <= rounds; round++) {
    for (const [name, classes] of Object.entries({ bare, ours }) as ["bare" | "ours", typeof ours][]) {
      signal.throwIfAborted();
      const outdir = await mkdtemp(path.join(folder, "synth-"));
      const took = synthesize(classes, count, outdir);
      // The first round fills caches.
      if (round > 0) times[name] = Math.min(times[name], took);
      await rm(outdir, { recursive: true });
    }
  }
  return { constructs: count, ...times };
}

function synthesize(
  { NetworkAcl: Acl, RateLimitPolicy: Policy, TenantProvider: Provider }: typeof ours,
  count: number,
  outdir: string,
) {
  const began = process.cpuUsage();
  const app = new App({ outdir });
  const stack = new TerraformStack(app, "synthesis");
  new Provider(stack, "tenant");
  const { networkAcls, rateLimitPolicies } = objectsOf(count);
  networkAcls.forEach(({ rule, ...acl }, index) => {
    const { ipv4_cidrs: ipv4Cidrs, geo_country_codes: geoCountryCodes } = rule.match;
    new Acl(stack, `acl${index}`, { ...acl, rule: { ...rule, match: { ipv4Cidrs, geoCountryCodes } } });
  });
  rateLimitPolicies.forEach(({ consumer_selector: consumerSelector, ...policy }, index) => {
    new Policy(stack, `policy${index}`, { ...policy, consumerSelector });
  });
  app.synth();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
