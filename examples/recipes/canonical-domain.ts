/** Only machines sign in at the tenant's own name; people use the custom domain. */
import { App, TerraformStack } from "cdktf";
import { Action, Match, NetworkAcl, TenantProvider } from "tenantform";

const canonical = "acme.eu.auth0.com";

const app = new App();
const stack = new TerraformStack(app, "recipe");
new TenantProvider(stack, "tenant", {
  protectedRequest: [{ name: "our CI's token", path: "/oauth/token", ip: "203.0.113.7", hostname: canonical }],
});
new NetworkAcl(stack, "canonical-domain", {
  description: "Only our machines sign in at the tenant's own name",
  priority: 10,
  rule: {
    action: Action.block(),
    match: Match.hostnames(canonical),
    notMatch: Match.addresses("203.0.113.0/24"),
    scope: "authentication",
  },
});
app.synth();
