/** Keeps the boxes of each rule for each choice of the assumptions that concern the rule. */
import { connecting, documentedOptions, extent, pieceOf, type Assumptions } from "./assumptions";
import { boxesOf } from "./box";
import { criteriaOf, sides } from "./criterion";
import { scopeIsKnown } from "./request";
import { unknownProperties, type Rule } from "./rule";
import { obstacle, type Obstacle } from "./search";
import type { Space } from "./space";
import { generalNames } from "./uncertainty";

const made = new WeakMap<Space, WeakMap<Rule, Map<string, readonly Obstacle[]>>>();

/** The boxes of the requests that the rule matches. */
export function matchedBy(rule: Rule, assumptions: Assumptions, space: Space): readonly Obstacle[] {
  const rules = made.get(space) ?? new WeakMap<Rule, Map<string, readonly Obstacle[]>>();
  made.set(space, rules);
  const known = rules.get(rule) ?? new Map<string, readonly Obstacle[]>();
  rules.set(rule, known);
  const key = choiceFor(rule, assumptions);
  const boxes = known.get(key) ?? boxesOf(rule, assumptions, space).map((box) => obstacle(box, space));
  known.set(key, boxes);
  return boxes;
}

/** The options of the assumptions that decide which requests the rule matches. */
function choiceFor(rule: Rule, assumptions: Assumptions): string {
  const names = namesFor(rule);
  if (names.length === 0) return "";
  return names.map((name) => assumptions.get(name) ?? documentedOptions.get(name) ?? "").join();
}

const names = new WeakMap<Rule, readonly string[]>();

/** The assumptions that decide which requests the rule matches. */
export function namesFor(rule: Rule): readonly string[] {
  const known = names.get(rule) ?? readNames(rule);
  names.set(rule, known);
  return known;
}

function readNames(rule: Rule): string[] {
  const combinations = ["one", "two"].map((option): Assumptions => new Map([[connecting, option]]));
  const criteria = combinations.flatMap((reading) => sides.flatMap((side) => criteriaOf(rule, side, reading)));
  const pieces = [
    ...criteria.flatMap(({ unreadable }) => unreadable ?? []),
    ...unknownProperties(rule).map(({ piece }) => piece),
    ...(scopeIsKnown(rule.scope) ? [] : [pieceOf("scope", rule.scope)]),
  ];
  return [...generalNames(rule), ...[...new Set(pieces)].map(extent)];
}
