import { App, TerraformStack } from "cdktf";
import { Action, Match, NetworkAcl, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "example");
// A plan that would block this machine fails.
new TenantProvider(stack, "tenant", {
  protectedRequest: [{ name: "our CI", ip: "198.51.100.10", country: "US" }],
});
// Sign-in has the scope authentication, and so have the token requests of machines.
const machines = new NetworkAcl(stack, "machines", {
  description: "Our CI and our servers, from every country",
  priority: 10,
  rule: { action: Action.allow(), match: Match.addresses("198.51.100.10", "203.0.113.0/24"), scope: "authentication" },
});
new NetworkAcl(stack, "example", {
  description: "Sign-in from DE, AT and CH alone",
  priority: 20,
  rule: { action: Action.block(), notMatch: Match.countries("DE", "AT", "CH"), scope: "authentication" },
  dependsOn: [machines],
});
app.synth();
