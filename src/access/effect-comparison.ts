/** Decides whether two changes of ACLs have the same effect on every possible request. */
import { byOutcome, sameResult, type Reading, type Result } from "./action";
import type { Acl } from "./decide";
import { intersect, partition, pointIn, type Partition, type Region } from "./region";
import { ifDecided, undecided, type Budget } from "./search";
import { createSpace, type Space, type WholeRequest } from "./space";
import { combinationsOf, uncertaintiesOf } from "./uncertainty";

/** The ACLs of a tenant before and after a change. */
export interface AclsOfChange<A extends Acl> {
  readonly before: readonly A[];
  readonly after: readonly A[];
}

/** The results of one request before and after a change. */
export interface RequestEffect {
  readonly before: Result;
  readonly after: Result;
}

/** A request for which the two changes have different effects. */
export interface EffectDifference {
  readonly witness: WholeRequest;
  readonly one: RequestEffect;
  readonly other: RequestEffect;
}

export interface EffectComparison {
  /** "same": proven for all requests, under all assumptions. */
  readonly verdict: "same" | "different" | "not decided";
  readonly differences: readonly EffectDifference[];
  /** Whether every request was compared under all assumptions, so that there are no further differences. */
  readonly isComplete: boolean;
}

interface Limits {
  readonly steps?: number;
  readonly most?: number;
  readonly reading?: Reading;
}

/** A request that a change leaves alone has no effect, so its outcome may then differ between the two changes. */
export function compareEffects<A extends Acl>(
  one: AclsOfChange<A>,
  other: AclsOfChange<A>,
  { steps = 100_000, most = 20, reading = byOutcome }: Limits = {},
): EffectComparison {
  const versions = [one.before, one.after, other.before, other.after];
  const { all, complete } = combinationsOf(uncertaintiesOf(versions));
  const space = createSpace(
    [...new Set(versions.flat())].filter((acl) => acl.active),
    all,
  );
  const budget: Budget = { left: steps };
  const found = new Map<string, EffectDifference>();
  const distinct = [...new Set(versions)];
  const isDecided = ifDecided(() => {
    for (const assumptions of all) {
      const partitions = distinct.map((acls) => partition(acls, assumptions, space, reading));
      for (const { ends, region } of common(
        partitions,
        { parts: [{ box: space.whole, obstacles: [] }] },
        space,
        budget,
      )) {
        const [was, is, otherWas, otherIs] = versions.map((acls) => ends[distinct.indexOf(acls)]!) as [
          Result,
          Result,
          Result,
          Result,
        ];
        const isNone = sameResult(was, is) && sameResult(otherWas, otherIs);
        if (isNone || (sameResult(was, otherWas) && sameResult(is, otherIs))) continue;
        const effects = { one: { before: was, after: is }, other: { before: otherWas, after: otherIs } };
        const key = JSON.stringify(effects);
        const point = found.has(key) ? undefined : pointIn(region, space, budget);
        if (point) found.set(key, { witness: space.request(point), ...effects });
        if (found.size >= most) return false;
      }
    }
    return complete;
  });
  const isComplete = isDecided === true;
  const verdict = found.size > 0 ? "different" : isComplete ? "same" : "not decided";
  return { verdict, differences: [...found.values()], isComplete };
}

/** The parts of the region, by their results in each of the partitions. */
function* common(
  [first, ...others]: readonly Partition<Acl>[],
  region: Region,
  space: Space,
  budget: Budget,
): Generator<{ readonly ends: readonly Result[]; readonly region: Region }> {
  if (!first) {
    yield { ends: [], region };
    return;
  }
  for (const ending of first) {
    if (budget.left-- <= 0) throw undecided;
    const rest = intersect(region, ending, space);
    if (rest.parts.length === 0) continue;
    for (const each of common(others, rest, space, budget)) {
      yield { ends: [ending.end, ...each.ends], region: each.region };
    }
  }
}
