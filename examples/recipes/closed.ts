/** Blocks every request that no earlier ACL allows. */
import { App, TerraformStack } from "cdktf";
import { Action, Match, NetworkAclOrder, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "recipe");
new TenantProvider(stack, "tenant", {
  protectedRequest: [{ name: "our CI", ip: "203.0.113.7" }],
});
new NetworkAclOrder(stack, "closed", {
  acls: [
    {
      id: "own",
      description: "Our own networks, all requests",
      rule: { action: Action.allow(), match: Match.addresses("203.0.113.0/24"), scope: "tenant" },
    },
    {
      id: "customers",
      description: "Sign-in from the countries of our customers",
      rule: { action: Action.allow(), match: Match.countries("DE", "AT", "CH"), scope: "authentication" },
    },
    {
      id: "rest",
      description: "Block all other requests",
      rule: { action: Action.block(), matchAll: true, scope: "tenant" },
    },
  ],
});
app.synth();
