/** Finds unreachable ACLs, and the fewest ACLs that shadow each of them. */
import type { Comparison } from "./comparison";
import type { Acl } from "./decide";
import { includes } from "./boxes";
import { pointIn, type Ending, type Logged, type Partition } from "./region";
import { ifDecided, undecided, type Budget } from "./search";
import type { Box, Space } from "./space";

export interface Unreachable<A extends Acl> {
  readonly acl: A;
  /** In order of evaluation. Empty: its own criteria contradict each other. */
  readonly shadowedBy: readonly A[];
}

const steps = 20_000;

/** The ACLs that are unreachable after the change under all assumptions. Leaves out what the budget does not decide. */
export function unreachable<A extends Acl>({
  after,
  combinations,
  partitions,
  space,
}: Comparison<A>): Unreachable<A>[] {
  const budget: Budget = { left: steps };
  if (!combinations.complete) return [];
  return after
    .filter(({ active }) => active)
    .flatMap((acl) => {
      const found = ifDecided(() => {
        // Under the last assumptions unknown rules match nothing. There most ACLs match, so other partitions are rarely needed.
        const isShadowed = combinations.all.toReversed().every((assumptions) => {
          return pointIn(regionOf(acl, partitions(assumptions).after), space, budget) === undefined;
        });
        const [likeliest] = combinations.all;
        return isShadowed && { acl, shadowedBy: fewestShadowing(acl, partitions(likeliest!).after, space, budget) };
      });
      return found || [];
    });
}

function regionOf<A extends Acl>(acl: A, { endings, logged }: Partition<A>): Ending<A> | Logged<A> {
  return [...endings, ...logged].find((one) => one.acl === acl)!;
}

/** Collects requests that a choice of ACLs lets through, until the smallest choice that stops them stops every request. */
function fewestShadowing<A extends Acl>(acl: A, { endings, logged }: Partition<A>, space: Space, budget: Budget): A[] {
  const own = logged.find((one) => one.acl === acl);
  const last = own ? own.next : endings.findIndex((one) => one.acl === acl);
  const { matched } = regionOf(acl, { endings, logged });
  const candidates = endings.slice(0, last);
  const stopped: number[][] = [];
  for (;;) {
    const chosen = smallestHit(stopped, budget);
    const obstacles = chosen.flatMap((index) => candidates[index]!.matched);
    const through = pointIn({ parts: matched.map(({ box }) => ({ box, obstacles })) }, space, budget);
    if (!through) return chosen.toSorted((a, b) => a - b).map((index) => candidates[index]!.acl!);
    stopped.push(candidatesMatching(through, candidates));
  }
}

function candidatesMatching(point: Box, candidates: readonly Ending<Acl>[]): number[] {
  return candidates.flatMap(({ matched }, index) => (matched.some(({ box }) => includes(box, point)) ? [index] : []));
}

/** The fewest numbers with at least one from each group. */
function smallestHit(groups: readonly (readonly number[])[], budget: Budget): number[] {
  for (let size = 0; ; size++) {
    const found = hitWith(size, groups, budget);
    if (found) return found;
  }
}

function hitWith(size: number, groups: readonly (readonly number[])[], budget: Budget): number[] | undefined {
  if (budget.left-- <= 0) throw undecided;
  const [first] = groups;
  if (!first) return [];
  if (size === 0) return undefined;
  for (const one of first) {
    const rest = hitWith(
      size - 1,
      groups.filter((group) => !group.includes(one)),
      budget,
    );
    if (rest) return [one, ...rest];
  }
  return undefined;
}
