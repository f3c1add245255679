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

/** An ACL that gives matching requests the outcome for a moment. Without an ACL: no ACL matches. */
export interface Decider<A extends Acl, S extends Stage<A>> {
  readonly acl?: A;
  readonly place: number;
  /** The group of the ACL, and one of the stages that have the ACL. */
  readonly own?: { readonly group: readonly S[]; readonly stage: S };
}

/** Whether an active ACL can give a request the outcome of the direction, or the opposite one. */
export function sidesOf(acl: Acl, direction: Direction, assumptions?: Assumptions): readonly ("for" | "against")[] {
  if (!acl.active) return [];
  const effect = effectOf(acl.rule.action, assumptions);
  if (effect === "logged") return [];
  if (effect === undefined) return assumptions ? [direction === "closes" ? "for" : "against"] : ["for", "against"];
  return [(effect.outcome === "allowed") === (direction === "opens") ? "for" : "against"];
}

/** All deciders under assumptions. */
export function decidersOf<A extends Acl, S extends Stage<A>>(
  { unchanged, groups }: Transition<A, S>,
  direction: Direction,
  assumptions?: Assumptions,
): Decider<A, S>[] {
  const decides = (acl: A) => sidesOf(acl, direction, assumptions).includes("for");
  const place = (acl: A) => placeOf(acl, assumptions);
  return [
    ...unchanged.filter(decides).map((acl) => ({ acl, place: place(acl) })),
    ...groups.flatMap((group) =>
      group.flatMap((stage) =>
        stage.acls.filter(decides).map((acl) => ({ acl, place: place(acl), own: { group, stage } })),
      ),
    ),
    ...(direction === "opens" ? [{ place: Infinity }] : []),
  ];
}

/** The ACLs that give a request the opposite outcome before the decider does. */
export function rivalsOf<A extends Acl>(
  acls: readonly A[],
  direction: Direction,
  { acl, place }: Pick<Decider<A, Stage<A>>, "acl" | "place">,
  assumptions?: Assumptions,
): A[] {
  return acls.filter(
    (one) =>
      one !== acl && placeOf(one, assumptions) < place && sidesOf(one, direction, assumptions).includes("against"),
  );
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
  const { unchanged, groups } = transition;
  const isCertain = certainty === "certain";
  const [decides, yields]: [readonly Ternary[], readonly Ternary[]] = isCertain
    ? [["yes"], ["no"]]
    : [
        ["yes", "perhaps"],
        ["no", "perhaps"],
      ];
  for (const decider of decidersOf(transition, direction)) {
    const { acl, own } = decider;
    if (acl && (!decides.includes(matches(acl)) || (isCertain && sidesOf(acl, direction).length > 1))) continue;
    const isFree = (acls: readonly A[]) =>
      rivalsOf(acls, direction, decider).every((rival) => yields.includes(matches(rival)));
    if (!isFree(unchanged)) continue;
    const stages = groups.map((group) => (group === own?.group ? [own.stage] : group).find((one) => isFree(one.acls)));
    if (stages.every((stage) => stage !== undefined)) return { ...(acl && { acl }), stages };
  }
  return undefined;
}
