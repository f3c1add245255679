/** Finds the requests of a set whose outcome is not the stated one, under assumptions. */
import { effectOf, type Result } from "./action";
import type { Assumptions } from "./assumptions";
import { includes, intersection } from "./boxes";
import { orderUnder, type Acl } from "./decide";
import type { Looseness } from "./loose";
import type { Part } from "./region";
import { matchedBy } from "./boxes";
import { isCovered, isHit, type Obstacle } from "./search";
import type { Box, Space } from "./space";

/** Reached: allowed and not redirected. Logged: an ACL with the action `log` records the request. */
export type StatedOutcome = "blocked" | "reached" | "redirected" | "logged";

/** The requests in a box, except those in the exceptions. */
export interface Requests {
  readonly boxes: readonly Obstacle[];
  readonly except: readonly Obstacle[];
}

/** A part of the requests with one ending. */
export interface EndedPart<A extends Acl> extends Part {
  /** Left out: no ACL matches. */
  readonly acl?: A;
  readonly end: Result;
}

export interface Evaluation<A extends Acl> {
  readonly acls: readonly A[];
  readonly requests: Requests;
  readonly outcomes: ReadonlySet<StatedOutcome>;
  readonly looseness: Looseness;
  readonly space: Space;
}

export const isStated = ({ outcome }: Result, outcomes: ReadonlySet<StatedOutcome>): boolean =>
  outcomes.has(outcome === "allowed" ? "reached" : outcome);

/** The requests with a stated outcome, or those with another one. */
export function* endedParts<A extends Acl>(
  evaluation: Evaluation<A>,
  assumptions: Assumptions,
  stated: boolean,
): Generator<EndedPart<A>> {
  const { outcomes, requests, space } = evaluation;
  const isLogStated = outcomes.has("logged");
  const earlier: Obstacle[] = [];
  const logs: Obstacle[] = [];
  function* partsOf(one: Obstacle | undefined, end: Result, acl?: A): Generator<EndedPart<A>> {
    const own = isStated(end, outcomes);
    if (own !== stated && !(stated && isLogStated)) return;
    const about = { ...(acl && { acl }), end };
    for (const within of requests.boxes) {
      const box = one ? intersection(within.box, one.box, space) : within.box;
      if (!box) continue;
      // Requests that an ACL logs have a stated outcome, so they are parts of their own.
      const boxes = own || !stated ? [box] : logs.flatMap((log) => intersection(box, log.box, space) ?? []);
      const around = [requests.except, earlier, ...(!stated && isLogStated ? [logs] : [])];
      for (const each of boxes) {
        const obstacles = obstaclesAround(each, around);
        if (obstacles) yield { ...about, box: each, obstacles };
      }
    }
  }
  for (const acl of orderUnder(evaluation.acls, assumptions)) {
    const effect = effectUnder(acl, assumptions);
    const matched = matchedUnder(acl, assumptions, evaluation);
    if (effect === "logged") {
      if (isLogStated) logs.push(...matched);
      continue;
    }
    for (const one of matched) yield* partsOf(one, effect, acl);
    earlier.push(...matched);
  }
  yield* partsOf(undefined, { outcome: "allowed" });
}

/** The obstacles that the box meets. Undefined if one of them covers the box. */
function obstaclesAround(box: Box, lists: readonly (readonly Obstacle[])[]): Obstacle[] | undefined {
  const obstacles: Obstacle[] = [];
  for (const list of lists) {
    for (const one of list) {
      if (!isHit(box, one)) continue;
      if (isCovered(box, one)) return undefined;
      obstacles.push(one);
    }
  }
  return obstacles;
}

export const effectUnder = (acl: Acl, assumptions: Assumptions): Result | "logged" =>
  effectOf(acl.rule.action, assumptions) ?? { outcome: "blocked" };

export function matchedUnder<A extends Acl>(
  { rule }: Acl,
  assumptions: Assumptions,
  { looseness, space }: Pick<Evaluation<A>, "looseness" | "space">,
): readonly Obstacle[] {
  return matchedBy(looseness.under(rule, assumptions), assumptions, space);
}

/** The ending of the request at a point, and whether it has a stated outcome. */
export interface EndedPoint<A extends Acl> {
  readonly acl?: A;
  readonly end: Result;
  readonly isStated: boolean;
  /** The ACLs that log the request. */
  readonly logs: readonly A[];
}

export function endAt<A extends Acl>(point: Box, evaluation: Evaluation<A>, assumptions: Assumptions): EndedPoint<A> {
  const { acls, outcomes } = evaluation;
  const logs: A[] = [];
  const isMatched = (acl: A) => matchedUnder(acl, assumptions, evaluation).some(({ box }) => includes(box, point));
  const ended = (end: Result, acl?: A) => ({
    ...(acl && { acl }),
    end,
    logs,
    isStated: isStated(end, outcomes) || (outcomes.has("logged") && logs.length > 0),
  });
  for (const acl of orderUnder(acls, assumptions)) {
    if (!isMatched(acl)) continue;
    const effect = effectUnder(acl, assumptions);
    if (effect !== "logged") return ended(effect, acl);
    logs.push(acl);
  }
  return ended({ outcome: "allowed" });
}
