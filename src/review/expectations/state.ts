/** Collects the objects of a tenant that expectations speak of, before and after the plans. */
import { notKnown } from "../../access/access";
import type { StatedObject, States, TenantState } from "../../impact/expectation/state";
import { apart, type PlannedObject, type Values } from "../../impact/model";
import type { AclVersions } from "../../impact/network-acl/versions";
import { organizationsIn, type Organization } from "../../impact/organization-member-set/changes";
import { setsIn } from "../../impact/organization-member-set/set";
import { kindOf } from "../../kinds/kinds";
import { organizationMemberSet } from "../../kinds/organization-member-set";
import { rateLimitPolicy } from "../../kinds/rate-limit-policy";
import type { RemoteState } from "../remote";

export interface Known {
  readonly versions: AclVersions;
  readonly objects: readonly PlannedObject[];
  readonly remote: RemoteState;
  /** Why nothing about the tenant is proven, as a clause. */
  readonly incomplete?: string | undefined;
}

/** The kinds of statements -> the states that decide them. */
export function statesOf(known: Known): Readonly<Record<"requests" | "policy" | "members", States>> {
  const { versions, incomplete } = known;
  const [before, after] = [sideOf(known, "before"), sideOf(known, "after")];
  const because = incomplete === undefined ? {} : { incomplete };
  return {
    requests: { before: { acls: versions.before, ...because }, after: { acls: versions.after, ...because } },
    policy: { before: { ...before, ...because }, after: { ...after, ...because } },
    members: { before, after: { ...after, ...because } },
  };
}

type Side = "before" | "after";

function sideOf({ objects: planned, remote }: Known, side: Side): Pick<TenantState, "policies" | "members"> {
  const objects = planned.flatMap(apart);
  const own = (kind: unknown) =>
    objects.filter(({ type }) => kindOf(type) === kind).flatMap((one) => stated(one, side));
  const policies = objects.filter(({ type }) => kindOf(type) === rateLimitPolicy);
  const managed = new Set(policies.flatMap(({ before, after, importId }) => [before?.["id"], after?.["id"], importId]));
  const others = (remote.rate_limit_policies ?? []).filter(({ id }) => !managed.has(id));
  return {
    policies: [...own(rateLimitPolicy), ...others.map(unmanaged)],
    members: [...own(organizationMemberSet), ...presentMembers(planned, remote, side)],
  };
}

function stated(object: PlannedObject, side: Side): StatedObject[] {
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

const unmanaged = (values: Values): StatedObject => ({
  ...(typeof values["id"] === "string" && { id: values["id"] }),
  values,
});

/** The members that the tenant has now, and those of them that stay. */
function presentMembers(objects: readonly PlannedObject[], remote: RemoteState, side: Side): StatedObject[] {
  const { organization_members: read = new Map<string, readonly string[]>() } = remote;
  const changing = new Map(organizationsIn(setsIn(objects), read).map((one) => [one.id, one]));
  return [...read].map(([organization, ids]) => {
    const change = side === "after" ? changing.get(organization) : undefined;
    return { values: { organization_id: organization, members: change ? staying(change, ids) : ids } };
  });
}

function staying({ id, lost, fates }: Organization, ids: readonly string[]): unknown[] {
  const all = [...fates.values()];
  const mayLeave = new Set(all.flatMap(({ possible }) => possible));
  const isOpen = mayLeave.size > 0 || all.some(({ isUncounted }) => isUncounted);
  const sure = ids.filter((person) => !lost.has(person) && !mayLeave.has(person));
  return isOpen ? [...sure, notKnown(`the members of ${id}`)] : sure;
}
