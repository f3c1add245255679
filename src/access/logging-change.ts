/** Finds requests that the tenant records only before or only after a change. */
import { byRecord, effectUnder } from "./action";
import { readAs, type Comparison } from "./comparison";
import { endOf, inOrder, type Acl } from "./decide";
import { difference, type Change } from "./difference";
import type { WholeRequest } from "./space";

export interface LoggingChange<A extends Acl> {
  /** The first ACL that logs the request. */
  readonly acl: A;
  /** A request that the tenant does not record on the other side: no ACL logs or blocks it. */
  readonly witness: WholeRequest;
  /** Certain: under all assumptions, the tenant records the witness on one side only. */
  readonly certainty: "certain" | "possible";
}

const steps = 20_000;

/** Finds requests under the most likely assumptions. Leaves out what the budget does not decide. */
export function loggingChanges<A extends Acl>(given: Comparison<A>): Record<"lost" | "gained", LoggingChange<A>[]> {
  const { before, after, combinations } = given;
  const logs = ({ active, rule }: A) => active && effectUnder(rule.action, new Map()) === "logged";
  if (![...before, ...after].some(logs)) return { lost: [], gained: [] };
  const [likeliest] = combinations.all;
  const { changes } = difference(readAs(byRecord, given), { inAll: steps });
  const isLikely = ({ witness }: Change<A>) => {
    const [was, is] = [before, after].map((acls) => witness && endOf(acls, witness, likeliest!, byRecord));
    return was?.outcome !== is?.outcome;
  };
  const only = (side: "before" | "after") => {
    const found = new Map<A, LoggingChange<A>>();
    for (const change of changes) {
      const { acl, outcome } = change[side];
      const { witness, certainty } = change;
      if (!acl || !logs(acl) || outcome !== "blocked" || !witness || certainty === "not decided") continue;
      if (found.get(acl)?.certainty === "certain" || !isLikely(change)) continue;
      if (!found.has(acl) || certainty === "certain") found.set(acl, { acl, witness, certainty });
    }
    return inOrder(given[side]).flatMap((acl) => found.get(acl) ?? []);
  };
  return { lost: only("before"), gained: only("after") };
}
