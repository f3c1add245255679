/** The program of README. The environment names the tenant. */
import { App, TerraformStack } from "cdktf";
import { Match, NetworkAcl, OrganizationMemberSet, RateLimitPolicy, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "tenant");
new TenantProvider(stack, "auth0", { protectedRequest: [{ name: "our CI", ip: "198.51.100.10", country: "DE" }] });
new NetworkAcl(stack, "sanctions", {
  description: "No sign-in from sanctioned countries",
  priority: 10,
  rule: { action: { block: true }, match: Match.countries("CU", "IR", "KP", "SY"), scope: "authentication" },
});
new RateLimitPolicy(stack, "third-parties", {
  consumerSelector: "third_party_clients",
  configuration: { action: "block", limit: 25 },
});
new OrganizationMemberSet(stack, "staff", {
  organizationId: "org_quickstart000001",
  members: ["auth0|ada", "auth0|grace"],
  allowEmpty: true, // so that a destroy may remove both
});
app.synth();
