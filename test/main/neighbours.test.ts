/** Terraform starts a process for each of two provider configurations of one tenant, and each finds the other. */
import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { announce, enterRun, thisRun, type Run } from "../../src/plugin/neighbours";
import { parsePlan } from "../../src/review/plan";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { install } from "../support/installation";
import { unwrapped } from "../support/workspace";

let temporary: string;
beforeEach(async () => (temporary = await mkdtemp(path.join(os.tmpdir(), "tenantform-neighbours-"))));
afterEach(() => rm(temporary, { recursive: true }));

const run = (pid: number, parent = "1.1", more: Partial<Run> = {}): Run => {
  return { places: [temporary], parent, pid, now: Date.now(), isAlive: () => true, ...more };
};
/** Sees that one process was killed. */
const without = (ended: number) => ({ isAlive: (pid: number) => pid !== ended });

/** The folder of a started process. */
async function started(pid: number, parent = "1.1"): Promise<string> {
  const folder = path.join(temporary, `plugin-${parent}-${pid}`);
  await mkdir(folder, { mode: 0o700 });
  enterRun(folder, run(pid, parent));
  return folder;
}
const hour = 60 * 60 * 1000;

/** The folder of a process that was killed an hour ago, with a note of another process. */
async function killed(pid: number, parent = "1.1"): Promise<string> {
  const folder = await started(pid, parent);
  await writeFile(path.join(folder, "socket"), "");
  announce("a.example", run(pid + 1000, parent));
  const before = new Date(Date.now() - hour);
  await utimes(path.join(folder, `run-${parent}-${pid}`), before, before);
  return folder;
}

describe("processes", () => {
  test("find each other in one run on one tenant, in any order", async () => {
    await started(10);
    const first = announce("a.example", run(10));
    expect(first.areThere()).toBe(false);
    await started(11);
    const second = announce("a.example", run(11));
    expect([first.areThere(), second.areThere()]).toEqual([true, true]);
  });

  test("also find a process that has ended before they were configured", async () => {
    const gone = await started(10);
    const first = announce("a.example", run(10));
    await started(11);
    first.leave();
    await rm(gone, { recursive: true });
    expect(announce("a.example", run(11)).areThere()).toBe(true);
  });

  test("do not find a process that ended before they began, such as a plan before an apply", async () => {
    const gone = await started(10);
    announce("a.example", run(10)).leave();
    await rm(gone, { recursive: true });
    await started(11);
    expect(announce("a.example", run(11)).areThere()).toBe(false);
  });

  test("do not find processes of other runs and other tenants", async () => {
    await Promise.all([started(10), started(11), started(12, "1.2")]);
    const first = announce("a.example", run(10));
    announce("b.example", run(11));
    announce("a.example", run(12, "1.2"));
    expect(first.areThere()).toBe(false);
  });

  test("do not find a killed process, although its folder stays", async () => {
    await started(10);
    announce("a.example", run(10));
    await started(11);
    expect(announce("a.example", run(11, "1.1", without(10))).areThere()).toBe(false);
  });

  test("ask the system whether a process is alive", async () => {
    const ended = spawnSync(process.execPath, ["-e", ""]).pid;
    await started(ended);
    announce("a.example", run(ended));
    await started(process.pid);
    const { isAlive } = thisRun();
    expect(announce("a.example", run(process.pid, "1.1", { isAlive })).areThere()).toBe(false);
    expect([isAlive(process.pid), isAlive(process.ppid), isAlive(ended)]).toEqual([true, true, false]);
  });

  test("delete the folder of a process that was killed an hour ago, in their own run or another one", async () => {
    const old = [await killed(10), await killed(20, "2.1")];
    const [recent] = [await started(12), await started(11)];
    const isAlive = (pid: number) => pid === 11;
    expect(announce("a.example", run(11, "1.1", { isAlive })).areThere()).toBe(false);
    const left = await readdir(temporary);
    for (const folder of old) expect(left).not.toContain(path.basename(folder));
    expect(left).toContain(path.basename(recent));
  });

  test("keep a folder with other files, one that others can enter, and one that is a link", async () => {
    const [filled, open, moved] = [await killed(10), await killed(20), await killed(30)];
    await writeFile(path.join(filled, "notes.txt"), "");
    await chmod(open, 0o755);
    const elsewhere = path.join(temporary, "elsewhere");
    await rename(moved, elsewhere);
    await symlink(elsewhere, moved);
    await started(11);
    const before = await Promise.all([filled, open, elsewhere].map((folder) => readdir(folder)));
    announce("a.example", run(11, "1.1", { isAlive: (pid) => pid === 11 }));
    expect(await Promise.all([filled, open, moved].map((folder) => readdir(folder)))).toEqual(before);
  });

  test("work without a folder, and print nothing", async () => {
    await started(10);
    announce("a.example", run(10));
    enterRun(path.join(temporary, "missing"), run(11));
    const second = announce("a.example", { ...run(11), places: [path.join(temporary, "missing")] });
    expect(second.areThere()).toBe(false);
    second.leave();
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

  test("warns in the plan of two aliases of one tenant, and shows in the review their joint effect", async () => {
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
      const succeed = async (hcl: string, ...args: string[]) => {
        await writeFile(path.join(directory, "main.tf"), hcl);
        const { code, stdout, stderr } = await terraform(args, env);
        expect([code, stderr]).toEqual([0, ""]);
        return stdout;
      };
      const office = acl("office", "tenant", 1, "allow", "198.51.100.10/32");
      const closed = acl("net", "tenant.b", 2, "block", "198.51.100.0/24");
      const spelled = tenant.url.replace("127.0.0.1", "LOCALHOST");
      await succeed(providers(spelled) + office, "apply", "-auto-approve");

      const words = unwrapped(await succeed(providers(spelled) + closed, "plan", "-out=plan"));
      expect(words).toContain("Warning: Two provider configurations for one tenant");
      expect(words).toContain("see only the resources of one configuration");
      const plan = parsePlan(await succeed(providers(spelled) + closed, "show", "-json", "plan"), "plan");
      const [review, ...others] = tenantsIn([{ name: "infra", plan }]).map(
        (tenantOf) => reviewTenant(tenantOf, {}).whole,
      );
      expect(others).toEqual([]);
      expect(review!.findings.map(({ code }) => code)).toContain("TF-ACL-LOCKOUT");

      const credentials = `client_id = "${other.clientId}"\n  client_secret = "${other.clientSecret}"`;
      const apart = unwrapped(await succeed(providers(elsewhere.url, credentials) + office + closed, "plan"));
      expect(apart).not.toContain("Two provider configurations");
      expect((await readdir(temporary)).filter((name) => name.startsWith("plugin-"))).toEqual([]);
    } finally {
      await Promise.all([tenant.close(), elsewhere.close(), close()]);
    }
  });
});
