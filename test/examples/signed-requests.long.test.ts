/** Runs the example of signed requests on an embedded tenant that enforces its ACLs, and rotates its key under load. */
import { createHmac, randomBytes } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { succeed } from "../support/program";
import { openWorkspace } from "../support/workspace";
import { eachTest } from "../support/each-test";

const example = path.join(__dirname, "../../examples/signed-requests");
const origin = "X-Tenantform-Origin: hostname=login.example.com";

const workspace = eachTest(() => openWorkspace({ flags: ["tenant_acl_hmac_signature"], enforce: true }));
let url: string;
beforeEach(async () => {
  url = `${workspace.environment.TENANT_ENDPOINT}/.well-known/openid-configuration`;
  await cp(path.join(example, "main.tf"), path.join(workspace.directory, "main.tf"));
});

const give = (keys: Record<string, string>) =>
  writeFile(path.join(workspace.directory, "terraform.tfvars.json"), JSON.stringify(keys));
const keyId = async () => (await workspace.terraform("output", "-raw", "key_id")).stdout;
const ask = async (program: string, args: string[], env: Record<string, string>) =>
  (await succeed(program, [...args, url, origin], { cwd: workspace.directory, env })).trim();

interface SigningKey {
  readonly id: string;
  readonly bytes: string;
}

function signedBy({ id, bytes }: SigningKey): Request {
  const now = Math.floor(Date.now() / 1000);
  const parameters = `("@method" "@path");created=${now};expires=${now + 60};keyid="${id}"`;
  const base = `"@method": GET\n"@path": ${new URL(url).pathname}\n"@signature-params": ${parameters}`;
  const mac = createHmac("sha256", Buffer.from(bytes, "base64")).update(base).digest("base64");
  const [name, value] = origin.split(": ") as [string, string];
  return new Request(url, {
    headers: { [name]: value, "signature-input": `s=${parameters}`, signature: `s=:${mac}:` },
  });
}

const configure = (hcl: string) => writeFile(path.join(workspace.directory, "main.tf"), hcl);

/** The configuration of each step: the first key, both, and the second. */
async function rotation(): Promise<string[]> {
  const first = await readFile(path.join(example, "main.tf"), "utf8");
  const guide = await readFile(path.join(example, "../../docs/guides/recipes.md"), "utf8");
  const [key, keys] = [...guide.matchAll(/^ +```terraform\n(.*?)^ +```/gms)].map(([, code]) => code!);
  const both = first.replace(/http_message_signature \{.*?\}\s*\}/s, () => keys!) + key!;
  return [first, both, first.replaceAll(/edge_key\b/g, "edge_key_2").replaceAll(/\bedge\b(?=["."])/g, "edge_2")];
}

test("blocks no request in the rotation of the guide, whose signer signs with one key", async () => {
  const [before, both, after] = await rotation();
  const [edge_key, edge_key_2] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
  const statuses: number[] = [];
  const applyUnderLoad = async (hcl: string, signer: SigningKey) => {
    await configure(hcl);
    const end = new AbortController();
    const applied = workspace.apply().finally(() => end.abort());
    while (!end.signal.aborted) {
      statuses.push((await workspace.emulator.fetch(signedBy(signer))).status);
      await setImmediate();
    }
    await applied;
  };
  await give({ edge_key });
  await configure(before!);
  await workspace.apply();
  await give({ edge_key, edge_key_2 });
  await applyUnderLoad(both!, { id: await keyId(), bytes: edge_key });
  const { id } = await workspace.state("tenant_network_acl_key.edge_2");
  await give({ edge_key_2 });
  await applyUnderLoad(after!, { id, bytes: edge_key_2 });
  expect(workspace.emulator.store.networkAclKeys.values()).toMatchObject([{ id }]);
  expect(statuses.length).toBeGreaterThan(100);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("allows requests that are signed with the key, from Node and curl, and blocks all others", async () => {
  const EDGE_KEY = randomBytes(32).toString("base64");
  await give({ edge_key: EDGE_KEY });
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
