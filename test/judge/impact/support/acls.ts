/** Network ACLs for tests of the analysis. */
import { aclFrom, type PlannedAcl } from "../../../../src/judge/impact/network-acl/acl";
import type { Marks, PlannedObject, Values } from "../../../../src/judge/impact/model";

export const block = { block: true };
export const allow = { allow: true };
export const log = { log: true };
export const everywhere = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };

/** The attributes of an ACL: it blocks sign-in unless the rule says otherwise. */
export const values = (priority: number, rule: Values, more: Values = {}): Values => ({
  id: `acl_${priority}`,
  description: `ACL ${priority}`,
  active: true,
  priority,
  rule: { action: block, scope: "authentication", ...rule },
  ...more,
});

export function acl(priority: number, rule: Values, more: Values = {}, sensitive?: Marks): PlannedAcl {
  return aclFrom(values(priority, rule, more), sensitive, `acl.${priority}`)[0]!;
}

export const planned = (before?: Values, after?: Values, more: Partial<PlannedObject> = {}): PlannedObject => {
  const sides = { ...(before && { before }), ...(after && { after }) };
  return { address: "acl.x", type: "tenant_network_acl", actions: ["update"], ...sides, ...more };
};
