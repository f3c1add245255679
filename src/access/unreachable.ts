/** Finds unreachable ACLs, and the ACLs that shadow each of them. */
import { effectUnder } from "./action";
import type { Assumptions } from "./assumptions";
import { matchedBy } from "./boxes";
import type { Comparison } from "./comparison";
import { orderUnder, type Acl } from "./decide";
import { pointIn } from "./region";
import { ifDecided, type Budget } from "./search";

export interface Unreachable<A extends Acl> {
  readonly acl: A;
  /** In order of evaluation. Empty: its own criteria contradict each other. */
  readonly shadowedBy: readonly A[];
}

const steps = 20_000;

/** The ACLs that are unreachable after the change under all assumptions. Leaves out what the budget does not decide. */
export function unreachable<A extends Acl>({ after, combinations, space }: Comparison<A>): Unreachable<A>[] {
  const budget: Budget = { left: steps };
  const { all, complete } = combinations;
  if (!complete) return [];
  const matched = (acls: readonly A[], assumptions: Assumptions) =>
    acls.flatMap(({ rule }) => matchedBy(rule, assumptions, space));
  const before = (acl: A, assumptions: Assumptions) => {
    const order = orderUnder(after, assumptions);
    const earlier = order.slice(0, order.indexOf(acl));
    return earlier.filter(({ rule }) => effectUnder(rule.action, assumptions) !== "logged");
  };
  const isShadowed = (acl: A, others: readonly A[], assumptions: Assumptions) => {
    const obstacles = matched(others, assumptions);
    const parts = matched([acl], assumptions).map(({ box }) => ({ box, obstacles }));
    return pointIn({ parts }, space, budget) === undefined;
  };
  return after
    .filter(({ active }) => active)
    .flatMap((acl) => {
      const shadowedBy = ifDecided(() => {
        // Under the last assumptions unknown rules match nothing. There most ACLs match, so others are rarely needed.
        if (!all.toReversed().every((one) => isShadowed(acl, before(acl, one), one))) return undefined;
        const [likeliest] = all;
        return fewest(before(acl, likeliest!), (some) => isShadowed(acl, some, likeliest!));
      });
      return shadowedBy ? [{ acl, shadowedBy }] : [];
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
