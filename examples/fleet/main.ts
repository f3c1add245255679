/** Synthesizes one stack for each tenant. */
import { App, S3Backend, type TerraformStack } from "cdktf";
import {
  Action,
  DataTenantNetworkAcls,
  expectation,
  fleet,
  Match,
  NetworkAcl,
  RateLimitPolicy,
  type FleetProviderConfig,
} from "tenantform";
import { readCustomers, type Customer } from "./customers";

function provider({ countries, limit }: Customer): FleetProviderConfig {
  return {
    protectedRequest: [{ name: "our CI", ip: "203.0.113.7", country: "DE" }],
    expectations: [
      expectation("sanctions")
        .that({ scopes: "authentication", countries: [...countries] })
        .isBlocked(),
      expectation("third parties").limits({ consumer: "third_party_clients", atMost: limit }),
    ],
  };
}

function declare(stack: TerraformStack, { name, countries, limit }: Customer): void {
  // Each tenant has its own state. On your machine, that is a local file.
  const { STATE_BUCKET: bucket } = process.env;
  if (bucket) new S3Backend(stack, { bucket, key: `tenants/${name}.tfstate`, encrypt: true });

  // Lets plans and reviews check unmanaged ACLs too.
  new DataTenantNetworkAcls(stack, "all", {});
  new NetworkAcl(stack, "sanctions", {
    description: "No sign-in from sanctioned countries",
    priority: 10,
    rule: { action: Action.block(), match: Match.countries(...countries), scope: "authentication" },
  });
  new RateLimitPolicy(stack, "third-parties", {
    consumerSelector: "third_party_clients",
    configuration: { action: "block", limit },
  });
}

const app = new App();
fleet(app, { tenants: readCustomers("tenants.csv"), provider, declare });
app.synth();
