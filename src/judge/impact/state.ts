/**
 * The state of a tenant, as far as somebody has read it, and the state after a change. Every judgement of a whole tenant reads this form:
 * the lock-out guard, expectations, the review, the checks of a program and unit tests.
 *
 * - A value is known, not known yet (a symbol inside `values` or inside the rule of an ACL; NaN for a priority), or sensitive (marked, or
 *   named in `secret` of an ACL). A judge reads a symbol as any value that is possible.
 * - A list is left out if nobody has read it, so that nothing about it is held. An empty list has no objects. `incomplete` says why the
 *   tenant may have objects that the lists lack.
 *
 * Adapters make a state of what somebody shows: `statesOf` of the JSON of a plan (a synthesized program becomes a plan first), `stateOf` of
 * the answers of a tenant. `apply` gives the state after one change, as Terraform shows it to a provider.
 */
import { notKnown } from "../access/access";
import { kindOf } from "../kinds/kinds";
import { organizationMemberSet } from "../kinds/organization-member-set";
import { rateLimitPolicy } from "../kinds/rate-limit-policy";
import { splitKept, type Marks, type PlannedObject, type Remote, type Values } from "./model";
import { aclFrom, type PlannedAcl, type AclVersions } from "./network-acl/acl";
import { organizationsIn, type Organization } from "./organization-member-set/changes";
import { setFrom, setsIn } from "./organization-member-set/set";
import { withName } from "./value";

export interface TenantState {
  /** Unmanaged ones included. */
  readonly acls?: readonly PlannedAcl[];
  readonly policies?: readonly TenantObject[];
  /** Each has `organization_id` and `members`. Without an address: all members that the tenant has in this organization. */
  readonly memberships?: readonly TenantObject[];
  readonly keys?: readonly TenantObject[];
  /** Why the tenant may have further objects, as a clause. */
  readonly incomplete?: string;
}

/** A policy, a membership or a key. Without an address, no plan manages it. */
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
  const { organization_members: read = new Map<string, readonly string[]>() } = remote;
  const changing = new Map(organizationsIn(setsIn(objects), read).map((one) => [one.id, one]));
  return [...read].map(([organization, ids]) => {
    const change = side === "after" ? changing.get(organization) : undefined;
    return membership(organization, change ? staying(change, ids) : ids);
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

/** One object that is created, changed or destroyed. A value that is not known yet is a symbol. */
export interface ObjectChange {
  readonly kind: "acls" | "policies";
  /** Terraform does not tell a provider the address of an object. */
  readonly name: string;
  /** The id of the object that it changes. Left out: a new object. */
  readonly id?: unknown;
  /** Left out: the object is destroyed. */
  readonly values?: object | undefined;
}

/** A member set that is created (no `prior`), changed or destroyed (no `planned`). */
export interface MembershipChange {
  readonly kind: "memberships";
  readonly prior?: object | undefined;
  readonly planned?: object | undefined;
}

/** A list that the state leaves out stays left out. */
export function apply(state: TenantState, change: ObjectChange | MembershipChange): TenantState {
  if (change.kind === "memberships") {
    const { memberships } = state;
    return memberships ? { ...state, memberships: memberships.map((one) => appliedTo(one, change)) } : state;
  }
  const { kind, id, values } = change;
  const own: readonly { readonly id?: string }[] | undefined = state[kind];
  if (!own) return state;
  const others = own.filter((one) => id === undefined || one.id !== id);
  const made = values ? objectOf(change, values as Values) : [];
  return { ...state, [kind]: [...others, ...made] };
}

function objectOf({ kind, name, id }: ObjectChange, values: Values): (PlannedAcl | TenantObject)[] {
  const known = typeof id === "string" ? id : undefined;
  if (kind === "policies") return [{ address: name, ...(known !== undefined && { id: known }), values }];
  const { description } = values;
  const title = typeof description === "string" ? ` "${description}"` : "";
  const named = withName({ ...values, id }, `the unknown part of ${title === "" ? "an ACL" : `ACL${title}`}`) as Values;
  return aclFrom(named, undefined, undefined, known ?? name);
}

/** The members of an organization, all of which the state has, after the change of a set. */
function appliedTo(one: TenantObject, change: MembershipChange): TenantObject {
  const { organization_id: organization, members } = one.values as { organization_id: string; members: unknown };
  if (!Array.isArray(members)) return one;
  const after = membersAfter(organization, members as readonly string[], change);
  return membership(organization, after ?? notKnown(`the members of ${organization}`));
}

/** All members of an organization after the change of a set. Undefined: known only after the apply. */
function membersAfter(
  organization: string,
  members: readonly string[],
  { prior, planned }: MembershipChange,
): readonly string[] | undefined {
  const [before, after] = [prior, planned] as (Values | undefined)[];
  const isHere = (set: Values | undefined) => set?.["organization_id"] === organization;
  // The set may come to this organization, or stay in it.
  if (typeof after?.["organization_id"] === "symbol" && (isHere(before) || !before)) return undefined;
  const isMoved = before && after && before["organization_id"] !== after["organization_id"];
  const actions = isMoved ? ["delete", "create"] : [before ? (after ? "update" : "delete") : "create"];
  const { type } = organizationMemberSet;
  const set = setFrom({ address: "", type, actions, ...(before && { before }), ...(after && { after }) });
  const one = organizationsIn([set], new Map([[organization, members]])).find(({ id }) => id === organization);
  const own = isHere(after) ? set.after : undefined;
  const stay = one ? staying(one, members) : members;
  if (own?.open || !stay.every((id) => typeof id === "string")) return undefined;
  return [...new Set([...stay, ...(own?.members ?? [])])];
}
