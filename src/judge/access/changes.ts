/**
 * Finds exactly the requests to which a change of network ACLs does something else, and describes them: for which APIs, from where, with
 * which facts, and except which others. Each description is the difference of the two versions, not a rule.
 */
import { rangeTexts, addressIn, areasOf, extentOf, firstIn, type Area, type Extent } from "./sets/extent";
import { boxesOf, describe, plainPoint, regionAt, regionOf, type Case, type Description } from "./sets/cover";
import { has, indexesIn, type Bits } from "./sets/way";
import { createWorld, type World } from "./sets/reach";
import { alone, Steps, type Piece, type Point } from "./sets/search";
import { doubtedIn, endingIn, isSome, overlap, pairsOf, versionOf, type Ends, type Version } from "./sets/ends";
import type { Range } from "./cidr";
import { sameResult, type Acl, type Outcome } from "./decide";
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
  /** Only the requests of the extent that have no named fact were compared, so there may be more exceptions. */
  readonly isBound?: true;
  readonly ends: readonly Ends<A>[];
  /** The countries of which some requests without named facts are allowed after the change. */
  readonly allowed: readonly string[];
  /** One for each of the first ends. */
  readonly examples: readonly WholeRequest[];
}

export interface Changes<A extends Acl> {
  readonly changed: readonly Changed<A>[];
  /** The APIs for which the ACLs overlap so much that there may be more changes. */
  readonly undecided: readonly Api[];
}

const mostExamples = 3;

/** Ten ACLs of twenty entries in one to three signals take some hundred thousand steps. These take one to three seconds. */
const mostSteps = 2_000_000;

/** In the order in which people read them. */
const everyApi: readonly Api[] = ["authentication", "management", "dynamic_client_registration"];

type Versions<A extends Acl> = readonly [before: Version<A>, after: Version<A>];

/** What changes in one way. */
interface Job<A extends Acl> {
  readonly apis: readonly Api[];
  readonly versions: Versions<A>;
  readonly key: string;
  readonly groups: readonly Group<A>[];
}

/** The requests with one pair of ends. */
interface Group<A extends Acl> {
  readonly ends: Ends<A>;
  readonly parts: readonly Piece[];
}

/** `keyOf`: what changes for requests with these ends. Undefined: nothing. */
export function changesOf<A extends Acl>(
  { before, after }: { readonly before: readonly A[]; readonly after: readonly A[] },
  keyOf: (ends: Ends<A>) => string | undefined,
  { withLogs = false, steps = mostSteps } = {},
): Changes<A> {
  const active = [...before, ...after].filter((acl) => acl.active);
  const world = createWorld(active.map(({ rule }) => rule));
  const jobs = alike(
    everyApi,
    (api) => [before, after].map((acls) => versionOf(acls, api, world, withLogs)) as unknown as Versions<A>,
  ).flatMap(({ apis, versions }) => jobsOf(apis, versions, keyOf));
  const undecided = new Set<Api>();
  const budget = new Steps(steps);
  const found = jobs.flatMap((job, index) => {
    const { isComplete, changes } = budget.shared(jobs.length - index, (own) => changesIn(job, world, own));
    if (!isComplete) for (const api of job.apis) undecided.add(api);
    return changes;
  });
  return { changed: joined(found), undecided: [...undecided] };
}

/** APIs that the same ACLs concern in the same way. */
function alike<A extends Acl>(apis: readonly Api[], versionsAt: (api: Api) => Versions<A>) {
  const numbers = new Map<A, number>();
  const numberOf = (acl: A) => {
    if (!numbers.has(acl)) numbers.set(acl, numbers.size);
    return numbers.get(acl);
  };
  const groups = new Map<string, { readonly apis: Api[]; readonly versions: Versions<A> }>();
  for (const api of apis) {
    const versions = versionsAt(api);
    const key = JSON.stringify(
      versions.map(({ entries }) =>
        entries.map(({ acl, matches }) => [numberOf(acl), matches.map(({ given }) => given.size)]),
      ),
    );
    const known = groups.get(key);
    if (known) known.apis.push(api);
    else groups.set(key, { apis: [api], versions });
  }
  return [...groups.values()];
}

function jobsOf<A extends Acl>(
  apis: readonly Api[],
  versions: Versions<A>,
  keyOf: (ends: Ends<A>) => string | undefined,
): Job<A>[] {
  const keys = new Map<string, Map<string, { readonly ends: Ends<A>; readonly parts: Piece[] }>>();
  for (const { ends, ...part } of pairsOf(versions, (one) => keyOf(one) !== undefined)) {
    const key = keyOf(ends)!;
    const own = keys.get(key) ?? new Map<string, { readonly ends: Ends<A>; readonly parts: Piece[] }>();
    keys.set(key, own);
    const name = endsKey(ends);
    const group = own.get(name) ?? { ends, parts: [] };
    own.set(name, group);
    group.parts.push(part);
  }
  return [...keys].map(([key, groups]) => ({ apis, versions, key, groups: [...groups.values()] }));
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

function changesIn<A extends Acl>(job: Job<A>, world: World, steps: Steps) {
  const { apis, versions, key } = job;
  const groups = job.groups.flatMap(({ ends, parts }) => {
    const own = parts.filter((part) => isSome([part], world, steps));
    return own.length > 0 ? [{ ends, parts: own }] : [];
  });
  if (groups.length === 0) return { isComplete: true, changes: [] };
  const set = describe(
    groups.flatMap(({ parts }) => parts),
    world,
    steps,
  );
  const open = endingIn(versions[1], ({ outcome }) => outcome === "allowed");
  const { countries: allowed } = extentOf(regionAt(open, plainPoint(world), world), world);
  const about = { key, apis, allowed };
  const plain = new Map(world.fields.map((_, field) => [field, 1n]));
  const changes = [
    ...extentPart(set, world).map((part) => ({
      ...about,
      ...part,
      ...(!set.isComplete && { isBound: true as const }),
      ...endsIn(groups, [{ cube: plain, region: set.plain }], versions, apis[0]!, world, steps),
    })),
    ...caseParts(set, world).map(({ own, ...part }) => ({
      ...about,
      ...part,
      ...directPart(own, world),
      ...endsIn(groups, own, versions, apis[0]!, world, steps),
    })),
  ];
  return { isComplete: set.isComplete, changes };
}

/** The ends of the requests of some cases, and examples. */
function endsIn<A extends Acl>(
  groups: readonly Group<A>[],
  cases: readonly Pick<Case, "cube" | "region">[],
  versions: Versions<A>,
  api: Api,
  world: World,
  steps: Steps,
) {
  const boxes = cases.flatMap(({ cube, region }) => boxesOf(cube, region, world));
  const ends = groups.flatMap(({ ends: one, parts }) => {
    const own = parts.filter((part) => boxes.some((box) => isSome([part, alone(box)], world, steps)));
    if (own.length === 0 || one.isCertain) return own.length === 0 ? [] : [one];
    const places = own.flatMap((part) => boxes.flatMap((box) => overlap([part, alone(box)]) ?? []));
    return [{ ...one, doubted: [...new Set([...doubtedIn(places, one, versions, world, steps), ...one.doubted])] }];
  });
  const examples = cases.flatMap(({ cube, region }) => {
    const point = world.fields.map((_, field) => indexesIn(cube.get(field) ?? 1n)[0]!);
    return groups.flatMap(({ parts }) => {
      const own = regionAt(parts, point, world) & region;
      return own === 0n ? [] : requestAt(firstIn(own, world), point, api, world);
    });
  });
  return { ends, examples: examples.slice(0, mostExamples) };
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

export function requestAt(
  { country, ip }: { readonly country: number; readonly ip: number },
  point: Point,
  api: Api,
  world: World,
): WholeRequest {
  const address = addressIn(world, world.ip, ip);
  const facts: Record<string, unknown> = { managed: [], ip: address, connecting_ip: address };
  world.fields.forEach(({ fact, classes }, field) => {
    const at = field === world.country ? country : point[field]!;
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
function joined<A extends Acl>(found: readonly Changed<A>[]): Changed<A>[] {
  const groups = new Map<string, Changed<A>[]>();
  for (const one of found) {
    const { key, extent, cases, exceptions, isBound, allowed } = one;
    const text = JSON.stringify([key, extent?.areas, cases, exceptions, isBound, extent && allowed]);
    groups.set(text, [...(groups.get(text) ?? []), one]);
  }
  return [...groups.values()].map((own) => {
    const ends = new Map(own.flatMap((one) => one.ends).map((one) => [endsKey(one), one]));
    const apis = everyApi.filter((api) => own.some((one) => one.apis.includes(api)));
    const examples = own
      .flatMap((one) => one.apis.flatMap((api) => one.examples.map((given) => ({ ...given, api, path: pathTo(api) }))))
      .slice(0, mostExamples);
    return { ...own[0]!, apis, ends: [...ends.values()], examples };
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
