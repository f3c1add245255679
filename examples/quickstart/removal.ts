/** The stack of after.ts without two of its three members, although `maxRemovals` allows one removal. */
import type { Construct } from "constructs";
import { OrganizationMemberSet } from "tenantform";
import { Quickstart as After } from "./after";

export class Quickstart extends After {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.node.tryRemoveChild("staff");

    new OrganizationMemberSet(this, "staff", {
      organizationId: process.env.TENANT_ORGANIZATION_ID ?? "org_quickstart000001",
      members: ["auth0|ada"],
      maxRemovals: 1,
    });
  }
}
