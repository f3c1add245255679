/** Describes all states that the tenant may have while several network ACLs change one after another. */
import { effectOf } from "./action";
import type { Assumptions } from "./assumptions";
import { placeOf, type Acl } from "./decide";
import type { Ternary } from "./ternary";

/** The ACLs of a group that the tenant has together at one moment. */
export interface Stage<A extends Acl> {
  readonly acls: readonly A[];
}

/** The change of all ACLs of a tenant, write by write. */
export interface Transition<A extends Acl, S extends Stage<A> = Stage<A>> {
  readonly before: readonly A[];
  readonly after: readonly A[];
  readonly unchanged: readonly A[];
  /** The stages of each group. Each stage of one group can occur together with each stage of any other group. */
  readonly groups: readonly (readonly S[])[];
}

/** Whether a request is allowed for a moment that is denied before and after, or the other way round. */
export type Direction = "opens" | "closes";

/** A stage of a group, and the ACLs in it that give requests the opposite outcome before the decider. */
export interface Choice<A extends Acl, S extends Stage<A>> {
  readonly stage: S;
  readonly rivals: readonly A[];
}

/** A way in which a request can get the outcome of the direction for a moment. */
export interface Way<A extends Acl, S extends Stage<A>> {
  /** The ACL that decides. Left out: no ACL matches. */
  readonly acl?: A;
  /** The ACLs that must not match. */
  readonly rivals: readonly A[];
  /** For each group, the rivals of one choice must not match. A choice with more rivals than another one is left out. */
  readonly groups: readonly (readonly Choice<A, S>[])[];
}

/** Whether an active ACL can give a request the outcome of the direction, or the opposite one. */
function sidesOf(acl: Acl, direction: Direction, assumptions?: Assumptions): readonly ("for" | "against")[] {
  if (!acl.active) return [];
  const effect = effectOf(acl.rule.action, assumptions);
  if (effect === "logged") return [];
  if (effect === undefined) return assumptions ? [direction === "closes" ? "for" : "against"] : ["for", "against"];
  return [(effect.outcome === "allowed") === (direction === "opens") ? "for" : "against"];
}

/** All ways under assumptions, or under any. */
export function waysOf<A extends Acl, S extends Stage<A>>(
  { unchanged, groups }: Transition<A, S>,
  direction: Direction,
  assumptions?: Assumptions,
): Way<A, S>[] {
  const traits = traitsOf<A>(direction, assumptions);
  const rivalsOf = (acls: readonly A[], place: number, decider?: A) =>
    acls.filter((acl) => acl !== decider && traits(acl).isAgainst && traits(acl).place < place);
  const choicesOf = (stages: readonly S[], place: number, decider?: A) =>
    leastChoices(
      stages.map((stage) => ({ stage, rivals: rivalsOf(stage.acls, place, decider) })),
      (acl) => traits(acl).criteria,
    );
  const waysFor = (acl: A | undefined, own?: readonly S[]): Way<A, S>[] => {
    const place = acl ? traits(acl).place : Infinity;
    const rivals = rivalsOf(unchanged, place, acl);
    const choices = groups.map((group) => (group === own ? [] : choicesOf(group, place)));
    const has = own?.filter(({ acls }) => acls.includes(acl!)) ?? [];
    const ways = own
      ? choicesOf(has, place, acl).map((choice) => choices.with(groups.indexOf(own), [choice]))
      : [choices];
    return ways.map((found) => ({ ...(acl && { acl }), rivals, groups: found }));
  };
  const decides = (acl: A) => traits(acl).isFor;
  return [
    ...unchanged.filter(decides).flatMap((acl) => waysFor(acl)),
    ...groups.flatMap((group) => {
      const own = new Set(group.flatMap(({ acls }) => acls));
      return [...own].filter(decides).flatMap((acl) => waysFor(acl, group));
    }),
    ...(direction === "opens" ? waysFor(undefined) : []),
  ];
}

interface Traits {
  readonly place: number;
  readonly isFor: boolean;
  readonly isAgainst: boolean;
  /** Equal for rules that match the same requests. */
  readonly criteria: string;
}

function traitsOf<A extends Acl>(direction: Direction, assumptions?: Assumptions): (acl: A) => Traits {
  const known = new Map<A, Traits>();
  const read = (acl: A): Traits => {
    const { action: _action, ...rule } = acl.rule;
    const found = sidesOf(acl, direction, assumptions);
    return {
      place: placeOf(acl, assumptions),
      isFor: found.includes("for"),
      isAgainst: found.includes("against"),
      criteria: JSON.stringify(rule, (_, part: unknown) => (typeof part === "symbol" ? [part.toString()] : part)),
    };
  };
  return (acl) => {
    const traits = known.get(acl) ?? read(acl);
    known.set(acl, traits);
    return traits;
  };
}

/** Leaves out choices whose rivals match every request that the rivals of another choice match. */
function leastChoices<A extends Acl, S extends Stage<A>>(
  choices: readonly Choice<A, S>[],
  criteriaOf: (acl: A) => string,
): Choice<A, S>[] {
  const distinct = new Map<string, { readonly choice: Choice<A, S>; readonly criteria: ReadonlySet<string> }>();
  for (const choice of choices) {
    const byCriteria = new Map(choice.rivals.map((acl) => [criteriaOf(acl), acl]));
    if (byCriteria.size === 0) return [choice];
    const key = [...byCriteria.keys()].toSorted().join("\n");
    const rivals = [...byCriteria.values()];
    if (!distinct.has(key)) distinct.set(key, { choice: { ...choice, rivals }, criteria: new Set(byCriteria.keys()) });
  }
  const least: { readonly choice: Choice<A, S>; readonly criteria: ReadonlySet<string> }[] = [];
  for (const one of [...distinct.values()].toSorted((a, b) => a.criteria.size - b.criteria.size)) {
    if (!least.some((other) => [...other.criteria].every((each) => one.criteria.has(each)))) least.push(one);
  }
  return least.map(({ choice }) => choice);
}

/** A state with the outcome: a stage for each group, in the order of the groups. */
export interface Moment<A extends Acl, S extends Stage<A>> {
  /** The ACL that decides. Left out: no ACL matches. */
  readonly acl?: A;
  readonly stages: readonly S[];
}

/**
 * Finds a state in which a request certainly or possibly has the outcome of the direction. `matches`: whether an ACL matches the
 * request.
 */
export function momentOf<A extends Acl, S extends Stage<A>>(
  transition: Transition<A, S>,
  direction: Direction,
  matches: (acl: A) => Ternary,
  certainty: "certain" | "possible" = "certain",
): Moment<A, S> | undefined {
  const isCertain = certainty === "certain";
  const isFree = (rivals: readonly A[]) =>
    rivals.every((rival) => (isCertain ? matches(rival) === "no" : matches(rival) !== "yes"));
  const decides = (acl: A) =>
    isCertain ? matches(acl) === "yes" && sidesOf(acl, direction).length === 1 : matches(acl) !== "no";
  for (const { acl, rivals, groups } of waysOf(transition, direction)) {
    if ((acl && !decides(acl)) || !isFree(rivals)) continue;
    const stages = groups.map((choices) => choices.find((choice) => isFree(choice.rivals))?.stage);
    if (stages.every((stage) => stage !== undefined)) return { ...(acl && { acl }), stages };
  }
  return undefined;
}
