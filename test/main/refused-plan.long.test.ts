/** Real plans that the provider refuses because of what it reads from the process of Terraform itself. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { install, type Installation } from "../support/installation";
import { unwrapped } from "../support/workspace";

const acl = (name: string, priority: number, action: string, cidr: string) => `
resource "tenant_network_acl" "${name}" {
  description = "${name}"
  priority    = ${priority}
  rule {
    action { ${action} = true }
    match { ipv4_cidrs = ["${cidr}"] }
    scope  = "tenant"
  }
}
`;
const head = `
terraform {
  required_providers {
    tenant = { source = "tenantform/tenant" }
  }
}
provider "tenant" {
  protected_request { ip = "203.0.113.7" }
}
`;
const block = acl("net", 50, "block", "203.0.113.0/24");
const allow = acl("office", 5, "allow", "203.0.113.7/32");

const emulator = createEmulator();
let tenant: Awaited<ReturnType<typeof emulator.listen>>;
let installation: Installation;
beforeAll(async () => {
  [tenant, installation] = await Promise.all([emulator.listen(), install("")]);
});
afterAll(() => Promise.all([tenant.close(), installation.close()]));

async function run(hcl: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  await writeFile(path.join(installation.directory, "main.tf"), hcl);
  return installation.terraform(args, {
    TENANT_ENDPOINT: tenant.url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
    TMPDIR: installation.directory,
    ...environment,
  });
}

test("refuses a plan that blocks a protected request, and accepts it with an ACL that allows the request", async () => {
  const refused = await run(head + block, ["plan"]);
  expect([refused.code, unwrapped(refused.stderr)]).toEqual([
    1,
    expect.stringContaining('"net" (priority 50) blocks the protected request'),
  ]);
  const accepted = await run(head + block + allow, ["plan"]);
  expect([accepted.code, accepted.stdout]).toEqual([0, expect.not.stringContaining("protected request")]);
});
