/** The shipped provider, installed where Terraform finds it, with mutual TLS: a life through Terraform, and its start, clients and end. */
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { testProcessLife } from "../plugin/support/process-life";
import { executable, install } from "../support/installation";

const stack = `
  variable "organization" {}
  resource "tenant_network_acl" "a" {
    description = "A"
    rule {
      action { block = true }
      match { ipv4_cidrs = ["203.0.113.0/24"] }
      scope  = "authentication"
    }
  }
  resource "tenant_rate_limit_policy" "b" {
    consumer_selector = "default"
    configuration {
      action = "allow"
    }
  }
  resource "tenant_organization_member_set" "c" {
    organization_id = var.organization
    members         = [for n in range(25) : "auth0|\${n}"]
    allow_empty     = true
  }
`;

test("plans, applies, plans no changes and destroys, leaves nothing behind, and logs no secret", async () => {
  const emulator = createEmulator();
  const [{ url, close }, installation] = await Promise.all([emulator.listen(), install(stack)]);
  const organization = emulator.store.addOrganization({ name: "acme" }).id;
  const temporary = path.join(installation.directory, "tmp");
  const logs: string[] = [];
  const terraform = async (...args: string[]) => {
    const { code, stdout, stderr } = await installation.terraform(args, {
      TENANT_ENDPOINT: url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
      TF_VAR_organization: organization,
      TF_LOG_PROVIDER: "trace",
      TMPDIR: temporary,
    });
    logs.push(stderr);
    if (code !== 0) throw new Error(`${args.join(" ")}\n${stdout}${stderr.slice(-4000)}`);
    return stdout;
  };

  try {
    await mkdir(temporary);
    await terraform("validate");
    await terraform("apply", "-auto-approve");
    expect(emulator.snapshot()).toMatchObject({
      network_acls: [{ description: "A" }],
      rate_limit_policies: [{ consumer_selector: "default" }],
    });
    expect(emulator.store.members(organization)!.size).toBe(25);
    expect(await terraform("plan")).toContain("No changes.");
    await terraform("destroy", "-auto-approve");
    expect(emulator.snapshot().network_acls ?? []).toEqual([]);

    expect(await readdir(temporary)).toEqual([]);
    const log = logs.join("");
    expect(log).toContain("POST /api/v2/network-acls");
    expect(log).toContain("Requests of this process");
    expect(log).not.toContain(emulator.clientSecret);
    expect(log).not.toMatch(/eyJ[\w-]+\.eyJ/);
  } finally {
    await Promise.all([close(), installation.close()]);
  }
});

describe("as a process", () => testProcessLife(() => executable));
