/** The tenant is what is there: shows the objects that a plan does not change as the tenant has them now. */
import type { Values } from "../../judge/impact/model";
import { isMarked } from "../../judge/impact/value";
import { kindOf } from "../../judge/kinds/kinds";
import { priorResources, type Plan, type ResourceChange } from "./plan";
import { kept, stateOf } from "./state";
import type { Family, RemoteState } from "./remote";

/**
 * The plan with the objects that it does not change as the tenant has them now, because a state may be old: an object may be gone, or
 * somebody may have changed it by hand.
 */
export function asPresent(plan: Plan, remote: RemoteState | undefined): Plan {
  if (!remote || remote.uncertainty !== undefined) return plan;
  const found = plan.resource_changes.flatMap((resource) =>
    isKept(resource) ? present(resource, remote) : [resource],
  );
  // The state counts for objects that the plan leaves out, as with -target. It would also bring back an object that is gone.
  const acting = new Set(plan.resource_changes.filter((one) => !isKept(one)).map(({ address }) => address));
  const prior = priorResources(plan).flatMap((one) => {
    if (one.mode === "data" || acting.has(one.address)) return [one];
    return present(kept(one), remote).map(({ change }) => ({ ...one, values: change.after ?? {} }));
  });
  return { ...plan, resource_changes: found, ...(plan.prior_state && { prior_state: stateOf(prior) }) };
}

/** Whether the plan leaves the object as it is. */
const isKept = ({ change: { actions } }: ResourceChange) =>
  actions.every((action) => ["no-op", "forget"].includes(action));

/** Empty: the tenant does not have the object. */
function present(resource: ResourceChange, remote: RemoteState): ResourceChange[] {
  const { type, change } = resource;
  const kind = kindOf(type);
  const values = change.before ?? change.after ?? {};
  if (kind?.list) {
    const ids = remote.organization_members?.get(values["organization_id"] as string);
    return [ids ? withValues(resource, { members: staying(values, ids), members_with_notes: null }) : resource];
  }
  // The lists have no keys.
  const all = kind && remote[kind.family as Exclude<Family, "organization_members">];
  if (!all) return [resource];
  return all.filter(({ id }) => id === values["id"]).map((own) => withValues(resource, own));
}

/** A set that is not exclusive manages only the members that it lists. */
function staying({ members, members_with_notes: notes, user_id: user, exclusive }: Values, ids: readonly string[]) {
  if (exclusive !== false && (user ?? undefined) === undefined) return ids;
  const listed = [members ?? (notes && Object.keys(notes)) ?? user ?? []].flat();
  return ids.filter((id) => listed.includes(id));
}

/** A sensitive attribute is sensitive as a whole then, because its marks have the form of the state. */
function withValues(resource: ResourceChange, values: Values): ResourceChange {
  const { before, after, before_sensitive: some, after_sensitive: others, ...change } = resource.change;
  const marks = Object.fromEntries(
    [...new Set(Object.keys({ ...before, ...after }))].map((name) => [
      name,
      isMarked(some, name) || isMarked(others, name),
    ]),
  );
  const side = (old: Values | null) => old && { ...old, ...values };
  return {
    ...resource,
    change: { ...change, before: side(before), after: side(after), before_sensitive: marks, after_sensitive: marks },
  };
}
