/** Limits all third parties, and gives one partner a higher limit. */
import { App, TerraformStack } from "cdktf";
import { RateLimitPolicy, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "recipe");
new TenantProvider(stack, "tenant");
new RateLimitPolicy(stack, "third-parties", {
  consumerSelector: "third_party_clients",
  configuration: { action: "block", limit: 25 },
});
new RateLimitPolicy(stack, "partner", {
  consumerSelector: "client_id:dyHrzVfRhDaQ9ySxWpCrvtBpPjEJGqMF",
  configuration: { action: "log", limit: 200 },
});
app.synth();
