import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, symlink, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { createTenant } from "./client";
import { startCommand } from "./process";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tenantform-data-"));
  file = path.join(folder, "tenant.json");
});
afterEach(() => rm(folder, { recursive: true }));

const acl = { description: "d", active: true, rule: { scope: "tenant", action: { log: true }, match: { asns: [1] } } };

test("restores objects, the order of members, cursors, the client and its tokens", async () => {
  const before = await createTenant({ data: file, seed: { organizations: [{ name: "acme", members: ["auth0|1"] }] } });
  const { id } = before.store.organizations.values()[0]!;
  const made = (await before.call("POST", "/network-acls", acl)).body;
  await before.call("PATCH", `/network-acls/${made.id}`, { priority: 3 });
  const doomed = (await before.call("POST", "/network-acls", acl)).body;
  await before.call("DELETE", `/network-acls/${doomed.id}`);
  await before.call("POST", `/organizations/${id}/members`, { members: ["auth0|2", "auth0|3", "auth0|4"] });
  await before.call("DELETE", `/organizations/${id}/members`, { members: ["auth0|3"] });
  const page = (await before.call("GET", `/organizations/${id}/members?take=2`)).body;
  const key = await before.clientPrivateKey();
  before.close();
  expect(await readdir(folder)).toEqual(["tenant.json"]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const after = createEmulator({ data: file, seed: { organizations: [{ name: "other" }] } });
  expect(after.snapshot()).toEqual(before.snapshot());
  expect([after.clientId, after.clientSecret]).toEqual([before.clientId, before.clientSecret]);
  expect(await after.clientPrivateKey()).toBe(key);
  const from = encodeURIComponent(page.next);
  const url = `http://127.0.0.1/api/v2/organizations/${id}/members?take=2&from=${from}`;
  const response = await after.fetch(new Request(url, { headers: { authorization: `Bearer ${before.token}` } }));
  expect(await response.json()).toMatchObject({ members: [{ user_id: "auth0|4" }] });
  after.close();
});

test("keeps a reset", async () => {
  const before = await createTenant({ data: file, seed: { organizations: [{ name: "acme" }] } });
  await before.call("POST", "/network-acls", acl);
  before.reset();
  before.close();
  const after = createEmulator({ data: file });
  expect(after.snapshot()).toEqual(before.snapshot());
  expect(after.store.networkAcls.size).toBe(0);
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

test("refuses a file that another process uses, and names the lock of a process that was killed", async () => {
  const running = await startCommand("--data", file, "--quiet");
  const locked = `tenant\\.json is locked by process ${running.pid}`;
  expect(() => createEmulator({ data: file })).toThrow(new RegExp(`${locked}\\. End that embedded tenant`));
  await running.end("SIGKILL");
  expect(() => createEmulator({ data: file })).toThrow(
    new RegExp(`${locked}, which has ended\\. .*If no process uses the file, remove .*tenant\\.json\\.lock`),
  );
  await rm(`${file}.lock`);
  const here = createEmulator({ data: file });
  await expect(startCommand("--data", file)).rejects.toThrow(`is locked by process ${process.pid}.`);
  here.close();
  createEmulator({ data: file }).close();
});

test.each([
  ["1 other-host\n", /is locked by process 1 on other-host\. End/],
  [`${process.pid} ${hostname()}\n`, new RegExp(`is locked by process ${process.pid}\\. End`)],
  ["\u001b[2J x\n", /is locked\. End/],
  ["", /is locked\. End/],
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
