/**
 * The state of a tenant, as far as somebody has read it, and the state after a change. Every judgement of a whole tenant reads this form:
 * the lock-out guard, expectations, the review, the checks of a program and unit tests.
 *
 * - A value is known, not known yet (a symbol, see `Possibly`), or sensitive (marked, or named in `secret` of an ACL). A judge reads a symbol
 *   as any value that is possible.
 * - A list is left out if nobody has read it, so that nothing about it is held. An empty list has no objects. `incomplete` says why the
 *   tenant may have objects that the lists lack.
 *
 * Adapters make a state of what somebody shows: `statesOf` of the JSON of a plan (a synthesized program becomes a plan first), `stateOf` of
 * the answers of a tenant.
 */
import { notKnown } from "../access/access";
import { kindOf } from "../kinds/kinds";
import { organizationMemberSet } from "../kinds/organization-member-set";
import { rateLimitPolicy } from "../kinds/rate-limit-policy";
import { splitKept, type Marks, type PlannedObject, type Remote, type Values } from "./model";
import { aclFrom, type PlannedAcl, type AclVersions } from "./network-acl/acl";
import { organizationsIn, type Organization } from "./organization-member-set/changes";
import { setsIn } from "./organization-member-set/set";

export interface TenantState {
  /** Unmanaged ones included. */
  readonly acls?: readonly PlannedAcl[];
  readonly policies?: readonly TenantObject[];
  /** Each has `organization_id` and `members`. Without an address: all members that the tenant has in this organization. */
  readonly memberships?: readonly TenantObject[];
  /** Why the tenant may have further objects, as a clause. */
  readonly incomplete?: string;
}

/** A policy or a membership. Without an address, no plan manages it. */
export interface TenantObject {
  readonly address?: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  readonly id?: string;
  readonly values: Values;
  readonly sensitive?: Marks;
}

export interface States {
  readonly before?: TenantState;
  readonly after: TenantState;
}

/** What the plans of a tenant show. `remote`: what somebody has read of the tenant. */
export interface ShownByPlans {
  readonly versions: AclVersions;
  readonly objects: readonly PlannedObject[];
  readonly remote: Remote;
  readonly incomplete?: string | undefined;
}

export function statesOf(shown: ShownByPlans): Required<States> {
  const because = shown.incomplete === undefined ? {} : { incomplete: shown.incomplete };
  return { before: { ...sideOf(shown, "before"), ...because }, after: { ...sideOf(shown, "after"), ...because } };
}

type Side = "before" | "after";

function sideOf(shown: ShownByPlans, side: Side): TenantState {
  const { versions, objects, remote } = shown;
  return {
    acls: versions[side],
    policies: policiesOn(side, shown),
    memberships: [...managedOn(side, objects, organizationMemberSet), ...presentMembers(objects, remote, side)],
  };
}

/** Those of the plans first. */
export function policiesOn(side: Side, { objects, remote }: Pick<ShownByPlans, "objects" | "remote">): TenantObject[] {
  const planned = objects.filter(({ type }) => kindOf(type) === rateLimitPolicy);
  const managed = new Set(planned.flatMap(({ before, after, importId }) => [before?.["id"], after?.["id"], importId]));
  const others = (remote.rate_limit_policies ?? []).filter(({ id }) => !managed.has(id));
  return [...managedOn(side, planned, rateLimitPolicy), ...others.map(unmanaged)];
}

const managedOn = (side: Side, objects: readonly PlannedObject[], kind: unknown): TenantObject[] =>
  objects
    .flatMap(splitKept)
    .filter(({ type }) => kindOf(type) === kind)
    .flatMap((one) => objectOn(side, one));

function objectOn(side: Side, object: PlannedObject): TenantObject[] {
  const { address, plan, before, beforeSensitive, afterSensitive } = object;
  const values = object[side];
  if (!values) return [];
  const id = values["id"] ?? before?.["id"];
  return [
    {
      address,
      ...(plan !== undefined && { plan }),
      ...(typeof id === "string" && { id }),
      values,
      sensitive: side === "before" ? beforeSensitive : afterSensitive,
    },
  ];
}

const unmanaged = (values: Values): TenantObject => ({
  ...(typeof values["id"] === "string" && { id: values["id"] }),
  values,
});

/** The members that the tenant has now, and those of them that stay. */
function presentMembers(objects: readonly PlannedObject[], remote: Remote, side: Side): TenantObject[] {
  const { organization_members: read } = remote;
  if (!read) return [];
  const changing = side === "before" ? [] : organizationsIn(setsIn(objects), read);
  const changes = new Map(changing.map((one) => [one.id, one]));
  return [...read].map(([organization, ids]) => {
    const change = changes.get(organization);
    return membership(organization, change && ids ? staying(change, ids) : ids);
  });
}

const membership = (organization: string, members: unknown): TenantObject => ({
  values: { organization_id: organization, members },
});

function staying({ id, lost, removalsBySet }: Organization, ids: readonly string[]): unknown[] {
  const all = [...removalsBySet.values()];
  const mayLeave = new Set(all.flatMap(({ possible }) => possible));
  const isOpen = mayLeave.size > 0 || all.some(({ isUncounted }) => isUncounted);
  const sure = ids.filter((person) => !lost.has(person) && !mayLeave.has(person));
  return isOpen ? [...sure, notKnown(`the members of ${id}`)] : sure;
}

/** What a tenant answers. An object without an id is about to be created. */
interface Answers {
  readonly acls?: readonly object[];
  readonly policies?: readonly object[];
  /** Organization -> the ids of all its members. */
  readonly members?: Readonly<Record<string, readonly string[] | symbol>>;
}

export function stateOf({ acls, policies, members }: Answers): TenantState {
  return {
    ...(acls && { acls: (acls as readonly Values[]).flatMap((one) => aclFrom(one, undefined, undefined, keyOf(one))) }),
    ...(policies && { policies: (policies as readonly Values[]).map(unmanaged) }),
    ...(members && { memberships: Object.entries(members).map(([id, all]) => membership(id, all)) }),
  };
}

const keyOf = ({ id, priority }: Values) => (typeof id === "string" ? id : `new ${String(priority)}`);
