/** Allows requests to the custom domain only through our proxy. */
import { App, TerraformStack } from "cdktf";
import { Action, Match, NetworkAcl, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "recipe");
new TenantProvider(stack, "tenant");
new NetworkAcl(stack, "around-the-proxy", {
  description: "login.example.com only through our proxy",
  priority: 10,
  rule: {
    action: Action.block(),
    match: Match.hostnames("login.example.com"),
    notMatch: Match.through("198.51.100.7", "198.51.100.8"),
    scope: "tenant",
  },
});
app.synth();
