/** The model of an apply: random changes with random faults, applied again until the tenant is as planned. */
import {
  deniedPaths,
  isExplained,
  isRefused,
  roll,
  type Acls,
  type Fault,
  type Outcome,
  type Rollout,
} from "./rollout";
import { pick, seeded, stepsOf, transition, type Random } from "./transition";

const faults: readonly Fault[] = [
  "refused",
  "limited",
  "unavailable before",
  "unavailable after",
  "lost before",
  "lost after",
  "kill",
];

export const isSame = (one: Acls, other: Acls) =>
  JSON.stringify([...one].toSorted()) === JSON.stringify([...other].toSorted());

/** Applies once. Throws if a write locks out, or if the apply ends otherwise than planned without an error that says why. */
export async function apply(rollout: Rollout): Promise<Outcome> {
  const ended = await roll(rollout);
  const { start, target, steps, parallel } = rollout;
  const strange = ended.errors.find((error) => !isExplained(error));
  const isLost = ended.errors.length === 0 && !ended.isKilled && !isSame(ended.acls, target);
  if (ended.lockouts.length > 0 || strange !== undefined || isLost) {
    const what = [...ended.lockouts, String(strange), ...(isLost ? ["not as planned"] : [])].join("; ");
    const calls = steps.map(({ operation, id, after }) => [operation, id, ...after.map((step) => step.id)].join(" "));
    const story = { what, start: [...start], target: [...target], calls, parallel, writes: ended.writes };
    throw new Error(JSON.stringify(story));
  }
  return ended;
}

export const latencyOf = (random: Random) => () => 1 + Math.floor(random() * 300);

/** Each request of an apply in a hundred fails, or none. */
export function faultsOf(random: Random): (request: number) => Fault | undefined {
  const share = pick(random, [0, 0.05, 0.2]);
  const fates = Array.from({ length: 100 }, () => (random() < share ? pick(random, faults) : undefined));
  return (request) => fates[request];
}

const mostApplies = 4;

export interface Applied {
  readonly parallel: number;
  /**
   * Until the tenant is as planned; Infinity if 4 do not suffice. "refused": an apply opened what the tenant blocked before, and the plan
   * blocks that again, which is a lock-out.
   */
  readonly applies: number | "refused";
}

/** Applies until the tenant is as planned. Only the first apply has faults. */
export async function appliesOf(seed: number): Promise<Applied> {
  const random = seeded(seed);
  const planned = transition(random);
  const { target } = planned;
  const parallel = pick(random, [1, 2, 3, 5, 10]);
  const latency = latencyOf(random);
  const steps = stepsOf(random, planned, random() < 0.5);
  let ended = await apply({ start: planned.start, target, steps, parallel, latency, fault: faultsOf(random) });
  let applies = 1;
  for (; !isSame(ended.acls, target) && applies < mostApplies; applies++) {
    const start = ended.acls;
    const left = stepsOf(random, { start, target, replaced: new Map() });
    ended = await apply({ start, target, steps: left, parallel, latency });
  }
  if (isSame(ended.acls, target)) return { parallel, applies };
  const now = deniedPaths(ended.acls);
  const isRight = deniedPaths(target).every((path) => now.includes(path)) && !isRefused(ended.acls, target);
  return { parallel, applies: isRight ? Infinity : "refused" };
}
