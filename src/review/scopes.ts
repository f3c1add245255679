/** Which scopes a token needs to apply plans. */
import type { PlannedObject } from "../impact/model";
import { departuresOf, setFrom, types } from "./member-set";
import { objectsOf } from "./objects";
import { priorResources, type Plan, type ResourceChange } from "./plan";

/** Resource type -> what it is on the service. */
export const familyOfType: Record<string, string> = {
  tenant_network_acl: "network_acls",
  auth0_network_acl: "network_acls",
  tenant_network_acls: "network_acls",
  tenant_network_acl_key: "network_acl_keys",
  auth0_network_acl_key: "network_acl_keys",
  tenant_network_acl_keys: "network_acl_keys",
  tenant_rate_limit_policy: "rate_limit_policies",
  auth0_rate_limit_policy: "rate_limit_policies",
  tenant_rate_limit_policies: "rate_limit_policies",
  tenant_organization_member_set: "organization_members",
  tenant_organization_members: "organization_members",
  auth0_organization_members: "organization_members",
  auth0_organization_member: "organization_members",
};

const verbs: Record<string, string> = { create: "create", update: "update", delete: "delete" };

/** The least that a token needs to apply the plans, reading included. */
export function scopesOf(plans: readonly Plan[]): string[] {
  const read = plans.flatMap(priorResources).filter(({ mode }) => mode === "data");
  const scopes = [
    ...plans.flatMap((plan) => plan.resource_changes).flatMap(scopesOfChange),
    ...plans
      .flatMap((plan) => objectsOf(plan, types))
      .flatMap(memberVerbs)
      .map((verb) => `${verb}:organization_members`),
    ...read.flatMap(({ type }) => (familyOfType[type] ? [`read:${familyOfType[type]}`] : [])),
  ];
  return [...new Set(scopes)].toSorted();
}

function scopesOfChange({ type, change }: ResourceChange): string[] {
  const family = familyOfType[type];
  if (family === undefined) return [];
  const needed = family === "organization_members" ? [] : change.actions.flatMap((action) => verbs[action] ?? []);
  return ["read", ...needed].map((verb) => `${verb}:${family}`);
}

/** A set is changed by adding and removing. */
function memberVerbs(planned: PlannedObject): string[] {
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
  return [...(adds ? ["create"] : []), ...(removes ? ["delete"] : [])];
}
