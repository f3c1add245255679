/** Judges requests without assumptions: the outcomes that some assumption allows. Sound, but not complete. */
import { effectOf, flagOf, type Outcome } from "./action";
import { includes, intersection, matchedBy } from "./boxes";
import type { Acl } from "./decide";
import type { Rule } from "./rule";
import { isCovered, isHit, obstacle, search, type Budget, type Obstacle } from "./search";
import type { Box, Space } from "./space";
import { combinationsOf, ruleUncertainties } from "./uncertainty";

/** The requests that a rule matches under some assumption, and those that it matches under every assumption. */
export interface Reach {
  readonly possible: readonly Obstacle[];
  readonly certain: readonly Obstacle[];
}

/** `versions`: the rule under assumptions about loose comparisons. */
export function reachOf(versions: readonly Rule[], space: Space): Reach {
  const found = versions.map((version) => {
    const { all, complete } = combinationsOf(ruleUncertainties(version));
    return complete ? all.map((assumptions) => matchedBy(version, assumptions, space)) : undefined;
  });
  if (found.includes(undefined)) return { possible: [obstacle(space.whole, space)], certain: [] };
  const all = (found as (readonly Obstacle[])[][]).flat();
  const possible = [...new Set(all.flat())];
  if (all.every((boxes) => boxes === all[0])) return { possible, certain: possible };
  const certain = possible.filter(({ box }) => all.every((boxes) => boxes.some((one) => isCovered(box, one))));
  return { possible, certain };
}

/** Each active ACL that may match one of the requests. */
export interface PossibleEvaluation {
  readonly acls: readonly { readonly acl: Acl; readonly reach: Reach }[];
  readonly requests: { readonly boxes: readonly Obstacle[]; readonly except: readonly Obstacle[] };
  /** Whether the statement allows the outcome. */
  isStated(outcome: Outcome | "logged"): boolean;
  readonly space: Space;
}

/** A request that violates the statement under some assumption, or undefined: it holds under all assumptions. */
export function possibleViolation(evaluation: PossibleEvaluation, budget: Budget): Box | undefined {
  const { acls, requests, isStated, space } = evaluation;
  const searched = (one: Obstacle | undefined, priority: number) => {
    // The priority may be unknown, and then no ACL is certainly evaluated before.
    const before = acls.filter(({ acl }) => acl.priority < priority);
    const around = [
      ...requests.except,
      ...before.flatMap(({ acl, reach }) => (endsOrLogs(acl, isStated) ? reach.certain : [])),
    ];
    return firstIn(requests.boxes, (within) => {
      const box = one ? intersection(within.box, one.box, space) : within.box;
      const hit = box ? around.filter((each) => isHit(box, each)) : [];
      return !box || hit.some((each) => isCovered(box, each)) ? undefined : search(box, hit, budget);
    });
  };
  const found = firstIn(acls, ({ acl, reach }) =>
    possibleEnds(acl).some((outcome) => !isStated(outcome))
      ? firstIn(reach.possible, (one) => searched(one, acl.priority))
      : undefined,
  );
  const open = isStated("allowed") ? undefined : searched(undefined, Infinity);
  const box = found ?? open;
  return box && space.point(box);
}

/** Whether the requests that certainly match the ACL end there, or have a stated outcome by it. */
function endsOrLogs({ rule }: Acl, isStated: PossibleEvaluation["isStated"]): boolean {
  const flag = flagOf(rule.action);
  return flag === "log" ? isStated("logged") : flag !== undefined;
}

const everyOutcome: readonly Outcome[] = ["allowed", "blocked", "redirected"];

function possibleEnds({ rule }: Acl): readonly Outcome[] {
  const effect = effectOf(rule.action);
  if (effect === undefined) return everyOutcome;
  return effect === "logged" ? [] : [effect.outcome];
}

/** Whether the request at a point violates the statement under all assumptions. False if that is not sure. */
export function isCertainViolation(point: Box, { acls, isStated }: PossibleEvaluation): boolean {
  let decided = Infinity;
  const isIn = (boxes: readonly Obstacle[]) => boxes.some(({ box }) => includes(box, point));
  const order = acls
    .filter(({ reach }) => isIn(reach.possible))
    .map(({ acl, reach }) => ({ acl, place: Number.isNaN(acl.priority) ? -Infinity : acl.priority, reach }))
    .toSorted((a, b) => (a.place === b.place ? 0 : a.place - b.place));
  for (const { acl, place, reach } of order) {
    if (place > decided) return true;
    const flag = flagOf(acl.rule.action);
    if ((flag === undefined || flag === "log") && isStated("logged")) return false;
    if (flag === "log") continue;
    if (possibleEnds(acl).some((outcome) => isStated(outcome))) return false;
    if (flag !== undefined && !Number.isNaN(acl.priority) && isIn(reach.certain)) decided = place;
  }
  return decided < Infinity || !isStated("allowed");
}

function firstIn<One, Found>(all: readonly One[], find: (one: One) => Found | undefined): Found | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
