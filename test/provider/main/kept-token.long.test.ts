/** The processes of one user share a token, and no other credentials and no other tenant get it. */
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator";
import { acl } from "../../support/hcl";
import { install, type Installation } from "../../support/installation";
import { unwrapped } from "../../support/workspace";

let installation: Installation;
let emulator: Emulator;
let close: () => Promise<unknown>;
let url: string;
beforeEach(async () => {
  emulator = createEmulator();
  ({ url, close } = await emulator.listen());
  installation = await install(acl("bots"));
});
afterEach(() => Promise.all([close(), installation.close()]));

const credentials = (one: Emulator) => ({
  TENANT_ENDPOINT: url,
  TENANT_CLIENT_ID: one.clientId,
  TENANT_CLIENT_SECRET: one.clientSecret,
});

async function terraform(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { code, stdout, stderr } = await installation.terraform(args, { ...credentials(emulator), ...env });
  return { code, said: unwrapped(stdout + stderr) };
}

/** The requests since the last call. */
function served(): string[] {
  return emulator.requests.splice(0).map(({ method, path: at }) => `${method} ${at.replace(/acl_\w+/, "ID")}`);
}

test("one token serves create, plan, change and destroy", async () => {
  expect(await terraform(["apply", "-auto-approve"])).toMatchObject({ code: 0 });
  expect(served().filter((request) => request === "POST /oauth/token")).toHaveLength(1);
  expect(await terraform(["plan", "-detailed-exitcode"])).toMatchObject({ code: 0 });
  expect(served()).toEqual(["GET /api/v2/network-acls"]);
  expect(await terraform(["destroy", "-auto-approve"])).toMatchObject({ code: 0 });
  expect(served()).toEqual(["GET /api/v2/network-acls", "DELETE /api/v2/network-acls/ID"]);
});

test("the user's files have the token only in encrypted form", async () => {
  const tokens: string[] = [];
  const { sign } = emulator.tokens;
  emulator.tokens.sign = async (claims) => {
    const token = await sign(claims);
    tokens.push(token);
    return token;
  };
  await terraform(["apply", "-auto-approve"], {
    TF_LOG: "trace",
    TF_LOG_PATH: path.join(installation.directory, "log"),
  });
  expect(tokens).toHaveLength(1);
  const files = await readdir(installation.directory, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile() && !file.parentPath.includes("terraform.d"))
    .map((file) => readFile(path.join(file.parentPath, file.name), "latin1"));
  expect(files.map(({ name }) => name)).toContain("tokens.json");
  for (const text of await Promise.all(texts)) {
    for (const part of [...tokens[0]!.split("."), emulator.clientSecret]) expect(text).not.toContain(part);
  }
});

describe("another tenant at the same address, with the same client", () => {
  const client = { client_id: "pipeline", client_secret: "the-same-secret" };
  const own = { TENANT_CLIENT_ID: client.client_id, TENANT_CLIENT_SECRET: client.client_secret };
  const run = (...args: string[]) => terraform(args, own);
  /** Replaces the tenant. */
  const replace = async () => {
    await close();
    emulator = createEmulator({ seed: { clients: [client] } });
    ({ url, close } = await emulator.listen({ port: Number(new URL(url).port) }));
  };
  beforeEach(replace);
  const writes = () => served().filter((request) => !/^GET|token/.test(request));

  test("gets a token of its own without a state", async () => {
    await run("apply", "-auto-approve");
    await replace();
    await rm(path.join(installation.directory, "terraform.tfstate"));
    expect(await run("apply", "-auto-approve")).toMatchObject({ code: 0 });
    // The new tenant refuses the kept token, and creates nothing with it.
    expect(writes()).toEqual(["POST /api/v2/network-acls", "POST /api/v2/network-acls"]);
  });
});
