/** Random network ACLs, and random changes of them that deny Terraform nothing new in the end. */
import type { NetworkAclBody } from "../../../../../src/tenant/network-acl";
import { deniedPaths, isRefused, type Acls, type Step } from "./rollout";

export type Random = () => number;

/** Reproducible random numbers in [0, 1). Two steps before the first number, because neighbouring seeds would begin alike. */
export function seeded(seed: number): Random {
  let state = ((seed * 2 + 1) * 48_271) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

export const shuffled = <T>(random: Random, list: readonly T[]): T[] =>
  list
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);

export interface Transition {
  readonly start: Acls;
  readonly target: Acls;
  /** From the old to the new id of replaced ACLs. */
  readonly replaced: ReadonlyMap<string, string>;
}

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

const most = 12;

/** At most 12 ACLs, before and after. */
export function transition(random: Random): Transition {
  for (;;) {
    const found = attempt(random);
    const before = deniedPaths(found.start);
    if (deniedPaths(found.target).some((path) => !before.includes(path))) continue;
    if (isRefused(found.start, found.target)) continue;
    if (changedIds(found.start, found.target).length > 0) return found;
  }
}

function attempt(random: Random): Transition {
  const count = Math.floor(random() * (most + 1));
  const slots = shuffled(
    random,
    Array.from({ length: count + 4 }, (_, index) => index + 1),
  );
  const start = new Map<string, NetworkAclBody>();
  for (let index = 0; index < count; index++)
    start.set(`acl_${index}`, { ...content(random), priority: slots[index]! });
  const isDestroyed = random() < 0.05;
  const kept = [...start].filter(() => !isDestroyed && random() < 0.8);
  const room = Math.min(most - kept.length, isDestroyed ? 0 : Math.floor(random() * 4));
  const fresh = Array.from({ length: room }, (_, index) => `new_${index}`);
  const places = random() < 0.5 ? shuffled(random, slots) : slots;
  const target = new Map<string, NetworkAclBody>();
  const replaced = new Map<string, string>();
  const used = new Set<number>();
  for (const [id, acl] of [...kept, ...fresh.map((name) => [name, undefined] as const)]) {
    const isReplaced = acl !== undefined && random() < 0.1;
    const changed = acl && random() < 0.6 ? acl : { ...content(random), priority: acl?.priority ?? 0 };
    const free =
      [changed.priority, ...places].find(
        (place) => place > 0 && !used.has(place) && (random() < 0.6 || place !== changed.priority),
      ) ?? places.find((place) => !used.has(place))!;
    used.add(free);
    if (isReplaced) replaced.set(id, `${id}_again`);
    target.set(isReplaced ? `${id}_again` : id, { ...changed, priority: free });
  }
  return { start, target, replaced };
}

export function changedIds(start: Acls, target: Acls): string[] {
  const isKept = (id: string) => JSON.stringify(start.get(id)) === JSON.stringify(target.get(id));
  return [...new Set([...start.keys(), ...target.keys()])].filter((id) => !isKept(id));
}

/**
 * The calls of Terraform in a random order. A replaced ACL is deleted before the new one is created, or the other way round.
 * With `dependent`, some calls wait for others, as with `depends_on`.
 */
export function stepsOf(random: Random, { start, target, replaced }: Transition, dependent = false): Step[] {
  const steps = new Map<string, Step>();
  const successors = new Map([...replaced].map(([id, successor]) => [successor, id]));
  for (const id of shuffled(random, changedIds(start, target))) {
    const isNew = !start.has(id);
    const partner = steps.get((isNew ? successors : replaced).get(id) ?? "");
    const earlier = [...steps.values()].filter((step) => target.has(step.id));
    const depends = dependent && target.has(id) && earlier.length > 0 && random() < 0.3;
    const after = [...(partner ? [partner] : []), ...(depends ? [pick(random, earlier)] : [])];
    const operation = target.has(id) ? (isNew ? "create" : "update") : replaced.has(id) ? "replace" : "delete";
    steps.set(id, { operation, id, after });
  }
  return [...steps.values()];
}
