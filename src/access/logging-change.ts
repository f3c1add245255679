/** Requests that lists with the action log record before a change and no more after it, or the other way round. */
import type { Comparison, Layouts } from "./comparison";
import type { Acl } from "./decide";
import { meet, pointIn, type Layout, type Recording, type Region } from "./region";
import { ifDecided, obstacle, type Budget } from "./search";
import type { Space, WholeRequest } from "./space";

export interface RecordingChange<A extends Acl> {
  /** The list that records on the one side. */
  readonly acl: A;
  /** A request that it records, and that nothing records on the other side. */
  readonly witness: WholeRequest;
}

const steps = 20_000;

/** As the service most likely reads the lists; what is not decided in time is left out. */
export function recordingChanges<A extends Acl>(comparison: Comparison<A>) {
  const layouts = comparison.layouts(comparison.readings.all[0]!);
  const budget: Budget = { left: steps };
  return {
    lost: onlyOn("before", layouts, comparison.space, budget),
    gained: onlyOn("after", layouts, comparison.space, budget),
  };
}

function onlyOn<A extends Acl>(
  side: keyof Layouts<A>,
  layouts: Layouts<A>,
  space: Space,
  budget: Budget,
): RecordingChange<A>[] {
  const silent = unrecorded(layouts[side === "before" ? "after" : "before"], space);
  return layouts[side].recordings.flatMap((recording) => {
    const witness = firstIn(recording, silent, space, budget);
    return witness ? [{ acl: recording.acl, witness }] : [];
  });
}

function firstIn<A extends Acl>(
  recording: Recording<A>,
  silent: readonly Region[],
  space: Space,
  budget: Budget,
): WholeRequest | undefined {
  return ifDecided(() => {
    for (const region of silent) {
      const point = pointIn(meet(recording, region, space), space, budget);
      if (point) return space.request(point);
    }
    return undefined;
  });
}

/** For each ending the requests that come to it and pass no list that records. */
function unrecorded<A extends Acl>({ endings, recordings }: Layout<A>, space: Space): Region[] {
  return endings.map(({ parts }, index) => {
    const passed = recordings.filter(({ next }) => next <= index);
    const records = passed.flatMap((recording) => recording.parts.map(({ box }) => obstacle(box, space)));
    return { parts: parts.map(({ box, obstacles }) => ({ box, obstacles: [...obstacles, ...records] })) };
  });
}
