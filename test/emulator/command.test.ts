import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "../support/program";
import { grantFor, startCommand } from "./process";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), "tenantform-command-"))));
afterEach(() => rm(folder, { recursive: true }));

const file = async (name: string, content: unknown) => {
  const at = path.join(folder, name);
  await writeFile(at, typeof content === "string" ? content : JSON.stringify(content));
  return at;
};

test("prints the exports first, then an organization, then a line for every request; an interrupt ends it cleanly", async () => {
  const running = await startCommand();
  const { exports } = running;
  const [endpoint, id, secret, key, organization] = running.printed.split("\n");
  expect(endpoint).toMatch(/^export TENANT_ENDPOINT=http:\/\/127\.0\.0\.1:\d+$/);
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

test("ends at once though connections are open and a page listens", async () => {
  const running = await startCommand("--quiet");
  const answer = await fetch(`${running.exports.TENANT_ENDPOINT}/_tenantform/events`);
  const reader = answer.body!.getReader();
  await reader.read();
  expect(await running.end("SIGTERM")).toBe(0);
  await expect(reader.read()).rejects.toThrow();
  expect(running.printed).not.toMatch(/^GET/m);
});

test("with --tls, a client that trusts the named authority gets through", async () => {
  const running = await startCommand("--tls", "--quiet");
  const { TENANT_ENDPOINT: endpoint, NODE_EXTRA_CA_CERTS: ca } = running.exports;
  expect(endpoint).toMatch(/^https:/);
  const ask = (env: NodeJS.ProcessEnv) =>
    run(
      process.execPath,
      ["-e", `fetch("${endpoint}/.well-known/jwks.json").then(({status}) => console.log(status))`],
      {
        cwd: folder,
        env,
      },
    );
  expect((await ask({ NODE_EXTRA_CA_CERTS: ca })).stdout).toBe("200\n");
  expect((await ask({})).code).not.toBe(0);
  expect(await running.end("SIGINT")).toBe(0);
});

test("starts from a seed, keeps a tier and a latency", async () => {
  const seed = await file("seed.json", { organizations: [{ id: "org_seeded", name: "seeded", members: ["auth0|1"] }] });
  const running = await startCommand("--seed", seed, "--tier", "free", "--latency", "40");
  expect(running.printed).toContain("# organization org_seeded (seeded)\n");
  expect(running.printed).not.toContain("(example)");
  const started = performance.now();
  const headers = { authorization: `Bearer ${await grantFor(running)}` };
  expect(performance.now() - started).toBeGreaterThan(35);
  const answer = await fetch(`${running.exports.TENANT_ENDPOINT}/api/v2/organizations/org_seeded/members`, { headers });
  expect(await answer.json()).toEqual([{ user_id: "auth0|1" }]);
  expect(answer.headers.get("x-ratelimit-limit")).toBe("2");
  expect(await running.end("SIGINT")).toBe(0);
});

test("keeps the tenant, its client and its keys in a file from one run to the next", async () => {
  const kept = path.join(folder, "tenant.jsonl");
  const first = await startCommand("--data", kept);
  const token = await grantFor(first);
  const [organization] = /org_\w{16}/.exec(first.printed)!;
  expect(await first.end("SIGKILL")).toBe("SIGKILL");
  const port = new URL(first.exports.TENANT_ENDPOINT!).port;
  const second = await startCommand("--data", kept, "--port", port);
  expect({ ...second.exports, TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE: "" }).toEqual({
    ...first.exports,
    TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE: "",
  });
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${second.exports.TENANT_ENDPOINT}/api/v2/organizations/${organization}`, { headers });
  expect(answer.status).toBe(200);
  expect(await second.end("SIGINT")).toBe(0);
});

test.each([
  [["--tier", "gold"], /There is no tier gold; choose one of free, essentials/],
  [["--seed", "missing.json"], /missing\.json/],
])("%j says what is wrong", async (args, message) => {
  await expect(startCommand(...args)).rejects.toThrow(message);
});

test("a seed that is no JSON, or no seed, is named with what is wrong in it", async () => {
  await expect(startCommand("--seed", await file("a.json", "{"))).rejects.toThrow(/a\.json is not JSON/);
  const acl = { rule: { scope: "tenant", action: { block: true }, match: { asns: [] } } };
  const seed = await file("b.json", { network_acls: [acl] });
  await expect(startCommand("--seed", seed)).rejects.toThrow(
    /seed cannot be used.*too short.*network_acls\[0\]\.rule\.match\.asns/,
  );
});

test("a port in use is named", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  const { port } = await new Promise<AddressInfo>((resolve) =>
    other.once("listening", () => resolve(other.address() as AddressInfo)),
  );
  await expect(startCommand("--port", String(port))).rejects.toThrow(`Port ${port} is in use`);
  other.close();
});
