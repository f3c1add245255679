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
import { setsIn, sideFrom } from "./organization-member-set/set";
import type { Assumption } from "./words/assumption";

export interface TenantState {
  /** Unmanaged ones included. */
  readonly acls?: readonly PlannedAcl[];
  readonly policies?: readonly TenantObject[];
  /** Each has `organization_id` and `members`. Without an address: all members that the tenant has in this organization. */
  readonly memberships?: readonly TenantObject[];
  /** The users and organizations that the change deletes, by id, and the connections by what their users' ids begin with. */
  readonly gone?: ReadonlyMap<string, Gone>;
  /** Why the tenant may have further objects. */
  readonly incomplete?: readonly Assumption[];
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

/** Auth0 ends the memberships of a user or an organization that is deleted, whatever a member set lists. */
export interface Gone extends TenantObject {
  /** The change creates a user who may have the same id. */
  readonly returns?: true;
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
  readonly incomplete?: readonly Assumption[] | undefined;
  /** All objects of the plans: those of other kinds too. */
  readonly plans?: readonly { readonly all: readonly PlannedObject[] }[];
}

export function statesOf(shown: ShownByPlans): Required<States> {
  const because = shown.incomplete === undefined ? {} : { incomplete: shown.incomplete };
  return { before: { ...sideOf(shown, "before"), ...because }, after: { ...sideOf(shown, "after"), ...because } };
}

type Side = "before" | "after";

function sideOf(shown: ShownByPlans, side: Side): TenantState {
  const { versions, plans = [] } = shown;
  return {
    ...(side === "after" && { gone: goneIn(plans.flatMap(({ all }) => all)) }),
    acls: versions[side],
    policies: policiesOn(side, shown),
    memberships: membershipsOn(side, shown),
  };
}

function goneIn(all: readonly PlannedObject[]): Map<string, Gone> {
  const created = all.filter(({ type, actions }) => type === "auth0_user" && actions.includes("create"));
  const made = new Set(
    created.map(({ after = {} }) => (typeof after["user_id"] === "string" ? after["user_id"] : addressOf(after))),
  );
  return new Map(all.flatMap((one) => goneBy(one, made)));
}

/** A connection may give a user of one address the same id again. */
const addressOf = ({ connection_name: connection, email, phone_number: phone, username }: Values) =>
  JSON.stringify([connection, email ?? phone ?? username]);

function goneBy(object: PlannedObject, made: ReadonlySet<unknown>): [id: string, Gone][] {
  const { type, actions, before = {} } = object;
  const { strategy } = before;
  const id = type === "auth0_connection" && typeof strategy === "string" ? `${strategy}|` : before["id"];
  const isOne = type === "auth0_user" || type === "auth0_organization" || type === "auth0_connection";
  if (!isOne || !actions.includes("delete") || typeof id !== "string") return [];
  // `abc`, or `auth0|abc`.
  const returns =
    type === "auth0_user" && [addressOf(before), id, id.slice(id.indexOf("|") + 1)].some((one) => made.has(one));
  return objectOn("before", object).map((one) => [id, { ...one, ...(returns && { returns }) }]);
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

/** The member sets, and the members that the tenant has. */
function membershipsOn(side: Side, { objects, remote }: ShownByPlans): TenantObject[] {
  const { organization_members: read } = remote;
  const present = [...(read ?? [])].map(([organization, ids]) => membership(organization, ids));
  const all = [...managedOn(side, objects, organizationMemberSet), ...present];
  if (side === "before") return all;
  const changes = new Map(organizationsIn(setsIn(objects), read).map((one) => [one.id, one]));
  return all.map((one) => withoutLeaving(one, changes));
}

const membership = (organization: string, members: unknown): TenantObject => ({
  values: { organization_id: organization, members },
});

/** A set may remove members whom another set or the tenant lists. */
function withoutLeaving(object: TenantObject, changes: ReadonlyMap<string | undefined, Organization>): TenantObject {
  const { organization_id: id } = object.values;
  const change = typeof id === "string" ? changes.get(id) : undefined;
  if (!change || change.leaving.size === 0) return object;
  const { leaving, lost } = change;
  const { members: listed, further, exclusive } = sideFrom(object.values);
  if (!listed.some((person) => leaving.has(person))) return object;
  const doubt = notKnown(`the members of ${id as string}`);
  const staying = listed.flatMap((person) => (lost.has(person) ? [] : leaving.has(person) ? doubt : person));
  const members = further === Infinity ? doubt : [...staying, ...Array.from({ length: further }, () => doubt)];
  const form = { members, members_with_notes: null, user_id: null, exclusive: exclusive ?? doubt };
  return { ...object, values: { ...object.values, ...form } };
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
