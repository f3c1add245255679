/** The program of README, and of `npx cdktf deploy` in the clone. */
import { App, TerraformStack } from "cdktf";
import { embeddedTenant, Match, NetworkAcl, OrganizationMemberSet, RateLimitPolicy, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "tenant");
new TenantProvider(stack, "auth0", { ...embeddedTenant(), protectedRequest: [{ name: "our CI", country: "DE" }] });
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
