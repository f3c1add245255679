/** Network ACLs in CDK programs. */
import { networkAcl as kind } from "../judge/kinds/network-acl";
import { networkAcl } from "../provider/resources/network-acl/definition";
import {
  DataTenantNetworkAcls as PresentNetworkAcls,
  type DataTenantNetworkAclsNetworkAclsOutputReference,
} from "./bindings/data-tenant-network-acls";
import { NetworkAcl as Generated } from "./bindings/network-acl";
import { firstWith } from "./look-up";
import { checked, noArguments } from "./validation";

/**
 * A network ACL, which blocks, allows, logs or redirects requests to the tenant by their origin.
 * `NetworkAclOrder` assigns priorities to several ACLs.
 * @example
 * new NetworkAcl(stack, "sanctions", {
 *   description: "No sign-in from sanctioned countries",
 *   priority: 10,
 *   rule: { action: Action.block(), match: Match.countries("KP"), scope: "authentication" },
 * });
 */
export class NetworkAcl extends checked(Generated, networkAcl) {}

/**
 * The network ACLs of the tenant, including unmanaged ones.
 * @example
 * new DataTenantNetworkAcls(stack, "acls").find("The office may always sign in").rule.match.ipv4Cidrs;
 */
export class DataTenantNetworkAcls extends checked(PresentNetworkAcls, noArguments) {
  /** The first ACL in the order of evaluation that has this description. A plan fails if there is none. */
  find(description: string): DataTenantNetworkAclsNetworkAclsOutputReference {
    return firstWith(this, kind, this.networkAcls, "description", description);
  }
}
