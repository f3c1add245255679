/** Finds the smallest change of the network ACLs that makes a broken expectation hold. */
import {
  createProver,
  criteriaOfSet,
  flagOf,
  matches,
  scopeOfSet,
  type Counterexample,
  type Criteria,
  type Prover,
  type RequestLists,
  type Statement,
} from "../../access/access";
import type { PlannedAcl } from "../network-acl/acl";
import { aclName, aclWords } from "./words";

/** A broken statement. */
export interface Breach {
  readonly statement: Statement;
  readonly counterexample: Counterexample<PlannedAcl>;
}

interface Candidate {
  readonly words: string;
  readonly acls: readonly PlannedAcl[];
}

/** Proofs are the cost of a remedy, so there are at most so many for all of them. */
const mostProofs = 120;
const mostBreaches = 5;

/**
 * One remedy for each breach, as a sentence, if one is found. With it, the statement holds, and every statement of `held` still holds.
 */
export function remediesFor(
  breaches: readonly Breach[],
  held: readonly Statement[],
  acls: readonly PlannedAcl[],
): ReadonlyMap<Statement, string> {
  const found = new Map<Statement, string>();
  const chosen = breaches.slice(0, mostBreaches).map((breach) => ({ breach, candidates: candidatesFor(breach, acls) }));
  const versions = chosen.flatMap(({ candidates }) => candidates.map((candidate) => candidate.acls));
  if (versions.length === 0) return found;
  const prover = createProver(versions, [...chosen.map(({ breach }) => breach.statement), ...held]);
  let left = mostProofs;
  const isKept = (statement: Statement, version: readonly PlannedAcl[]) =>
    left-- > 0 && isHeld(prover, statement, version);
  for (const { breach, candidates } of chosen) {
    const works = candidates.find(
      (candidate) =>
        isKept(breach.statement, candidate.acls) && held.every((statement) => isKept(statement, candidate.acls)),
    );
    if (works) found.set(breach.statement, works.words);
  }
  return found;
}

const isHeld = (prover: Prover<PlannedAcl>, statement: Statement, acls: readonly PlannedAcl[]) =>
  prover.prove(statement, acls).verdict === "held";

/** The smallest changes first: one attribute of one ACL, then an exception, then a new ACL. */
function candidatesFor(breach: Breach, acls: readonly PlannedAcl[]): Candidate[] {
  if (acls.some(({ secret, priority }) => secret.has("priority") || Number.isNaN(priority))) return [];
  return [
    ...moves(breach, acls),
    ...activations(breach, acls),
    ...exceptions(breach, acls),
    ...extensions(breach, acls),
    ...additions(breach, acls),
    ...removals(breach, acls),
  ];
}

/** The actions that lead to a stated outcome. The target of a redirect is not known. */
function actionsFor({ outcomes }: Statement): string[] {
  return [
    ...(outcomes.includes("blocked") ? ["block"] : []),
    ...(outcomes.includes("reached") ? ["allow"] : []),
    ...(outcomes.includes("logged") ? ["log"] : []),
  ];
}

const documented: ReadonlyMap<string, string> = new Map();

/** The changeable ACLs that would lead the counterexample to a stated outcome. */
function rivals({ statement, counterexample }: Breach, acls: readonly PlannedAcl[]): PlannedAcl[] {
  const actions = [...actionsFor(statement), ...(statement.outcomes.includes("redirected") ? ["redirect"] : [])];
  return acls.filter(
    (acl) =>
      isChangeable(acl, acls) &&
      !allowsEveryone(acl) &&
      actions.includes(flagOf(acl.rule.action) ?? "") &&
      matches(acl.rule, counterexample.request, documented).matches === "yes",
  );
}

/** Whether Terraform manages the ACL. A provider knows no addresses, so all of its ACLs may be managed. */
const isChangeable = ({ address }: PlannedAcl, acls: readonly PlannedAcl[]) =>
  address !== undefined || acls.every((acl) => acl.address === undefined);

const replaced = (acls: readonly PlannedAcl[], old: PlannedAcl, now: PlannedAcl) =>
  acls.map((acl) => (acl === old ? now : acl));

/** An ACL that would lead to a stated outcome comes before the one that decides now. */
function moves(breach: Breach, acls: readonly PlannedAcl[]): Candidate[] {
  const { acl: decider } = breach.counterexample;
  if (!decider) return [];
  const later = rivals(breach, acls).filter(({ active, priority }) => active && priority >= decider.priority);
  return later
    .slice(0, 2)
    .flatMap((rival) => [
      ...moved(rival, freeBefore(decider.priority, acls), acls),
      ...(isChangeable(decider, acls) ? moved(decider, freeAfter(rival.priority, acls), acls) : []),
    ]);
}

function moved(acl: PlannedAcl, priority: number | undefined, acls: readonly PlannedAcl[]): Candidate[] {
  if (priority === undefined) return [];
  const words = `Change the priority of ${aclName(acl)} from ${acl.priority} to ${priority}.`;
  return [{ words, acls: replaced(acls, acl, { ...acl, priority }) }];
}

function activations(breach: Breach, acls: readonly PlannedAcl[]): Candidate[] {
  const inactive = rivals(breach, acls).filter(({ active }) => !active);
  return inactive.slice(0, 2).map((acl) => ({
    words: `Set active = true for ${aclWords(acl)}.`,
    acls: replaced(acls, acl, { ...acl, active: true }),
  }));
}

/** The ACL that decides leaves out the requests of the statement, if one fact describes them. */
function exceptions({ statement, counterexample }: Breach, acls: readonly PlannedAcl[]): Candidate[] {
  const { acl: decider } = counterexample;
  const wanted = soleFact(statement);
  if (!wanted || !decider || !isChangeable(decider, acls) || decider.rule.match_all) return [];
  const { name, entries } = wanted;
  const old = decider.rule.not_match ?? {};
  const own: unknown = typeof old === "object" ? (old[name] ?? []) : undefined;
  if (!Array.isArray(own) || isEverywhere({ [name]: entries })) return [];
  const list = [...new Set([...(own as unknown[]), ...entries])];
  if (list.length > mostEntries) return [];
  const rule = { ...decider.rule, not_match: { ...old, [name]: list } };
  const words = `Add ${listWords("not_match", { [name]: entries })} to ${aclWords(decider)}.`;
  return [{ words, acls: replaced(acls, decider, { ...decider, rule }) }];
}

/** An ACL with a stated outcome matches the requests too, if one fact describes them. */
function extensions({ statement }: Breach, acls: readonly PlannedAcl[]): Candidate[] {
  const wanted = soleFact(statement);
  if (!wanted || isEverywhere({ [wanted.name]: wanted.entries })) return [];
  const { name, entries } = wanted;
  return acls
    .filter((acl) => acl.active && !acl.secret.has(name) && isChangeable(acl, acls))
    .filter(({ rule }) => actionsFor(statement).includes(flagOf(rule.action) ?? ""))
    .flatMap((acl): Candidate[] => {
      const { match = {} } = acl.rule as { readonly match?: Criteria };
      const own: unknown = match[name];
      if (!Array.isArray(own) || Object.keys(match).length > 1) return [];
      const missing = entries.filter((entry) => !own.includes(entry));
      const list = [...(own as unknown[]), ...missing];
      if (missing.length === 0 || list.length > mostEntries) return [];
      const rule = { ...acl.rule, match: { [name]: list } };
      const words = `Add ${listWords("match", { [name]: missing })} to ${aclWords(acl)}.`;
      return [{ words, acls: replaced(acls, acl, { ...acl, rule }) }];
    })
    .slice(0, 2);
}

/** The only fact that the requests of the statement have, with its values. */
function soleFact({ requests }: Statement): { readonly name: string; readonly entries: readonly string[] } | undefined {
  const given = requests.map((set) => criteriaOfSet(set));
  const [name, ...others] = new Set(given.flatMap((criteria) => Object.keys(criteria)));
  if (name === undefined || others.length > 0 || name === signature) return undefined;
  if (given.some((criteria) => criteria[name] === undefined)) return undefined;
  return { name, entries: [...new Set(given.flatMap((criteria) => criteria[name] as string[]))] };
}

/** The ACL that decides goes. The proof is about the removal, but a narrower rule is often meant. */
function removals({ counterexample }: Breach, acls: readonly PlannedAcl[]): Candidate[] {
  const { acl: decider } = counterexample;
  if (!decider || !isChangeable(decider, acls)) return [];
  const words = `Narrow the rule of ${aclWords(decider)} so that it matches no such request, or remove this ACL.`;
  return [{ words, acls: acls.filter((acl) => acl !== decider) }];
}

/** One new ACL for each set of requests. */
function additions({ statement, counterexample }: Breach, acls: readonly PlannedAcl[]): Candidate[] {
  const sets = statement.requests.length > 0 ? statement.requests : [{}];
  const except = exceptOf(statement.except);
  if (sets.length > 2 || !except) return [];
  const { acl: decider } = counterexample;
  const before = decider ? freeBefore(decider.priority, acls) : freeBefore(101, acls);
  const first = freeAfter(0, acls);
  const priorities = [...new Set([before, first])].filter((priority) => priority !== undefined);
  return actionsFor(statement).flatMap((action) =>
    priorities.flatMap((priority) => added(sets, action, priority, except, acls)),
  );
}

function added(
  sets: readonly RequestLists[],
  action: string,
  priority: number,
  except: Criteria,
  acls: readonly PlannedAcl[],
): Candidate[] {
  const made: PlannedAcl[] = [];
  const words: string[] = [];
  for (const set of sets) {
    const own = criteriaOfSet(set);
    const match = Object.keys(own).length > 0 ? own : everywhere;
    const free = made.length === 0 ? priority : freeBefore(priority, [...acls, ...made]);
    if (free === undefined || !isWritable(match) || !isWritable(except)) return [];
    // Such an ACL would switch off every later block.
    if (action === "allow" && isEverywhere(match)) return [];
    const not_match = Object.keys(except).length > 0 ? { not_match: except } : {};
    const scope = scopeOfSet(set);
    made.push({
      active: true,
      priority: free,
      key: `new ACL ${made.length}`,
      description: "",
      secret: new Set(),
      rule: { action: { [action]: true }, scope, match, ...not_match },
    });
    const lists = [
      listWords("match", match),
      ...(Object.keys(except).length > 0 ? [listWords("not_match", except)] : []),
    ];
    words.push(`the action ${action}, the priority ${free}, the scope ${scope}, ${lists.join(" and ")}`);
  }
  return [{ words: `Add an ACL with ${words.join(", and another one with ")}.`, acls: [...acls, ...made] }];
}

const isEverywhere = (match: Criteria) =>
  ["ipv4_cidrs", "ipv6_cidrs"].some((name) => {
    const list: unknown = match[name];
    // The list of an existing ACL, or an entry of it, may be unknown.
    return Array.isArray(list) && list.some((cidr) => typeof cidr === "string" && cidr.endsWith("/0"));
  });

/** Evaluated first, such an ACL would switch off every block. */
const allowsEveryone = ({ rule }: PlannedAcl) =>
  flagOf(rule.action) === "allow" && isEverywhere((rule.match ?? {}) as Criteria);

const everywhere: Criteria = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const signature = "http_message_signature";
/** The service refuses longer lists. */
const mostEntries = 20;

const isWritable = (criteria: Criteria) =>
  Object.entries(criteria).every(([name, list]) => name !== signature && (list as unknown[]).length <= mostEntries);

/** The exceptions as `not_match`, where one signal is enough. Undefined if an exception needs several. */
function exceptOf(sets: readonly RequestLists[]): Criteria | undefined {
  const all = new Map<string, unknown[]>();
  for (const set of sets) {
    const criteria = Object.entries(criteriaOfSet(set));
    const isAddress = criteria.every(([name]) => /^ipv[46]_cidrs$/.test(name));
    if (set.apis !== undefined || criteria.length === 0 || (criteria.length > 1 && !isAddress)) return undefined;
    for (const [name, list] of criteria) {
      if (name === signature) return undefined;
      all.set(name, [...new Set([...(all.get(name) ?? []), ...(list as unknown[])])]);
    }
  }
  return Object.fromEntries(all);
}

/** `match.geo_country_codes = ["KP", "IR"]` */
function listWords(side: string, criteria: Criteria): string {
  return Object.entries(criteria)
    .map(([name, list]) => `${side}.${name} = [${(list as unknown[]).map((one) => literal(name, one)).join(", ")}]`)
    .join(" and ");
}

/** AS numbers are numbers in a configuration. Signals have texts. */
const literal = (name: string, entry: unknown) => (name === "asns" ? String(entry) : JSON.stringify(entry));

const isFree = (priority: number, acls: readonly PlannedAcl[]) => acls.every((acl) => acl.priority !== priority);

function freeBefore(limit: number, acls: readonly PlannedAcl[]): number | undefined {
  for (let priority = limit - 1; priority >= 1; priority--) if (isFree(priority, acls)) return priority;
  return undefined;
}

function freeAfter(limit: number, acls: readonly PlannedAcl[]): number | undefined {
  for (let priority = limit + 1; priority <= 100; priority++) if (isFree(priority, acls)) return priority;
  return undefined;
}
