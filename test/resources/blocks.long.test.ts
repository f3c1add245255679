/** Real Terraform validates blocks, shows errors at their lines, and reads states from the time when blocks were attributes. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { openWorkspace, unwrapped, type Workspace } from "../support/workspace";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await openWorkspace();
});
afterEach(() => workspace.close());

const stack = ({ provider = "", action = "block = true", match = "asns = [64496]", limit = "limit = 25" } = {}) => `
provider "tenant" {
  protected_request {
    name = "our CI"
    ip   = "198.51.100.10"
    ${provider}
  }
}
resource "tenant_network_acl" "a" {
  description = "Nobody from there"
  rule {
    action {
      ${action}
    }
    match {
      ${match}
    }
    scope = "authentication"
  }
}
resource "tenant_rate_limit_policy" "p" {
  consumer_selector = "default"
  configuration {
    action = "block"
    ${limit}
  }
}
`;

test.each([
  ["a signal next to a valid one", { match: 'asns = [1]\n geo_country_code = ["DE"]' }, "geo_country_code"],
  ["an action", { action: "block = true\n blok = true" }, "blok"],
  ["a limit", { limit: "limit = 25\n limits = 26" }, "limits"],
  ["a fact of a protected request", { provider: 'country_code = "DE"' }, "country_code"],
  ["a key of signatures", { match: 'http_message_signature {\n key = "k"\n keys = [{ id = "k" }]\n}' }, "key"],
])("Terraform itself refuses %s that is misspelt, and shows its line", async (_name, part, argument) => {
  await workspace.write(stack(part));
  const { code, stderr } = await workspace.terraform("validate");
  expect(code).toBe(1);
  expect(stderr.match(/Error: /g)).toHaveLength(1);
  expect(stderr).toContain(`An argument named "${argument}" is not expected here`);
  expect(stderr).toMatch(new RegExp(`\\d+: +${argument} =`));
});

test.each([
  ["in a rule's match", { match: 'ipv4_cidrs = ["10.0.0.0/33"]' }, /\d+: +ipv4_cidrs = \["10\.0\.0\.0\/33"\]/],
  ["in an action", { action: 'block = true\n redirect_uri = "https://a.example"' }, /\d+: +redirect_uri = "https:/],
  ["in a configuration", { limit: "limit = 10001" }, /\d+: +limit = 10001/],
  ["in a repeated block", { provider: 'connecting_ip = "nowhere"' }, /\d+: +connecting_ip = "nowhere"/],
])("shows an invalid value %s at its own line", async (_name, part, line) => {
  await workspace.write(stack(part));
  const { code, stderr } = await workspace.terraform("validate");
  expect(code).toBe(1);
  expect(stderr).toMatch(line);
  expect(stderr.match(/Error: /g)).toHaveLength(1);
});

test("plans no change when signature keys change from blocks to a list", async () => {
  const signed = (keys: string) => stack({ match: `http_message_signature {\n${keys}\n}` });
  const blocks = signed('keys {\n id = "k1"\n}\n keys {\n id = "k2"\n}');
  await workspace.apply(blocks);
  expect(workspace.emulator.snapshot().network_acls).toMatchObject([
    { rule: { match: { http_message_signature: { keys: [{ id: "k1" }, { id: "k2" }] } } } },
  ]);
  expect((await workspace.plan()).changes).toEqual([]);
  await workspace.write(signed('keys = [{ id = "k2" }, { id = "k1" }]'));
  expect((await workspace.plan()).changes).toEqual([]);
  await workspace.write(blocks.replace("id =", "ident ="));
  const { stderr } = await workspace.terraform("validate");
  expect(stderr).toContain('An argument named "ident" is not expected here');
});

test("refuses a second rule block, and a rule without an action", async () => {
  await workspace.write(
    stack().replace(/ {2}rule \{[^]*? {4}scope = "authentication"\n {2}\}/, (rule) => `${rule}\n${rule}`),
  );
  expect(unwrapped((await workspace.terraform("validate")).stderr)).toContain("Duplicate rule block");
  await workspace.write(stack().replace(/ {4}action \{[^]*?\}/, ""));
  expect(unwrapped((await workspace.terraform("validate")).stderr)).toContain("Missing action block");
});

test("plans no change for a state of version 0.1.0, when blocks were attributes, with and without a refresh", async () => {
  await workspace.apply(stack());
  const file = path.join(workspace.directory, "terraform.tfstate");
  const state = JSON.parse(await readFile(file, "utf8"));
  const { network_acls, rate_limit_policies } = workspace.emulator.snapshot();
  const signals = ["asns", "auth0_managed", "connecting_ipv4_cidrs", "connecting_ipv6_cidrs", "geo_country_codes"];
  signals.push("geo_subdivision_codes", "hostnames", "http_message_signature", "ipv4_cidrs", "ipv6_cidrs");
  signals.push("ja3_fingerprints", "ja4_fingerprints", "user_agents");
  const computed = ({ id, created_at, updated_at }: Record<"id" | "created_at" | "updated_at", string>) => ({
    id,
    created_at,
    updated_at,
  });
  const written: Record<string, object> = {
    tenant_network_acl: {
      active: true,
      description: "Nobody from there",
      priority: 50,
      rule: {
        action: { allow: null, block: true, log: null, redirect: null, redirect_uri: null },
        match: { ...Object.fromEntries(signals.map((name) => [name, null])), asns: [64496] },
        not_match: null,
        scope: "authentication",
      },
      ...computed(network_acls![0]!),
    },
    tenant_rate_limit_policy: {
      configuration: { action: "block", limit: 25, redirect_uri: null },
      consumer: "client",
      consumer_selector: "default",
      resource: "oauth_authentication_api",
      ...computed(rate_limit_policies![0]!),
    },
  };
  for (const resource of state.resources) {
    const [instance] = resource.instances;
    instance.attributes = written[resource.type];
    instance.private = Buffer.from(JSON.stringify({ memory: {} })).toString("base64");
  }
  await writeFile(file, JSON.stringify({ ...state, serial: state.serial + 1 }));

  expect((await workspace.plan()).changes).toEqual([]);
  expect((await workspace.plan("-refresh=false")).changes).toEqual([]);
});

describe("false and empty values, as configurations of the auth0 provider have them", () => {
  const blank = stack({
    action: 'block = true\n log = !true\n redirect_uri = ""',
    match: "asns = [64496]\n ipv4_cidrs = []\n }\n not_match {\n ipv6_cidrs = []",
  });
  const written = () => workspace.served().filter((request) => !request.startsWith("GET"));

  test("are absent on the tenant, and no later plan changes them", async () => {
    await workspace.apply(blank);
    const rule = { action: { block: true }, match: { asns: [64496] }, scope: "authentication" };
    expect(workspace.emulator.snapshot().network_acls).toMatchObject([{ rule }]);
    expect(workspace.emulator.snapshot().network_acls![0]!.rule).toEqual(rule);
    expect((await workspace.plan()).changes).toEqual([]);
    expect((await workspace.plan("-refresh=false")).changes).toEqual([]);
  });

  test("may be added and removed without a request that writes", async () => {
    await workspace.apply(stack());
    written();
    await workspace.apply(blank);
    await workspace.apply(stack());
    expect(written()).toEqual([]);
    expect((await workspace.plan()).changes).toEqual([]);
  });
});

test.each([
  ["absent", "", undefined],
  ["present", "203.0.113.0/24", { ipv4_cidrs: ["203.0.113.0/24"] }],
])("plans exceptions that are unknown, and applies them when they are %s", async (_, block, not_match) => {
  const source = `resource "terraform_data" "partner" {\n input = "${block}"\n}\n`;
  const exceptions = "not_match {\n ipv4_cidrs = compact([terraform_data.partner.output])\n }\n scope";
  await workspace.apply(source + stack().replace("scope", exceptions));
  const [acl] = workspace.emulator.snapshot().network_acls!;
  expect((acl as unknown as { rule: { not_match?: object } }).rule.not_match).toEqual(not_match);
  expect((await workspace.plan()).changes).toEqual([]);
});
