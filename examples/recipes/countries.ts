/** Allows sign-in from a few countries only. */
import { App, TerraformStack } from "cdktf";
import { Action, Match, NetworkAclOrder, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "recipe");
new TenantProvider(stack, "tenant", {
  protectedRequest: [{ name: "our CI", ip: "203.0.113.7" }],
});
new NetworkAclOrder(stack, "sign-in", {
  acls: [
    {
      id: "office",
      description: "The office, from every country",
      rule: { action: Action.allow(), match: Match.addresses("203.0.113.0/24"), scope: "authentication" },
    },
    {
      id: "abroad",
      description: "No sign-in except from DE, AT and CH",
      rule: { action: Action.block(), notMatch: Match.countries("DE", "AT", "CH"), scope: "authentication" },
    },
  ],
});
app.synth();
