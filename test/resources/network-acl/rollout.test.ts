/** No interleaving of an apply locks out a protected request, as long as the plan as a whole does not. */
import type { NetworkAclBody } from "../../../src/tenant/network-acl";
import { deniedPaths, isExplained, roll, type Acls, type Fault, type Outcome, type Rollout } from "./support/rollout";

/** Reproducible random numbers in [0, 1). */
function seeded(seed: number) {
  let state = seed * 2 + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const shuffled = <T>(random: Random, list: readonly T[]): T[] =>
  list
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);

const matches = [["127.0.0.1/32"], ["127.0.0.0/8"], ["127.0.0.0/8", "10.0.0.0/8"], ["10.0.0.0/8"], ["192.0.2.0/24"]];

function content(random: Random): Omit<NetworkAclBody, "priority"> {
  const action = pick(random, ["allow", "allow", "block", "block", "redirect", "log"]);
  const criteria =
    random() < 0.15
      ? { not_match: { ipv4_cidrs: pick(random, matches) } }
      : { match: { ipv4_cidrs: pick(random, matches) } };
  return {
    description: "",
    active: random() < 0.85,
    rule: {
      action: { [action]: true, ...(action === "redirect" && { redirect_uri: "https://a.example" }) },
      ...(random() < 0.1 ? { match_all: true } : criteria),
      scope: pick(random, ["tenant", "tenant", "management", "authentication"]),
    },
  };
}

function changedIds(start: Acls, target: Acls): string[] {
  const isKept = (id: string) => JSON.stringify(start.get(id)) === JSON.stringify(target.get(id));
  return [...new Set([...start.keys(), ...target.keys()])].filter((id) => !isKept(id));
}

/** Random ACLs, and random edits of them that do not deny Terraform anything in the end. */
function transition(random: Random): { start: Acls; target: Acls; order: string[] } {
  for (;;) {
    const count = 1 + Math.floor(random() * 11);
    const slots = shuffled(
      random,
      Array.from({ length: count + 4 }, (_, index) => index + 1),
    );
    const start = new Map<string, NetworkAclBody>();
    for (let index = 0; index < count; index++)
      start.set(`acl_${index}`, { ...content(random), priority: slots[index]! });
    const kept = [...start].filter(() => random() < 0.8);
    const fresh = Array.from(
      { length: Math.min(12 - kept.length, Math.floor(random() * 3)) },
      (_, index) => `new_${index}`,
    );
    const places = random() < 0.5 ? shuffled(random, slots) : slots;
    const target = new Map<string, NetworkAclBody>();
    const used = new Set<number>();
    for (const [id, acl] of [...kept, ...fresh.map((name) => [name, undefined] as const)]) {
      const changed = acl && random() < 0.6 ? acl : { ...content(random), priority: acl?.priority ?? 0 };
      const free =
        [changed.priority, ...places].find(
          (place) => place > 0 && !used.has(place) && (random() < 0.6 || place !== changed.priority),
        ) ?? places.find((place) => !used.has(place))!;
      used.add(free);
      target.set(id, { ...changed, priority: free });
    }
    const before = deniedPaths(start);
    if (deniedPaths(target).some((path) => !before.includes(path))) continue;
    const ids = changedIds(start, target);
    if (ids.length > 0) return { start, target, order: shuffled(random, ids) };
  }
}

const faults: readonly Fault[] = ["refused", "lost before", "lost after", "kill"];

const isSame = (one: Acls, other: Acls) =>
  JSON.stringify([...one].toSorted()) === JSON.stringify([...other].toSorted());

/** Applies once. Throws if a write locks out, or if the apply ends otherwise than planned without an error that says why. */
async function apply(rollout: Rollout): Promise<Outcome> {
  const ended = await roll(rollout);
  const { start, target, order, parallel } = rollout;
  const strange = ended.errors.find((error) => !isExplained(error));
  const isLost = ended.errors.length === 0 && !ended.isKilled && !isSame(ended.acls, target);
  if (ended.lockouts.length > 0 || strange !== undefined || isLost) {
    const what = [...ended.lockouts, String(strange), ...(isLost ? ["not as planned"] : [])].join("; ");
    throw new Error(
      JSON.stringify({ what, start: [...start], target: [...target], order, parallel, writes: ended.writes }),
    );
  }
  return ended;
}

const mostApplies = 4;

/** Applies with random faults, and applies again without faults until the tenant is as planned. Returns the number of applies. */
async function applyAgain(seed: number): Promise<number> {
  const random = seeded(seed);
  const { start, target, order } = transition(random);
  const parallel = pick(random, [1, 2, 3, 5, 10]);
  const failing = random() < 0.4 ? Math.floor(random() * order.length) : -1;
  const kind = pick(random, faults);
  const latency = () => 1 + Math.floor(random() * 300);
  const fault = (write: number) => (write === failing ? kind : undefined);
  let ended = await apply({ start, target, order, parallel, latency, fault });
  let applies = 1;
  for (; !isSame(ended.acls, target) && applies < mostApplies; applies++) {
    const left = shuffled(random, changedIds(ended.acls, target));
    ended = await apply({ start: ended.acls, target, order: left, parallel, latency });
  }
  return isSame(ended.acls, target) ? applies : Infinity;
}

const rounds = 1_500;

test("no order of writes blocks a request that was allowed at the start, with failing and lost writes and killed processes", async () => {
  let done = 0;
  for (let seed = 1; seed <= rounds; seed++) if ((await applyAgain(seed)) <= mostApplies) done++;
  expect(done / rounds).toBeGreaterThan(0.9);
}, 240_000);

test("one apply completes almost every plan if Terraform makes all changes at the same time", async () => {
  let done = 0;
  let allowed = 0;
  for (let seed = 1; seed <= 500; seed++) {
    const random = seeded(seed);
    const { start, target, order } = transition(random);
    if (deniedPaths(start).length > 0) continue;
    allowed++;
    const latency = () => 1 + Math.floor(random() * 300);
    const { acls } = await apply({ start, target, order, parallel: order.length, latency });
    if (isSame(acls, target)) done++;
  }
  expect(allowed).toBeGreaterThan(100);
  expect(done / allowed).toBeGreaterThan(0.98);
}, 240_000);
