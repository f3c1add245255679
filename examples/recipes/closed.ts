/** Deny everything, then open: whom no list lets in before the last is refused. */
import { App, TerraformStack } from "cdktf";
import { Action, Match, NetworkAclOrder, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "recipe");
new TenantProvider(stack, "tenant", {
  protectedRequests: [
    { name: "our CI", ip: "203.0.113.7" },
    { name: "its token", path: "/oauth/token", ip: "203.0.113.7" },
  ],
});
new NetworkAclOrder(stack, "closed", {
  acls: [
    {
      id: "own",
      description: "Our own networks, to everything",
      rule: { action: Action.allow(), match: Match.addresses("203.0.113.0/24"), scope: "tenant" },
    },
    {
      id: "customers",
      description: "Sign-in from where our customers are",
      rule: { action: Action.allow(), match: Match.countries("DE", "AT", "CH"), scope: "authentication" },
    },
    {
      id: "rest",
      description: "Nobody else, to anything",
      rule: { action: Action.block(), matchAll: true, scope: "tenant" },
    },
  ],
});
app.synth();
