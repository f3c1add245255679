import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { appendFile, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { createTenant } from "./client";
import { grantFor, startCommand, startWith } from "./process";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tenantform-data-"));
  file = path.join(folder, "tenant.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

const acl = { description: "d", active: true, rule: { scope: "tenant", action: { log: true }, match: { asns: [1] } } };

test("everything comes back: entities, members in their order, cursors, the client, tokens", async () => {
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

  const after = createEmulator({ data: file, seed: { organizations: [{ name: "other" }] } });
  expect(after.snapshot()).toEqual(before.snapshot());
  expect([after.clientId, after.clientSecret]).toEqual([before.clientId, before.clientSecret]);
  expect(await after.clientPrivateKey()).toBe(key);
  const from = encodeURIComponent(page.next);
  const url = `http://127.0.0.1/api/v2/organizations/${id}/members?take=2&from=${from}`;
  const answer = await after.fetch(new Request(url, { headers: { authorization: `Bearer ${before.token}` } }));
  expect(await answer.json()).toMatchObject({ members: [{ user_id: "auth0|4" }] });
  after.close();
});

test("a reset is kept too", async () => {
  const before = await createTenant({ data: file, seed: { organizations: [{ name: "acme" }] } });
  await before.call("POST", "/network-acls", acl);
  before.reset();
  before.close();
  const after = createEmulator({ data: file });
  expect(after.snapshot()).toEqual(before.snapshot());
  expect(after.store.networkAcls.size).toBe(0);
  after.close();
});

test("wherever the last line was torn off, all before it is there", async () => {
  const before = await createTenant({ data: file });
  await before.call("POST", "/network-acls", acl);
  const snapshot = before.snapshot();
  const { size: whole } = await stat(file);
  await before.call("POST", "/organizations", { name: "late" });
  before.close();
  const { size } = await stat(file);
  const bytes = await readFile(file);
  for (let at = size - 1; at > whole; at -= 17) {
    await writeFile(file, bytes);
    await truncate(file, at);
    const after = createEmulator({ data: file });
    expect(after.snapshot()).toEqual(snapshot);
    after.close();
  }
});

test("a damaged file, or one of something else, is refused and left alone", async () => {
  createEmulator({ data: file }).close();
  await appendFile(file, 'rubbish\n{"change":{"replace":{}}}\n');
  const damaged = await readFile(file, "utf8");
  expect(() => createEmulator({ data: file })).toThrow(/tenant\.jsonl.*damaged at line 2/);
  expect(await readFile(file, "utf8")).toBe(damaged);
  await writeFile(file, '{"resources":[]}\n');
  expect(() => createEmulator({ data: file })).toThrow(/is not the file of an embedded tenant/);
});

test("the file holds secrets, and is for its owner alone", async () => {
  createEmulator({ data: file }).close();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a long history is folded up while the tenant runs", async () => {
  const before = createEmulator({ data: file });
  const organization = before.store.addOrganization();
  let largest = 0;
  let folded = false;
  const filler = "x".repeat(200_000);
  for (let n = 0; n < 200 && !folded; n++) {
    before.store.organizations.put({ ...organization, filler: filler + n });
    const { size } = await stat(file);
    folded = size < largest;
    largest = Math.max(largest, size);
  }
  expect(folded).toBe(true);
  before.close();
  const after = createEmulator({ data: file });
  expect(after.snapshot()).toEqual(before.snapshot());
  after.close();
});

test("kill -9 in the middle of writes loses none that was answered", async () => {
  for (const timeout of [1, 15, 60]) {
    const running = await startCommand("--data", file, "--quiet");
    const endpoint = running.exports.TENANT_ENDPOINT!;
    const headers = { authorization: `Bearer ${await grantFor(running)}`, "content-type": "application/json" };
    const [id] = /org_\w{16}/.exec(running.told)!;
    const answered: string[] = [];
    let over = false;
    const write = async (worker: number) => {
      for (let n = 0; !over; n++) {
        const user = `auth0|${timeout}-${worker}-${n}`;
        const body = JSON.stringify({ members: [user] });
        const answer = await fetch(`${endpoint}/api/v2/organizations/${id}/members`, { method: "POST", headers, body });
        if (answer.status === 204) answered.push(user);
        if (answered.length >= timeout && !over) {
          over = true;
          await running.end("SIGKILL");
        }
      }
    };
    await Promise.allSettled([0, 1, 2, 3].map(write));
    expect(answered.length).toBeGreaterThanOrEqual(timeout);
    const after = createEmulator({ data: file });
    for (const user of answered) expect(after.store.members(id)!.has(user)).toBe(true);
    after.close();
  }
});

test("a last line of rubbish is cut off, whole or torn", async () => {
  const before = await createTenant({ data: file });
  await before.call("POST", "/network-acls", acl);
  const snapshot = before.snapshot();
  before.close();
  for (const rubbish of ["\0\0\0\0\n", '{"change":{"put":"netw', "{}{}\n"]) {
    await appendFile(file, rubbish);
    const after = createEmulator({ data: file });
    expect(after.snapshot()).toEqual(snapshot);
    after.close();
    expect(await readFile(file, "utf8")).not.toContain(rubbish);
  }
});

test("one process uses a file; one that was killed does not keep it", async () => {
  const running = await startCommand("--data", file, "--quiet");
  expect(() => createEmulator({ data: file })).toThrow(/tenant\.jsonl is in use by an embedded tenant \(process \d+\)/);
  await running.end("SIGKILL");
  const here = createEmulator({ data: file });
  expect(() => createEmulator({ data: file })).toThrow(/is in use/);
  await expect(startCommand("--data", file)).rejects.toThrow(/is in use/);
  here.close();
  createEmulator({ data: file }).close();
});

test("who found a lock stale, and was slow, does not take it from the process that has it by now", async () => {
  const lock = `${file}.lock`;
  // Whoever reads the lock waits here, until a process is told that runs no more.
  execFileSync("mkfifo", [lock]);
  const slow = expect(startCommand("--data", file, "--quiet")).rejects.toThrow(/is in use by an embedded tenant/);
  const telling = await openedForReader(lock);
  await rm(lock);
  const here = createEmulator({ data: file });
  writeSync(telling, `${await deadProcess()}\n`);
  closeSync(telling);
  await slow;
  here.store.addOrganization({ name: "kept" });
  here.close();
  expect(await readdir(folder)).toEqual(["tenant.jsonl"]);
});

test("locks of processes that were killed while they took one are no hindrance", async () => {
  const dead = await deadProcess();
  for (const left of ["lock", "lock.lock", "lock.lock.lock", `lock.${process.pid}`]) {
    await writeFile(`${file}.${left}`, left === "lock.lock" ? "" : `${dead}\n`);
  }
  createEmulator({ data: file }).close();
  expect(await readdir(folder)).toEqual(["tenant.jsonl"]);
});

/** The number of a process that has ended. */
async function deadProcess(): Promise<number> {
  const child = spawn("true");
  await once(child, "exit");
  return child.pid!;
}

/** Resolves once somebody waits to read from the pipe. */
async function openedForReader(pipe: string): Promise<number> {
  for (;;) {
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
      await new Promise(setImmediate);
    }
  }
}

test("no symbolic link is followed, neither to the file nor to the next one", async () => {
  const elsewhere = path.join(folder, "elsewhere");
  await symlink(elsewhere, file);
  expect(() => createEmulator({ data: file })).toThrow(/tenant\.jsonl is a symbolic link/);
  await rm(file);
  await symlink(elsewhere, `${file}.new`);
  createEmulator({ data: file }).close();
  expect((await readdir(folder)).toSorted()).toEqual(["tenant.jsonl"]);
});

test("what is answered 500 because it could not be kept has had no effect", async () => {
  const blocks = 24;
  const limited = ["-c", `ulimit -f ${blocks}; trap '' XFSZ; exec "$@"`, "bash", process.execPath];
  const running = await startWith("bash", limited, "--data", file, "--quiet");
  const endpoint = running.exports.TENANT_ENDPOINT!;
  const headers = { authorization: `Bearer ${await grantFor(running)}`, "content-type": "application/json" };
  const make = async (name: string, filler: number) => {
    const body = JSON.stringify({ name, metadata: { filler: "x".repeat(filler) } });
    return (await fetch(`${endpoint}/api/v2/organizations`, { method: "POST", headers, body })).status;
  };
  const made: string[] = [];
  // Less and less fits; what follows a refusal has to be kept as well as what went before.
  for (const filler of [1500, 400, 100, 1]) {
    for (let n = 0, status = 201; status === 201; n++) {
      status = await make(`acme-${filler}-${n}`, filler);
      if (status === 201) made.push(`acme-${filler}-${n}`);
      else expect(status).toBe(500);
    }
  }
  const list = await fetch(`${endpoint}/api/v2/organizations?per_page=100`, { headers });
  const names = ((await list.json()) as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(["quickstart", ...made]);
  await running.end("SIGKILL");
  const after = createEmulator({ data: file });
  expect(after.store.organizations.values().map(({ name }) => name)).toEqual(names);
  after.close();
});
