/** Synthesizes one stack for each tenant. */
import { App, S3Backend, TerraformStack } from "cdktf";
import {
  Action,
  DataTenantNetworkAcls,
  expectation,
  Match,
  NetworkAcl,
  RateLimitPolicy,
  TenantProvider,
} from "tenantform";
import { prefixOf, readCustomers, type Customer } from "./customers";

const app = new App();
for (const customer of readCustomers("tenants.csv")) declare(new TerraformStack(app, customer.name), customer);
app.synth();

function declare(stack: TerraformStack, { name, domain, endpoint, countries, limit }: Customer): void {
  // Each tenant has its own state. On your machine, that is a local file.
  const { STATE_BUCKET: bucket } = process.env;
  if (bucket) new S3Backend(stack, { bucket, key: `tenants/${name}.tfstate`, encrypt: true });

  new TenantProvider(stack, "tenant", {
    ...(endpoint ? { endpoint } : { domain }),
    // The stack can reach no other tenant, whatever the environment says.
    allowedDomains: [endpoint ? new URL(endpoint).host : domain],
    // The tenant acme-eu has its credentials in ACME_EU_TENANT_CLIENT_ID and ACME_EU_TENANT_CLIENT_SECRET.
    environmentPrefix: prefixOf(name),
    protectedRequest: [{ name: "our CI", ip: "203.0.113.7", country: "DE" }],
    expectations: [
      expectation("sanctions").that({ scopes: "authentication", countries }).isBlocked(),
      expectation("third parties").limits({ consumer: "third_party_clients", atMost: limit }),
    ],
  });
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
