/** Runs the built commands against a large, hostile or misnamed service, over a real connection and pipe. */
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { isPrintable } from "../../../src/formats/text/printable";
import { newFolder } from "../../support/folder";
import { run } from "../../support/program";
import { acl, block } from "../../review/support/objects";
import { change, planText } from "../../review/support/plan";

const cli = path.join(__dirname, "../../../dist/cli.js");

let home: string;
let server: Server | undefined;
beforeEach(() => void (home = newFolder()));
afterEach(() => {
  server?.close();
  server = undefined;
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Grants a token unless the response is for token requests, and sends this response to all other requests. */
async function serve(answer: (at: string) => Answer | undefined): Promise<NodeJS.ProcessEnv> {
  server = createServer((request, response) => {
    const { status, body } = answer(request.url!) ?? { status: 200, body: { access_token: "t0ken", expires_in: 60 } };
    request.resume();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { TENANT_ENDPOINT: `http://127.0.0.1:${port}`, TENANT_CLIENT_ID: "me", TENANT_CLIENT_SECRET: "s3cret-s3cret" };
}

async function commands(): Promise<string[][]> {
  const plan = path.join(home, "plan.json");
  await writeFile(
    plan,
    planText([change("tenant_network_acl.a", null, acl(1, { action: block, match: { asns: [1] } }))]),
  );
  return [
    ["adopt", path.join(home, "stack"), "--to", "hcl"],
    ["explain", "--tenant"],
    ["review", plan, "--tenant"],
  ];
}

async function said(env: NodeJS.ProcessEnv): Promise<string[]> {
  const all: string[] = [];
  for (const args of await commands()) {
    const { code, stdout, stderr } = await run(process.execPath, [cli, ...args], { cwd: home, env });
    expect(code).toBeGreaterThan(0);
    expect(isPrintable((stdout + stderr).replaceAll("\n", ""))).toBe(true);
    all.push(stdout + stderr);
  }
  return all;
}

const words = "Words of the service \u001b[31m ";
const long = words + "x".repeat(30 * 1024 * 1024);

test.each([
  [
    "the API",
    (at: string) => (at.startsWith("/api/") ? { status: 400, body: { statusCode: 400, message: long } } : undefined),
  ],
  ["the token endpoint", () => ({ status: 401, body: { error: "access_denied", error_description: long } })],
])("cuts an endless error of %s, and counts the rest", async (_of, answer) => {
  for (const text of await said(await serve(answer))) {
    expect(text.length).toBeLessThan(5_000);
    expect(text).toContain("Words of the service \\u001b[31m xxx");
    expect(text).toMatch(/… \([\d,]{9,} more characters\)/);
  }
});

test("refuses an id with control characters, and shows it as text", async () => {
  const id = "acl_\u001b]0;owned\u0007\u202e::error::";
  const found = acl(
    1,
    { action: block, match: { asns: [1] } },
    { id, description: "\u009b2J", created_at: "2026", updated_at: "2026" },
  );
  const env = await serve((at) => (at.includes("/network-acls") ? { status: 200, body: [found] } : undefined));
  const { code, stderr } = await run(process.execPath, [cli, "adopt", path.join(home, "stack"), "--only", "acls"], {
    cwd: home,
    env,
  });
  expect(code).toBe(2);
  expect(stderr).toContain("\\u001b]0;owned\\u0007\\u202e");
  expect(isPrintable(stderr.replaceAll("\n", ""))).toBe(true);
});

test.each([
  ["TENANT_DOMAIN", "https:/ada:hunter2@acme.example"],
  ["AUTH0_DOMAIN", "ada:hunter2@acme.example"],
  ["TENANT_ENDPOINT", "HTTP:\\\\ada:hunter2@acme.example?token=hunter2"],
])("masks a password in %s=%s", async (name, value) => {
  for (const text of await said({ [name]: value, TENANT_CLIENT_ID: "me", TENANT_CLIENT_SECRET: "s3cret-s3cret" })) {
    expect(text).not.toMatch(/hunter2|ada/);
    expect(text).toContain("…@acme.example");
  }
});
