/** Logs matching requests first, and redirects them later. */
import { App, TerraformStack } from "cdktf";
import { Action, Match, NetworkAcl, TenantProvider } from "tenantform";

const enforced = process.env.ENFORCE === "yes";

const app = new App();
const stack = new TerraformStack(app, "recipe");
new TenantProvider(stack, "tenant");
new NetworkAcl(stack, "anonymizers", {
  description: "Sign-in through Tor, VPNs and open proxies",
  priority: 20,
  rule: {
    action: enforced ? Action.redirect("https://example.com/no-anonymizers") : Action.log(),
    match: Match.anonymizers(),
    scope: "authentication",
  },
});
app.synth();
