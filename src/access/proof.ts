/**
 * Proves a statement about the outcomes of all requests of a set, or finds a request that contradicts it. Undecided: the answer depends on
 * a value that is not known, or on a comparison that Auth0 does not document.
 */
import type { Outcome, Result } from "./action";
import { requestAt } from "./changes";
import type { Acl } from "./decide";
import { formatBlock, parseBlock, unmapped } from "./cidr";
import { factLists, propertyOf, rowOf, type ListName, type ListOfFacts } from "./fact";
import type { FactName } from "./facts";
import { apis as everyApi, scopeCovers, type AccessRequest, type Api, type WholeRequest } from "./request";
import { criteriaIn, type Criteria, type Rule } from "./rule";
import { firstIn } from "./sets/extent";
import { ifDecided, indexesIn, type Bits } from "./sets/field";
import { doubtsAbout, type End, type Ends } from "./sets/ends";
import { createWorld, type Doubt, type World } from "./sets/reach";
import { walk, type Node, type Walk } from "./sets/walk";
import { possibleBoxes, subtracted, type Box } from "./sets/way";
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

export function prove<A extends Acl>(statement: Statement, acls: readonly A[]): Proof<A> {
  const found = ifDecided(() => {
    const first: Partial<Record<"certain" | "possible", Found<A>>> = {};
    for (const { world, walked, api } of walksOf(statement, [[], acls])) {
      const isBad = walked.ends.map(({ after }) => !isStated(after, statement.outcomes));
      search(walked.root, new Map(), (regions, chosen) => {
        let [bad, good] = [0n, 0n];
        for (const [kind, bits] of regions) {
          if (isBad[kind]) bad |= bits;
          else good |= bits;
        }
        const certain = bad & ~good;
        for (const [name, region] of [
          ["certain", certain],
          ["possible", bad],
        ] as const) {
          if (region === 0n || first[name]) continue;
          const at = firstIn(region, world);
          const cell = 1n << BigInt(at.country * world.fields[world.ip]!.classes.length + at.ip);
          const kind = [...regions].find(([one, bits]) => isBad[one] && (bits & cell) !== 0n)![0];
          first[name] = { request: requestAt(at, chosen, api, world), ends: walked.ends[kind]! };
        }
        return first.certain !== undefined;
      });
    }
    return first;
  });
  if (!found) return { verdict: "undecided", doubts: [] };
  if (found.certain) return { verdict: "broken", counterexample: counterexampleOf(found.certain) };
  if (!found.possible) return { verdict: "held" };
  const { ends } = found.possible;
  const doubts = ends.doubted.flatMap((acl) => doubtsAbout(acl, acls).map((doubt) => ({ ...doubt, acl })));
  return { verdict: "undecided", counterexample: counterexampleOf(found.possible), doubts };
}

/** Whether every request that violates the statement after a change also violates it before. False if that takes too long. */
export function isNoWorse<A extends Acl>(statement: Statement, before: readonly A[], after: readonly A[]): boolean {
  const isGood = (end: End<A>) => isStated(end, statement.outcomes);
  const isWorse = ({ before: was, after: is }: Ends<A>) => isGood(was) && !isGood(is);
  const found = ifDecided(() =>
    walksOf(statement, [before, after]).every(({ walked }) => {
      const worse = new Set(walked.ends.flatMap((ends, kind) => (isWorse(ends) ? kind : [])));
      return !search(walked.root, new Map(), (regions) => [...regions.keys()].some((kind) => worse.has(kind)));
    }),
  );
  return found ?? false;
}

interface Found<A extends Acl> {
  readonly request: WholeRequest;
  readonly ends: Ends<A>;
}

const counterexampleOf = <A extends Acl>({ request, ends: { after } }: Found<A>): Counterexample<A> => {
  const { acl, log: _log, ...end } = after;
  return { request, end, ...(acl && { acl }) };
};

interface WalkAt<A extends Acl> {
  readonly api: Api;
  readonly world: World;
  readonly walked: Walk<A>;
}

/** A walk through the requests of the statement, for each API. */
function walksOf<A extends Acl>(
  { outcomes, requests, except }: Statement,
  versions: readonly [readonly A[], readonly A[]],
): WalkAt<A>[] {
  const wanted = requests.length > 0 ? requests : [{}];
  const rules = versions.flatMap((acls) => acls.filter(({ active }) => active).map(({ rule }) => rule));
  const world = createWorld([...rules, ...[...wanted, ...except].map(ruleOfSet)]);
  const boxes = (sets: readonly RequestLists[], api: Api): Box[] =>
    sets.filter((set) => isAt(set, api)).flatMap((set) => possibleBoxes(world.reach(ruleOfSet(set), api)));
  return everyApi.flatMap((api) => {
    const within = boxes(wanted, api);
    if (within.length === 0) return [];
    const options = { withLogs: outcomes.includes("logged"), within, except: boxes(except, api) };
    return [{ api, world, walked: walk(versions, api, world, options) }];
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

/** The results of a request that statements tell apart. */
const results = (["reached", "redirected", "blocked"] as const).flatMap((outcome) =>
  [false, true].map((isLogged) => ({ outcome, isLogged })),
);

/** A request whose outcome the statement restricts, and the others together do not. "not decided": the search takes too long. */
export function requestNotImplied(
  statement: Statement,
  others: readonly Statement[],
): WholeRequest | "not decided" | undefined {
  const all = [statement, ...others];
  const setsOf = ({ requests }: Statement) => (requests.length > 0 ? requests : [{}]);
  const world = createWorld(all.flatMap((one) => [...setsOf(one), ...one.except]).map(ruleOfSet));
  const boxes = (sets: readonly RequestLists[], api: Api) =>
    sets.filter((set) => isAt(set, api)).flatMap((set) => possibleBoxes(world.reach(ruleOfSet(set), api)));
  const found = ifDecided((): { readonly request?: WholeRequest } => {
    for (const { outcome, isLogged } of results) {
      const admits = ({ outcomes }: Statement) =>
        outcomes.includes(outcome) || (isLogged && outcomes.includes("logged"));
      if (admits(statement)) continue;
      for (const api of everyApi) {
        const restricted = others
          .filter((other) => !admits(other))
          .flatMap((other) => subtracted(boxes(setsOf(other), api), boxes(other.except, api), world.fields));
        const except = [...boxes(statement.except, api), ...restricted];
        const { root } = walk([[], []], api, world, { within: boxes(setsOf(statement), api), except });
        let request: WholeRequest | undefined;
        search(root, new Map(), (regions, chosen) => {
          const [region] = regions.values();
          if (region !== undefined) request = requestAt(firstIn(region, world), chosen, api, world);
          return request !== undefined;
        });
        if (request) return { request };
      }
    }
    return {};
  });
  return found ? found.request : "not decided";
}

/** Visits each leaf once, the plainest requests first, until `isEnough`. `chosen`: one class of each field on the way. */
function search(
  node: Node,
  chosen: ReadonlyMap<number, number>,
  isEnough: (regions: ReadonlyMap<number, Bits>, chosen: ReadonlyMap<number, number>) => boolean,
  seen: Set<Node> = new Set(),
): boolean {
  if (seen.has(node)) return false;
  seen.add(node);
  if (node.kind === "leaf") return isEnough(node.regions, chosen);
  const lowest = ({ classes }: { readonly classes: Bits }) => indexesIn(classes & -classes)[0]!;
  return node.arms
    .toSorted((one, other) => lowest(one) - lowest(other))
    .some((arm) => search(arm.node, new Map([...chosen, [node.field, lowest(arm)]]), isEnough, seen));
}

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

/** No host has these addresses: "this network", multicast, reserved, and IPv6 outside of 2000::/3. */
const noHosts = { ip_cidrs: ["0.0.0.0/8", "224.0.0.0/3", "::/3", "4000::/2", "8000::/1"] };

/** Also true if the search takes too long. */
export function mayBeAllowed(acls: readonly Acl[], request: AccessRequest): boolean {
  const { api } = request;
  if (api === "dynamic_client_registration") return true;
  const requests: RequestLists[] = [{ scopes: [api] }];
  const except: RequestLists[] = api === "authentication" ? [{ scopes: ["dynamic_client_registration"] }] : [];
  if (request.ip === undefined) except.push(noHosts);
  for (const { name, fact, signals } of factLists) {
    const given = fact === "path" ? undefined : request[fact];
    if (given === undefined) continue;
    // A request on several curated lists is on one of them, so the proof is about more requests than these.
    const [value = "", ...others] = [given].flat();
    if (value !== "") requests[0] = { ...requests[0], [name]: [value] };
    if (value !== "" && fact !== "managed") continue;
    const known = new Set<string | number>([value, ...others]);
    const absent = namedBy(acls, signals).filter((text) => !known.has(text));
    if (absent.length > 0) except.push({ [name]: absent });
  }
  const statement: Statement = { outcomes: ["blocked", "redirected"], requests, except };
  return prove(statement, acls).verdict !== "held";
}

const namedBy = (acls: readonly Acl[], signals: readonly string[]): string[] =>
  acls
    .flatMap(({ rule }) => criteriaIn(rule))
    .flatMap(({ properties, texts }) => (signals.includes(properties[0]!) ? texts : []));
