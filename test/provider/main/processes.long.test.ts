/** What only real processes show: a destroy plans in a process that reads nothing, and a terminal interrupts all of them. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as hcl from "../../support/hcl";
import { installWithTenant, type InstalledWithTenant } from "../../support/installation";
import { start } from "../../support/program";
import { unwrapped } from "../../support/workspace";

let installed: InstalledWithTenant;
afterEach(() => installed.close());

const acl = (name: string, priority: number, action: string, cidr: string) =>
  hcl.acl(name, { priority, action, match: `ipv4_cidrs = ["${cidr}"]` });
const rule = { action: { block: true }, scope: "tenant", match: { ipv4_cidrs: ["198.51.100.0/24"] } } as const;

const provider = 'provider "tenant" {\n protected_request { ip = "198.51.100.10" }\n }';
const office = acl("office", 10, "allow", "198.51.100.10/32");

test.each([["destroy"], ["apply", "-destroy"]])(
  "refuses a lock-out in the plan of %s %s, before it deletes anything",
  async (...command) => {
    const seed = { network_acls: [{ description: "by hand", active: true, priority: 50, rule }] };
    installed = await installWithTenant(provider + office + acl("korea", 60, "block", "175.45.176.0/22"), { seed });
    expect(await installed.terraform(["apply", "-auto-approve"])).toMatchObject({ code: 0 });
    const { code, stderr } = await installed.terraform([...command, "-auto-approve"]);
    expect([code, unwrapped(stderr)]).toEqual([1, expect.stringContaining("blocks the protected request")]);
    expect(installed.emulator.snapshot().network_acls).toHaveLength(3);
  },
);

const policies = hcl.policy("each", "client_id:client_${count.index}", 5, "count = 6");

test.each([1, 10])("after Ctrl-C the state has every created object, with -parallelism=%d", async (parallelism) => {
  let made = 0;
  // The interrupt comes after the request was sent and before its late response.
  installed = await installWithTenant(policies, { latency: 1_000 });
  const { emulator, env, directory } = installed;
  const created = () => (emulator.snapshot().rate_limit_policies ?? []).map(({ id }) => id);
  let interrupt = () => {};
  const watch = setInterval(() => {
    if (created().length > made) interrupt();
    made = created().length;
  }, 5);
  const args = ["apply", "-auto-approve", "-no-color", `-parallelism=${parallelism}`];
  const applying = start("terraform", args, { cwd: directory, env, detached: true });
  // A terminal sends the signal to the whole process group.
  interrupt = () => {
    interrupt = () => {};
    process.kill(-applying.child.pid!, "SIGINT");
  };
  const ended = await applying.ended;
  clearInterval(watch);
  expect(ended.stdout).toContain("Interrupt received");
  expect(created().length).toBeGreaterThan(0);
  const { resources } = JSON.parse(await readFile(path.join(directory, "terraform.tfstate"), "utf8"));
  const known = resources.flatMap(({ instances }: { instances: { attributes: { id: string } }[] }) => instances);
  expect(known.map(({ attributes }: { attributes: { id: string } }) => attributes.id).toSorted()).toEqual(
    created().toSorted(),
  );
  expect((await installed.terraform(["destroy", "-auto-approve"])).stderr).toBe("");
  expect(created()).toEqual([]);
});
