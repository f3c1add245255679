/** Proposes expectations that hold on the tenant today. */
import { criterionRows, rowOf } from "../access/access";
import type { Expectation } from "../impact/statement/statement";
import { stateWith, type TenantObject } from "../impact/state";
import { judgeExpectations } from "../impact/statement/judge";
import { ExpectationError, readExpectation } from "../impact/statement/read";
import type { PlannedAcl } from "../impact/network-acl/acl";
import type { Kind } from "../kinds/kind";
import { wordsOf } from "./naming";
import type { Fields } from "./state";
import type { Values } from "./stack";

/** An expectation in the form of the provider block. */
export interface Proposal extends Values {
  readonly name: string;
}

/** The largest number of each kind, and of entries in a list: people read every proposal before they use it. */
const most = { requests: 3, policies: 1, members: 1, entries: 20 };

/** `contentOf`: all objects of a kind on the tenant; undefined if they were not read. */
export function proposalsFor(contentOf: (kind: Kind) => readonly Fields[] | undefined): Proposal[] {
  const after = stateWith((kind) => contentOf(kind)?.map((values) => ({ values })));
  const { acls = [], policies = [], memberships = [] } = after;
  const contents = (objects: readonly TenantObject[]) => objects.map(({ values }) => values);
  const held = (candidates: readonly Proposal[], count: number) => {
    const readable = candidates.flatMap((proposal) => {
      const expectation = expectationFrom(proposal);
      return expectation ? [{ proposal, expectation }] : [];
    });
    const judged = judgeExpectations(
      readable.map(({ expectation }) => expectation),
      { after },
    );
    const isHeld = (_one: unknown, index: number) => judged[index]!.verdict === "held";
    return readable
      .filter(isHeld)
      .slice(0, count)
      .map(({ proposal }) => proposal);
  };
  return distinct([
    ...held(requestCandidates(acls), most.requests),
    ...held(contents(policies).flatMap(policyCandidate).toSorted(defaultLast), most.policies),
    ...held(contents(memberships).flatMap(memberCandidate).toSorted(byMembers), most.members),
  ]);
}

/** undefined: the provider would refuse it, because the tenant has a value that is no fact. */
function expectationFrom(proposal: Proposal): Expectation | undefined {
  try {
    return readExpectation(proposal, "proposal");
  } catch (error) {
    if (error instanceof ExpectationError) return undefined;
    throw error;
  }
}

/** The promise of each ACL: every request that it matches has its outcome. The most useful first. */
function requestCandidates(acls: readonly PlannedAcl[]): Proposal[] {
  const ranked = acls.filter(({ active }) => active).flatMap(requestCandidate);
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ proposal }) => proposal);
}

function requestCandidate({ rule, description, priority }: PlannedAcl): { proposal: Proposal; rank: number }[] {
  const outcome = rule.action["block"] === true ? "blocked" : rule.action["allow"] === true ? "reached" : undefined;
  const [match, excluded] = [factsOf(rule.match), factsOf(rule.not_match)];
  // The service does not document the meaning of several excluded signals.
  if (!outcome || !match || !excluded || Object.keys(excluded).length > 1) return [];
  const request = { ...scopesOf(rule.scope), ...match };
  const isExcept = Object.keys(excluded).length > 0;
  if (Object.keys(match).length === 0 && !isExcept) return [];
  const words = wordsOf(description).join(" ").toLowerCase();
  const name = words === "" ? `network ACL with priority ${priority}` : words;
  const some = Object.keys(request).length > 0;
  return [
    {
      proposal: { name, outcome, ...(some && { request }), ...(isExcept && { except: excluded }) },
      rank: rankOf(outcome, rule.scope, match, isExcept),
    },
  ];
}

type Lists = { readonly [fact: string]: readonly (string | number)[] };

function rankOf(outcome: "blocked" | "reached", scope: string, match: Lists, isExcept: boolean): number {
  const isManagement = scope === "management" || scope === "tenant";
  if (outcome === "reached") return isManagement && match["ip_cidrs"] ? 0 : 3;
  return (match["countries"] ?? match["managed"]) ? 1 : isExcept ? 2 : 4;
}

const scopesOf = (scope: string): Lists => (scope === "tenant" ? {} : { scopes: [String(scope)] });

/** Property of a rule -> fact of a request. Others, such as user agents with `*`, have no equal among the facts. */
const factOf = new Map<string, string>(
  criterionRows.flatMap(({ property, fact }) =>
    property === "user_agents" ? [] : [[property, rowOf(fact).list.name]],
  ),
);

/** undefined: the criteria have no equal among the facts, or too many entries. */
function factsOf(criteria: object = {}): Lists | undefined {
  const facts: { [fact: string]: (string | number)[] } = {};
  for (const [property, entries] of Object.entries(criteria) as [string, unknown][]) {
    const fact = factOf.get(property);
    if (fact === undefined || !Array.isArray(entries)) return undefined;
    facts[fact] = [...(facts[fact] ?? []), ...(entries as (string | number)[])];
    if (facts[fact].length > most.entries) return undefined;
  }
  return facts;
}

/** For a group of callers. The policy of one client is a detail. */
function policyCandidate({ consumer_selector: selector, configuration }: Fields): Proposal[] {
  const { action, limit } = configuration as { readonly action?: unknown; readonly limit?: unknown };
  if (action !== "block" || typeof limit !== "number" || typeof selector !== "string" || selector.includes(":"))
    return [];
  return [{ name: `limit of ${wordsOf(selector).join(" ")}`, policy: { consumer: selector, at_most: limit } }];
}

function defaultLast(one: Proposal, other: Proposal): number {
  const isDefault = ({ policy }: Proposal) => Number((policy as Values)["consumer"] === "default");
  return isDefault(one) - isDefault(other);
}

/** Half of the members must stay. */
function memberCandidate({ organization_id: id, members }: Fields): Proposal[] {
  if (typeof id !== "string" || !Array.isArray(members) || members.length < 2) return [];
  return [{ name: `members of ${id}`, members: { organization_id: id, at_least: Math.ceil(members.length / 2) } }];
}

function byMembers(one: Proposal, other: Proposal): number {
  const count = ({ members }: Proposal) => Number((members as Values)["at_least"]);
  return count(other) - count(one);
}

/** The provider refuses two expectations with one name. */
function distinct(proposals: readonly Proposal[]): Proposal[] {
  const used = new Set<string>();
  return proposals.map((proposal) => {
    let { name } = proposal;
    for (let number = 2; used.has(name); number++) name = `${proposal.name} ${number}`;
    used.add(name);
    return { ...proposal, name };
  });
}
