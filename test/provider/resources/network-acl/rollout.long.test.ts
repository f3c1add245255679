/** No interleaving of an apply locks out a protected request, as long as the plan as a whole does not. */
import { changedIds, seeded, stepsOf, transition } from "./support/transition";
import { apply, appliesOf, isSame, latencyOf } from "./support/model";
import { deniedPaths } from "./support/rollout";
import { expectSeen, samples, seeds } from "../../../support/seed";

// The plans of two early seeds wait for minutes of their clock, with a judgement at each step: only the many samples have them.
const rounds = samples(12, 300);
const cheap = samples(4, 0);

test("no order of writes blocks a request that was allowed before, with failed requests, lost responses and killed processes", async () => {
  let done = 0;
  for (const seed of seeds(rounds + cheap).slice(cheap)) {
    const { parallel, applies } = await appliesOf(seed);
    if (applies !== Infinity) done++;
    // With one call at a time, the new ACL cannot come before the ACL that it replaces as an allow, or after it.
    else expect(parallel).toBe(1);
  }
  expectSeen(done / rounds, 0.95);
});

test("one apply completes almost every plan if Terraform makes all changes at the same time", async () => {
  let done = 0;
  let allowed = 0;
  for (const seed of seeds(samples(60, 200))) {
    const random = seeded(seed);
    const planned = { ...transition(random), replaced: new Map() };
    const { start, target } = planned;
    if (deniedPaths(start).length > 0) continue;
    allowed++;
    const parallel = changedIds(start, target).length;
    const { acls } = await apply({
      start,
      target,
      steps: stepsOf(random, planned),
      parallel,
      latency: latencyOf(random),
    });
    if (isSame(acls, target)) done++;
  }
  expectSeen(allowed, 10);
  expectSeen(done / allowed, 0.9);
});
