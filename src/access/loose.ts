/** Assumptions about entries that only a loose comparison matches. Proofs need them, because the service documents no comparison. */
import type { Assumptions, Uncertainty } from "./assumptions";
import { once } from "./comparison";
import { contains, formatBlock, parseBlock, unmapped } from "./cidr";
import { criteriaIn, sides, type Criteria, type Rule } from "./rule";
import type { AccessRequest } from "./request";
import { entriesOf, signals } from "./signal";

const mappedEntries: Uncertainty = {
  name: "mapped entries",
  options: ["exact", "loose"],
  words: (option) =>
    option === "exact"
      ? "IPv4-mapped entries of a rule match no IPv4 address"
      : "IPv4-mapped entries of a rule match their IPv4 addresses",
};

const partialAgents: Uncertainty = {
  name: "partial user agents",
  options: ["exact", "loose"],
  words: (option) =>
    option === "exact"
      ? "an entry of user_agents matches only an equal user agent"
      : "an entry of user_agents matches every user agent that contains it",
};

/** Reads rules under assumptions about loose comparisons. */
export interface Looseness {
  /** The assumptions that change one of the rules. */
  uncertainties(rules: readonly Rule[]): Uncertainty[];
  /** The rule as the service reads it. */
  under(rule: Rule, assumptions: Assumptions): Rule;
  /** All versions of the rule: the exact one first. */
  versions(rule: Rule): readonly Rule[];
}

/** `stated`: the user agents that statements name. */
export function createLooseness(all: readonly Rule[], stated: readonly string[]): Looseness {
  const lists = agentLists(all);
  const agents = [...new Set([...lists.flat(), ...stated, ...agentsContaining(lists)])];
  const changed = new Map<Uncertainty, (rule: Rule) => Rule>([
    [mappedEntries, once((rule: Rule) => withCriteria(rule, withMapped))],
    [partialAgents, once((rule: Rule) => withCriteria(rule, (criteria) => withAgents(criteria, agents)))],
  ]);
  const uncertainties = [...changed.keys()];
  const read = (rule: Rule, loosely: readonly Uncertainty[]) =>
    loosely.reduce((found, one) => changed.get(one)!(found), rule);
  return {
    uncertainties: (rules) => uncertainties.filter((one) => rules.some((rule) => read(rule, [one]) !== rule)),
    under: (rule, assumptions) =>
      read(
        rule,
        uncertainties.filter(({ name }) => assumptions.get(name) === "loose"),
      ),
    versions(rule) {
      const combinations = [[], [mappedEntries], [partialAgents], uncertainties];
      return [...new Set(combinations.map((loosely) => read(rule, loosely)))];
    },
  };
}

function withCriteria(rule: Rule, change: (criteria: Criteria) => Criteria): Rule {
  const changed = sides.flatMap((side) => {
    const criteria = rule[side];
    if (typeof criteria !== "object") return [];
    const next = change(criteria);
    return next === criteria ? [] : [[side, next] as const];
  });
  return changed.length === 0 ? rule : { ...rule, ...Object.fromEntries(changed) };
}

const everyMapped = parseBlock("::ffff:0:0/96")!;

function withMapped(criteria: Criteria): Criteria {
  const changed = ["", "connecting_"].flatMap((prefix) => {
    const [four, six] = [`${prefix}ipv4_cidrs`, `${prefix}ipv6_cidrs`] as const;
    if (criteria[six] === undefined) return [];
    const blocks = entriesOf(six, criteria[six]).texts.flatMap((text) => parseBlock(text) ?? []);
    const found = blocks.filter((block) => contains(everyMapped, block)).map((block) => formatBlock(unmapped(block)));
    const own: unknown = criteria[four];
    if (found.length === 0 || typeof own === "symbol") return [];
    return [[four, [...((own as readonly unknown[] | undefined) ?? []), ...found]] as const];
  });
  return changed.length === 0 ? criteria : { ...criteria, ...Object.fromEntries(changed) };
}

const agentSignal = signals.find(({ properties }) => properties.includes("user_agents"))!;

/** The lists of user agents in rules. */
function agentLists(rules: readonly Rule[]): (readonly string[])[] {
  const named = rules
    .flatMap((rule) => criteriaIn(rule))
    .flatMap(({ properties, texts }) => (properties[0] === "user_agents" ? [texts] : []));
  return [...new Map(named.map((list) => [JSON.stringify(list), list])).values()];
}

/** With more lists, only their pairs, and all of them. */
const mostLists = 6;

/**
 * User agents that no rule names, and that contain entries: for each combination of lists, one that contains an entry of these lists and
 * of no other list, if there is one.
 */
function agentsContaining(lists: readonly (readonly string[])[]): string[] {
  const hits = (agent: string) => lists.filter((list) => agentSignal.matches(list, withAgent(agent)) !== "no");
  const within = (agent: string, some: ReadonlySet<readonly string[]>) => hits(agent).every((list) => some.has(list));
  return combinationsOfLists(lists).flatMap((combination) => {
    const some = new Set(combination);
    const entries = combination.map((list) => list.map(plainly).find((entry) => within(entry, some)));
    if (entries.some((entry) => entry === undefined)) return [];
    const agents = endings.map((ending) => `${entries.join(" ")}${ending}`);
    return agents.find((agent) => within(agent, some) && !lists.some((list) => list.includes(agent))) ?? [];
  });
}

const withAgent = (agent: string): AccessRequest => ({ api: "management", user_agent: agent });

/** Stands for any text. */
const plainly = (entry: string) => entry.replaceAll("*", "");

const endings = [" (compatible)", " 1.0", "~", "/"];

function combinationsOfLists<List>(lists: readonly List[]): List[][] {
  if (lists.length <= mostLists) {
    return lists.reduce<List[][]>((found, list) => [...found, ...found.map((one) => [...one, list])], [[]]).slice(1);
  }
  const pairs = lists.flatMap((one, index) =>
    lists.slice(index).map((other) => (one === other ? [one] : [one, other])),
  );
  return [...pairs, [...lists]];
}

function withAgents(criteria: Criteria, agents: readonly string[]): Criteria {
  const own: unknown = criteria["user_agents"];
  if (!Array.isArray(own)) return criteria;
  const { texts } = entriesOf("user_agents", own);
  const more = agents.filter(
    (agent) => !texts.includes(agent) && agentSignal.matches(texts, withAgent(agent)) === "perhaps",
  );
  return more.length === 0 ? criteria : { ...criteria, user_agents: [...own, ...more] };
}
