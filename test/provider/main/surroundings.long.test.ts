/** The shipped provider in its environment: trusted authorities, proxies and credentials. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator";
import { install, type Installation } from "../../support/installation";
import { unwrapped } from "../../support/workspace";

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

test("uses a proxy, which sees only the address", async () => {
  const seen: string[] = [];
  const proxy = createServer((client) =>
    client.once("data", (head: Buffer) => {
      seen.push(head.toString().split("\r\n")[0]!);
      client.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    }),
  );
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port } = proxy.address() as AddressInfo;
  const { code } = await plan({ TENANT_ENDPOINT: "https://tenant.invalid", HTTPS_PROXY: `http://localhost:${port}` });
  proxy.close();
  expect([code, seen[0]]).toEqual([1, "CONNECT tenant.invalid:443 HTTP/1.1"]);
});
