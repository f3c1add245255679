/** No interleaving of an apply locks out a protected request, as long as the plan as a whole does not. */
import type { NetworkAclBody } from "../../../src/tenant/network-acl";
import { deniedPaths, isExplained, roll, type Acls, type Fault } from "./support/rollout";

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
    const same = (id: string) => JSON.stringify(start.get(id)) === JSON.stringify(target.get(id));
    const ids = [...new Set([...start.keys(), ...target.keys()])].filter((id) => !same(id));
    if (ids.length > 0) return { start, target, order: shuffled(random, ids) };
  }
}

const faults: readonly Fault[] = ["refused", "lost before", "lost after", "kill"];

interface Counts {
  runs: number;
  done: number;
  refused: number;
  interrupted: number;
}

async function runFrom(seed: number, counts: Counts): Promise<void> {
  const random = seeded(seed);
  const { start, target, order } = transition(random);
  const parallel = pick(random, [1, 2, 3, 5, 10]);
  const isFaulty = random() < 0.3;
  const failing = new Map([[Math.floor(random() * order.length), pick(random, faults)]]);
  const fault = (write: number) => (isFaulty ? failing.get(write) : undefined);
  const latency = () => 1 + Math.floor(random() * 300);
  const first = await roll({ start, target, order, parallel, latency, fault });
  const context = () =>
    JSON.stringify({ seed, parallel, start: [...start], target: [...target], order, writes: first.writes });
  counts.runs++;
  if (first.lockouts.length > 0) throw new Error(`${first.lockouts.join("; ")} ${context()}`);
  const strange = first.errors.find((error) => !isExplained(error));
  if (strange) throw new Error(`${String(strange)} ${context()}`);
  const isDone = JSON.stringify([...first.acls].toSorted()) === JSON.stringify([...target].toSorted());
  if (first.isKilled) counts.interrupted++;
  else if (first.errors.length > 0) counts.refused++;
  else if (isDone) counts.done++;
  else throw new Error(`ended without an error, but not as planned ${context()}`);
}

const rounds = 2_000;

test("no order of writes blocks a protected request that was allowed at the start", async () => {
  const counts = { runs: 0, done: 0, refused: 0, interrupted: 0 };
  for (let seed = 1; seed <= rounds; seed++) await runFrom(seed, counts);
  expect(counts.runs).toBe(rounds);
  expect(counts.done / rounds).toBeGreaterThan(0.6);
}, 240_000);
