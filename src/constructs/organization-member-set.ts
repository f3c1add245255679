/** The members of an organization in CDK programs. */
import type { Construct } from "constructs";
import { organizationMemberSet } from "../resources/organization-member-set/definition";
import { organizationMemberSet as kind } from "../kinds/organization-member-set";
import { OrganizationMemberSet as Generated } from "./bindings/organization-member-set";
import { addCheck } from "./checks";
import { claimAtSynth } from "./claim";
import { warnOfPassedEnds } from "./ends";
import { withPlainMembers, type OrganizationMemberSetConfig } from "./members";
import { recordOrigin } from "./origin";
import { checkAtSynth, given } from "./validation";

/**
 * The members of an organization. Terraform removes members that you do not list, unless `exclusive` is false.
 * @example
 * new OrganizationMemberSet(stack, "staff", {
 *   organizationId: "org_9ybsU1dN2dKfDkBi",
 *   members: ["auth0|65f0c2a4", { userId: "google-oauth2|1041", expiresAt: "2026-12-01T18:00:00Z" }],
 *   maxRemovals: 5,
 * });
 */
export class OrganizationMemberSet extends Generated {
  constructor(scope: Construct, id: string, written: OrganizationMemberSetConfig) {
    const { config, problems } = withPlainMembers(written);
    super(scope, id, given(organizationMemberSet, id, config));
    recordOrigin(this);
    if (problems.length > 0) addCheck(this, () => [...problems]);
    warnOfPassedEnds(this, kind);
    checkAtSynth(this, organizationMemberSet, config);
    claimAtSynth(this, organizationMemberSet, {
      attributes: ["organization_id"],
      unless: ({ exclusive }) => exclusive === false,
      plural: "member sets",
      remedy: "Each would remove the members of the other: list all members in one set.",
    });
  }
}
