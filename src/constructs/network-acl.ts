/** Network ACLs in CDK programs. */
import type { Construct } from "constructs";
import { networkAcl as kind } from "../kinds/network-acl";
import { networkAcl } from "../resources/network-acl/definition";
import { NetworkAcl as Generated, type NetworkAclConfig } from "./bindings/network-acl";
import { claimAtSynth } from "./claim";
import { warnOfPassedEnds } from "./ends";
import { warnOfMany } from "./many-acls";
import { warnWhereUnreachable } from "./unreachable";
import { recordOrigin } from "./origin";
import { checkAtSynth, given } from "./validation";

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
    recordOrigin(this);
    warnOfPassedEnds(this, kind);
    checkAtSynth(this, networkAcl, config);
    claimAtSynth(this, networkAcl, {
      attributes: ["priority"],
      plural: "network ACLs",
      remedy: "The tenant refuses all but one: give each its own priority. [TNF-ACL-SAME-PRIORITY]",
    });
    warnWhereUnreachable(this);
    warnOfMany(this);
  }
}
