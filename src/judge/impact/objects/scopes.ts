/** Finds the scopes that a token needs to apply the change of an object. */
import { kindOf, scopeOf } from "../../kinds/kinds";
import { organizationsIn } from "../organization-member-set/changes";
import { setFrom } from "../organization-member-set/set";
import type { PlannedObject, Remote } from "../model";

export interface Scopes {
  readonly certain: readonly string[];
  /** Needed only if values that are not known yet ask for it. */
  readonly possible: readonly string[];
}

export function scopesFor(object: PlannedObject, members?: Remote["organization_members"]): Scopes {
  const kind = kindOf(object.type);
  if (!kind) return { certain: [], possible: [] };
  if (kind.list) return entryScopes(object, members);
  const verbs = object.actions.flatMap((action) => (isVerb(action) ? kind.scopes[action] : []));
  return { certain: verbs.map((verb) => scopeOf(verb, kind)), possible: [] };
}

const isVerb = (action: string) => action === "create" || action === "update" || action === "delete";

/** The apply changes a member set by adding and removing members. */
function entryScopes(object: PlannedObject, remote?: Remote["organization_members"]): Scopes {
  const kind = kindOf(object.type)!;
  const set = setFrom(object);
  const { before, after, isCreated } = set;
  if (!set.acts) return { certain: [], possible: [] };
  const isElsewhere = isCreated || before?.organization !== after?.organization;
  const were = new Set(isElsewhere ? remote?.get(after?.organization ?? "") : before?.members);
  const removalsBySet = organizationsIn([set], remote).map(({ removalsBySet: found }) => found.get(set)!);
  const [create, remove] = [scopeOf("create", kind), scopeOf("delete", kind)];
  return {
    certain: [
      ...(after?.members.some((id) => !were.has(id)) ? [create] : []),
      ...(removalsBySet.some(({ certain }) => certain.length > 0) ? [remove] : []),
    ],
    possible: [
      ...(after?.open ? [create] : []),
      ...(removalsBySet.some(({ possible, isUncounted }) => possible.length > 0 || isUncounted) ? [remove] : []),
    ],
  };
}
