/** The exit code of real plans that block a protected request: the provider reads the command line of Terraform itself. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { install } from "../support/installation";
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
  protected_requests { ip = "203.0.113.7" }
}
`;
const block = acl("net", 50, "block", "203.0.113.0/24");
const allow = acl("office", 5, "allow", "203.0.113.7/32");

test("refuses a plan that blocks a protected request, and accepts it with an ACL that allows the request", async () => {
  const emulator = createEmulator();
  const [{ url, close }, installation] = await Promise.all([emulator.listen(), install("")]);
  const plan = async (hcl: string, parallelism?: string) => {
    await writeFile(path.join(installation.directory, "main.tf"), head + hcl);
    return installation.terraform(["plan"], {
      TENANT_ENDPOINT: url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
      ...(parallelism !== undefined && { TF_CLI_ARGS_plan: `-parallelism=${parallelism}` }),
    });
  };
  try {
    const refused = await plan(block);
    expect([refused.code, unwrapped(refused.stderr)]).toEqual([
      1,
      expect.stringContaining("Error: A protected request"),
    ]);
    const accepted = await plan(block + allow);
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.not.stringContaining("A protected request")]);
    const serial = await plan(block, "1");
    expect([serial.code, unwrapped(serial.stdout)]).toEqual([0, expect.stringContaining("so the apply decides")]);
  } finally {
    await Promise.all([close(), installation.close()]);
  }
});
