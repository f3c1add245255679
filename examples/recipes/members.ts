/** Reads the members of an organization from a file with one line per member. */
import { App, TerraformStack } from "cdktf";
import { readFileSync } from "node:fs";
import path from "node:path";
import { OrganizationMemberSet, TenantProvider } from "tenantform";

const lines = readFileSync(path.join(__dirname, "members.txt"), "utf8").split("\n");
const members = lines.map((line) => line.replace(/#.*/, "").trim()).filter((id) => id !== "");

const app = new App();
const stack = new TerraformStack(app, "recipe");
new TenantProvider(stack, "tenant");
new OrganizationMemberSet(stack, "staff", {
  organizationId: process.env.TENANT_ORGANIZATION_ID ?? "org_quickstart000001",
  members,
  maxRemovals: 5,
});
app.synth();
