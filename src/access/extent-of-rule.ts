/** Finds the requests that a rule matches under some assumption, and those that it matches under every assumption. */
import type { Rule } from "./rule";
import type { Looseness } from "./loose";
import { matchedBy, namesFor } from "./boxes";
import { isCovered, obstacle, type Obstacle } from "./search";
import type { Space } from "./space";
import { combinationsOf, uncertaintiesOf } from "./uncertainty";

export interface ExtentOfRule {
  readonly possible: readonly Obstacle[];
  readonly certain: readonly Obstacle[];
}

export function extentOfRule(rule: Rule, looseness: Looseness, space: Space): ExtentOfRule {
  const versions = looseness.versions(rule).map((version) => boxesUnderAll(version, space));
  if (versions.includes(undefined)) return { possible: [obstacle(space.whole, space)], certain: [] };
  const all = (versions as (readonly Obstacle[])[][]).flat();
  const possible = [...new Set(all.flat())];
  if (all.every((boxes) => boxes === all[0])) return { possible, certain: possible };
  const certain = possible.filter(({ box }) => all.every((boxes) => boxes.some((one) => isCovered(box, one))));
  return { possible, certain };
}

/** The boxes under each combination of the assumptions that concern the rule. Undefined: there are too many. */
function boxesUnderAll(rule: Rule, space: Space): (readonly Obstacle[])[] | undefined {
  const names = namesFor(rule);
  const own = uncertaintiesOf([[{ active: true, priority: 0, rule }]]).filter(({ name }) => names.includes(name));
  const { all, complete } = combinationsOf(own);
  return complete ? all.map((assumptions) => matchedBy(rule, assumptions, space)) : undefined;
}
