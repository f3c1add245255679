/** A stack with expectations: every plan checks them, and stack.test.ts checks the stack before any plan. */
import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import {
  Action,
  expectation,
  Match,
  NetworkAclOrder,
  OrganizationMemberSet,
  RateLimitPolicy,
  TenantProvider,
} from "tenantform";

const office = "203.0.113.0/24";
const ci = "198.51.100.7";

export class TenantStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new TenantProvider(this, "tenant", {
      protectedRequest: [{ name: "our CI", ip: ci }],
      expectations: [
        expectation("sanctions")
          .that({ scopes: "authentication", countries: ["KP", "IR"] })
          .except({ ipCidrs: [office, ci] })
          .isBlocked(),
        expectation("our CI").that({ scopes: "management", ipCidrs: ci }).isReached(),
        expectation("management")
          .that({ scopes: "management" })
          .except({ ipCidrs: [office, ci] })
          .isBlocked(),
        expectation("third parties").limits({ consumer: "third_party_clients", atMost: 50 }),
        expectation("administrators").hasMembers("org_quickstart000001", { include: "auth0|ada", atLeast: 2 }),
      ],
    });
    new NetworkAclOrder(this, "edge", {
      prioritiesFile: false,
      acls: [
        {
          id: "own",
          description: "Our own networks, all requests",
          rule: { action: Action.allow(), match: Match.addresses(office, ci), scope: "tenant" },
        },
        {
          id: "sanctions",
          description: "No sign-in from sanctioned countries",
          rule: { action: Action.block(), match: Match.countries("KP", "IR"), scope: "authentication" },
        },
        {
          id: "management",
          description: "The Management API only from our own networks",
          rule: { action: Action.block(), notMatch: Match.addresses(office, ci), scope: "management" },
        },
      ],
    });
    new RateLimitPolicy(this, "third-parties", {
      consumerSelector: "third_party_clients",
      configuration: { action: "block", limit: 25 },
    });
    new OrganizationMemberSet(this, "administrators", {
      organizationId: "org_quickstart000001",
      members: ["auth0|ada", "auth0|grace"],
    });
  }
}
