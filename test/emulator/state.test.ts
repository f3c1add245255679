/** The contents of a tenant: seeds, resets, and the file that keeps them from one run to the next. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, rmdir, stat, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { createEmulator, type Seed } from "../../src/emulator/emulator";
import { newFolder } from "../support/folder";
import { fullDisk } from "../support/full-disk";
import { createTenant } from "./client";
import { startCommand } from "./process";

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder();
  file = path.join(folder, "tenant.json");
});

const rule = { scope: "tenant", action: { log: true }, match: { asns: [1] } };
const acl = { description: "d", active: true, rule };

test.each<[string, object, string]>([
  ["a kind", { organisations: [] }, "not allowed: organisations'"],
  ["an organization", { organizations: [{ membres: [] }] }, "membres' on property organizations[0]"],
  ["a member", { organizations: [{ members: [["auth0|1", "x"]] }] }, "organizations[0]: a member is a user id"],
  ["a user", { users: [{ user_id: "a" }, { emial: "" }] }, "emial' on property users[1]"],
  ["a client", { clients: [{ secret: "s" }] }, "secret' on property clients[0]"],
  ["an ACL", { network_acls: [{ rule, prioriti: 1 }] }, "prioriti' on property network_acls[0]"],
  ["a signal", { network_acls: [{ rule: { ...rule, match: { asn: [1] } } }] }, "asn' on property network_acls[0].rule"],
  ["an action", { network_acls: [{ rule: { ...rule, action: {} } }] }, "on property rule.action"],
  ["a policy", { rate_limit_policies: [{ configuration: { action: "allow", limit: 1 } }] }, "[0].configuration"],
  ["a fault", { faults: [{ stauts: 1 }] }, "stauts' on property faults[0]"],
])("names the place of %s of a seed that is misspelt", (_, seed, message) => {
  const problem = expect(() => createEmulator({ seed: seed as Seed }));
  problem.toThrow("The seed cannot be used: ");
  problem.toThrow(message);
});

test("restores the contents and faults of the start at a reset, ids and times included, and keeps the client", async () => {
  const organizations = [{ name: "acme", members: ["auth0|a"] }];
  const tenant = await createTenant({ seed: { organizations, network_acls: [{ rule }] } });
  const before = JSON.stringify(tenant.snapshot());
  const { id } = tenant.store.organizations.values()[0]!;
  await tenant.call("DELETE", `/organizations/${id}`);
  await tenant.call("POST", "/network-acls", { ...acl, priority: 3 });
  tenant.faults.add({ status: 500 });
  tenant.reset();
  expect([JSON.stringify(tenant.snapshot()), tenant.requests]).toEqual([before, []]);
  expect((await tenant.call("GET", `/organizations/${id}/members`)).body).toEqual([{ user_id: "auth0|a" }]);
});

test("keeps objects, the order of members, cursors, the client and its tokens in a file, after a reset as well", async () => {
  const before = await createTenant({ data: file, seed: { organizations: [{ name: "acme", members: ["auth0|1"] }] } });
  const { id } = before.store.organizations.values()[0]!;
  await before.call("POST", "/network-acls", acl);
  before.reset();
  const made = (await before.call("POST", "/network-acls", acl)).body;
  await before.call("PATCH", `/network-acls/${made.id}`, { priority: 3 });
  await before.call("POST", `/organizations/${id}/members`, { members: ["auth0|2", "auth0|3", "auth0|4"] });
  await before.call("DELETE", `/organizations/${id}/members`, { members: ["auth0|3"] });
  const page = (await before.call("GET", `/organizations/${id}/members?take=2`)).body;
  const key = await before.clientPrivateKey();
  before.close();
  expect(await readdir(folder)).toEqual(["tenant.json"]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const after = createEmulator({ data: file, seed: { organizations: [{ name: "other" }] } });
  expect(after.snapshot()).toEqual(before.snapshot());
  expect(after.store.networkAcls.size).toBe(1);
  expect([after.clientId, after.clientSecret]).toEqual([before.clientId, before.clientSecret]);
  expect(await after.clientPrivateKey()).toBe(key);
  const url = `http://127.0.0.1/api/v2/organizations/${id}/members?take=2&from=${encodeURIComponent(page.next)}`;
  const response = await after.fetch(new Request(url, { headers: { authorization: `Bearer ${before.token}` } }));
  expect(await response.json()).toMatchObject({ members: [{ user_id: "auth0|4" }] });
  after.close();
});

test("refuses a change that cannot be written with 500, changes nothing, and accepts it later", async () => {
  const tenant = await createTenant({ data: file, seed: { organizations: [{ name: "acme", members: ["auth0|1"] }] } });
  const { id } = tenant.store.organizations.values()[0]!;
  const made = (await tenant.call("POST", "/network-acls", acl)).body;
  const [snapshot, written] = [tenant.snapshot(), await readFile(file, "utf8")];
  const changes = [
    ["POST", "/network-acls", { ...acl, priority: 60 }],
    ["PATCH", `/network-acls/${made.id}`, { priority: 7 }],
    ["DELETE", `/network-acls/${made.id}`, undefined],
    ["POST", `/organizations/${id}/members`, { members: ["auth0|2"] }],
    ["DELETE", `/organizations/${id}/members`, { members: ["auth0|1"] }],
  ] as const;
  await mkdir(`${file}.new`);
  // The contract of the service has no 500.
  const undescribed = tenant.faults.add({ path: "/nowhere", status: 500 });
  for (const [method, at, body] of changes) {
    const refused = await tenant.call(method, at, body);
    expect([at, refused.status]).toEqual([at, 500]);
    expect(refused.body.message).toMatch(/tenant\.json cannot be written: .* The change is refused, and had no effect/);
    expect(tenant.snapshot()).toEqual(snapshot);
    expect(await readFile(file, "utf8")).toBe(written);
  }
  await rmdir(`${file}.new`);
  undescribed();
  for (const [method, at, body] of changes) expect((await tenant.call(method, at, body)).status).toBeLessThan(300);
  tenant.close();
  expect(() => tenant.store.addOrganization()).toThrow(/tenant\.json cannot be written: it is closed/);
  const after = createEmulator({ data: file });
  expect(after.snapshot()).toEqual(tenant.snapshot());
  after.close();
});

test("leaves no part of its secrets on a full disk", async () => {
  const tenant = await createTenant({ data: file });
  const written = await readFile(file, "utf8");
  fullDisk("client_secret");
  expect(() => tenant.store.addOrganization()).toThrow(
    /tenant\.json cannot be written \(ENOSPC\): make space on its disk, or choose another file\. The change is refused/,
  );
  expect([await readFile(file, "utf8"), existsSync(`${file}.new`)]).toEqual([written, false]);
  tenant.close();
});

test("refuses a file that another process uses, and names the lock of a process that was killed", async () => {
  const running = await startCommand("--data", file, "--quiet");
  const use = () => createEmulator({ data: file });
  const locked = `tenant\\.json is locked by process ${running.child.pid}\\. .* If no process uses the file, remove .*\\.lock`;
  expect(use).toThrow(new RegExp(locked));
  await running.end("SIGKILL");
  expect(use).toThrow(new RegExp(locked));
  await rm(`${file}.lock`);
  const here = use();
  await expect(startCommand("--data", file)).rejects.toThrow(`is locked by process ${process.pid}.`);
  here.close();
  use().close();
  const seed = path.join(folder, "seed.json");
  await writeFile(seed, "{}");
  const again = await startCommand("--data", file, "--seed", seed, "--quiet");
  expect(again.stderr).toContain("tenant.json has a tenant already, so --seed counts only after a reset\n");
  await again.end("SIGINT");
});

test.each([
  ["1 other-host\n", /is locked by process 1 on other-host\. End/],
  [`${process.pid} ${hostname()}\n`, new RegExp(`is locked by process ${process.pid}\\. End`)],
  ["\u001b[2J x\n", /is locked\. End/],
])("refuses a file whose lock holds %j", async (text, message) => {
  await writeFile(`${file}.lock`, text);
  expect(() => createEmulator({ data: file })).toThrow(message);
  expect(await readFile(`${file}.lock`, "utf8")).toBe(text);
});

test.each([
  "my only copy",
  '{"resources":[]}\n',
  '{"format":"tenantform tenant 2","client_id":"","keys":null,"tenant":{}}',
  '{"format":"tenantform tenant 2","client_id":"","keys":{},"tenant":{"nothing":[{}]}}',
  "",
])("refuses a file that holds %j, and leaves it unchanged and unlocked", async (text) => {
  await writeFile(file, text);
  expect(() => createEmulator({ data: file })).toThrow(/is not the file of an embedded tenant, or is damaged/);
  expect(await readFile(file, "utf8")).toBe(text);
  expect(await readdir(folder)).toEqual(["tenant.json"]);
});

test("follows no symbolic link to the file or to its successor", async () => {
  const elsewhere = path.join(folder, "elsewhere");
  await symlink(elsewhere, file);
  expect(() => createEmulator({ data: file })).toThrow(/tenant\.json is a symbolic link, or no file/);
  await rm(file);
  await symlink(elsewhere, `${file}.new`);
  createEmulator({ data: file }).close();
  expect(await readdir(folder)).toEqual(["tenant.json"]);
});
