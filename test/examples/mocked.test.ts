/** `terraform test` with a mocked provider plans the defaults that the guide gives to the mock. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { kinds } from "../../src/kinds/kinds";
import { tenantProvider } from "../../src/resources/provider";
import { attributesOf } from "../../src/sdk/schema";
import { openWorkspace } from "../support/workspace";

const configuration = `
resource "tenant_network_acl" "a" {
  description = "No sign-in from there"
  rule {
    action {
      block = true
    }
    match {
      geo_country_codes = ["KP"]
    }
    scope = "authentication"
  }
}
resource "tenant_network_acl_key" "a" {
  name  = "edge"
  value = "${Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("base64")}"
}
resource "tenant_rate_limit_policy" "a" {
  consumer_selector = "default"
  configuration {
    action = "allow"
  }
}
resource "tenant_organization_member_set" "a" {
  organization_id = "org_0123456789abcdef"
  members         = ["auth0|a"]
}`;

test("the mock of the guide has every default of the provider", async () => {
  const guide = await readFile(path.join(__dirname, "../../docs/guides/embedded-tenant.md"), "utf8");
  const [, mock] = /```terraform\n(mock_provider .*?)```/s.exec(guide)!;
  const provider = tenantProvider("0.0.0", {});
  const asserted = await Promise.all(
    kinds.map(async ({ name, type }) => {
      const { definition } = await provider.resources[name]!();
      const defaults = attributesOf(definition.config).filter((attribute) => attribute.default !== undefined);
      return defaults.map((one) => `${type}.a.${one.name} == ${JSON.stringify(one.default)}`);
    }),
  );
  const assertions = asserted
    .flat()
    .map((condition) => `assert {\n condition = ${condition}\n error_message = ${JSON.stringify(condition)}\n }`);
  expect(assertions).toHaveLength(8);
  const workspace = await openWorkspace();
  try {
    await workspace.write(configuration);
    await mkdir(path.join(workspace.directory, "tests"));
    const run = `run "plan" {\n command = plan\n ${assertions.join("\n")}\n}\n`;
    await writeFile(path.join(workspace.directory, "tests/mocked.tftest.hcl"), mock! + run);
    const { code, stdout, stderr } = await workspace.terraform("test");
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining("1 passed, 0 failed")]);
    expect(workspace.served()).toEqual([]);
  } finally {
    await workspace.close();
  }
});
