/**
 * Splits the requests to one API by what happens to them. A _way_ is one end of a request in one version of the ACLs, with the requests
 * that come to it: those of a box, without those that a _rival_ ends first.
 *
 * What is not known is an _assumption_: whether an ACL in doubt matches, what it does then, which of two ACLs comes first. It has the same
 * answer before and after a change, so a request may have several pairs of ends, each under its assumptions. It has one end for certain if
 * no way with another one has the request.
 */
import { type Acl, effectOf, flagOf, inOrder, type Result } from "../decide";
import { partsOf } from "../rule";
import type { Api } from "../request";
import { type Box, ifDecided, type Way } from "./way";
import { canonical, isUnknown } from "../../../formats/cty/value";
import { type Doubt, doubtAbout, doubtsOf, type World } from "./reach";
import { alone, domainOf, find, isPartOf, narrowed, type Piece, type Steps } from "./search";

export interface End<A extends Acl> extends Result {
  /** Left out: no ACL matches. */
  readonly acl?: A;
  /** The first ACL that logs the request. */
  readonly log?: A;
}

export interface Ends<A extends Acl> {
  readonly before: End<A>;
  readonly after: End<A>;
  /** Whether the requests have these results under all assumptions. */
  readonly isCertain: boolean;
  /** The ACLs of which it is not sure what they do to the requests. */
  readonly doubted: readonly A[];
}

type Effect = Result | "logged";

/** The name of an assumption -> its answer. */
type Assumed = ReadonlyMap<string, unknown>;

const nothing: Assumed = new Map();

/** One ACL of one version. */
interface Entry<A extends Acl> {
  readonly acl: A;
  /** A number, or a name if the priority is not known. */
  readonly place: number | string;
  /** What it matches, under assumptions. */
  readonly matches: readonly Way[];
  /** Several if the action is not known. */
  readonly effects: readonly Effect[];
  /** Equal for ACLs that are the same before and after. */
  readonly name: string;
}

/** The active ACLs of one version that concern an API, in order of evaluation. */
export interface Version<A extends Acl> {
  readonly entries: readonly Entry<A>[];
  readonly withLogs: boolean;
}

export const noAcls: Version<never> = { entries: [], withLogs: false };

export function versionOf<A extends Acl>(acls: readonly A[], api: Api, world: World, withLogs = false): Version<A> {
  const entries = inOrder(acls).flatMap((acl): Entry<A>[] => {
    const matches = world.reach(acl.rule, api);
    if (matches.length === 0 || (!withLogs && flagOf(acl.rule.action) === "log")) return [];
    const effect = effectOf(acl.rule.action);
    return [
      {
        acl,
        // An ACL that stays the same stays in its place.
        place: isUnknown(acl.priority) ? canonical([acl.key, acl.rule]) : acl.priority,
        matches,
        effects: effect === undefined ? everything : [effect],
        name: canonical([acl.key, String(acl.priority), acl.rule]),
      },
    ];
  });
  return { entries, withLogs };
}

/** An action that is not known may do anything. */
const everything: readonly Effect[] = [
  { outcome: "allowed" },
  { outcome: "blocked" },
  { outcome: "redirected" },
  "logged",
];

interface Course<A extends Acl> {
  readonly end: End<A>;
  /** The entries that decide and log. */
  readonly own: readonly Entry<A>[];
  readonly box: Box;
  readonly assumed: Assumed;
  /** No assumption lets these requests come to this end. */
  readonly except: readonly Box[];
  /** Those that may end requests first under some assumptions. */
  readonly rivals: readonly Rival[];
}

/** Ends the requests of a box first if it has these answers. */
interface Rival {
  readonly box: Box;
  readonly given: Assumed;
}

function coursesOf<A extends Acl>(version: Version<A>): Course<A>[] {
  const { entries, withLogs } = version;
  const matchesAs = (entry: Entry<A>, effect: Effect) =>
    entry.matches.map(({ box, given }) => ({
      box,
      assumed: entry.effects.length === 1 ? given : new Map([...given, ...actionOf(entry, effect)]),
    }));
  const logs = entries.filter(({ effects }) => withLogs && effects.includes("logged"));
  const deciding = entries.flatMap((by) =>
    by.effects.flatMap((effect) =>
      effect === "logged" ? [] : matchesAs(by, effect).map((one) => ({ ...one, by, end: { ...effect, acl: by.acl } })),
    ),
  );
  const last = { box: new Map(), assumed: nothing, by: undefined, end: { outcome: "allowed" as const } };
  return [...deciding, last].flatMap(({ box, assumed, by, end }) => {
    const withLog = logs.flatMap((log) =>
      matchesAs(log, "logged").flatMap((one) => {
        const order = by === log ? undefined : precedence(log, by);
        const joint = order && together(together(assumed, one.assumed), order);
        const both = joint && common(box, one.box);
        return both ? courseFrom(version, { ...end, log: log.acl }, both, joint, by, log) : [];
      }),
    );
    return [...courseFrom(version, end, box, assumed, by), ...withLog];
  });
}

/** What an action that is not known is assumed to do. */
const actionOf = <A extends Acl>({ acl }: Entry<A>, effect: Effect): [string, unknown][] => {
  const name = canonical(acl.rule.action);
  return [
    [`ends ${name}`, effect !== "logged"],
    ...(effect === "logged" ? [] : [[`action ${name}`, effect.outcome] as [string, string]]),
  ];
};

/** Under which assumption one ACL is evaluated before another one. Undefined: never. */
function precedence<A extends Acl>(one: Entry<A>, other: Entry<A> | undefined): Assumed | undefined {
  if (!other || one === other) return nothing;
  if (typeof one.place === "number" && typeof other.place === "number" && one.place !== other.place)
    return one.place < other.place ? nothing : undefined;
  if (typeof one.place !== typeof other.place) {
    const isNumber = typeof one.place === "number";
    return new Map([[placeName(isNumber ? [other.place, one.place] : [one.place, other.place]), !isNumber]]);
  }
  const isShared = one.place === other.place;
  const names = [one, other].map(({ place, acl }) => (isShared ? `${place} ${acl.key}` : String(place)));
  const [first, second] = names.toSorted();
  return new Map([[`${first} before ${second}`, names[0] === first]]);
}

/** Assumes that an unknown place is before a known one. */
const placeName = (places: readonly (string | number)[]) => `place ${JSON.stringify(places)}`;

/** Also if another answer implies it: what is before 10 is before 20. Undefined: not assumed. */
function answerIn(assumed: Assumed, name: string): unknown {
  if (assumed.has(name) || !name.startsWith("place ")) return assumed.get(name);
  const [unknown, known] = JSON.parse(name.slice("place ".length)) as [string, number];
  for (const [other, isBefore] of assumed) {
    if (!other.startsWith("place ")) continue;
    const [same, number] = JSON.parse(other.slice("place ".length)) as [string, number];
    if (same === unknown && (isBefore ? number <= known : number >= known)) return isBefore;
  }
  return undefined;
}

function courseFrom<A extends Acl>(
  { entries, withLogs }: Version<A>,
  end: End<A>,
  box: Box,
  assumed: Assumed,
  by: Entry<A> | undefined,
  log?: Entry<A>,
): Course<A>[] {
  const own = [by, log].flatMap((entry) => entry ?? []);
  const all = entries.flatMap((entry): Rival[] => {
    if (own.includes(entry)) return [];
    const isOpen = entry.effects.length > 1;
    return [true, false].flatMap((isEnding) => {
      if (isEnding ? entry.effects[0] === "logged" : !withLogs || !entry.effects.includes("logged")) return [];
      const order = precedence(entry, isEnding ? by : (log ?? by));
      const action: Assumed = isOpen ? new Map([[`ends ${canonical(entry.acl.rule.action)}`, isEnding]]) : nothing;
      return entry.matches.flatMap(({ box: other, given }): Rival[] => {
        const joint = order && together(together(given, action), order);
        return joint && overlaps(box, other) ? [{ box: other, given: joint }] : [];
      });
    });
  });
  const except = all.flatMap((one) => (one.given.size === 0 ? one.box : []));
  if (except.some((one) => isPartOf(box, one))) return [];
  return [{ end, own, box, assumed, except, rivals: all.filter(({ given }) => given.size > 0) }];
}

/** Undefined if the assumptions contradict each other. */
function together(some: Assumed | undefined, others: Assumed): Assumed | undefined {
  if (!some || others.size === 0) return some;
  const all = new Map(some);
  for (const [name, answer] of others) {
    const known = answerIn(all, name);
    if (known !== undefined && known !== answer) return undefined;
    all.set(name, answer);
  }
  return all;
}

const overlaps = (some: Box, others: Box): boolean => {
  for (const [field, bits] of others) if (((some.get(field) ?? bits) & bits) === 0n) return false;
  return true;
};

/** Undefined if the boxes have no common request. */
function common(some: Box, others: Box): Box | undefined {
  if (!overlaps(some, others)) return undefined;
  const both = new Map(some);
  for (const [field, bits] of others) both.set(field, (both.get(field) ?? bits) & bits);
  return both;
}

/** Requests that come to an end under the same assumptions. */
interface Joint extends Piece {
  /** For each version, whether its end depends on an assumption. */
  readonly isOpen: readonly boolean[];
}

/** The requests that come to all of these ends (one of each version) under the same assumptions. */
function jointly<A extends Acl>(ways: readonly Course<A>[]): Joint[] {
  let box: Box | undefined = new Map();
  let assumed: Assumed | undefined = nothing;
  for (const way of ways) {
    box = box && common(box, way.box);
    assumed = together(assumed, way.assumed);
  }
  if (!box || !assumed) return [];
  const own = box;
  const fixed = ways.flatMap(({ except }) => except).filter((one) => overlaps(own, one));
  if (fixed.some((one) => isPartOf(own, one))) return [];
  const rivals = ways.map((way) => way.rivals.filter((one) => overlaps(own, one.box)));
  return resolved(rivals, assumed).flatMap(({ except, isOpen }) =>
    except.some((one) => isPartOf(own, one))
      ? []
      : {
          box: own,
          except: [...new Set([...fixed, ...except])].map(alone),
          isOpen: isOpen.map((is, side) => is || ways[side]!.assumed.size > 0),
        },
  );
}

/** More assumptions are not distinguished: what they decide is possible. */
const mostAssumptions = 12;

/** Decides which rivals end requests, and assumes that the others do not. Branches if that contradicts itself. */
function resolved(
  rivals: readonly (readonly Rival[])[],
  assumed: Assumed,
): { readonly except: Box[]; readonly isOpen: readonly boolean[] }[] {
  const open = rivals.map((some) =>
    some.filter(({ given }) =>
      [...given].every(([name, answer]) => [undefined, answer].includes(answerIn(assumed, name))),
    ),
  );
  const isOpen = (name: string) => answerIn(assumed, name) === undefined;
  const undecided = open.map((some) => some.filter(({ given }) => [...given.keys()].some(isOpen)));
  let others = assumed;
  for (const [name, answer] of undecided.flat().flatMap(({ given }) => [...given])) {
    if (!isOpen(name)) continue;
    const next = together(others, new Map([[name, !answer]]));
    if (next) others = next;
    else if (assumed.size < mostAssumptions) {
      return [true, false].flatMap((one) => resolved(rivals, together(assumed, new Map([[name, one]]))!));
    }
  }
  const except = open.flatMap((some, side) => some.flatMap((one) => (undecided[side]!.includes(one) ? [] : one.box)));
  return [
    { except, isOpen: rivals.map((some, side) => some.length > open[side]!.length || undecided[side]!.length > 0) },
  ];
}

/** Ends with the same text are told as one. */
type ClassOf<A extends Acl> = (end: End<A>) => string;

const resultOf = <A extends Acl>({ outcome, redirect_uri: uri, acl, log }: End<A>): string =>
  JSON.stringify([outcome, outcome === "redirected" ? (uri ?? [acl?.key]) : "", log !== undefined]);

/** Some requests of one API, and their ends before and after a change. */
export interface EndedPiece<A extends Acl> extends Piece {
  readonly ends: Ends<A>;
}

type Versions<A extends Acl> = readonly [before: Version<A>, after: Version<A>];

/** The requests by their pairs of ends, as far as a pair may differ. */
export function pairsOf<A extends Acl>(
  versions: Versions<A>,
  isWanted: (ends: Ends<A>) => boolean,
  classOf: ClassOf<A> = resultOf,
): EndedPiece<A>[] {
  const ways = versions.map((version) => coursesOf(version));
  const others = ways.map((some) => {
    const kinds = some.map((way) => ({ kind: classOf(way.end), way }));
    const parts = new Map<Course<A>, Joint[]>();
    return (kind: string) =>
      kinds.flatMap((one) => {
        if (one.kind === kind) return [];
        if (!parts.has(one.way)) parts.set(one.way, jointly([one.way]));
        return parts.get(one.way)!;
      });
  });
  return [...jointPieces(versions, isWanted, ways)].flatMap(({ ends, ...part }): EndedPiece<A>[] => {
    const rest = [ends.before, ends.after].flatMap((end, side) =>
      part.isOpen[side] ? others[side]!(classOf(end)).filter(({ box }) => overlaps(part.box, box)) : [],
    );
    const certain = isWanted(ends) ? [{ ends, box: part.box, except: [...part.except, ...rest] }] : [];
    const uncertain = { ...ends, isCertain: false };
    if (rest.length === 0 || !isWanted(uncertain)) return certain;
    const unlessOther = { box: new Map(), except: rest };
    return [...certain, { ends: uncertain, box: part.box, except: [...part.except, unlessOther] }];
  });
}

/** The requests that possibly have such an end. */
export const endingIn = <A extends Acl>(version: Version<A>, isWanted: (end: End<A>) => boolean): Piece[] =>
  coursesOf(version).flatMap((way) => (isWanted(way.end) ? jointly([way]) : []));

/** The requests by the pairs of ends that they have under some assumptions. */
export function* jointPieces<A extends Acl>(
  versions: Versions<A>,
  isWanted: (ends: Ends<A>) => boolean,
  ways = versions.map((version) => coursesOf(version)),
): Generator<Joint & { readonly ends: Ends<A> }> {
  const isOther = otherOfSame(versions);
  for (const was of ways[0]!) {
    for (const is of ways[1]!) {
      if (isOther(was, is)) continue;
      const ends = endsOf(was.end, is.end);
      if (!isWanted(ends) && !isWanted({ ...ends, isCertain: false })) continue;
      for (const part of jointly([was, is])) yield { ...part, ends };
    }
  }
}

/** Of ACLs that are the same before and after, the same one decides. */
function otherOfSame<A extends Acl>(versions: Versions<A>) {
  const names = versions.map(({ entries }) => new Set(entries.map(({ name }) => name)));
  const isKept = ({ own }: Course<A>, side: 0 | 1) => own.every(({ name }) => names[1 - side]!.has(name));
  return (was: Course<A>, is: Course<A>) =>
    isKept(was, 0) && isKept(is, 1) && !was.own.every(({ name }, at) => name === is.own[at]?.name);
}

/** A redirect to a target that is not known may stay the same. */
function endsOf<A extends Acl>(before: End<A>, after: End<A>): Ends<A> {
  const isRedirect = before.outcome === "redirected" && after.outcome === "redirected";
  const isChanged = isRedirect && (before.redirect_uri !== after.redirect_uri || before.acl?.key !== after.acl?.key);
  const doubted = isChanged
    ? [before, after].flatMap(({ acl, redirect_uri: uri }) => (acl && uri === undefined ? acl : []))
    : [];
  return { before, after, isCertain: doubted.length === 0, doubted };
}

/** The common requests of parts. Undefined: certainly none. */
export function overlap(parts: readonly Piece[]): Piece | undefined {
  let box: Box | undefined = new Map();
  for (const part of parts) box = box && common(box, part.box);
  if (!box) return undefined;
  const own = box;
  const except = new Set(parts.flatMap((part) => part.except).filter((one) => overlaps(own, one.box)));
  if ([...except].some((one) => one.except.length === 0 && isPartOf(own, one.box))) return undefined;
  return { box, except: [...except] };
}

/** The ACLs in doubt that decide for some of these requests. */
export function doubtedIn<A extends Acl>(
  places: readonly Piece[],
  { before, after }: Pick<Ends<A>, "before" | "after">,
  versions: Versions<A>,
  world: World,
  steps: Steps,
): A[] {
  const found = new Map<string, A>();
  versions.forEach(({ entries }, side) => {
    const { acl: last } = [before, after][side]!;
    const by = entries.find(({ acl }) => acl === last);
    for (const entry of entries) {
      if (precedence(entry, by) === undefined || found.has(entry.name)) continue;
      const isDoubted = doubtsIn(entry, entries).some((doubt) =>
        places.some((one) => isSome([one, doubt], world, steps)),
      );
      if (isDoubted) found.set(entry.name, entry.acl);
    }
  });
  return [...found.values()];
}

/** The requests of which it is not sure what the ACL does to them. */
function doubtsIn<A extends Acl>(entry: Entry<A>, all: readonly Entry<A>[]): Piece[] {
  const sure = entry.matches.flatMap(({ box, given }) => (given.size === 0 ? alone(box) : []));
  return entry.matches.flatMap(({ box, given }): Piece[] => {
    if (given.size > 0) return [{ box, except: entry.effects.length > 1 ? [] : sure }];
    if (entry.effects.length > 1) return [alone(box)];
    const rivals = all.filter((other) => other !== entry && (precedence(entry, other)?.size ?? 0) > 0);
    return rivals.flatMap(({ matches }) => matches.flatMap((other) => overlap([alone(box), alone(other.box)]) ?? []));
  });
}

/** Whether a request is in all of the parts. Also true if the search takes too long. */
export function isSome(parts: readonly Piece[], world: World, steps: Steps): boolean {
  const both = overlap(parts);
  if (!both) return false;
  const outside = [...both.except, ...world.impossible.map(alone)];
  return ifDecided(() => find({ domain: narrowed(domainOf(world), both.box)!, outside }, steps) !== undefined) ?? true;
}

const isShared = (acl: Acl, all: readonly Acl[]) =>
  all.some((other) => other !== acl && other.priority === acl.priority);

/** Why it is not sure what the ACL does, among the ACLs of its version. */
export const doubtsAbout = (acl: Acl, all: readonly Acl[]): Doubt[] => [
  ...doubtsOf(acl.rule, acl.priority, typeof acl.priority === "number" && isShared(acl, inOrder(all))),
  ...(effectOf(acl.rule.action) === undefined ? [doubtAbout("action", acl.rule.action)] : []),
  ...(flagOf(acl.rule.action) === "redirect" && isUnknown(partsOf(acl.rule.action)["redirect_uri"])
    ? [{ path: "action.redirect_uri", why: "not known" as const }]
    : []),
];
