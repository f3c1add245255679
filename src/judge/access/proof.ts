/**
 * Proves a statement about the outcomes of all requests of a set, or finds a request that contradicts it. Undecided: the answer depends on
 * a value that is not known, or on a comparison that Auth0 does not document.
 */
import { requestAt } from "./changes";
import type { Acl, Outcome, Result } from "./decide";
import { formatBlock, parseBlock, unmapped } from "./cidr";
import { factLists, type ListName, type ListOfFacts, propertyOf, rowOf } from "./fact";
import type { FactName } from "./facts";
import { type Api, apis as everyApi, scopeCovers, type WholeRequest } from "./request";
import type { Criteria, Rule } from "./rule";
import { type Box, ifDecided, possibleBoxes } from "./sets/way";
import { createWorld, type Doubt, partial, type World } from "./sets/reach";
import { alone, domainOf, find, isIn, narrowed, type Piece, plainest, type Query, Steps } from "./sets/search";
import {
  doubtedIn,
  doubtsAbout,
  type End,
  type EndedPiece,
  type Ends,
  jointPieces,
  noAcls,
  pairsOf,
  type Version,
  versionOf,
} from "./sets/ends";
import { valueOf } from "./signal";

/** Reached: allowed and not redirected. Logged: an ACL with the action `log` records the request. */
export type StatedOutcome = "blocked" | "reached" | "redirected" | "logged";

/** Every request of `requests`, without those of `except`, has one of the outcomes. */
export interface Statement {
  readonly outcomes: readonly StatedOutcome[];
  /** Together, as a union. Empty: all requests. */
  readonly requests: readonly RequestLists[];
  readonly except: readonly RequestLists[];
}

export interface Counterexample<A extends Acl> {
  readonly request: WholeRequest;
  readonly end: Result;
  /** The ACL that decides. Left out: no ACL matches. */
  readonly acl?: A;
}

/** What is not sure about an ACL. */
export interface AclDoubt<A extends Acl> extends Doubt {
  readonly acl: A;
}

export type Proof<A extends Acl> =
  | { readonly verdict: "held" }
  /** The request has its outcome whatever is not known. */
  | { readonly verdict: "broken"; readonly counterexample: Counterexample<A> }
  /** Left out: the proof takes too long. */
  | {
      readonly verdict: "undecided";
      readonly counterexample?: Counterexample<A>;
      readonly doubts: readonly AclDoubt<A>[];
    };

/** A proof about ten ACLs takes some thousand steps. */
const mostSteps = 1_000_000;

export function prove<A extends Acl>(statement: Statement, acls: readonly A[], most = mostSteps): Proof<A> {
  const steps = new Steps(most);
  const decided = ifDecided((): Proof<A> => {
    let open: Broken<A> | undefined;
    for (const place of placesOf(statement, acls)) {
      const version = versionOf(acls, place.api, place.world, statement.outcomes.includes("logged"));
      const classOf = (end: End<A>) => String(isStated(end, statement.outcomes));
      const isBroken = ({ after }: Ends<A>) => !isStated(after, statement.outcomes);
      const parts = pairsOf<A>([noAcls, version], isBroken, classOf);
      const [certain, possible] = [true, false].map((isCertain) => {
        return parts.filter(({ ends }) => ends.isCertain === isCertain);
      });
      const broken = brokenAt(place, version, certain!, steps);
      if (broken) return { verdict: "broken", counterexample: broken.counterexample };
      open ??= brokenAt(place, version, possible!, steps);
    }
    if (!open) return { verdict: "held" };
    const doubts = open.doubted.flatMap((acl) => doubtsAbout(acl, acls).map((doubt) => ({ ...doubt, acl })));
    return { verdict: "undecided", counterexample: open.counterexample, doubts };
  });
  return decided ?? { verdict: "undecided", doubts: [] };
}

interface Broken<A extends Acl> {
  readonly counterexample: Counterexample<A>;
  readonly doubted: readonly A[];
}

/** Whether no request is one of the statement. False if that takes too long to prove. */
export function isAboutNobody(statement: Statement): boolean {
  const everything: Piece = { box: new Map(), except: [] };
  const steps = new Steps(mostSteps);
  const hasRequests = ({ world, within, outside }: Place) =>
    queriesIn(everything, within, outside, world).some((query) => find(query, steps));
  return ifDecided(() => placesOf(statement, []).some(hasRequests)) === false;
}

/** The plainest request of the parts. */
function brokenAt<A extends Acl>(
  { api, world, within, outside }: Place,
  version: Version<A>,
  parts: readonly EndedPiece<A>[],
  steps: Steps,
): Broken<A> | undefined {
  const point = plainest(
    parts.flatMap((part) => queriesIn(part, within, outside, world)),
    steps,
  );
  if (!point) return undefined;
  const { ends } = parts.find((part) => isIn(point, part))!;
  const { acl, log: _log, ...end } = ends.after;
  const request = requestAt(placeOf(point, world), point, api, world);
  const here = alone(new Map(point.map((index, field) => [field, 1n << BigInt(index)])));
  const doubted = doubtedIn([here], ends, [noAcls, version], world, steps);
  return { counterexample: { request, end, ...(acl && { acl }) }, doubted };
}

const placeOf = (point: readonly number[], { country, ip }: World) => ({ country: point[country]!, ip: point[ip]! });

/** `counterexample`: left out if no request is certainly one. */
export interface Worse<A extends Acl> {
  readonly counterexample?: Counterexample<A> | undefined;
}

/**
 * Whether a change makes requests violate the statement: they did not before, or no ACL decided them then and one does now. A step of an
 * apply may block requests that a later step allows, so only the comparison of before and after counts. Returns undefined if it does not.
 */
export function worsened<A extends Acl>(
  statement: Statement,
  before: readonly A[],
  after: readonly A[],
  isStep: boolean,
): Worse<A> | undefined {
  const isGood = (end: End<A>) => isStated(end, statement.outcomes);
  const decides = ({ before: was, after: is }: Ends<A>) => !isStep && !was.acl && is.acl !== undefined;
  const withLogs = statement.outcomes.includes("logged");
  const steps = new Steps(mostSteps);
  const found = ifDecided((): { readonly worse?: Worse<A> } => {
    for (const place of placesOf(statement, [...before, ...after])) {
      const { api, world, within, outside } = place;
      const versions = [versionOf(before, api, world, withLogs), versionOf(after, api, world, withLogs)] as const;
      const isWorse = (ends: Ends<A>) => !isGood(ends.after) && (isGood(ends.before) || decides(ends));
      const all = [...jointPieces(versions, isWorse)];
      const certain = all.filter(({ isOpen, ends }) => ends.isCertain && !isOpen.includes(true));
      const parts = all.filter((part) => isGood(part.ends.before) || certain.includes(part));
      if (!parts.some((part) => queriesIn(part, within, outside, world).some((query) => find(query, steps)))) continue;
      return { worse: { counterexample: brokenAt(place, versions[1], certain, steps)?.counterexample } };
    }
    return {};
  });
  return found ? found.worse : {};
}

/** The requests of a statement to one API. */
interface Place {
  readonly api: Api;
  readonly world: World;
  readonly within: readonly Box[];
  readonly outside: readonly Piece[];
}

function placesOf({ requests, except }: Statement, acls: readonly Acl[]): Place[] {
  const wanted = requests.length > 0 ? requests : [{}];
  const named = acls.filter(({ active }) => active).map(({ rule }) => rule);
  const world = createWorld([...named, ...[...wanted, ...except].map(ruleOfSet)]);
  return everyApi.flatMap((api) => {
    const within = boxesAt(wanted, api, world);
    const outside = [...boxesAt(except, api, world), ...world.impossible].map(alone);
    return within.length === 0 ? [] : [{ api, world, within, outside }];
  });
}

/** A set names the facts themselves, so nothing is compared loosely. */
const boxesAt = (sets: readonly RequestLists[], api: Api, world: World): Box[] =>
  sets
    .filter((set) => isAt(set, api))
    .flatMap((set) => possibleBoxes(world.reach(ruleOfSet(set), api).filter(({ given }) => !given.has(partial))));

function queriesIn({ box, except }: Piece, within: readonly Box[], outside: readonly Piece[], world: World): Query[] {
  const own = narrowed(domainOf(world), box);
  return within.flatMap((one) => {
    const domain = own && narrowed(own, one);
    return domain ? [{ domain, outside: [...except, ...outside] }] : [];
  });
}

const isAt = ({ scopes }: RequestLists, api: Api): boolean =>
  scopes === undefined || scopes.some((scope) => scopeCovers(String(scope), api) === "yes");

const stated: Readonly<Record<Outcome, StatedOutcome>> = {
  allowed: "reached",
  blocked: "blocked",
  redirected: "redirected",
};

const isStated = <A extends Acl>({ outcome, log }: End<A>, outcomes: readonly StatedOutcome[]): boolean =>
  outcomes.includes(stated[outcome]) || (log !== undefined && outcomes.includes("logged"));

/** All requests with these facts. A list means any of its values; a fact that is left out may have any value. */
export type RequestLists = { readonly [list in ListName]?: readonly (string | number)[] };

const rules = new WeakMap<RequestLists, Rule>();

/** A rule that matches the requests of the set, to all APIs. Its texts have the case of facts. */
function ruleOfSet(set: RequestLists): Rule {
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
