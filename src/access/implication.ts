/** Decides whether statements together imply another statement for any network ACLs. */
import { asOne, aclsOfSets, boxesOfSet, type RequestLists } from "./request-set";
import type { Statement, StatedOutcome } from "./proof";
import { pointIn } from "./region";
import { ifDecided, isHit, obstacle, type Budget, type Obstacle } from "./search";
import { createSpace, type Space, type WholeRequest } from "./space";

const steps = 20_000;

/** The results of a request that statements tell apart. */
interface Result {
  readonly outcome: StatedOutcome;
  readonly isLogged: boolean;
}

const results: readonly Result[] = (["reached", "redirected", "blocked"] as const).flatMap((outcome) =>
  [false, true].map((isLogged) => ({ outcome, isLogged })),
);

const admits = ({ outcomes }: Statement, { outcome, isLogged }: Result) =>
  outcomes.includes(outcome) || (isLogged && outcomes.includes("logged"));

/** A request whose outcome the statement restricts, and the others do not. "not decided": the search takes too long. */
export function requestNotImplied(
  statement: Statement,
  others: readonly Statement[],
): WholeRequest | "not decided" | undefined {
  const all = [statement, ...others];
  const sets = all.flatMap(({ requests, except }) => [...requests, ...except]);
  const space = createSpace(aclsOfSets(sets), [asOne]);
  const budget: Budget = { left: steps };
  const wanted = boxesIn(statement.requests, space);
  const except = boxesIn(statement.except, space, []);
  const excluding = others.map((other) => ({ other, boxes: ifDecided(() => partsOf(other, space, budget)) ?? [] }));
  const found = ifDecided(() => {
    for (const result of results) {
      if (admits(statement, result)) continue;
      const covered = excluding.flatMap(({ other, boxes }) => (admits(other, result) ? [] : boxes));
      const parts = wanted.map(({ box }) => ({
        box,
        obstacles: [...except, ...covered].filter((one) => isHit(box, one)),
      }));
      const point = pointIn({ parts }, space, budget);
      if (point) return space.request(point);
    }
    return "none";
  });
  return found === undefined ? "not decided" : found === "none" ? undefined : found;
}

function boxesIn(sets: readonly RequestLists[], space: Space, otherwise: readonly RequestLists[] = [{}]): Obstacle[] {
  return (sets.length > 0 ? sets : otherwise).flatMap((set) => boxesOfSet(set, space));
}

/** The requests of the statement as boxes without exceptions. */
function partsOf({ requests, except }: Statement, space: Space, budget: Budget): Obstacle[] {
  const without = boxesIn(except, space, []);
  return boxesIn(requests, space).flatMap((one) =>
    without.reduce<Obstacle[]>((left, other) => left.flatMap((part) => subtract(part, other, space, budget)), [one]),
  );
}

/** The box outside of the other one, as boxes that do not overlap. */
function subtract(one: Obstacle, other: Obstacle, space: Space, budget: Budget): Obstacle[] {
  if (!isHit(one.box, other)) return [one];
  const found: Obstacle[] = [];
  const inside = one.box.slice();
  for (const [from, to] of other.fields) {
    budget.left--;
    const outside = inside.slice();
    let some = 0;
    for (let word = from; word < to; word++) {
      some |= outside[word]! &= ~other.box[word]!;
      inside[word]! &= other.box[word]!;
    }
    if (some !== 0) found.push(obstacle(outside, space));
  }
  return found;
}
