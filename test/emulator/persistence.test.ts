import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { ftruncateSync, fsyncSync, renameSync, writeSync } from "node:fs";
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { openJournal, type Disk, type Journal } from "../../src/emulator/state/journal";
import { lockFile } from "../../src/emulator/state/lock";
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

test("keeps all changes before a last line that is torn anywhere", async () => {
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
    const warnings: string[] = [];
    const after = createEmulator({ data: file, warn: (message) => warnings.push(message) });
    expect(after.snapshot()).toEqual(snapshot);
    expect(warnings).toEqual([expect.stringMatching(/tenant\.jsonl ends with \d+ bytes of an unfinished change/)]);
    after.close();
  }
});

test("refuses a damaged file or another file, and leaves it unchanged", async () => {
  createEmulator({ data: file }).close();
  await appendFile(file, 'garbage\n{"change":{"replace":{}}}\n');
  const damaged = await readFile(file, "utf8");
  expect(() => createEmulator({ data: file })).toThrow(/tenant\.jsonl.*damaged at line 2/);
  expect(await readFile(file, "utf8")).toBe(damaged);
  await writeFile(file, '{"resources":[]}\n');
  expect(() => createEmulator({ data: file })).toThrow(/is not the file of an embedded tenant/);
});

test("lets only the owner read the file", async () => {
  createEmulator({ data: file }).close();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("rewrites the file when its history is long", async () => {
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

test("keeps all confirmed changes after kill -9 in the middle of writes", async () => {
  for (const timeout of [1, 15, 60]) {
    const running = await startCommand("--data", file, "--quiet");
    const endpoint = running.exports.TENANT_ENDPOINT!;
    const headers = { authorization: `Bearer ${await grantFor(running)}`, "content-type": "application/json" };
    const [id] = /org_\w{16}/.exec(running.stderr)!;
    const confirmed: string[] = [];
    let over = false;
    const write = async (worker: number) => {
      for (let n = 0; !over; n++) {
        const user = `auth0|${timeout}-${worker}-${n}`;
        const body = JSON.stringify({ members: [user] });
        const response = await fetch(`${endpoint}/api/v2/organizations/${id}/members`, {
          method: "POST",
          headers,
          body,
        });
        if (response.status === 204) confirmed.push(user);
        if (confirmed.length >= timeout && !over) {
          over = true;
          await running.end("SIGKILL");
        }
      }
    };
    await Promise.allSettled([0, 1, 2, 3].map(write));
    expect(confirmed.length).toBeGreaterThanOrEqual(timeout);
    const after = createEmulator({ data: file });
    for (const user of confirmed) expect(after.store.members(id)!.has(user)).toBe(true);
    after.close();
  }
});

test("drops a last line that is not a change, complete or torn", async () => {
  const before = await createTenant({ data: file });
  await before.call("POST", "/network-acls", acl);
  const snapshot = before.snapshot();
  before.close();
  for (const garbage of ["\0\0\0\0\n", '{"change":{"put":"netw', "{}{}\n"]) {
    await appendFile(file, garbage);
    const warnings: string[] = [];
    const after = createEmulator({ data: file, warn: (message) => warnings.push(message) });
    expect(after.snapshot()).toEqual(snapshot);
    expect(warnings).toEqual([expect.stringMatching(/tenant\.jsonl ends with .* drops (them|its \d+ bytes)\.$/)]);
    after.close();
    expect(await readFile(file, "utf8")).not.toContain(garbage);
  }
});

test("refuses a file that another process uses, and accepts it after that process was killed", async () => {
  const running = await startCommand("--data", file, "--quiet");
  expect(() => createEmulator({ data: file })).toThrow(/tenant\.jsonl is in use by an embedded tenant \(process \d+\)/);
  await running.end("SIGKILL");
  const here = createEmulator({ data: file });
  expect(() => createEmulator({ data: file })).toThrow(/is in use/);
  await expect(startCommand("--data", file)).rejects.toThrow(/is in use/);
  here.close();
  createEmulator({ data: file }).close();
});

/** Starts a program in a PID namespace of its own, if that is allowed. */
const apart = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"];
const canBeApart = spawnSync(apart[0]!, [...apart.slice(1), "true"]).status === 0;
const startApart = (...args: string[]) =>
  canBeApart ? startWith(apart[0]!, [...apart.slice(1), process.execPath], ...args) : startCommand(...args);

test("refuses a file in use in another container, and accepts it after the holder was killed", async () => {
  const holder = await startApart("--data", file, "--quiet");
  await expect(startApart("--data", file, "--quiet")).rejects.toThrow(/tenant\.jsonl is in use by an embedded tenant/);
  expect(() => createEmulator({ data: file })).toThrow(/is in use/);
  await holder.end("SIGKILL");
  const next = await startApart("--data", file, "--quiet");
  await next.end("SIGKILL");
});

test("refuses a file in use with any text in the lock file", async () => {
  const holder = await startCommand("--data", file, "--quiet");
  for (const text of [`${await deadProcess()}\n`, `${process.pid}\n`, "1\n", "", "\u001b[2J x\n"]) {
    await writeFile(`${file}.lock`, text);
    expect(() => createEmulator({ data: file })).toThrow(/tenant\.jsonl is in use by an embedded tenant; end it/);
  }
  await holder.end("SIGKILL");
  createEmulator({ data: file }).close();
  expect(await readdir(folder)).toEqual(["tenant.jsonl"]);
});

test("accepts a file with a lock file of a killed process, even if another process has its number", async () => {
  for (const left of [process.pid, process.ppid, 1, await deadProcess()]) {
    await writeFile(`${file}.lock`, `${left}\n`);
    createEmulator({ data: file }).close();
    expect(await readdir(folder)).toEqual(["tenant.jsonl"]);
  }
});

test("gives the file to exactly one of many processes after its holder is killed", async () => {
  const taking = `
    const { createEmulator } = require(${JSON.stringify(path.join(__dirname, "../../dist/emulator/emulator.js"))});
    const take = () => { try { createEmulator({ data: ${JSON.stringify(file)} }); return "taken"; } catch (e) { return e.message; } };
    process.stdin.on("data", () => process.stdout.write(take() + "\\n")).on("end", () => process.exit());
    process.stdout.write("ready\\n");`;
  const children = Array.from({ length: 20 }, () => spawn(process.execPath, ["-e", taking], { stdio: "pipe" }));
  const response = async (child: (typeof children)[number]) => String((await once(child.stdout, "data"))[0]);
  await Promise.all(children.map(response));
  for (let left = children; left.length > 14;) {
    const responses = left.map(response);
    for (const child of left) child.stdin.write("take\n");
    const outcomes = await Promise.all(responses);
    const winners = left.filter((_, index) => outcomes[index] === "taken\n");
    expect(winners).toHaveLength(1);
    for (const outcome of outcomes) expect(outcome).toMatch(/^taken\n$|is in use by an embedded tenant/);
    winners[0]!.kill("SIGKILL");
    await once(winners[0]!, "exit");
    left = left.filter((child) => child !== winners[0]);
  }
  for (const child of children) child.stdin.destroy();
});

test("refuses a lock file that is a link or not a file, and says how to get locks", async () => {
  const elsewhere = path.join(folder, "elsewhere");
  await writeFile(elsewhere, "kept");
  await symlink(elsewhere, `${file}.lock`);
  expect(() => createEmulator({ data: file })).toThrow(/tenant\.jsonl\.lock is a symbolic link; remove it/);
  expect(await readFile(elsewhere, "utf8")).toBe("kept");
  await rm(`${file}.lock`);
  execFileSync("mkfifo", [`${file}.lock`]);
  expect(() => createEmulator({ data: file })).toThrow(/tenant\.jsonl\.lock is not a file; remove it/);
  await rm(`${file}.lock`);
  expect(() => lockFile(file, "no-such-flock")).toThrow(/no-such-flock does not run \(ENOENT\)\. Install flock/);
});

test("does not run flock from the working directory", async () => {
  await writeFile(path.join(folder, "own-flock"), "#!/bin/sh\n", { mode: 0o755 });
  const paths = process.env["PATH"];
  process.env["PATH"] = [path.relative(".", folder), paths].join(path.delimiter);
  try {
    expect(() => lockFile(file, "own-flock")).toThrow(/own-flock does not run \(ENOENT\)/);
  } finally {
    process.env["PATH"] = paths;
  }
});

/** The number of a process that has ended. */
async function deadProcess(): Promise<number> {
  const child = spawn("true");
  await once(child, "exit");
  return child.pid!;
}

test("follows no symbolic link to the file or to its successor", async () => {
  const elsewhere = path.join(folder, "elsewhere");
  await symlink(elsewhere, file);
  expect(() => createEmulator({ data: file })).toThrow(/tenant\.jsonl is a symbolic link/);
  await rm(file);
  await symlink(elsewhere, `${file}.new`);
  createEmulator({ data: file }).close();
  expect((await readdir(folder)).toSorted()).toEqual(["tenant.jsonl"]);
});

/** A tenant whose files are limited to this many blocks of 1 KiB, until `lift`. */
async function startLimited(blocks: number) {
  const limited = ["-c", `ulimit -Sf ${blocks}; trap '' XFSZ; exec "$@"`, "bash", process.execPath];
  const running = await startWith("bash", limited, "--data", file, "--quiet");
  const endpoint = running.exports.TENANT_ENDPOINT!;
  const headers = { authorization: `Bearer ${await grantFor(running)}`, "content-type": "application/json" };
  const limit = (bytes: string) => void execFileSync("prlimit", ["--pid", `${running.pid}`, `--fsize=${bytes}:`]);
  return {
    ...running,
    fill: () => limit(`${blocks * 1024}`),
    lift: () => limit("unlimited"),
    make: async (name: string, filler: number) => {
      const body = JSON.stringify({ name, metadata: { filler: "x".repeat(filler) } });
      return (await fetch(`${endpoint}/api/v2/organizations`, { method: "POST", headers, body })).status;
    },
    names: async () => {
      const list = await fetch(`${endpoint}/api/v2/organizations?per_page=100`, { headers });
      return ((await list.json()) as { name: string }[]).map(({ name }) => name);
    },
  };
}

const namesKept = () => {
  const after = createEmulator({ data: file, warn: (message) => expect(message).toBeUndefined() });
  after.close();
  return after.store.organizations.values().map(({ name }) => name);
};

test("keeps the changes with 201 and none with 500 while the disk is full", async () => {
  const running = await startLimited(24);
  const made: string[] = [];
  // Smaller and smaller changes still fit. Those after a refusal must be kept like those before.
  for (const filler of [1500, 400, 100, 1]) {
    for (let n = 0, status = 201; status === 201; n++) {
      status = await running.make(`acme-${filler}-${n}`, filler);
      if (status === 201) made.push(`acme-${filler}-${n}`);
      else expect(status).toBe(500);
    }
  }
  expect(await running.names()).toEqual(["quickstart", ...made]);
  await running.end("SIGKILL");
  expect(namesKept()).toEqual(["quickstart", ...made]);
});

test("keeps every change with 201 after the disk was full, several times", async () => {
  const running = await startLimited(24);
  const made: string[] = [];
  for (let round = 0; round < 4; round++) {
    for (let n = 0, status = 201; status === 201 && n < 100; n++) {
      status = await running.make(`full-${round}-${n}`, 1500);
      if (status === 201) made.push(`full-${round}-${n}`);
    }
    expect(await running.make(`refused-${round}`, 1500)).toBe(500);
    running.lift();
    for (const name of ["one", "two", "three"]) {
      expect(await running.make(`${name}-${round}`, 1)).toBe(201);
      made.push(`${name}-${round}`);
    }
    running.fill();
  }
  expect(await readFile(file, "utf8")).not.toContain("\0");
  expect(await running.names()).toEqual(["quickstart", ...made]);
  await running.end("SIGKILL");
  expect(namesKept()).toEqual(["quickstart", ...made]);
});

test("keeps appending to the file if it cannot be rewritten", async () => {
  const before = createEmulator({ data: file });
  const organization = before.store.addOrganization();
  await mkdir(`${file}.new`);
  for (let n = 0; n < 100; n++) before.store.organizations.put({ ...organization, filler: "x".repeat(200_000) + n });
  expect((await stat(file)).size).toBeGreaterThan(17 * 1024 * 1024);
  before.close();
  await rmdir(`${file}.new`);
  const after = createEmulator({ data: file });
  expect(after.snapshot()).toEqual(before.snapshot());
  after.close();
});

const tenant = { organizations: [] };
const change = (id: string) => ({ change: { put: "organizations", value: { id } } });
const identity = { clientId: "c", keys: {} };
const idsKept = ({ lines }: Journal) =>
  lines.flatMap((line) => ("change" in line && "put" in line.change ? [line.change.value["id"]] : []));

/** A disk on which the operations in the set fail. */
function failingDisk() {
  const failing = new Set<keyof Disk>();
  const check = (name: keyof Disk) => {
    if (failing.has(name)) throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: "EIO" });
  };
  const disk = {
    // Writes half of the bytes before the error.
    write: (to: number, bytes: Buffer, at: number, length: number, position: number) => {
      if (!failing.has("write")) return writeSync(to, bytes, at, length, position);
      if (at > 0) check("write");
      return writeSync(to, bytes, at, length >> 1, position);
    },
    truncate: (to: number, size: number) => (check("truncate"), ftruncateSync(to, size)),
    sync: (to: number) => (check("sync"), fsyncSync(to)),
    rename: (from: string, to: string) => (check("rename"), renameSync(from, to)),
  } as Disk;
  return { failing, disk };
}

test("refuses all changes until a torn line can be removed", () => {
  const { failing, disk } = failingDisk();
  const journal = openJournal(file, disk);
  journal.begin(identity, tenant);
  journal.append(change("a"));
  failing.add("write").add("truncate");
  expect(() => journal.append(change("torn"))).toThrow(/cannot be written: EIO.* The change is refused/);
  failing.delete("write");
  expect(() => journal.append(change("refused"))).toThrow(/cannot be written/);
  failing.clear();
  journal.append(change("b"));
  journal.close();
  const after = openJournal(file);
  expect(idsKept(after)).toEqual(["a", "b"]);
  expect(after.dropped).toBeUndefined();
  after.close();
});

test.each(["write", "sync", "rename"] as const)("loses nothing if a %s fails during a rewrite of the file", (name) => {
  const { failing, disk } = failingDisk();
  const journal = openJournal(file, disk);
  journal.begin(identity, tenant);
  journal.append(change("a"));
  failing.add(name);
  expect(() => journal.begin(identity, { organizations: [{ id: "x".repeat(1000) }] })).toThrow("EIO");
  failing.delete(name);
  journal.append(change("b"));
  failing.add("write");
  expect(() => journal.append(change("torn"))).toThrow("EIO");
  failing.clear();
  journal.append(change("c"));
  journal.close();
  const after = openJournal(file);
  expect(idsKept(after)).toEqual(["a", "b", "c"]);
  after.close();
});

test("refuses changes once another program has removed, replaced or cut the file", async () => {
  const damages = [
    () => rm(file),
    () => truncate(file, 10),
    async () => {
      await writeFile(`${file}.other`, "other");
      await rename(`${file}.other`, file);
    },
  ];
  for (const damage of damages) {
    const emulator = createEmulator({ data: file });
    await damage();
    expect(() => emulator.store.addOrganization()).toThrow(/another program .*restart the embedded tenant/);
    expect(emulator.store.organizations.size).toBe(0);
    emulator.close();
    await rm(file, { force: true });
  }
});

test("refuses changes after it was closed", () => {
  const emulator = createEmulator({ data: file });
  emulator.close();
  expect(() => emulator.store.addOrganization()).toThrow(/cannot be written: it is closed/);
});

test("reads changes after NULs, as earlier versions wrote them", async () => {
  const before = createEmulator({ data: file });
  before.store.addOrganization({ name: "one" });
  before.store.addOrganization({ name: "two" });
  before.close();
  const lines = (await readFile(file, "utf8")).split("\n");
  await writeFile(file, [lines[0], ...lines.slice(1).map((text) => text && `\0\0\0\0\0${text}`)].join("\n"));
  expect(namesKept()).toEqual(["one", "two"]);
});

test.each([
  ["NULs", Buffer.from("\0\0\0\0")],
  ["garbage", Buffer.from("garbage")],
  ["bytes that are not UTF-8", Buffer.from('{"change":{"put":"organizations","value":{"id":"org_\xff"}}}', "latin1")],
  ["an empty object", Buffer.from("{}")],
  ["a change of nothing", Buffer.from('{"change":null}')],
  ["a change of an unknown kind", Buffer.from('{"change":{"put":"nothing","value":{}}}')],
  ["another beginning", Buffer.from('{"format":"tenantform tenant 1","identity":{},"tenant":{}}')],
])("refuses a file with %s in the middle, names the line, and leaves the file unchanged", async (_, garbage) => {
  const before = createEmulator({ data: file });
  before.store.addOrganization({ name: "one" });
  before.store.addOrganization({ name: "two" });
  before.close();
  const [first, second, third] = (await readFile(file, "utf8")).split("\n");
  const damagedFile = Buffer.concat([Buffer.from(`${first}\n${second}\n`), garbage, Buffer.from(`\n${third}\n`)]);
  await writeFile(file, damagedFile);
  expect(() => createEmulator({ data: file })).toThrow(/damaged at line 3\. Nothing was changed\. .*remove the line/);
  expect(await readFile(file)).toEqual(damagedFile);
});

test("refuses another file with a single line and no line break", async () => {
  await writeFile(file, "my only copy");
  expect(() => createEmulator({ data: file })).toThrow(/is not the file of an embedded tenant/);
  expect(await readFile(file, "utf8")).toBe("my only copy");
});
