/** Judges requests without assumptions: the outcomes that some assumption allows. Sound, but not complete. */
import { effectOf, flagOf, type Outcome } from "./action";
import { includes, intersection } from "./boxes";
import type { Acl } from "./decide";
import type { ExtentOfRule } from "./extent-of-rule";
import { isCovered, isHit, search, type Budget, type Obstacle } from "./search";
import type { Box, Space } from "./space";
import { isStated, type Requests, type StatedOutcome } from "./violation";

/** Each active ACL that may match one of the requests. */
export interface PossibleEvaluation {
  readonly acls: readonly { readonly acl: Acl; readonly extent: ExtentOfRule }[];
  readonly requests: Requests;
  readonly outcomes: ReadonlySet<StatedOutcome>;
  readonly space: Space;
}

/** A request that violates the statement under some assumption, or undefined: it holds under all assumptions. */
export function possibleViolation(evaluation: PossibleEvaluation, budget: Budget): Box | undefined {
  const { acls, requests, outcomes, space } = evaluation;
  const searched = (one: Obstacle | undefined, priority: number) => {
    // The priority may be unknown, and then no ACL is certainly evaluated before.
    const before = acls.filter(({ acl }) => acl.priority < priority);
    const around = [
      ...requests.except,
      ...before.flatMap(({ acl, extent }) => (endsOrLogs(acl, outcomes) ? extent.certain : [])),
    ];
    return firstIn(requests.boxes, (within) => {
      const box = one ? intersection(within.box, one.box, space) : within.box;
      const hit = box ? around.filter((each) => isHit(box, each)) : [];
      return !box || hit.some((each) => isCovered(box, each)) ? undefined : search(box, hit, budget);
    });
  };
  const found = firstIn(acls, ({ acl, extent }) =>
    possibleEnds(acl).some((outcome) => !isStated({ outcome }, outcomes))
      ? firstIn(extent.possible, (one) => searched(one, acl.priority))
      : undefined,
  );
  const open = outcomes.has("reached") ? undefined : searched(undefined, Infinity);
  const box = found ?? open;
  return box && space.point(box);
}

/** Whether the requests that certainly match the ACL end there, or have a stated outcome by it. */
function endsOrLogs({ rule }: Acl, outcomes: ReadonlySet<StatedOutcome>): boolean {
  const flag = flagOf(rule.action);
  return flag === "log" ? outcomes.has("logged") : flag !== undefined;
}

const everyOutcome: readonly Outcome[] = ["allowed", "blocked", "redirected"];

function possibleEnds({ rule }: Acl): readonly Outcome[] {
  const effect = effectOf(rule.action);
  if (effect === undefined) return everyOutcome;
  return effect === "logged" ? [] : [effect.outcome];
}

/** Whether the request at a point violates the statement under all assumptions. False if that is not sure. */
export function isCertainViolation(point: Box, { acls, outcomes }: PossibleEvaluation): boolean {
  let decided = Infinity;
  const isIn = (boxes: readonly Obstacle[]) => boxes.some(({ box }) => includes(box, point));
  const order = acls
    .filter(({ extent }) => isIn(extent.possible))
    .map(({ acl, extent }) => ({ acl, place: Number.isNaN(acl.priority) ? -Infinity : acl.priority, extent }))
    .toSorted((a, b) => (a.place === b.place ? 0 : a.place - b.place));
  for (const { acl, place, extent } of order) {
    if (place > decided) return true;
    const flag = flagOf(acl.rule.action);
    if ((flag === undefined || flag === "log") && outcomes.has("logged")) return false;
    if (flag === "log") continue;
    if (possibleEnds(acl).some((outcome) => isStated({ outcome }, outcomes))) return false;
    if (flag !== undefined && !Number.isNaN(acl.priority) && isIn(extent.certain)) decided = place;
  }
  return decided < Infinity || !outcomes.has("reached");
}

function firstIn<One, Found>(all: readonly One[], find: (one: One) => Found | undefined): Found | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
