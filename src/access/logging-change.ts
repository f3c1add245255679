/** Finds requests that ACLs with the action log record only before or only after a change. */
import type { Comparison, Partitions } from "./comparison";
import type { Acl } from "./decide";
import { intersect, pointIn, type Partition, type Logged, type Region } from "./region";
import { ifDecided, obstacle, type Budget } from "./search";
import type { Space, WholeRequest } from "./space";

export interface LoggingChange<A extends Acl> {
  /** The ACL that records the request. */
  readonly acl: A;
  /** A request that no ACL records on the other side. */
  readonly witness: WholeRequest;
}

const steps = 20_000;

/** Under the most likely assumptions. Leaves out what the budget does not decide. */
export function loggingChanges<A extends Acl>(comparison: Comparison<A>) {
  const partitions = comparison.partitions(comparison.combinations.all[0]!);
  const budget: Budget = { left: steps };
  return {
    lost: onlyOn("before", partitions, comparison.space, budget),
    gained: onlyOn("after", partitions, comparison.space, budget),
  };
}

function onlyOn<A extends Acl>(
  side: keyof Partitions<A>,
  partitions: Partitions<A>,
  space: Space,
  budget: Budget,
): LoggingChange<A>[] {
  const silent = unlogged(partitions[side === "before" ? "after" : "before"], space);
  return partitions[side].logged.flatMap((recording) => {
    const witness = firstIn(recording, silent, space, budget);
    return witness ? [{ acl: recording.acl, witness }] : [];
  });
}

function firstIn<A extends Acl>(
  recording: Logged<A>,
  silent: readonly Region[],
  space: Space,
  budget: Budget,
): WholeRequest | undefined {
  return ifDecided(() => {
    for (const region of silent) {
      const point = pointIn(intersect(recording, region, space), space, budget);
      if (point) return space.request(point);
    }
    return undefined;
  });
}

/** For each ending, the requests that reach it and that no ACL records. */
function unlogged<A extends Acl>({ endings, logged }: Partition<A>, space: Space): Region[] {
  return endings.map(({ parts }, index) => {
    const passed = logged.filter(({ next }) => next <= index);
    const records = passed.flatMap((recording) => recording.parts.map(({ box }) => obstacle(box, space)));
    return { parts: parts.map(({ box, obstacles }) => ({ box, obstacles: [...obstacles, ...records] })) };
  });
}
