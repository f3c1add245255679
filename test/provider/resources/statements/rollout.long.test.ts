/** No interleaving of an apply breaks an expectation that held before, as long as the plan as a whole does not. */
import { decide } from "../../../../src/emulator/enforcement/decide";
import type { Expectation, ExpectedOutcome } from "../../../../src/judge/impact/statement/statement";
import { apply, faultsOf, isSame, latencyOf } from "../network-acl/support/model";
import { deniedPaths, type Acls, type Kept } from "../network-acl/support/rollout";
import { expectSeen, samples, seed as first } from "../../../support/seed";
import { pick, seeded, stepsOf, transition } from "../network-acl/support/transition";

const ends = { blocked: "blocked", reached: "allowed", redirected: "redirected" } as const;

/** All requests to sign in from one address have one of these outcomes. */
function keeping(ip: string, outcomes: readonly (keyof typeof ends)[]): Kept {
  const statement = { kind: "requests", outcomes: outcomes as readonly ExpectedOutcome[], except: [] } as const;
  const requests = [{ scopes: ["authentication"], ip_cidrs: [ip] }];
  const expectation: Expectation = { name: "e", severity: "error", statement: { ...statement, requests } };
  return {
    expectation,
    isKept(acls) {
      const all = [...acls].map(([id, acl]) => ({ ...acl, id, created_at: "", updated_at: "" }));
      const { outcome } = decide(all as Parameters<typeof decide>[0], "/authorize", { ip, connecting_ip: ip });
      return outcomes.some((one) => ends[one] === outcome);
    },
  };
}

const addresses = ["192.0.2.7", "10.0.0.7", "127.0.0.7"];
const outcomes: readonly (keyof typeof ends)[][] = [
  ["blocked"],
  ["reached"],
  ["redirected"],
  ["blocked", "redirected"],
];
const most = 3;

/** The number of applies until the tenant is as planned; undefined: the expectation does not hold before and after, or Terraform is locked out. */
async function appliesOf(seed: number): Promise<number | undefined> {
  const random = seeded(seed);
  const kept = keeping(pick(random, addresses), pick(random, outcomes));
  const planned = transition(random);
  const { target } = planned;
  if (!kept.isKept(planned.start) || !kept.isKept(target) || deniedPaths(planned.start).length > 0) return undefined;
  const parallel = pick(random, [1, 2, 3, 5, 10]);
  const latency = latencyOf(random);
  let acls: Acls = planned.start;
  for (let applies = 1; applies <= most; applies++) {
    const steps = stepsOf(random, applies === 1 ? planned : { start: acls, target, replaced: new Map() });
    const fault = applies === 1 ? faultsOf(random) : undefined;
    ({ acls } = await apply({ kept, start: acls, target, steps, parallel, latency, ...(fault && { fault }) }));
    if (isSame(acls, target)) return applies;
  }
  return Infinity;
}

test("no order of writes breaks it, with failed requests, lost responses and killed processes", async () => {
  const found: number[] = [];
  for (let seed = first; found.length < samples(4, 100); seed++) {
    const applies = await appliesOf(seed);
    if (applies !== undefined) found.push(applies);
  }
  const done = found.filter((applies) => applies < Infinity).length;
  expectSeen(done / found.length, 0.9);
});
