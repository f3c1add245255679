/** The input of a review of one tenant, made once of its plans and of what somebody read of the tenant. */
import { aclVersions, type AclVersions } from "../../judge/impact/network-acl/acl";
import type { PlannedObject, Remote } from "../../judge/impact/model";
import { typesOf } from "../../judge/kinds/kinds";
import { networkAcl } from "../../judge/kinds/network-acl";
import type { PlanInput } from "./plan-input";
import { adopted, families, refreshed, remoteIn, type Family, type RemoteState } from "./remote";
import { tenantNameOf, type TenantAddress, type TenantName } from "./tenant-address";
import type { Tenant } from "./tenants";

export interface ReviewInput {
  /** The name of the review. */
  readonly name: string;
  readonly tenant: TenantName;
  readonly tenantAddress: TenantAddress;
  /** As the tenant has their objects now. An object that an apply adopts was there before. */
  readonly plans: readonly PlanInput[];
  /** Those of all plans. */
  readonly objects: readonly PlannedObject[];
  /** All network ACLs, also unmanaged ones if somebody read them. */
  readonly versions: AclVersions;
  readonly remote: Remote;
  /** What the tenant itself returned. */
  readonly asked?: RemoteState | undefined;
  /** Kinds of objects whose unmanaged objects are not known. */
  readonly unseen: readonly Family[];
}

const aclTypes = typesOf(networkAcl);
const noAcls: AclVersions = { before: [], after: [] };

export function reviewInput({ name, tenantAddress, plans: given }: Tenant, asked?: RemoteState): ReviewInput {
  const remote = remoteIn(given, asked);
  const plans = adopted(
    given.map((plan) => refreshed(plan, asked)),
    remote,
  );
  const acls = plans.map(({ objects }) => objects.filter(({ type }) => aclTypes.includes(type)));
  return {
    name,
    tenant: tenantNameOf(tenantAddress, asked?.from),
    tenantAddress,
    plans,
    objects: plans.flatMap(({ objects }) => objects),
    versions: acls.flat().length > 0 || remote.network_acls ? aclVersions(acls, remote.network_acls) : noAcls,
    remote,
    asked,
    unseen: families.filter((family) => remote[family] === undefined && !asked?.unaffected?.includes(family)),
  };
}
