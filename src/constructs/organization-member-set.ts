/** The members of an organization in CDK programs. */
import type { Construct } from "constructs";
import { organizationMemberSet } from "../resources/organization-member-set/definition";
import {
  OrganizationMemberSet as Generated,
  type OrganizationMemberSetConfig,
} from "./bindings/organization-member-set";
import { claimAtSynth } from "./claim";
import { recordOrigin } from "./origin";
import { checkAtSynth, given } from "./validation";

/**
 * All members of an organization. Terraform removes members that you do not list.
 * @example
 * new OrganizationMemberSet(stack, "staff", {
 *   organizationId: "org_9ybsU1dN2dKfDkBi",
 *   members: ["auth0|65f0c2a4", "google-oauth2|1041"],
 *   maxRemovals: 5,
 * });
 */
export class OrganizationMemberSet extends Generated {
  constructor(scope: Construct, id: string, config: OrganizationMemberSetConfig) {
    super(scope, id, given(organizationMemberSet, id, config));
    recordOrigin(this);
    checkAtSynth(this, organizationMemberSet, config);
    claimAtSynth(this, organizationMemberSet, {
      attributes: ["organization_id"],
      unless: ({ exclusive }) => exclusive === false,
      plural: "member sets",
      remedy: "Each would remove the members of the other: list all members in one set.",
    });
  }
}
