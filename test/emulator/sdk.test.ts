/** The public SDK of the service, in a process of its own, against the embedded tenant over https. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "../support/program";
import { createTenant } from "./client";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), "tenantform-sdk-"))));
afterEach(() => rm(folder, { recursive: true }));

test.each(["a client secret", "private_key_jwt"])("serves the public SDK with %s", async (way) => {
  const tenant = await createTenant();
  const { port, ca, close } = await tenant.listen({ tls: true });
  const { id } = tenant.store.addOrganization();
  const [caFile, keyFile] = [path.join(folder, "ca.pem"), path.join(folder, "key.pem")];
  await writeFile(caFile, ca!);
  await writeFile(keyFile, await tenant.clientPrivateKey());
  const secret = way === "private_key_jwt" ? { KEY_FILE: keyFile } : { CLIENT_SECRET: tenant.clientSecret };
  tenant.requests.length = 0;

  const program = path.join(__dirname, "sdk-life.ts");
  const ended = await run(process.execPath, ["--import", require.resolve("tsx"), program], {
    cwd: folder,
    env: {
      NODE_EXTRA_CA_CERTS: caFile,
      DOMAIN: `localhost:${port}`,
      CLIENT_ID: tenant.clientId,
      ORGANIZATION: id,
      ...secret,
    },
  });
  await close();

  expect([ended.stderr, ended.code]).toEqual(["", 0]);
  const rule = { scope: "tenant", action: { block: true }, match: { ipv4_cidrs: ["192.0.2.0/24"] } };
  expect(JSON.parse(ended.stdout)).toEqual({
    acls: [3, 50, "patched", "patched", rule, 404],
    policies: [["default", "cimd_clients", "third_party_clients"], { action: "allow" }, { action: "allow" }],
    members: [25, 15],
  });
  const grants = tenant.requests.filter(({ path: at }) => at.startsWith("/oauth/"));
  expect(grants).toHaveLength(1);
  expect(Object.keys(grants[0]!.body as object)).toContain(
    way === "private_key_jwt" ? "client_assertion" : "client_secret",
  );
  expect(tenant.requests.filter(({ status }) => status >= 400).map(({ status }) => status)).toEqual([404]);
});
