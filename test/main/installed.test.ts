/** The provider as it is shipped: the built bundle, installed where Terraform looks, with mutual TLS. */
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { version } from "../../src/version";
import { run } from "../support/program";

const built = path.join(__dirname, "../../dist/provider");
const platform = `${process.platform === "win32" ? "windows" : process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;

test("init, plan, apply, an empty plan and destroy, with nothing left behind", async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  const emulator = createEmulator();
  const { url, close } = await emulator.listen();
  const organization = emulator.store.addOrganization({ name: "acme" }).id;
  const temporary = path.join(directory, "tmp");
  const env = {
    TENANT_ENDPOINT: url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
    TMPDIR: temporary,
    TF_LOG_PROVIDER: "trace",
  };
  const logs: string[] = [];
  const terraform = async (...args: string[]) => {
    const ended = await run("terraform", [...args, "-no-color"], { cwd: directory, env });
    logs.push(ended.stderr);
    if (ended.code !== 0) throw new Error(`${args.join(" ")}\n${ended.stdout}${ended.stderr.slice(-4000)}`);
    return ended.stdout;
  };

  try {
    const plugins = `terraform.d/plugins/registry.terraform.io/tenantform/tenant/${version}/${platform}`;
    await mkdir(temporary);
    await mkdir(path.join(directory, plugins), { recursive: true });
    await cp(built, path.join(directory, plugins), { recursive: true });
    await writeFile(
      path.join(directory, "main.tf"),
      `terraform {
         required_providers {
           tenant = { source = "tenantform/tenant" }
         }
       }
       resource "tenant_network_acl" "a" {
         description = "A"
         rule = {
           action = { block = true }
           match  = { ipv4_cidrs = ["203.0.113.0/24"] }
           scope  = "authentication"
         }
       }
       resource "tenant_rate_limit_policy" "b" {
         consumer_selector = "default"
         configuration     = { action = "allow" }
       }
       resource "tenant_organization_member_set" "c" {
         organization_id = ${JSON.stringify(organization)}
         members         = [for n in range(25) : "auth0|\${n}"]
       }`,
    );
    await terraform("init");
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
    expect(log).not.toContain(emulator.clientSecret);
    expect(log).not.toMatch(/eyJ[\w-]+\.eyJ/);
  } finally {
    await close();
    await rm(directory, { recursive: true, force: true });
  }
});

test("started by hand it says what it is", async () => {
  const ended = await run(process.execPath, [path.join(built, `terraform-provider-tenant_v${version}`)], {
    cwd: built,
  });
  expect(ended.code).toBe(1);
  expect(ended.stdout).toBe("");
  expect(ended.stderr).toContain("Terraform provider");
});
