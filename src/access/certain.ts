/** Searches a request that has a property under all assumptions. */
import type { Assumptions } from "./assumptions";
import { intersect, pointIn, type Region } from "./region";
import { undecided, type Budget } from "./search";
import type { Box, Space } from "./space";

export interface CommonSearch {
  readonly all: readonly Assumptions[];
  /** The requests with the property under the assumptions. */
  regions(assumptions: Assumptions): Iterable<Region>;
  /** Whether the request at the point has it. */
  has(point: Box, assumptions: Assumptions): boolean;
  readonly space: Space;
  readonly budget: Budget;
}

/** A request of one of the regions that has the property under all assumptions. */
export function commonPoint(regions: Iterable<Region>, search: CommonSearch): Box | undefined {
  for (const region of regions) {
    const point = pointIn(region, search.space, search.budget);
    const found = point && commonPointFrom(point, region, search);
    if (found) return found;
  }
  return undefined;
}

/** Assumptions under which the point does not have the property narrow the region. */
export function commonPointFrom(point: Box, region: Region, search: CommonSearch): Box | undefined {
  const failed = search.all.find((assumptions) => !search.has(point, assumptions));
  return failed ? commonPoint(narrowed(region, failed, search), search) : point;
}

function* narrowed(region: Region, failed: Assumptions, { regions, space, budget }: CommonSearch): Generator<Region> {
  for (const other of regions(failed)) {
    if (budget.left-- <= 0) throw undecided;
    yield intersect(region, other, space);
  }
}
