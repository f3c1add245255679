/** Sets of requests, given by lists of facts, in the form of rules and of boxes. */
import { connecting, letterCase, type Assumptions } from "./assumptions";
import { formatBlock, parseBlock, unmapped } from "./cidr";
import type { Criteria, Rule } from "./rule";
import type { Acl } from "./decide";
import { factLists, propertyOf, rowOf, type ListName, type ListOfFacts } from "./fact";
import type { FactName } from "./facts";
import { matchedBy } from "./boxes";
import { apis } from "./request";
import { obstacle, type Obstacle } from "./search";
import { valueOf } from "./signal";
import type { Box, Space } from "./space";

/** All requests with these facts. A list means any of its values; a fact that is left out may have any value. */
export type RequestLists = { readonly [list in ListName]?: readonly (string | number)[] };

/** Every space with sets of requests needs these ACLs, so that it separates the APIs and the mapped addresses. */
export function aclsOfSets(sets: readonly RequestLists[]): Acl[] {
  const rules = [...apis.map((scope) => ({ ...mappedRule, scope })), ...[...sets, {}].map(ruleOf)];
  return rules.map((rule) => ({ active: true, priority: 0, rule }));
}

const action = { block: true };

/** The service turns an IPv4-mapped address of a request into its IPv4 address, so no request has a mapped address. */
const mapped = ["::ffff:0:0/96"];
const mappedRule: Rule = {
  action,
  scope: "tenant",
  match: { ipv6_cidrs: mapped, connecting_ipv6_cidrs: mapped },
};
const mappedRules: readonly Rule[] = ["ipv6_cidrs", "connecting_ipv6_cidrs"].map((property) => ({
  ...mappedRule,
  match: { [property]: mapped },
}));

const rules = new WeakMap<RequestLists, Rule>();

/** A rule that matches the requests of the set, to all APIs. Its texts have the case of facts. */
function ruleOf(set: RequestLists): Rule {
  const known = rules.get(set) ?? { action, scope: "tenant", match: criteriaOfSet(set) };
  rules.set(set, known);
  return known;
}

/** The signals that match the requests of the set. Scopes are left out. */
function criteriaOfSet(set: RequestLists): Criteria {
  return Object.assign({}, ...factLists.map((list) => criteriaOfList(list, set[list.name]))) as Criteria;
}

function criteriaOfList({ fact, kind }: ListOfFacts, values: readonly (string | number)[] | undefined): Criteria {
  if (values === undefined || fact === "path") return {};
  if (kind === "address") return addressCriteria(fact, values.map(String));
  const { spell = (text: string) => text } = rowOf(fact);
  const texts = values.map((value) => spell(String(kind === "number" ? Number(value) : value)));
  const property = propertyOf(fact);
  return { [property]: valueOf(property, [...new Set(texts)]) };
}

function addressCriteria(fact: FactName, texts: readonly string[]): Criteria {
  const blocks = texts.flatMap((text) => parseBlock(text) ?? []).map(unmapped);
  const ofFamily = (family?: 4 | 6) => [...new Set(blocks.filter((one) => one.family === family).map(formatBlock))];
  const lists = Object.entries(rowOf(fact).criteria).map(
    ([property, row]) => [property, ofFamily(row.family)] as const,
  );
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0));
}

/** In sets, both properties of connecting addresses are one list. */
export const asOne: Assumptions = new Map([
  [connecting, "one"],
  [letterCase, "exact"],
]);

/** The requests of the set. */
export function boxesOfSet(set: RequestLists, space: Space): Obstacle[] {
  const found = matchedBy(ruleOf(set), asOne, space).map(({ box }) => box.slice());
  return found.flatMap((box) => {
    for (const rule of mappedRules) remove(box, matchedBy(rule, asOne, space)[0]!.box, space);
    if (set.scopes !== undefined) keepScopes(box, set.scopes.map(String), space);
    return isEmpty(box, space) ? [] : [obstacle(box, space)];
  });
}

/** Takes the facts of the only field that the other box restricts out of the box. */
function remove(box: Box, other: Box, { whole, spans }: Space): void {
  for (const [from, to] of spans) {
    if (other.subarray(from, to).every((bits, at) => bits === whole[from + at])) continue;
    for (let word = from; word < to; word++) box[word]! &= ~other[word]!;
  }
}

function keepScopes(box: Box, names: readonly string[], space: Space): void {
  const constraints = names.map((name) => space.scope(name, asOne));
  const [from, to] = space.spans[space.scope("tenant", asOne).field]!;
  for (let word = from; word < to; word++) {
    box[word]! &= constraints.reduce((bits, { set }) => bits | set[word - from]!, 0);
  }
}

function isEmpty(box: Box, { spans }: Space): boolean {
  return spans.some(([from, to]) => box.subarray(from, to).every((bits) => bits === 0));
}
