/** Finds unreachable ACLs, and the ACLs that shadow each of them. */
import { type Acl, effectOf, inOrder, precedes } from "./decide";
import { apis } from "./request";
import { ifDecided, possibleBoxes, type Way } from "./sets/way";
import { createWorld, type World } from "./sets/reach";
import { alone, domainOf, find, narrowed, Steps } from "./sets/search";

export interface Unreachable<A extends Acl> {
  readonly acl: A;
  /** In order of evaluation. Empty: its own criteria contradict each other. */
  readonly shadowedBy: readonly A[];
}

const mostSteps = 200_000;

/** The ACLs that certainly no request reaches. Leaves out what would take too long. */
export function unreachable<A extends Acl>(acls: readonly A[]): Unreachable<A>[] {
  const steps = new Steps(mostSteps);
  const order = inOrder(acls);
  const world = createWorld(order.map(({ rule }) => rule));
  return order.flatMap((acl) => {
    const before = order.filter((other) => precedes(other, acl) && typeof effectOf(other.rule.action) === "object");
    const shadowedBy = ifDecided(() => {
      const isShadowed = (some: readonly A[]) => apis.every((api) => isShadowedAt(acl, some, api, world, steps));
      return isShadowed(before) ? fewest(before, isShadowed) : undefined;
    });
    return shadowedBy ? [{ acl, shadowedBy }] : [];
  });
}

function isShadowedAt(
  acl: Acl,
  others: readonly Acl[],
  api: (typeof apis)[number],
  world: World,
  steps: Steps,
): boolean {
  const ahead = others.flatMap(({ rule }) => world.reach(rule, api));
  return world.reach(acl.rule, api).every(({ box, given }) => {
    const isGiven = (way: Way) => [...way.given].every(([name, answer]) => given.get(name) === answer);
    const outside = [...possibleBoxes(ahead.filter(isGiven)), ...world.impossible].map(alone);
    return !find({ domain: narrowed(domainOf(world), box)!, outside }, steps);
  });
}

/** None or a single one if that is enough, else several of which none can be left out. */
function fewest<A>(all: readonly A[], isEnough: (some: readonly A[]) => boolean): readonly A[] {
  if (isEnough([])) return [];
  const single = all.find((one) => isEnough([one]));
  if (single) return [single];
  return all.reduce((kept, one) => {
    const rest = kept.filter((other) => other !== one);
    return isEnough(rest) ? rest : kept;
  }, all);
}
