/** Sets of requests, given by lists of facts, in the form of rules. */
import { formatBlock, parseBlock, unmapped } from "./cidr";
import type { Criteria, Rule } from "./rule";
import { factLists, propertyOf, rowOf, type ListName, type ListOfFacts } from "./fact";
import type { FactName } from "./facts";
import { valueOf } from "./signal";

/** All requests with these facts. A list means any of its values; a fact that is left out may have any value. */
export type RequestLists = { readonly [list in ListName]?: readonly (string | number)[] };

const rules = new WeakMap<RequestLists, Rule>();

/** A rule that matches the requests of the set, to all APIs. Its texts have the case of facts. */
export function ruleOfSet(set: RequestLists): Rule {
  const lists = factLists.map((list) => criteriaOfList(list, set[list.name]));
  const known = rules.get(set) ?? { action: {}, scope: "tenant", match: Object.assign({}, ...lists) as Criteria };
  rules.set(set, known);
  return known;
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
