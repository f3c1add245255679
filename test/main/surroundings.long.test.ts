/** The shipped provider in its environment: trusted authorities, proxies and credentials. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";
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

test("refuses an authority that the machine does not know, with every setting of the runtime", async () => {
  const { code, said } = await plan({ NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  expect(code).toBe(1);
  expect(said).toMatch(/certificate/i);
});

test.each(["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])("trusts an authority that %s names", async (variable) => {
  const { code, said } = await plan({ [variable]: authority });
  expect(said).toContain("found = 0");
  expect(code).toBe(0);
});

test("signs a client's assertion with its key", async () => {
  const key = path.join(installation.directory, "key.pem");
  await writeFile(key, await emulator.clientPrivateKey());
  const { said } = await plan({
    NODE_EXTRA_CA_CERTS: authority,
    TENANT_CLIENT_SECRET: undefined,
    TENANT_CLIENT_ASSERTION_PRIVATE_KEY_FILE: key,
  });
  expect(said).toContain("found = 0");
});

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((end) => end())));

/** The port on which a server listens until the test ends. */
async function listen(server: Server): Promise<number> {
  closing.push(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

function join(client: Socket, onward: Socket): void {
  for (const end of [client, onward]) end.on("error", () => {});
  client.pipe(onward).pipe(client);
}

/** A proxy that opens every tunnel to one port of this machine, and the log of its requests. */
async function proxyTo(port: number) {
  const seen: string[] = [];
  const proxy = createServer((client) => {
    client.once("data", (head: Buffer) => {
      seen.push(head.toString().split("\r\n")[0]!);
      const onward = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        join(client, onward);
      });
    });
  });
  return { proxy: `http://localhost:${await listen(proxy)}`, seen };
}

test("uses a proxy, which sees only the address", async () => {
  // It leads to the tenant under a name that only the proxy can resolve.
  const { proxy, seen } = await proxyTo(Number(new URL(url).port));
  const { code, said } = await plan({
    TENANT_ENDPOINT: "https://tenant.invalid",
    HTTPS_PROXY: proxy,
    NODE_EXTRA_CA_CERTS: authority,
  });
  expect(seen[0]).toBe("CONNECT tenant.invalid:443 HTTP/1.1");
  // The tenant's certificate is for localhost, so the connection ends there.
  expect(said).toMatch(/tenant\.invalid/);
  expect(code).toBe(1);
});
