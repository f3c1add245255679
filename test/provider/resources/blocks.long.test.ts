/** Real Terraform validates blocks, and shows errors at their lines. */
import { openWorkspace } from "../../support/workspace";
import { eachTest } from "../../support/each-test";

const workspace = eachTest(openWorkspace);

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
  ["a fact of a protected request", { provider: 'country_code = "DE"' }, "country_code"],
  ["a key of signatures", { match: 'http_message_signature {\n key = "k"\n keys = [{ id = "k" }]\n}' }, "key"],
])("Terraform itself refuses %s that is misspelt, and shows its line", async (_name, part, argument) => {
  await workspace.write(stack(part));
  const errors = await workspace.refused("validate");
  expect(errors.match(/Error: /g)).toHaveLength(1);
  expect(errors).toContain(`An argument named "${argument}" is not expected here`);
  expect(errors).toMatch(new RegExp(`\\d+: +${argument} =`));
});

test.each([
  ["in a rule's match", { match: 'ipv4_cidrs = ["10.0.0.0/33"]' }, /\d+: +ipv4_cidrs = \["10\.0\.0\.0\/33"\]/],
  ["in an action", { action: 'block = true\n redirect_uri = "https://a.example"' }, /\d+: +redirect_uri = "https:/],
  ["in a configuration", { limit: "limit = 10001" }, /\d+: +limit = 10001/],
  ["in a repeated block", { provider: 'connecting_ip = "nowhere"' }, /\d+: +connecting_ip = "nowhere"/],
])("shows an invalid value %s at its own line", async (_name, part, line) => {
  await workspace.write(stack(part));
  const errors = await workspace.refused("validate");
  expect(errors).toMatch(line);
  expect(errors.match(/Error: /g)).toHaveLength(1);
});

test("plans no change when signature keys change from blocks to a list", async () => {
  const signed = (keys: string) => stack({ match: `http_message_signature {\n${keys}\n}` });
  const blocks = signed('keys {\n id = "k1"\n}\n keys {\n id = "k2"\n}');
  await workspace.apply(blocks);
  expect(workspace.emulator.snapshot().network_acls).toMatchObject([
    { rule: { match: { http_message_signature: { keys: [{ id: "k1" }, { id: "k2" }] } } } },
  ]);
  await workspace.settled();
  await workspace.write(signed('keys = [{ id = "k2" }, { id = "k1" }]'));
  await workspace.settled();
  await workspace.write(blocks.replace("id =", "ident ="));
  expect(await workspace.refused("validate")).toContain('An argument named "ident" is not expected here');
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
    await workspace.settled();
    expect((await workspace.plan("-refresh=false")).changes).toEqual([]);
  });

  test("may be added and removed without a request that writes", async () => {
    await workspace.apply(stack());
    written();
    await workspace.apply(blank);
    await workspace.apply(stack());
    expect(written()).toEqual([]);
    await workspace.settled();
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
  await workspace.settled();
});
