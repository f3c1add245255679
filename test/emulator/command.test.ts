import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { parseEnv } from "node:util";
import { emulate, envLine, exportLine } from "../../src/emulator/command";
import { newFolder } from "../support/folder";
import { fullDisk } from "../support/full-disk";
import fc from "../support/random";
import { run, start, succeed } from "../support/program";
import { grantFor, program, startCommand, startIn } from "./process";

let folder: string;
beforeEach(() => void (folder = newFolder()));

const file = async (name: string, content: unknown) => {
  const at = path.join(folder, name);
  await writeFile(at, typeof content === "string" ? content : JSON.stringify(content));
  return at;
};

test("prints settings, organizations and requests, and ends cleanly at an interrupt", async () => {
  const running = await startCommand();
  const { exports } = running;
  const [endpoint, embedded, id, secret, key, ...more] = running.stdout.split("\n");
  const [organization] = running.stderr.split("\n");
  expect(more).toEqual([""]);
  expect(endpoint).toMatch(/^export TENANT_ENDPOINT=http:\/\/127\.0\.0\.1:\d+$/);
  expect(embedded).toBe(endpoint!.replace("TENANT_", "TENANT_EMBEDDED_"));
  expect(id).toMatch(/^export TENANT_CLIENT_ID=\w+$/);
  expect(secret).toMatch(/^export TENANT_CLIENT_SECRET=\w+$/);
  expect(key).toMatch(/^export TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE=/);
  expect(organization).toBe("# organization org_quickstart000001 (quickstart)");
  expect(await readFile(exports.TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE!, "utf8")).toMatch(
    /^-----BEGIN PRIVATE KEY-----/,
  );

  const headers = { authorization: `Bearer ${await grantFor(running)}`, "content-type": "application/json" };
  const [found] = /org_\w{16}/.exec(organization!)!;
  const members = `/api/v2/organizations/${found}/members`;
  await fetch(exports.TENANT_ENDPOINT + members, { method: "POST", headers, body: '{"members":["auth0|1"]}' });
  await fetch(`${exports.TENANT_ENDPOINT}/api/v2/network-acls?page=0`, { headers });
  await running.prints(new RegExp(`^POST ${members} 204 \\d+ ms  added to ${found}: auth0\\|1$`, "m"));
  await running.prints(/^GET \/api\/v2\/network-acls\?page=0 200 \d+ ms$/m);

  expect(await running.end("SIGINT")).toBe(0);
  expect(existsSync(path.dirname(exports.TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE!))).toBe(false);
});

test("ends after the minutes without a request, and when its file of settings is removed or another tenant's", async () => {
  const idle = await startCommand("--idle", "0");
  const settings = path.join(folder, "own.env");
  const first = await startCommand("--write-env", settings);
  const second = await startCommand("--write-env", settings);
  expect(await first.end()).toBe(0);
  expect(await readFile(settings, "utf8")).toContain(second.exports.TENANT_ENDPOINT);
  await rm(settings);
  expect([await idle.end(), await second.end()]).toEqual([0, 0]);
});

test("ends at once even with an open connection", async () => {
  const running = await startCommand("--quiet");
  const { TENANT_ENDPOINT: url } = running.exports;
  expect((await fetch(`${url}/api/v2/network-acls`)).status).toBe(401);
  const socket = connect(Number(new URL(url!).port), "127.0.0.1");
  await once(socket, "connect");
  const closed = once(socket.resume(), "close");
  expect(await running.end("SIGTERM")).toBe(0);
  await closed;
  expect(running.stderr).not.toMatch(/^GET/m);
});

test("ends when the process that started it ends, but not with --detach", async () => {
  const inBackground = (...args: string[]) =>
    `${process.execPath} ${program} emulate --quiet --write-env ${args.join(" ")} & echo $!`;
  const command = `${inBackground("bound.env")}; ${inBackground("free.env", "--detach")}; wait`;
  const shell = start("/bin/sh", ["-c", command], { cwd: folder });
  await shell.prints(/(TENANT_ENDPOINT[^]*){2}/);
  const [bound, free] = Array.from(shell.stdout.matchAll(/^(\d+)$/gm), ([pid]) => Number(pid)) as [number, number];
  try {
    const [, endpoint] = /^TENANT_ENDPOINT="?(http[^"\n]+)/m.exec(
      await readFile(path.join(folder, "free.env"), "utf8"),
    )!;
    shell.child.kill("SIGKILL");
    while (existsSync(path.join(folder, "bound.env")) || isRunning(bound)) await new Promise(setImmediate);
    expect((await fetch(`${endpoint}/.well-known/jwks.json`)).status).toBe(200);
  } finally {
    process.kill(free, "SIGTERM");
    await shell.ended;
  }
  expect(existsSync(path.join(folder, "free.env"))).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("serves TLS for clients that trust the named authority", async () => {
  const running = await startCommand("--tls", "--quiet");
  const { TENANT_ENDPOINT: endpoint, NODE_EXTRA_CA_CERTS: ca } = running.exports;
  expect(endpoint).toMatch(/^https:/);
  const ask = (env: NodeJS.ProcessEnv) =>
    run(
      process.execPath,
      ["-e", `fetch("${endpoint}/.well-known/jwks.json").then(({status}) => console.log(status))`],
      { cwd: folder, env },
    );
  expect((await ask({ NODE_EXTRA_CA_CERTS: ca })).stdout).toBe("200\n");
  expect((await ask({})).code).not.toBe(0);
  expect(await running.end("SIGINT")).toBe(0);
});

test("applies a seed, a tier and a latency, and names its organizations at the start", async () => {
  const organizations = Array.from({ length: 12 }, (_, at) => ({ id: `org_${at}`, name: `o${at}`, members: ["a|1"] }));
  const seed = await file("seed.json", { organizations });
  const running = await startCommand("--seed", seed, "--quiet", "--tier", "free", "--latency", "40");
  const { TENANT_ENDPOINT: url } = running.exports;
  const said = `# organization org_9 (o9)\n# and 2 more organizations\n# listening on ${url}\n`;
  expect(running.stderr.endsWith(said)).toBe(true);
  const started = performance.now();
  const headers = { authorization: `Bearer ${await grantFor(running)}` };
  expect(performance.now() - started).toBeGreaterThan(35);
  const response = await fetch(`${url}/api/v2/organizations/org_3/members`, { headers });
  expect(await response.json()).toEqual([{ user_id: "a|1" }]);
  expect(response.headers.get("x-ratelimit-limit")).toBe("2");
  expect(await running.end("SIGINT")).toBe(0);
});

test.each([
  [["--tier", "gold"], /--tier "gold" is not known: choose one of free, essentials/],
  [["--seed", "missing.json"], /The seed missing\.json does not exist/],
  [["--seed", __filename], /command\.test\.ts is not JSON/],
  [
    ["--data", "missing/tenant.json"],
    /tenant\.json\.lock cannot be written \(ENOENT\): create its folder, or choose another/,
  ],
  [
    ["--write-env", "missing/env"],
    /missing\/env cannot be written \(ENOENT\): create its folder, or name another file/,
  ],
  [["--shell", "csh"], /--shell "csh" is not known: choose one of posix, fish, powershell/],
])("%j fails and names the problem", async (args, message) => {
  await expect(startCommand(...args)).rejects.toThrow(message);
});

test("refuses a list in place of a seed", async () => {
  await expect(startCommand("--seed", await file("list.json", []))).rejects.toThrow(
    "list.json is no seed: give an object such as",
  );
});

test("names a port that is in use", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  const { port } = await new Promise<AddressInfo>((resolve) =>
    other.once("listening", () => resolve(other.address() as AddressInfo)),
  );
  await expect(startCommand("--port", String(port))).rejects.toThrow(`Port ${port} is in use`);
  other.close();
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("leaves no files behind at %s", async (signal) => {
  const temporary = path.join(folder, "tmp");
  await mkdir(temporary);
  const [kept, settings] = [path.join(folder, "tenant.json"), path.join(folder, ".env")];
  const running = await startIn({ TMPDIR: temporary }, "--tls", "--data", kept, "--write-env", settings);
  expect(readdirSync(temporary)).toHaveLength(1);
  expect(await running.end(signal)).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(folder).toSorted()).toEqual(["tenant.json", "tmp"]);
});

/** The environment of a shell after it evaluated the lines. */
async function evaluated(lines: string): Promise<Record<string, string>> {
  const script = await file("settings.sh", `${lines}\nexec ${process.execPath} -p 'JSON.stringify(process.env)'`);
  return JSON.parse(await succeed("bash", [script], { cwd: folder })) as Record<string, string>;
}

test("prints settings that run nothing in a shell, with any names and paths", async () => {
  const temporary = path.join(folder, "it's $(touch pwned) \n`touch pwned`\\");
  await mkdir(temporary);
  const name = "a\ntouch pwned; \u001b[2J";
  const seed = await file("seed.json", { organizations: [{ id: "org_\ntouch pwned", name }] });
  const running = await startIn({ TMPDIR: temporary }, "--seed", seed);
  const env = await evaluated(running.stdout);
  expect(env.TENANT_ENDPOINT).toBe(running.exports.TENANT_ENDPOINT);
  expect(env.TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE).toContain(temporary);
  expect(running.stderr).toContain("# organization org_\\ntouch pwned (a\\ntouch pwned; \\u001b[2J)\n");
  await running.end("SIGINT");
  expect(readdirSync(folder)).not.toContain("pwned");
});

test("writes a settings file for its owner, readable by node, and replaces only its own files", async () => {
  const old = "# written by tenantform emulate, and removed when it ends\nTENANT_CLIENT_SECRET=old\n";
  const settings = await file(".env", old);
  const running = await startCommand("--write-env", settings);
  expect((await stat(settings)).mode & 0o777).toBe(0o600);
  const args = [`--env-file=${settings}`, "-p", "process.env.TENANT_CLIENT_SECRET"];
  expect((await succeed(process.execPath, args, { cwd: folder })).trim()).toBe(running.exports.TENANT_CLIENT_SECRET);
  await running.end("SIGINT");
  await writeFile(settings, "MINE=1\n");
  await expect(startCommand("--write-env", settings)).rejects.toThrow(/\.env exists already/);
  expect(await readFile(settings, "utf8")).toBe("MINE=1\n");
});

test.each([
  ["PRIVATE KEY-----", /tenantform-\w+ cannot be written \(ENOSPC\): make space on its disk, or set TMPDIR to another/],
  [
    "TENANT_ENDPOINT",
    /\.env cannot be written \(ENOSPC\): make space on its disk, or name another file with --write-env/,
  ],
  [
    String(process.pid),
    /tenant\.json\.lock cannot be written \(ENOSPC\): make space on its disk, or choose another file/,
  ],
  ['"client_secret"', /tenant\.json cannot be written \(ENOSPC\): make space on its disk, or choose another file\.$/],
])("does not start if the disk has no room for %s, names the remedy, and leaves no file", async (word, message) => {
  fullDisk(word);
  const [data, writeEnv] = [path.join(folder, "tenant.json"), path.join(folder, ".env")];
  const files = word.startsWith("PRIVATE") || word.startsWith("TENANT") ? { writeEnv } : { data, writeEnv };
  await expect(emulate({ ...files, quiet: true })).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual([]);
});

const nasty = ["a b", "it's", '"', "\\", "\\'", "$(touch pwned)", "`x`", "a\nb", "!!", "~", "", "*", "é", "\t"];

test("writes values that bash reads back", async () => {
  const more = fc.sample(fc.string({ unit: "grapheme" }), { numRuns: 200, seed: 1 });
  const values = [...nasty, ...more.filter((text) => !text.includes("\0"))];
  const lines = values.map((value, at) => exportLine("posix", `V${at}`, value)).join("");
  const env = await evaluated(lines);
  expect(values.map((_, at) => env[`V${at}`])).toEqual(values);
});

test("writes the syntax of fish and PowerShell", () => {
  expect(exportLine("fish", "A", "it's $HOME\\")).toBe("set -gx A 'it'\\''s $HOME'\\\\\n");
  expect(exportLine("powershell", "A", "it’s $env:B 'x'")).toBe("$env:A = 'it’’s $env:B ''x'''\n");
});

test("writes a settings file that node reads back", () => {
  for (const value of nasty.filter((one) => one !== "a\nb")) {
    expect(parseEnv(envLine("A", value))).toEqual({ A: value });
  }
  expect(() => envLine("A", "'\"`")).toThrow(/contains every kind of quote/);
});
