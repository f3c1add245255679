/** Network access control lists in CDK programs. */
import type { Construct } from "constructs";
import { networkAcl } from "../resources/network-acl/definition";
import { NetworkAcl as Generated, type NetworkAclConfig } from "./bindings/network-acl";
import { claimAtSynth } from "./claim";
import { checkAtSynth } from "./validation";

/** A network access control list: allows, blocks, logs or redirects requests to the tenant by where they come from. */
export class NetworkAcl extends Generated {
  constructor(scope: Construct, id: string, config: NetworkAclConfig) {
    super(scope, id, config);
    checkAtSynth(this, networkAcl, config);
    claimAtSynth(this, networkAcl, {
      attributes: ["priority"],
      plural: "network ACLs",
      remedy: "The tenant refuses all but one: give each its own priority.",
    });
  }
}
