/** Lists the scopes that a token needs to apply plans. */
import type { PlannedObject } from "../impact/model";
import { kindOf, kindRead, scopeOf } from "../kinds/kinds";
import { organizationMemberSet } from "../kinds/organization-member-set";
import type { Verb } from "../kinds/kind";
import { departuresOf, setFrom, types } from "./member-set";
import { objectsOf } from "./objects";
import { priorResources, type Plan, type ResourceChange } from "./plan";

/** The least that a token needs to apply the plans, reading included. */
export function scopesOf(plans: readonly Plan[]): string[] {
  const read = plans.flatMap(priorResources).filter(({ mode }) => mode === "data");
  const scopes = [
    ...plans.flatMap((plan) => plan.resource_changes).flatMap(scopesOfChange),
    ...plans
      .flatMap((plan) => objectsOf(plan, types))
      .flatMap(memberVerbs)
      .map((verb) => scopeOf(verb, organizationMemberSet)),
    ...read.flatMap(({ type }) => {
      const kind = kindRead(type) ?? kindOf(type);
      return kind ? [scopeOf("read", kind)] : [];
    }),
  ];
  return [...new Set(scopes)].toSorted();
}

function scopesOfChange({ type, change }: ResourceChange): string[] {
  const kind = kindOf(type);
  if (kind === undefined) return [];
  // A set needs scopes by what happens to its members.
  const verbs = kind.list ? [] : change.actions.flatMap((action) => (isVerb(action) ? kind.scopes[action] : []));
  return ["read", ...verbs].map((verb) => scopeOf(verb, kind));
}

const isVerb = (action: string): action is Verb => ["create", "update", "delete"].includes(action);

/** A change of a set adds and removes members. */
function memberVerbs(planned: PlannedObject): Verb[] {
  const set = setFrom(planned);
  const { before, after, isCreated } = set;
  if (!set.acts) return [];
  const isElsewhere = before?.organization !== after?.organization || isCreated;
  const were = new Set(isElsewhere ? [] : before?.members);
  const adds = after && (after.isOpen || after.members.some((id) => !were.has(id)));
  const removes = [before, after].some((side) => {
    const { certain, possible, others } = departuresOf(set, side?.organization);
    return side && (certain.length + possible.length > 0 || others !== "no");
  });
  return [...(adds ? ["create" as const] : []), ...(removes ? ["delete" as const] : [])];
}
