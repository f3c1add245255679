/** Reads the network ACLs from plans. */
import { typesOf } from "../../judge/kinds/kinds";
import { networkAcl } from "../../judge/kinds/network-acl";
import type { Values } from "../../judge/impact/model";
import { aclVersions, type AclVersions } from "../../judge/impact/network-acl/acl";
import { withAdoptions } from "./adoption";
import { objectsOf } from "./objects";
import type { Plan } from "./plan";
import { asPresent } from "./present";
import { remoteIn, type RemoteState } from "./remote";

export const aclTypes = typesOf(networkAcl);

/** `remote`: all network ACLs of the tenant, as far as they are known. */
export function aclsOf(plans: readonly Plan[], remote?: readonly Values[]): AclVersions {
  return aclVersions(
    plans.map((plan) => objectsOf(plan, aclTypes)),
    remote,
  );
}

/** The ACLs of a tenant before and after its plans. Objects that no plan changes are as the tenant has them; an adopted one was there before. */
export function aclsOnTenant(given: readonly Plan[], asked: RemoteState | undefined) {
  const plans = given.map((plan) => asPresent(plan, asked));
  const remote = remoteIn(plans, asked);
  const versions = aclsOf(withAdoptions(plans, remote), remote.network_acls);
  return { plans, versions, hasUnmanaged: remote.network_acls !== undefined };
}
