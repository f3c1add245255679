/** Which scopes a token needs to apply plans. */
import { isWhollyMarked, listedIn, removesOthers } from "./members";
import { priorResources, type Plan, type ResourceChange } from "./plan";
import { isMarked } from "./value";

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
    ...read.flatMap(({ type }) => (familyOfType[type] ? [`read:${familyOfType[type]}`] : [])),
  ];
  return [...new Set(scopes)].toSorted();
}

function scopesOfChange({ type, change }: ResourceChange): string[] {
  const family = familyOfType[type];
  if (family === undefined) return [];
  const asked = change.actions.flatMap((action) => verbs[action] ?? []);
  const needed = family === "organization_members" ? memberVerbs(change) : asked;
  return ["read", ...needed].map((verb) => `${verb}:${family}`);
}

/** A set is changed by adding and removing. */
function memberVerbs({ actions, before, after, after_unknown: unknown }: ResourceChange["change"]): string[] {
  if (actions.includes("no-op") || actions.includes("read") || actions.includes("forget")) return [];
  const ids = (values: typeof before) => listedIn(values ?? {}).filter((id): id is string => typeof id === "string");
  const isElsewhere = before?.["organization_id"] !== after?.["organization_id"];
  const [were, are] = [new Set(isElsewhere ? [] : ids(before)), new Set(isElsewhere ? [] : ids(after))];
  const isOpen =
    isMarked(unknown, "members") ||
    isWhollyMarked(unknown, "members_with_notes") ||
    isMarked(unknown, "organization_id");
  const keeps = after === null && before?.["on_destroy"] === "keep";
  const letsGo = after?.["exclusive"] === false && before?.["exclusive"] !== false;
  const removes = !keeps && !letsGo && (isOpen || ids(before).some((id) => !are.has(id)));
  return [
    ...(isOpen || ids(after).some((id) => !were.has(id)) ? ["create"] : []),
    ...((removes && before !== null) || removesOthers(before, after) ? ["delete"] : []),
  ];
}
