/** Network ACLs in CDK programs. */
import type { Construct } from "constructs";
import { networkAcl as kind } from "../kinds/network-acl";
import { networkAcl } from "../resources/network-acl/definition";
import { NetworkAcl as Generated, type NetworkAclConfig } from "./bindings/network-acl";
import { compareAcls } from "./acls";
import { checkResource } from "./resource";
import { given } from "./validation";

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
export class NetworkAcl extends Generated {
  constructor(scope: Construct, id: string, config: NetworkAclConfig) {
    super(scope, id, given(networkAcl, id, config));
    checkResource(this, kind, networkAcl, config, {
      remedy: "The tenant refuses all but one: give each its own priority. [TNF-ACL-SAME-PRIORITY]",
    });
    compareAcls(this);
  }
}
