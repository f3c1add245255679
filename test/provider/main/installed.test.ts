/** The shipped provider, installed where Terraform finds it, with mutual TLS: a life through Terraform, and its start, clients and end. */
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { testProcessLife } from "../plugin/support/process-life";
import { acl, policy } from "../../support/hcl";
import { executable, installWithTenant } from "../../support/installation";

const stack = `
  variable "organization" {}
  ${acl("A", { action: "block", scope: "authentication" })}
  ${policy("b", "default")}
  resource "tenant_organization_member_set" "c" {
    organization_id = var.organization
    members         = [for n in range(25) : "auth0|\${n}"]
    allow_empty     = true
  }
`;

test("plans, applies, plans no changes and destroys, leaves nothing behind, and logs no secret", async () => {
  const installation = await installWithTenant(stack);
  const { emulator, directory } = installation;
  const organization = emulator.store.addOrganization({ name: "acme" }).id;
  const temporary = path.join(directory, "tmp");
  const logs: string[] = [];
  const terraform = async (...args: string[]) => {
    const env = { TF_VAR_organization: organization, TF_LOG_PROVIDER: "trace", TMPDIR: temporary };
    const { code, stdout, stderr } = await installation.terraform(args, env);
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
    await installation.close();
  }
});

describe("as a process", () => testProcessLife(() => executable));
