import { App, TerraformStack, TerraformVariable } from "cdktf";
import { NetworkAclKey, TenantProvider } from "tenantform";

const app = new App();
const stack = new TerraformStack(app, "example");
new TenantProvider(stack, "tenant");
const material = new TerraformVariable(stack, "edge_key", { type: "string" });
material.addOverride("ephemeral", true);
new NetworkAclKey(stack, "example", {
  namePrefix: "edge-",
  valueWo: material.stringValue,
  lifecycle: { createBeforeDestroy: true },
});
app.synth();
