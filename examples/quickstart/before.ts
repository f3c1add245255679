/** A network ACL, a rate limit policy and the members of an organization. */
import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { embeddedTenant, NetworkAcl, OrganizationMemberSet, RateLimitPolicy, TenantProvider } from "tenantform";

export class Quickstart extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);

    // The provider refuses a plan that would block our own CI.
    new TenantProvider(this, "tenant", {
      protectedRequest: [{ name: "our CI", ip: "198.51.100.10" }],
      ...embeddedTenant(),
    });

    new NetworkAcl(this, "sanctions", {
      description: "No sign-in from sanctioned countries",
      priority: 10,
      rule: { action: { block: true }, match: { geoCountryCodes: ["KP"] }, scope: "authentication" },
    });

    new NetworkAcl(this, "scanners", {
      description: "Watch the scanners of 203.0.113.0/24",
      priority: 20,
      rule: { action: { log: true }, match: { ipv4Cidrs: ["203.0.113.0/24"] }, scope: "tenant" },
    });

    new RateLimitPolicy(this, "everybody", {
      consumerSelector: "default",
      configuration: { action: "log", limit: 100 },
    });

    new RateLimitPolicy(this, "third-parties", {
      consumerSelector: "third_party_clients",
      configuration: { action: "block", limit: 25 },
    });

    new OrganizationMemberSet(this, "staff", {
      organizationId: process.env.TENANT_ORGANIZATION_ID ?? "org_quickstart000001",
      members: ["auth0|ada", "auth0|grace", "auth0|linus"],
      // A destroy of this stack removes every member. Without this line, its plan is refused.
      allowEmpty: true,
    });
  }
}
