/** Runs the example of signed requests on an embedded tenant that enforces its ACLs, and rotates its key under load. */
import { createHmac, randomBytes } from "node:crypto";
import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { fingerprintOf } from "../../src/resources/network-acl-key/material";
import { succeed } from "../support/program";
import { openWorkspace, type Workspace } from "../support/workspace";

const example = path.join(__dirname, "../../examples/signed-requests");
const origin = "X-Tenantform-Origin: hostname=login.example.com";

let workspace: Workspace;
let url: string;
beforeEach(async () => {
  workspace = await openWorkspace({ flags: ["tenant_acl_hmac_signature"], enforce: true });
  url = `${workspace.environment.TENANT_ENDPOINT}/.well-known/openid-configuration`;
  await cp(path.join(example, "main.tf"), path.join(workspace.directory, "main.tf"));
});
afterEach(() => workspace.close());

const give = (material: string) =>
  writeFile(path.join(workspace.directory, "terraform.tfvars"), `edge_key = "${material}"\n`);
const keyId = async () => (await workspace.terraform("output", "-raw", "key_id")).stdout;
const ask = async (program: string, args: string[], env: Record<string, string>) =>
  (await succeed(program, [...args, url, origin], { cwd: workspace.directory, env })).trim();

/** One signature for each key. Each is sufficient. */
function signedBy(materials: ReadonlyMap<string, string>): Request {
  const keys = workspace.emulator.store.networkAclKeys.values();
  const signatures = keys.map(({ id, fingerprint }, index) => {
    const parameters = `("@method" "@path");created=${Math.floor(Date.now() / 1000)};keyid="${id}";alg="hmac-sha256"`;
    const base = `"@method": GET\n"@path": ${new URL(url).pathname}\n"@signature-params": ${parameters}`;
    const mac = createHmac("sha256", Buffer.from(materials.get(fingerprint)!, "base64"))
      .update(base)
      .digest("base64");
    return [`s${index}=${parameters}`, `s${index}=:${mac}:`] as const;
  });
  const [name, value] = origin.split(": ") as [string, string];
  const headers = {
    [name]: value,
    "signature-input": signatures.map(([input]) => input).join(", "),
    signature: signatures.map(([, signature]) => signature).join(", "),
  };
  return new Request(url, { headers });
}

test("blocks no request during a rotation that is signed with each existing key", async () => {
  const rotation = Array.from({ length: 3 }, () => randomBytes(32).toString("base64"));
  const materials = new Map(rotation.map((material) => [fingerprintOf(material), material]));
  await give(rotation[0]!);
  await workspace.apply();
  const ids = new Set([await keyId()]);
  const statuses: number[] = [];
  for (const material of rotation.slice(1)) {
    await give(material);
    const end = new AbortController();
    const applied = workspace.apply().finally(() => end.abort());
    while (!end.signal.aborted) {
      statuses.push((await workspace.emulator.fetch(signedBy(materials))).status);
      await setImmediate();
    }
    await applied;
    ids.add(await keyId());
    expect(workspace.emulator.store.networkAclKeys.size).toBe(1);
  }
  expect(ids.size).toBe(3);
  expect(statuses.length).toBeGreaterThan(100);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("allows requests that are signed with the key, from Node and curl, and blocks all others", async () => {
  const EDGE_KEY = randomBytes(32).toString("base64");
  await give(EDGE_KEY);
  await workspace.apply();
  const env = { EDGE_KEY, EDGE_KEY_ID: await keyId() };
  const signers = [[process.execPath, path.join(example, "sign.mjs")], [path.join(example, "sign.sh")]] as const;
  for (const [program, ...args] of signers) {
    expect(await ask(program, args, env)).toBe("200");
    expect(await ask(program, args, { ...env, EDGE_KEY: randomBytes(32).toString("base64") })).toBe("403");
    expect(await ask(program, args, { ...env, EDGE_KEY_ID: "key_other" })).toBe("403");
  }
  const [name, value] = origin.split(": ") as [string, string];
  expect((await fetch(url, { headers: { [name]: value } })).status).toBe(403);
  expect((await fetch(url)).status).toBe(200);
});
