/** Real applies without a saved plan compare their plan with the tenant before the first write, in a process of their own. */
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createEmulator, type Emulator } from "../../src/emulator/emulator";
import { install, type Installation } from "../support/installation";
import { unwrapped } from "../support/workspace";

const head = `
terraform {
  required_providers {
    tenant = { source = "registry.terraform.io/tenantform/tenant" }
  }
}
`;
const acl = (name: string, priority: number, asn = 1) => `
resource "tenant_network_acl" "${name}" {
  description = "${name}"
  priority    = ${priority}
  rule {
    action { log = true }
    match { asns = [${asn}] }
    scope  = "tenant"
  }
}
`;
const policies = (name: string, selectors: readonly string[], limit = 1) => `
resource "tenant_rate_limit_policy" "${name}" {
  for_each          = toset(${JSON.stringify(selectors)})
  consumer_selector = each.key
  configuration {
    action = "block"
    limit  = ${limit}
  }
}
`;
const key = (name: string, byte: string) => `
resource "tenant_network_acl_key" "${name}" {
  name  = "${name}"
  value = "${Buffer.alloc(32, byte).toString("base64")}"
}
`;
const ten = Array.from({ length: 10 }, (_, index) => `client_id:${index}`);
const writer = { clientId: "writer", clientSecret: "writes only" };

let emulator: Emulator;
let tenant: Awaited<ReturnType<Emulator["listen"]>>;
let installation: Installation;
let onToken: ((count: number) => void) | undefined;
let tokens = 0;
let seen = 0;

beforeAll(async () => {
  emulator = createEmulator({
    flags: ["tenant_acl_hmac_signature"],
    onRequest: ({ path: at }) => void (at === "/oauth/token" && onToken?.(++tokens)),
  });
  [tenant, installation] = await Promise.all([emulator.listen(), install("")]);
  const scopes = ["create:network_acls", "create:rate_limit_policies", "create:network_acl_keys"];
  const { clientId: client_id, clientSecret: client_secret } = writer;
  emulator.store.clients.put({ client_id, client_secret, name: "Writer", global: true, scopes });
});
afterAll(() => Promise.all([tenant.close(), installation.close()]));
beforeEach(() => void (onToken = undefined));

async function terraform(args: readonly string[], { clientId, clientSecret } = emulator as typeof writer) {
  return installation.terraform(args, {
    TENANT_ENDPOINT: tenant.url,
    TENANT_CLIENT_ID: clientId,
    TENANT_CLIENT_SECRET: clientSecret,
    TMPDIR: installation.directory,
    // The second token shows that the apply begins.
    TENANT_KEEP_TOKEN: "false",
  });
}
const apply = ["apply", "-auto-approve"];

async function write(hcl: string): Promise<void> {
  await writeFile(path.join(installation.directory, "main.tf"), head + hcl);
}

/** Starts with an empty state and a tenant that has the objects of the configuration. */
async function unmanaged(hcl: string): Promise<void> {
  for (const { id } of emulator.store.networkAcls.values()) emulator.store.networkAcls.drop(id);
  for (const { id } of emulator.store.rateLimitPolicies.values()) emulator.store.rateLimitPolicies.drop(id);
  for (const { id } of emulator.store.networkAclKeys.values()) emulator.store.networkAclKeys.drop(id);
  await forget();
  if (hcl !== "") {
    await write(hcl);
    expect((await terraform(apply)).stderr).toBe("");
    await forget();
  }
  served();
}

const forget = () => writeFile(path.join(installation.directory, "terraform.tfstate"), "");

/** The requests since the last call. */
function served(): string[] {
  const calls = emulator.requests.slice(seen).map(({ method, path: at }) => `${method} ${at.replace("/api/v2/", "")}`);
  seen = emulator.requests.length;
  return calls;
}
const api = () => served().filter((call) => !call.includes("oauth"));
const lists = ["GET keys/network-acls", "GET network-acls", "GET rate-limit-policies"];

test.each([
  ["priority", acl("legacy", 20), acl("wanted", 20), 1],
  ["priority", acl("legacy", 20), acl("wanted", 20), 10],
  ["consumer_selector", policies("legacy", ["default"]), policies("wanted", ["default"], 2), 1],
  ["consumer_selector", policies("legacy", ["default"]), policies("wanted", ["default"], 2), 10],
  ["name", key("edge", "a"), key("edge", "b"), 1],
  ["name", key("edge", "a"), key("edge", "b"), 10],
])("refuses a taken %s before any write, as the plan does", async (attribute, standing, wanted, parallelism) => {
  await unmanaged(standing);
  await write(wanted + acl("free", 5) + policies("free", ["client_id:free"]) + key("free", "c"));
  const planned = await terraform(["plan"]);
  served();
  const { code, stderr } = await terraform([...apply, `-parallelism=${parallelism}`]);
  expect([planned.code, code]).toEqual([1, 1]);
  expect(api().toSorted()).toEqual(lists);
  const errorOf = (text: string) =>
    unwrapped(text)
      .split("Error: ")
      .find((error) => error.startsWith("The "))!;
  expect(errorOf(stderr)).toContain(`The ${attribute} is taken`);
  const words = (text: string) => errorOf(text).match(/`\w+` is .*Nothing was changed\./)![0];
  expect(words(stderr)).toBe(words(planned.stderr));
  expect((await readdir(installation.directory)).filter((name) => name.startsWith("tenantform-"))).toEqual([]);
});

test("creates 10 policies with one list and two tokens, and reads nothing more to change or destroy them", async () => {
  await unmanaged("");
  await write(policies("many", ten));
  expect((await terraform(apply)).stderr).toBe("");
  const calls = served();
  expect(calls.filter((call) => !call.startsWith("POST rate"))).toEqual([
    "POST /oauth/token",
    "POST /oauth/token",
    "GET rate-limit-policies",
  ]);
  expect(calls).toHaveLength(13);
  await write(policies("many", ten, 2));
  expect((await terraform(apply)).stderr).toBe("");
  expect(api().filter((call) => !call.startsWith("PATCH"))).toEqual(["GET rate-limit-policies"]);
  expect((await terraform(["destroy", "-auto-approve"])).stderr).toBe("");
  expect(api().filter((call) => !call.startsWith("DELETE"))).toEqual(["GET rate-limit-policies"]);
});

test("adopts identical objects of each kind", async () => {
  const all = acl("a", 20) + policies("a", ["default"]) + key("a", "a");
  await unmanaged(all);
  await write(all + policies("b", ten));
  const { code, stderr, stdout } = await terraform(apply);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("Resources: 13 added");
  const { networkAcls, networkAclKeys, rateLimitPolicies } = emulator.store;
  expect([networkAcls.size, networkAclKeys.size, rateLimitPolicies.size]).toEqual([1, 1, 11]);
});

test("finds an object that another program creates after the plan", async () => {
  await unmanaged("");
  await write(policies("wanted", ["default"]) + acl("free", 5));
  tokens = 0;
  onToken = (count) => {
    if (count !== 2) return;
    const callers = { resource: "oauth_authentication_api", consumer: "client", consumer_selector: "default" };
    const at = "2026-01-01T00:00:00Z";
    emulator.store.rateLimitPolicies.put({
      id: "rlp_000000000000000000001",
      ...callers,
      configuration: { action: "allow" },
      created_at: at,
      updated_at: at,
    });
  };
  const { code, stderr } = await terraform(apply);
  expect([code, unwrapped(stderr)]).toEqual([1, expect.stringContaining("The consumer_selector is taken")]);
  expect(api().toSorted()).toEqual(lists.slice(1));
});

test("leaves the conflict to the write if the token cannot read, and if a saved plan is applied", async () => {
  await unmanaged(policies("legacy", ["default"]));
  await write(policies("wanted", ["default"], 2));
  const blind = await terraform(apply, writer);
  expect(unwrapped(blind.stderr)).toContain("Insufficient scope, expected any of: read:rate_limit_policies.");
  expect(api()).toEqual(["GET rate-limit-policies", "POST rate-limit-policies", "GET rate-limit-policies"]);
  await unmanaged("");
  await write(policies("wanted", ["default"], 2));
  expect((await terraform(["plan", "-out=saved"])).code).toBe(0);
  expect(api()).toEqual(["GET rate-limit-policies"]);
  expect((await terraform(["apply", "saved"])).stderr).toBe("");
  expect(api()).toEqual(["POST rate-limit-policies"]);
});

test("refuses two new objects with one key in the plan, without an API call", async () => {
  await unmanaged("");
  const both = policies("a", ["default"]) + policies("b", ["default"], 2) + key("x", "a");
  await write(both + key("x", "b").replace('"tenant_network_acl_key" "x"', '"tenant_network_acl_key" "y"'));
  const { stderr } = await terraform(apply);
  expect(unwrapped(stderr)).toContain("Two policies for the same callers");
  expect(unwrapped(stderr)).toContain("Two keys with the same name");
  expect(api()).toEqual([]);
});

test.each([1, 2, 10])(
  "refuses a taken selector before an apply changes, creates or deletes an object, at -parallelism=%i",
  async (parallelism) => {
    await unmanaged(policies("legacy", ["default"]));
    await write(acl("changed", 20) + acl("deleted", 21) + policies("changed", ["client_id:x"]));
    expect((await terraform(apply)).stderr).toBe("");
    const standing = JSON.stringify([...emulator.store.networkAcls.values()]);
    for (const name of ["a", "z"]) {
      await write(
        acl("changed", 20, 2) +
          policies("changed", ["client_id:x"], 2) +
          policies(name, ["default"], 3) +
          acl("new", 30),
      );
      served();
      const { code, stderr } = await terraform([...apply, `-parallelism=${parallelism}`]);
      expect([code, unwrapped(stderr)]).toEqual([1, expect.stringContaining("The consumer_selector is taken")]);
      expect(api().filter((call) => !call.startsWith("GET"))).toEqual([]);
      expect(JSON.stringify([...emulator.store.networkAcls.values()])).toBe(standing);
    }
  },
);

test.each([1, 10])("refuses no key that a change of the same apply frees, at -parallelism=%i", async (parallelism) => {
  await unmanaged("");
  await write(acl("a", 20) + policies("a", ["client_id:x", "client_id:y"]) + key("k", "a"));
  expect((await terraform(apply)).stderr).toBe("");
  // One apply may end early, because Terraform may create an object before it frees the key. But each apply writes something.
  await write(acl("b", 20) + acl("a", 21) + policies("b", ["client_id:x"], 2) + policies("a", ["client_id:y"]));
  for (let count = 0; count < 3; count++) {
    served();
    const { code } = await terraform([...apply, `-parallelism=${parallelism}`]);
    if (code === 0) break;
    expect(api().some((call) => !call.startsWith("GET"))).toBe(true);
  }
  const all = [...emulator.store.networkAcls.values()].map((each) => `${each.description} ${each.priority}`);
  expect(all.toSorted()).toEqual(["a 21", "b 20"]);
  expect(emulator.store.rateLimitPolicies.size).toBe(2);
});

test("refuses no tainted object that keeps its key, also without a refresh", async () => {
  await unmanaged("");
  await write(acl("own", 20));
  expect((await terraform(apply)).stderr).toBe("");
  expect((await terraform(["taint", "tenant_network_acl.own"])).code).toBe(0);
  await write(acl("own", 20, 2) + acl("free", 5));
  for (const flags of [["-refresh=false", "-parallelism=1"], ["-parallelism=1"], []]) {
    const { code, stderr } = await terraform([...apply, ...flags]);
    expect([code, stderr]).toEqual([0, ""]);
    expect((await terraform(["taint", "tenant_network_acl.own"])).code).toBe(0);
  }
});

describe("an apply whose plan could only warn writes nothing", () => {
  const provider = (body: string) => `provider "tenant" {\n ${body}\n}\n`;
  const guarded = provider('protected_requests {\n name = "ci"\n ip = "192.0.2.1"\n }');
  const expected = (always: boolean) =>
    provider(`expectation {
      name    = "staff"
      always  = ${always}
      outcome = "blocked"
      request {
        countries = ["KP"]
      }
    }`);
  const rule = (name: string, action: string, priority: number, match: string) =>
    acl(name, priority).replace("log = true", `${action} = true`).replace("asns = [1]", match);
  const way = rule("way", "allow", 10, 'ipv4_cidrs = ["192.0.2.1/32"]');
  const wall = rule("wall", "block", 50, 'ipv4_cidrs = ["192.0.2.0/24"]');
  const shield = rule("shield", "block", 20, 'geo_country_codes = ["KP"]');
  const other = policies("other", ["client_id:x"]);

  test.each([
    ["destroys the allow before an unmanaged block", guarded, way, wall, "", /A protected request is blocked/],
    ["only creates objects", guarded, "", "", wall, /A protected request is blocked/],
    ["destroys a block that an expectation needs", expected(false), shield, "", "", /"staff" is broken/],
    ["only creates an allow that breaks an expectation", expected(false), "", shield, way, /"staff" is broken/],
  ])("that %s", async (_name, block, managed, outside, after, words) => {
    await unmanaged(outside);
    await write(managed);
    expect((await terraform(apply)).stderr).toBe("");
    await write(block + after + other);
    for (const parallelism of [1, 10]) {
      served();
      const { code, stderr } = await terraform([...apply, `-parallelism=${parallelism}`]);
      expect([parallelism, code, unwrapped(stderr)]).toEqual([parallelism, 1, expect.stringMatching(words)]);
      expect(api().filter((call) => !call.startsWith("GET"))).toEqual([]);
    }
  });

  test("that replaces a block which an expectation always needs", async () => {
    await unmanaged("");
    await write(shield);
    expect((await terraform(apply)).stderr).toBe("");
    await write(expected(true) + shield + other);
    served();
    const { code, stderr } = await terraform([...apply, "-parallelism=1", "-replace=tenant_network_acl.shield"]);
    expect([code, unwrapped(stderr)]).toEqual([1, expect.stringContaining("A step of this plan would break")]);
    expect(api().filter((call) => !call.startsWith("GET"))).toEqual([]);
  });

  test("but one whose later changes prevent the lock-out goes on", async () => {
    await unmanaged("");
    await write(guarded + way + wall + other);
    for (let count = 0; count < 2; count++) {
      const { code, stderr } = await terraform([...apply, "-parallelism=1"]);
      if (code === 0) break;
      // Terraform may send the block first.
      expect(unwrapped(stderr)).toContain("This step would lock out");
      expect(api().some((call) => !call.startsWith("GET"))).toBe(true);
    }
    expect(emulator.store.networkAcls.size).toBe(2);
  });
});
