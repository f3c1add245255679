/**
 * Finds exactly the requests to which a change of network ACLs does something else, and describes them: for which APIs, from where, with
 * which facts, and except which others. Each description is the difference of the two versions, not a rule.
 */
import { sameResult, type Outcome } from "./action";
import { rangeTexts, addressIn, areasOf, extentOf, firstIn, type Area, type Extent } from "./sets/extent";
import { describe, plainRegion, type Case, type Cube, type Description } from "./sets/cover";
import { has, ifDecided, indexesIn, type Bits } from "./sets/field";
import { createWorld, type World } from "./sets/reach";
import type { Ends } from "./sets/ends";
import { regionOf, walk, type Leaf, type Node, type Walk } from "./sets/walk";
import type { Range } from "./addresses";
import type { Acl } from "./decide";
import type { FactName } from "./facts";
import { pathTo, type Api, type WholeRequest } from "./request";

/** Values of one fact: these, or all others. */
export interface FactValuesOf {
  readonly fact: FactName;
  readonly values: readonly string[];
  /** Every value except these, and none. */
  readonly isOther: boolean;
}

/** The requests that have all these facts and come from one of the areas. */
export interface RequestCase {
  readonly criteria: readonly FactValuesOf[];
  /** Left out: from everywhere; of an exception: from everywhere in the extent. */
  readonly areas?: readonly Area[];
}

/** The requests with a common change: those of the extent without the exceptions, or those of the cases. */
export interface Changed<A extends Acl> {
  /** Changes with the same key do the same to requests. */
  readonly key: string;
  readonly apis: readonly Api[];
  /** Requests that have no fact that a rule names beside country and address. Left out: the change is about the cases. */
  readonly extent?: Extent;
  readonly cases: readonly RequestCase[];
  /** If the cases are about connecting addresses alone: the same requests without a proxy. */
  readonly direct?: Extent;
  readonly exceptions: readonly RequestCase[];
  readonly ends: readonly Ends<A>[];
  /** The countries of which some requests without named facts are allowed after the change. */
  readonly allowed: readonly string[];
  /** One for each of the first ends. */
  readonly examples: readonly WholeRequest[];
}

export interface Changes<A extends Acl> {
  readonly changed: readonly Changed<A>[];
  /** The APIs for which the ACLs overlap too much. */
  readonly undecided: readonly Api[];
}

const mostExamples = 3;

/** In the order in which people read them. */
const everyApi: readonly Api[] = ["authentication", "management", "dynamic_client_registration"];

type Versions<A extends Acl> = { readonly before: readonly A[]; readonly after: readonly A[] };

/** `keyOf`: what changes for requests with these ends. Undefined: nothing. */
export function changesOf<A extends Acl>(
  { before, after }: Versions<A>,
  keyOf: (ends: Ends<A>) => string | undefined,
  { withLogs = false } = {},
): Changes<A> {
  const active = [...before, ...after].filter((acl) => acl.active);
  const world = createWorld(active.map(({ rule }) => rule));
  const found: OfApi<A>[] = [];
  const undecided: Api[] = [];
  for (const api of everyApi) {
    const own = ifDecided(() => changesAt(walk([before, after], api, world, { withLogs }), api, world, keyOf));
    if (own) found.push(...own);
    else undecided.push(api);
  }
  return { changed: joined(found), undecided };
}

/** Whether a change of outcome is possible. */
export const outcomeKey = <A extends Acl>({ before, after, isCertain }: Ends<A>): string | undefined =>
  sameResult(before, after) && before.redirect_uri === after.redirect_uri && !isOpenRedirect(before, after)
    ? undefined
    : JSON.stringify([before.outcome, after.outcome, isCertain] satisfies [Outcome, Outcome, boolean]);

/** The unknown target of a redirect may be another one, unless the rule stays the same. */
const isOpenRedirect = <A extends Acl>(before: Ends<A>["before"], after: Ends<A>["after"]) =>
  before.outcome === "redirected" &&
  before.redirect_uri === undefined &&
  after.redirect_uri === undefined &&
  before.acl?.key !== after.acl?.key;

interface OfApi<A extends Acl> extends Omit<Changed<A>, "apis"> {
  readonly api: Api;
}

function changesAt<A extends Acl>(
  { root, ends }: Walk<A>,
  api: Api,
  world: World,
  keyOf: (ends: Ends<A>) => string | undefined,
): OfApi<A>[] {
  const kinds = new Map<string, Set<number>>();
  ends.forEach((one, index) => {
    const key = keyOf(one);
    if (key !== undefined) kinds.set(key, (kinds.get(key) ?? new Set()).add(index));
  });
  const open = new Set(ends.flatMap(({ after }, kind) => (after.outcome === "allowed" ? kind : [])));
  const allowed = kinds.size === 0 ? [] : extentOf(plainRegion(root, open), world).countries;
  return [...kinds].flatMap(([key, own]) => {
    const set = describe(root, own, world);
    const endsIn = (cases: readonly Pick<Case, "cube" | "region">[]) => {
      const some = new Set(cases.flatMap(({ cube, region }) => kindsIn(root, cube, region, own)));
      const shown = [...some].toSorted((a, b) => a - b);
      const examples = cases.flatMap((one) => exampleOf(root, one, own, api, world)).slice(0, mostExamples);
      return { ends: shown.map((kind) => ends[kind]!), examples };
    };
    return [
      ...extentPart(set, world).map((part) => ({
        key,
        api,
        allowed,
        ...part,
        ...endsIn([{ cube: new Map(), region: set.plain }]),
      })),
      ...caseParts(set, world).map(({ own: cases, ...part }) => {
        return { key, api, allowed, ...part, ...directPart(cases, world), ...endsIn(cases) };
      }),
    ];
  });
}

function extentPart(set: Description, world: World) {
  if (set.plain === 0n) return [];
  const exceptions = joinedCases(set.exceptions.map((one) => caseOf(one, world)));
  return [{ extent: extentOf(set.plain, world), cases: [], exceptions }];
}

/** Cases about the same facts are one change. */
function caseParts(set: Description, world: World) {
  const groups = new Map<string, Case[]>();
  for (const one of set.further) {
    const key = [...new Set([...one.cube.keys()].map((field) => world.fields[field]!.fact))].toSorted().join();
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((own) => ({
    cases: joinedCases(own.map((one) => caseOf(one, world))),
    exceptions: [],
    own,
  }));
}

/** The same requests if their users connect directly. Other facts of requests are not counted. */
function directPart(cases: readonly Case[], world: World): Pick<Changed<Acl>, "direct"> {
  const { connecting } = world;
  if (!connecting || cases.some(({ cube }) => [...cube.keys()].some((field) => field !== connecting.field))) return {};
  const everywhere = world.fields[world.country]!.whole;
  const regions = cases.map(({ cube, region }) => {
    return region & regionOf(world, everywhere, connecting.users(cube.get(connecting.field)!));
  });
  return {
    direct: extentOf(
      regions.reduce((all, one) => all | one, 0n),
      world,
    ),
  };
}

function caseOf({ cube, region, isWhole }: Case, world: World): RequestCase {
  const criteria = [...cube].map(([field, bits]) => valuesOf(field, bits, world));
  return { criteria, ...(!isWhole && { areas: areasOf(region, world) }) };
}

/** The plainest class has all values that no rule names. */
function valuesOf(field: number, bits: Bits, world: World): FactValuesOf {
  const { fact, classes } = world.fields[field]!;
  const of = (isIn: boolean) => classes.filter((_, index) => has(bits, index) === isIn).flat();
  if (field === world.connecting?.field) {
    const [own, others] = [true, false].map((isIn) => rangeTexts(of(isIn) as Range[])) as [string[], string[]];
    return own.length <= others.length
      ? { fact, values: own, isOther: false }
      : { fact, values: others, isOther: true };
  }
  const isOther = has(bits, 0);
  return { fact, values: of(!isOther).flatMap((value) => (value as string | undefined) ?? []), isOther };
}

/** Cases that differ only in the values of their one fact are one case. */
function joinedCases(cases: readonly RequestCase[]): RequestCase[] {
  const found = new Map<string, RequestCase>();
  for (const one of cases) {
    const [criterion, ...others] = one.criteria;
    const isPlain = criterion && others.length === 0 && !criterion.isOther;
    const key = JSON.stringify(isPlain ? [criterion.fact, one.areas] : one);
    const known = found.get(key);
    if (!known || !isPlain) found.set(key, one);
    else {
      const values = [...new Set([...known.criteria[0]!.values, ...criterion.values])];
      found.set(key, { ...known, criteria: [{ ...criterion, values }] });
    }
  }
  return [...found.values()];
}

/** The kinds of ends of the requests in a cube and a region. */
function kindsIn(
  node: Node,
  cube: Cube,
  region: Bits,
  kinds: ReadonlySet<number>,
  seen: Set<Node> = new Set(),
): number[] {
  if (seen.has(node)) return [];
  seen.add(node);
  if (node.kind === "leaf") {
    return [...node.regions].flatMap(([kind, bits]) => (kinds.has(kind) && (bits & region) !== 0n ? kind : []));
  }
  // Without a restriction, a request of the extent has the plainest value.
  const allowed = cube.get(node.field) ?? (cube.size === 0 ? 1n : undefined);
  return node.arms.flatMap((arm) =>
    allowed !== undefined && (arm.classes & allowed) === 0n ? [] : kindsIn(arm.node, cube, region, kinds, seen),
  );
}

/** A request of each kind of ends, with the plainest facts. */
function exampleOf(
  root: Node,
  { cube, region }: Pick<Case, "cube" | "region">,
  kinds: ReadonlySet<number>,
  api: Api,
  world: World,
): WholeRequest[] {
  const chosen = new Map([...cube].map(([field, bits]) => [field, indexesIn(bits)[0]!]));
  const leaf = leafAt(root, chosen);
  return [...leaf.regions].flatMap(([kind, bits]) => {
    const own = bits & region;
    return kinds.has(kind) && own !== 0n ? requestAt(firstIn(own, world), chosen, api, world) : [];
  });
}

function leafAt(node: Node, chosen: ReadonlyMap<number, number>): Leaf {
  if (node.kind === "leaf") return node;
  const arm = node.arms.find(({ classes }) => has(classes, chosen.get(node.field) ?? 0))!;
  return leafAt(arm.node, chosen);
}

export function requestAt(
  { country, ip }: { readonly country: number; readonly ip: number },
  chosen: ReadonlyMap<number, number>,
  api: Api,
  world: World,
): WholeRequest {
  const address = addressIn(world, world.ip, ip);
  const facts: Record<string, unknown> = { managed: [], ip: address, connecting_ip: address };
  world.fields.forEach(({ fact, classes }, field) => {
    const at = field === world.country ? country : (chosen.get(field) ?? 0);
    if (field === world.ip) return;
    if (field === world.connecting?.field) {
      if (at > 0) facts[fact] = addressIn(world, field, at);
      return;
    }
    const values = classes[at] as readonly (string | undefined)[];
    if (values.includes(undefined)) return;
    if (fact === "managed") (facts[fact] as string[]).push(values[0]!);
    else facts[fact] = fact === "asn" ? Number(values[0]) : values[0];
  });
  return { ...facts, api, path: pathTo(api) } as WholeRequest;
}

/** The same change at several APIs is one. */
function joined<A extends Acl>(found: readonly OfApi<A>[]): Changed<A>[] {
  const groups = new Map<string, OfApi<A>[]>();
  for (const one of found) {
    const { key, extent, cases, exceptions, allowed } = one;
    const text = JSON.stringify([key, extent?.areas, cases, exceptions, extent && allowed]);
    groups.set(text, [...(groups.get(text) ?? []), one]);
  }
  return [...groups.values()].map((own) => {
    const { api: _api, ...first } = own[0]!;
    const ends = new Map(own.flatMap((one) => one.ends).map((one) => [endsKey(one), one]));
    const examples = own.flatMap((one) => one.examples).slice(0, mostExamples);
    return { ...first, apis: own.map(({ api }) => api), ends: [...ends.values()], examples };
  });
}

const endsKey = <A extends Acl>({ before, after }: Ends<A>) =>
  JSON.stringify([
    before.acl?.key,
    before.outcome,
    before.redirect_uri,
    after.acl?.key,
    after.outcome,
    after.redirect_uri,
  ]);
