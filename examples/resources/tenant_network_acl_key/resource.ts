import { App, TerraformStack, TerraformVariable } from "cdktf";
import { NetworkAclKey, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "example");
new TenantProvider(stack, "tenant");
const secret = new TerraformVariable(stack, "edge_key", { type: "string" });
secret.addOverride("ephemeral", true);
new NetworkAclKey(stack, "example", {
  namePrefix: "edge-",
  valueWo: secret.stringValue,
  lifecycle: { createBeforeDestroy: true },
});
app.synth();
