/** Declares ACLs, rate limits, and expectations that must stay true. */
import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import {
  Action,
  expectation,
  Match,
  NetworkAcl,
  RateLimitPolicy,
  TenantProvider,
  type TenantProviderConfig,
} from "tenantform/cdktf";

export class TenantStack extends TerraformStack {
  constructor(scope: Construct, id: string, connection: TenantProviderConfig = {}) {
    super(scope, id);

    // Add a backend, so that your pipeline finds the state, such as the S3Backend of this library.

    new TenantProvider(this, "tenant", {
      ...connection,
      // Rate limit policies are in Early Access. Without this line, plans mention it once.
      hideEarlyAccessWarning: true,
      // Every plan checks these for all requests, or is refused with an example.
      expectations: [
        expectation("customers in Germany").that({ scopes: "authentication", countries: "DE" }).isReached(),
      ],
      // Add the address of your pipeline, so that no plan can lock it out:
      // protectedRequest: [{ name: "our CI", ip: "198.51.100.10" }],
    });

    // Auth0 evaluates ACLs by priority, the lowest number first. The first ACL that matches and does more than log decides.
    new NetworkAcl(this, "sanctions", {
      description: "Watch sign-ins from sanctioned countries",
      priority: 10,
      // Action.block() is a high effect: the pipeline is red until a person approves it.
      rule: { action: Action.log(), match: Match.countries("CU", "IR", "KP", "SY"), scope: "authentication" },
    });

    // Requests per second. The action `log` only records requests above the limit, and `block` refuses them.
    new RateLimitPolicy(this, "third-parties", {
      consumerSelector: "third_party_clients",
      configuration: { action: "log", limit: 25 },
    });
  }
}
