import { App, TerraformStack } from "cdktf";
import { OrganizationMemberSet, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "example");
new TenantProvider(stack, "tenant");
new OrganizationMemberSet(stack, "example", {
  organizationId: "org_9ybsU1dN2dKfDkBi",
  members: ["auth0|65f0c2a4", "google-oauth2|1041"],
});
app.synth();
