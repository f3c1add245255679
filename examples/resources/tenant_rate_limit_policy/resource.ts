import { App, TerraformStack } from "cdktf";
import { RateLimitPolicy, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "example");
new TenantProvider(stack, "tenant");
new RateLimitPolicy(stack, "example", {
  consumerSelector: "third_party_clients",
  configuration: { action: "block", limit: 25 },
});
app.synth();
