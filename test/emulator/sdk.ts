/** The public SDK of the service, in a process of its own, against the embedded tenant over https: `npx tsx test/emulator/sdk.ts`. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { check, projectWith } from "../support/fetched";
import { succeed } from "../support/program";

async function serve(folder: string, way: "a client secret" | "private_key_jwt"): Promise<void> {
  const tenant = createEmulator();
  const { port, ca, close } = await tenant.listen({ tls: true });
  const { id } = tenant.store.addOrganization();
  const [caFile, keyFile] = [path.join(folder, "ca.pem"), path.join(folder, "key.pem")];
  writeFileSync(caFile, ca!);
  writeFileSync(keyFile, await tenant.clientPrivateKey());
  const secret = way === "private_key_jwt" ? { KEY_FILE: keyFile } : { CLIENT_SECRET: tenant.clientSecret };
  const program = ["--import", require.resolve("tsx"), path.join(__dirname, "sdk-life.ts")];
  const env = {
    NODE_EXTRA_CA_CERTS: caFile,
    DOMAIN: `localhost:${port}`,
    CLIENT_ID: tenant.clientId,
    ORGANIZATION: id,
    ...secret,
  };
  const output = await succeed(process.execPath, program, { cwd: folder, env }).finally(close);
  const rule = { scope: "tenant", action: { block: true }, match: { ipv4_cidrs: ["192.0.2.0/24"] } };
  assert.deepEqual(JSON.parse(output), {
    acls: [3, 50, "patched", "patched", rule, 404],
    policies: [["default", "cimd_clients", "third_party_clients"], { action: "allow" }, { action: "allow" }],
    members: [25, 15],
  });
  const grants = tenant.requests.filter(({ path: at }) => at.startsWith("/oauth/"));
  assert.equal(grants.length, 1);
  assert.equal("client_assertion_type" in (grants[0]!.body as object), way === "private_key_jwt");
  const refused = tenant.requests.filter(({ status }) => status >= 400).map(({ status }) => status);
  assert.deepEqual(refused, [404]);
  process.stdout.write(`serves the public SDK with ${way}\n`);
}

check(async () => {
  const folder = await projectWith("sdk", ["auth0@7.1"]);
  try {
    await serve(folder, "a client secret");
    await serve(folder, "private_key_jwt");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
