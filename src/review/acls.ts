/** Reads the network ACLs from plans. */
import type { Values } from "../impact/model";
import { aclVersions, type AclVersions } from "../impact/network-acl/versions";
import { objectsOf } from "./objects";
import type { Plan } from "./plan";

export const aclTypes: readonly string[] = ["tenant_network_acl", "auth0_network_acl"];

/** `remote`: all network ACLs of the tenant, as far as they are known. */
export function aclsOf(plans: readonly Plan[], remote?: readonly Values[]): AclVersions {
  const all = [...plans, ...plans.flatMap(({ rivals = [] }) => rivals)];
  return aclVersions(
    all.map((plan) => objectsOf(plan, aclTypes)),
    remote,
  );
}
