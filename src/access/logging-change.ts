/** Finds requests that the tenant records only before or only after a change. */
import type { Assumptions } from "./assumptions";
import { commonPoint, type CommonSearch } from "./certain";
import { once, type Comparison, type Partitions } from "./comparison";
import type { Acl } from "./decide";
import { endAt, intersect, recordsBefore, type Partition, type Region } from "./region";
import { ifDecided, type Budget } from "./search";
import type { WholeRequest } from "./space";

export interface LoggingChange<A extends Acl> {
  /** The ACL that logs the request. */
  readonly acl: A;
  /** A request that the tenant does not record on the other side: no ACL logs or blocks it. */
  readonly witness: WholeRequest;
  /** Certain: under all assumptions, this ACL logs the witness, and the tenant does not record it on the other side. */
  readonly certainty: "certain" | "possible";
}

const steps = 20_000;

/** Finds requests under the most likely assumptions. Leaves out what the budget does not decide. */
export function loggingChanges<A extends Acl>(comparison: Comparison<A>) {
  const budget: Budget = { left: steps };
  return {
    lost: onlyOn("before", comparison, budget),
    gained: onlyOn("after", comparison, budget),
  };
}

function onlyOn<A extends Acl>(
  side: keyof Partitions<A>,
  comparison: Comparison<A>,
  budget: Budget,
): LoggingChange<A>[] {
  const { partitions, combinations, space } = comparison;
  const opposite = side === "before" ? "after" : "before";
  const silent = once((assumptions: Assumptions) => unrecorded(partitions(assumptions)[opposite]));
  const [likeliest, ...others] = combinations.all;
  return partitions(likeliest!)[side].logged.flatMap(({ acl }) => {
    const search: CommonSearch = {
      all: others,
      *regions(assumptions) {
        const logged = partitions(assumptions)[side].logged.find((its) => its.acl === acl);
        for (const region of logged ? silent(assumptions) : []) yield intersect(logged!, region, space);
      },
      has(point, assumptions) {
        const { end, logs } = endAt(comparison[opposite], point, assumptions, space);
        const own = endAt(comparison[side], point, assumptions, space);
        return own.logs.includes(acl) && logs.length === 0 && end.outcome !== "blocked";
      },
      space,
      budget,
    };
    const found = ifDecided(() => commonPoint(search.regions(likeliest!), { ...search, all: [] }));
    if (!found) return [];
    const sure = combinations.complete && ifDecided(() => commonPoint(search.regions(likeliest!), search));
    return [{ acl, witness: space.request(sure || found), certainty: sure ? "certain" : "possible" }];
  });
}

/** For each ending that does not block, the requests that no ACL logs. The service records blocked requests too. */
function unrecorded<A extends Acl>(partition: Partition<A>): Region[] {
  return partition.endings.flatMap(({ parts, end }, index) => {
    if (end.outcome === "blocked") return [];
    const records = recordsBefore(partition, index);
    return [{ parts: parts.map(({ box, obstacles }) => ({ box, obstacles: [...obstacles, ...records] })) }];
  });
}
