import { App, TerraformStack } from "cdktf";
import { NetworkAcl, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "example");
new TenantProvider(stack, "tenant");
new NetworkAcl(stack, "example", {
  description: "Sign-in from DE, AT and CH alone",
  priority: 20,
  rule: { action: { block: true }, notMatch: { geoCountryCodes: ["DE", "AT", "CH"] }, scope: "authentication" },
});
app.synth();
