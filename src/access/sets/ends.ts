/**
 * Evaluates ACLs before and after a change for requests that match the same ways of their rules.
 *
 * What is not known is an _assumption_: whether a condition of a way holds, what an unknown action does, which of two ACLs comes first. An
 * assumption is made when it decides, and has the same answer before and after. Each consistent set of answers gives one pair of ends.
 */
import { effectOf, flagOf, type Result } from "../action";
import { inOrder, type Acl } from "../decide";
import type { Rule } from "../rule";
import { nameOf } from "../unknown";
import { Undecided } from "./field";
import { doubtsOf, type Doubt } from "./reach";
import type { Condition } from "./way";

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

/** A priority, or the name of a place that is not known. */
type Place = number | string;

/** One ACL of one version. */
export interface Entry<A extends Acl> {
  readonly acl: A;
  readonly side: 0 | 1;
  readonly place: Place;
  /** Whether no other ACL of the version may have its place. */
  readonly isPlaced: boolean;
  /** Several if the action is not known. */
  readonly results: readonly (Result | "logged")[];
}

/** In order of evaluation. */
export function entriesOf<A extends Acl>(acls: readonly A[], side: 0 | 1): Entry<A>[] {
  const order = inOrder(acls);
  return order.map((acl) => {
    const isKnown = !Number.isNaN(acl.priority);
    return {
      acl,
      side,
      // An ACL that stays the same stays in its place.
      place: isKnown ? acl.priority : nameOf([acl.key, acl.rule]),
      isPlaced: isKnown && !isShared(acl, order),
      results: resultsOf(acl.rule),
    };
  });
}

const isShared = (acl: Acl, all: readonly Acl[]) =>
  all.some((other) => other !== acl && other.priority === acl.priority);

/** An action that is not known may do anything. */
const everything: readonly (Result | "logged")[] = [
  { outcome: "allowed" },
  { outcome: "blocked" },
  { outcome: "redirected" },
  "logged",
];

const resultsOf = ({ action }: Rule): readonly (Result | "logged")[] => {
  const effect = effectOf(action);
  return effect === undefined ? everything : [effect];
};

/** An ACL with the conditions of the ways that the requests match. It matches if one of them holds. */
export type Alive<A extends Acl> = readonly [entry: Entry<A>, conditions: readonly Condition[]];

interface Given<A extends Acl> {
  readonly answers: ReadonlyMap<string, unknown>;
  /** Pairs of which the first is evaluated before the second. */
  readonly order: readonly (readonly [Place, Place])[];
  /** The ACLs with an assumption. */
  readonly doubted: ReadonlySet<A>;
}

/** More steps for one request are not made. */
const mostSteps = 5_000;

/** The possible pairs of ends. */
export function possibleEnds<A extends Acl>(alive: readonly Alive<A>[]): Ends<A>[] {
  const [before, after] = [0, 1].map((side) => alive.filter(([entry]) => entry.side === side));
  const steps = { left: mostSteps };
  const found = new Map<string, Omit<Ends<A>, "isCertain">>();
  const ids = new Map(alive.map(([{ acl }], index) => [acl, index]));
  const idOf = ({ acl, log, outcome, redirect_uri: uri }: End<A>) => [
    acl && ids.get(acl),
    log && ids.get(log),
    outcome,
    uri,
  ];
  for (const first of endsOf(before!, { answers: new Map(), order: [], doubted: new Set() }, steps)) {
    for (const { end, given } of endsOf(after!, first.given, steps)) {
      const key = JSON.stringify([idOf(first.end), idOf(end)]);
      const doubted = new Set([...(found.get(key)?.doubted ?? []), ...given.doubted]);
      found.set(key, { before: first.end, after: end, doubted: [...doubted] });
    }
  }
  const all = [...found.values()];
  const results = new Set(all.map(({ before: was, after: is }) => JSON.stringify([was, is].map(resultOf))));
  return all.map((one) => {
    const open = openTargets(one);
    const isCertain = results.size === 1 && open.length === 0;
    return { ...one, isCertain, doubted: isCertain ? [] : [...new Set([...one.doubted, ...open])] };
  });
}

const resultOf = ({ outcome, redirect_uri: uri, log }: End<Acl>) => [outcome, uri, log !== undefined];

/** The ACLs that redirect to a target that is not known, if the target may change. */
function openTargets<A extends Acl>({ before, after }: Pick<Ends<A>, "before" | "after">): A[] {
  if (before.outcome !== "redirected" || after.outcome !== "redirected") return [];
  if (before.redirect_uri === after.redirect_uri && before.acl?.key === after.acl?.key) return [];
  return [before, after].flatMap(({ acl, redirect_uri: uri }) => (acl && uri === undefined ? acl : []));
}

interface Ended<A extends Acl> {
  readonly end: End<A>;
  readonly given: Given<A>;
}

/** The possible ends of one version. `alive`: in order of evaluation, those of an unknown place first. */
function* endsOf<A extends Acl>(
  alive: readonly Alive<A>[],
  given: Given<A>,
  steps: { left: number },
  log?: A,
): Generator<Ended<A>> {
  if (steps.left-- <= 0) throw new Undecided();
  const without = (one: Alive<A>) => alive.filter((other) => other !== one);
  for (const one of nextOf(alive)) {
    const [{ acl }, conditions] = one;
    const matches = isMet(conditions, given.answers);
    if (matches === true) continue;
    if (matches === false) yield* endsOf(without(one), given, steps, log);
    else for (const answer of [true, false]) yield* endsOf(alive, assuming(given, acl, matches, answer), steps, log);
    return;
  }
  const [first, ...others] = nextOf(alive);
  if (!first) {
    yield { end: { outcome: "allowed", ...(log && { log }) }, given };
    return;
  }
  let next = first;
  for (const other of others) {
    const [one, two] = placesOf(next[0], other[0]);
    if (isBefore(one, two, given.order)) continue;
    if (isBefore(two, one, given.order)) next = other;
    else {
      for (const pair of [[one, two] as const, [two, one] as const]) {
        const doubted = new Set([
          ...given.doubted,
          ...[next, other].flatMap(([{ acl, isPlaced }]) => (isPlaced ? [] : acl)),
        ]);
        yield* endsOf(alive, { ...given, order: [...given.order, pair], doubted }, steps, log);
      }
      return;
    }
  }
  const [{ acl, results }] = next;
  const action = `action ${nameOf(acl.rule.action)}`;
  const known = results.length === 1 ? results[0] : (given.answers.get(action) as Result | "logged" | undefined);
  if (known === undefined) {
    for (const result of results) yield* endsOf(alive, assuming(given, acl, action, result), steps, log);
  } else if (known === "logged") yield* endsOf(without(next), given, steps, log ?? acl);
  else yield { end: { ...known, acl, ...(log && { log }) }, given };
}

/** Those of an unknown place, and the first of the others: several if they have the same priority. */
function nextOf<A extends Acl>(alive: readonly Alive<A>[]): Alive<A>[] {
  const first = alive.find(([{ place }]) => typeof place === "number")?.[0].place;
  return alive.filter(([{ place }]) => typeof place === "string" || place === first);
}

/** Whether one of the conditions holds, or the assumption that decides first. */
function isMet(conditions: readonly Condition[], answers: ReadonlyMap<string, unknown>): boolean | string {
  let open: string | undefined;
  for (const condition of conditions) {
    const rest = [...condition].filter(([name, answer]) => answers.get(name) !== answer);
    if (rest.length === 0) return true;
    if (open === undefined && !rest.some(([name]) => answers.has(name))) open = rest[0]![0];
  }
  return open ?? false;
}

const assuming = <A extends Acl>(
  { answers, order, doubted }: Given<A>,
  acl: A,
  name: string,
  answer: unknown,
): Given<A> => ({
  answers: new Map([...answers, [name, answer]]),
  order,
  doubted: new Set([...doubted, acl]),
});

/** The places of two ACLs. With the same priority, each has a place of its own. */
function placesOf<A extends Acl>(one: Entry<A>, other: Entry<A>): readonly [Place, Place] {
  if (one.place !== other.place) return [one.place, other.place];
  return [`${one.place} ${one.acl.key}`, `${other.place} ${other.acl.key}`];
}

/** Whether the known order and the assumptions put one place before another one. */
function isBefore(one: Place, other: Place, order: Given<Acl>["order"]): boolean {
  const isUpTo = (from: Place, to: Place) =>
    from === to || (typeof from === "number" && typeof to === "number" && from < to);
  if (one !== other && isUpTo(one, other)) return true;
  return order.some(([from, to]) => isUpTo(one, from) && (isUpTo(to, other) || isBefore(to, other, order)));
}

/** Why it is not sure what the ACL does, among the ACLs of its version. */
export const doubtsAbout = (acl: Acl, all: readonly Acl[]): Doubt[] => [
  ...doubtsOf(acl.rule, acl.priority, !Number.isNaN(acl.priority) && isShared(acl, inOrder(all))),
  ...(effectOf(acl.rule.action) === undefined ? [{ path: "action", why: "not known" as const }] : []),
  ...(flagOf(acl.rule.action) === "redirect" && typeof acl.rule.action["redirect_uri"] === "symbol"
    ? [{ path: "action.redirect_uri", why: "not known" as const }]
    : []),
];
