/** Reads the network ACLs from plans. */
import { typesOf } from "../kinds/kinds";
import { networkAcl } from "../kinds/network-acl";
import type { Values } from "../impact/model";
import { aclVersions, type AclVersions } from "../impact/network-acl/acl";
import { objectsOf } from "./objects";
import type { Plan } from "./input/plan";

export const aclTypes = typesOf(networkAcl);

/** `remote`: all network ACLs of the tenant, as far as they are known. */
export function aclsOf(plans: readonly Plan[], remote?: readonly Values[]): AclVersions {
  return aclVersions(
    plans.map((plan) => objectsOf(plan, aclTypes)),
    remote,
  );
}
