/** What the shipped provider takes from its surroundings: whom it trusts, how it gets there, as whom it signs in. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, connect, type AddressInfo } from "node:net";
import path from "node:path";
import { createEmulator, type Emulator } from "../../src/emulator/emulator";
import { install, type Installation } from "../support/installation";
import { unwrapped } from "../support/workspace";

const stack = `
  data "tenant_network_acls" "all" {}
  output "found" { value = length(data.tenant_network_acls.all.network_acls) }
`;

let installation: Installation;
let emulator: Emulator;
let close: () => unknown;
let url: string;
let authority: string;
beforeAll(async () => {
  emulator = createEmulator();
  const [listening] = [await emulator.listen({ tls: true })];
  ({ url, close } = listening);
  installation = await install(stack);
  authority = path.join(installation.directory, "authority.pem");
  await writeFile(authority, listening.ca!);
});
afterAll(() => Promise.all([close(), installation.close()]));

async function plan(env: NodeJS.ProcessEnv) {
  const { code, stdout, stderr } = await installation.terraform(["plan"], {
    TENANT_ENDPOINT: url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
    ...env,
  });
  return { code, said: unwrapped(stdout + stderr) };
}

test("an authority that the machine does not know is not believed, whatever the runtime is told", async () => {
  const { code, said } = await plan({ NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  expect(code).toBe(1);
  expect(said).toMatch(/certificate/i);
});

test.each(["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])("an authority named by %s is believed", async (variable) => {
  const { code, said } = await plan({ [variable]: authority });
  expect(said).toContain("found = 0");
  expect(code).toBe(0);
});

test("each authority is believed beside the others", async () => {
  const { ca, close: closeOther } = await createEmulator().listen({ tls: true });
  await closeOther();
  const other = path.join(installation.directory, "other.pem");
  await writeFile(other, ca!);
  for (const [one, another] of [
    ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"],
    ["NODE_EXTRA_CA_CERTS", "TENANT_CERTIFICATE_AUTHORITY_FILE"],
    ["SSL_CERT_FILE", "TENANT_CERTIFICATE_AUTHORITY_FILE"],
    ["TENANT_CERTIFICATE_AUTHORITY_FILE", "NODE_EXTRA_CA_CERTS"],
  ] as const) {
    const { said } = await plan({ [one]: authority, [another]: other });
    expect(said).toContain("found = 0");
  }
});

test("a client's assertion is signed with its key", async () => {
  const key = path.join(installation.directory, "key.pem");
  await writeFile(key, await emulator.clientPrivateKey());
  const { said } = await plan({
    NODE_EXTRA_CA_CERTS: authority,
    TENANT_CLIENT_SECRET: undefined,
    TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE: key,
  });
  expect(said).toContain("found = 0");
});

test("token and tenant are asked by one connection, which is used again", async () => {
  let connections = 0;
  const counter = createServer((client) => {
    connections++;
    const onward = connect(Number(new URL(url).port), "127.0.0.1");
    for (const end of [client, onward]) end.on("error", () => {});
    client.pipe(onward).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(counter, "listening");
  const { port } = counter.address() as AddressInfo;
  const before = emulator.requests.length;
  try {
    const endpoint = `https://localhost:${port}`;
    const { said } = await plan({ TENANT_ENDPOINT: endpoint, NODE_EXTRA_CA_CERTS: authority });
    expect(said).toContain("found = 0");
    expect(emulator.requests.length - before).toBe(2);
    expect(connections).toBe(1);
  } finally {
    counter.close();
  }
});

test("a proxy is gone through, and sees nothing but where to", async () => {
  const target = new URL(url);
  const seen: string[] = [];
  // It leads to the tenant under a name that nobody else could resolve.
  const proxy = createServer((client) => {
    client.once("data", (head: Buffer) => {
      seen.push(head.toString().split("\r\n")[0]!);
      const through = connect(Number(target.port), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        client.pipe(through).pipe(client);
      });
      for (const end of [client, through]) end.on("error", () => {});
    });
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  try {
    const { code, said } = await plan({
      TENANT_ENDPOINT: "https://tenant.invalid",
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      NODE_EXTRA_CA_CERTS: authority,
    });
    expect(seen[0]).toBe("CONNECT tenant.invalid:443 HTTP/1.1");
    // The tenant's certificate is of localhost: it got as far as that, and no further.
    expect(said).toMatch(/tenant\.invalid/);
    expect(code).toBe(1);
  } finally {
    proxy.close();
  }
});
