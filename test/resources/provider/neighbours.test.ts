/** Two provider configurations of one tenant in one run: Terraform starts a process for each, and each knows of the other. */
import { statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../../src/emulator/emulator";
import { announce } from "../../../src/resources/provider/neighbours";
import { parsePlan } from "../../../src/review/plan";
import { reviewTenant, tenantsIn } from "../../../src/review/tenants";
import { install } from "../../support/installation";
import { unwrapped } from "../../support/workspace";

let temporary: string;
beforeEach(async () => (temporary = await mkdtemp(path.join(os.tmpdir(), "tenantform-neighbours-"))));
afterEach(() => rm(temporary, { recursive: true }));

// Processes that certainly live: this one and its parent.
const one = (parent = 1) => ({ temporary, parent, pid: process.pid, began: Date.now() - 1000 });
const two = (parent = 1) => ({ ...one(parent), pid: process.ppid });

describe("processes", () => {
  test("of one run and one tenant know of each other, also of one that has left", () => {
    const first = announce("a.example", one());
    expect(first.areThere()).toBe(false);
    const second = announce("a.example", two());
    expect([first.areThere(), second.areThere()]).toEqual([true, true]);
    second.leave();
    expect(first.areThere()).toBe(true);
  });

  test("that had left before another began are not known to it, as a plan that comes before an apply", () => {
    announce("a.example", one()).leave();
    expect(announce("a.example", { ...two(), began: Date.now() + 1000 }).areThere()).toBe(false);
  });

  test("take away what runs have left that are over, and nothing else", async () => {
    announce("a.example", one(2 ** 30));
    await mkdir(path.join(temporary, "tenantform-other"));
    announce("a.example", one(process.ppid)).leave();
    const name = `tenantform-${process.getuid?.() ?? ""}-${process.ppid}`;
    expect((await readdir(temporary)).toSorted()).toEqual([name, "tenantform-other"].toSorted());
  });

  test("of other runs and other tenants do not", () => {
    const first = announce("a.example", one());
    announce("b.example", two());
    announce("a.example", two(2));
    expect(first.areThere()).toBe(false);
  });

  test("that were killed are not there any more", async () => {
    const first = announce("a.example", one());
    announce("a.example", { ...two(), pid: 2 ** 30 });
    expect(first.areThere()).toBe(false);
  });

  test("that cannot write do without, and say nothing", async () => {
    const file = path.join(temporary, "file");
    await writeFile(file, "");
    const first = announce("a.example", { ...one(), temporary: file });
    expect(first.areThere()).toBe(false);
    first.leave();
  });

  test("keep to a folder that only this user may enter", async () => {
    announce("a.example", one());
    const [folder] = await readdir(temporary);
    expect(statSync(path.join(temporary, folder!)).mode & 0o077).toBe(0);
  });
});

describe("through Terraform", () => {
  const acl = (name: string, alias: string, priority: number, action: string, cidr: string) => `
resource "tenant_network_acl" "${name}" {
  provider    = ${alias}
  description = "${name}"
  priority    = ${priority}
  rule {
    action { ${action} = true }
    match { ipv4_cidrs = ["${cidr}"] }
    scope  = "tenant"
  }
}
`;

  test("the plan warns of two aliases of one tenant, and the review of the plan tells of what they do together", async () => {
    const [mine, other] = [createEmulator(), createEmulator()];
    const [tenant, elsewhere] = await Promise.all([mine.listen(), other.listen()]);
    const { directory, terraform, close } = await install("");
    try {
      const env = { TENANT_CLIENT_ID: mine.clientId, TENANT_CLIENT_SECRET: mine.clientSecret, TMPDIR: temporary };
      const providers = (second: string, more = "") => `
provider "tenant" {
  endpoint = "${tenant.url}"
  protected_requests { ip = "198.51.100.10" }
}
provider "tenant" {
  alias    = "b"
  endpoint = "${second}"
  ${more}
}
terraform {
  required_providers {
    tenant = { source = "tenantform/tenant" }
  }
}
`;
      const run = async (hcl: string, ...args: string[]) => {
        await writeFile(path.join(directory, "main.tf"), hcl);
        const { code, stdout, stderr } = await terraform(args, env);
        expect([code, stderr]).toEqual([0, ""]);
        return stdout;
      };
      const office = acl("office", "tenant", 1, "allow", "198.51.100.10/32");
      const closed = acl("net", "tenant.b", 2, "block", "198.51.100.0/24");
      const spelled = tenant.url.replace("127.0.0.1", "LOCALHOST");
      await run(providers(spelled) + office, "apply", "-auto-approve");

      const words = unwrapped(await run(providers(spelled) + closed, "plan", "-out=plan"));
      expect(words).toContain("Warning: Two provider configurations for one tenant");
      expect(words).toContain("see only the resources of one of them");
      const plan = parsePlan(await run(providers(spelled) + closed, "show", "-json", "plan"), "plan");
      const [review, ...others] = tenantsIn([{ name: "infra", plan }]).map(
        (tenantOf) => reviewTenant(tenantOf, {}).whole,
      );
      expect(others).toEqual([]);
      expect(review!.findings.map(({ code }) => code)).toContain("TF-ACL-LOCKOUT");

      const credentials = `client_id = "${other.clientId}"\n  client_secret = "${other.clientSecret}"`;
      const apart = unwrapped(await run(providers(elsewhere.url, credentials) + office + closed, "plan"));
      expect(apart).not.toContain("Two provider configurations");
    } finally {
      await Promise.all([tenant.close(), elsewhere.close(), close()]);
    }
  }, 60_000);
});
