/** Real Terraform creates, updates, imports and destroys network ACLs. */
import { openWorkspace, unwrapped } from "../../support/workspace";
import { eachTest } from "../../support/each-test";

const workspace = eachTest(() => openWorkspace({ flags: ["tenant_acl_match_all"] }));

const address = "tenant_network_acl.office";
const acls = () => workspace.emulator.snapshot().network_acls ?? [];

const everySignal = `{
  asns                  = [64496, 64511]
  geo_country_codes     = ["DE", "UK"]
  geo_subdivision_codes = ["US-CA"]
  ipv4_cidrs            = ["203.0.113.7", "198.51.100.1/24"]
  ipv6_cidrs            = ["2001:0DB8:0000::1", "2001:db8::/32"]
  connecting_ipv4_cidrs = ["192.0.2.0/24"]
  connecting_ipv6_cidrs = ["2001:db8:1::/48"]
  ja3_fingerprints      = ["e7d705a3286e19ea42f587b344ee6865"]
  ja4_fingerprints      = ["t13d1516h2_8daaf6152771_b186095e22b6"]
  user_agents           = ["curl/8"]
  hostnames             = ["login.example.com"]
  auth0_managed         = ["auth0.icloud_relay_proxy"]
}`;

const acl = ({ description = "Office", rest = "", action = "block = true", match = everySignal } = {}) => `
resource "tenant_network_acl" "office" {
  description = ${JSON.stringify(description)}
  ${rest}
  rule {
    action {
      ${action.replaceAll(", ", "\n      ")}
    }
    match ${match}
    scope = "authentication"
  }
}
`;

test("creates an ACL as written, and plans no change afterwards", async () => {
  await workspace.apply(acl());

  expect(acls()).toMatchObject([
    {
      description: "Office",
      active: true,
      priority: 50,
      rule: {
        action: { block: true },
        scope: "authentication",
        match: { asns: [64496, 64511], hostnames: ["login.example.com"], auth0_managed: ["auth0.icloud_relay_proxy"] },
      },
    },
  ]);
  expect(Object.keys(acls()[0]!.rule.match!)).toHaveLength(12);
  expect(workspace.served()).toEqual(["GET /api/v2/network-acls", "POST /api/v2/network-acls"]);
  expect((await workspace.plan()).changes).toEqual([]);
  expect(await workspace.state(address)).toMatchObject({ id: acls()[0]!.id, created_at: acls()[0]!.created_at });
});

test("changes from match_all to criteria and back", async () => {
  // It closes sign-in, and with it Terraform's own request for a token.
  const all = `provider "tenant" {\n  lockout_guard = "warn"\n}\n${acl().replace(/match \{[^]*?\}\n/, "match_all = true\n")}`;
  const rules = () => acls().map(({ rule }) => rule);
  expect(unwrapped(await workspace.apply(all))).toMatch(/match_all, .* as Early Access/);
  expect(rules()).toEqual([{ action: { block: true }, match_all: true, scope: "authentication" }]);
  expect((await workspace.plan()).changes).toEqual([]);
  await workspace.apply(acl({ match: "{\n asns = [1]\n}" }));
  expect(rules()).toEqual([{ action: { block: true }, match: { asns: [1] }, scope: "authentication" }]);
  await workspace.apply(all);
  expect(rules()).toMatchObject([{ match_all: true }]);
  await workspace.apply(`${all} data "tenant_network_acls" "all" {}
    output "all" { value = data.tenant_network_acls.all.network_acls[*].rule.match_all }`);
  expect(JSON.parse((await workspace.terraform("output", "-json", "all")).stdout)).toEqual([true]);
});

test("updates an ACL in place with one PUT", async () => {
  await workspace.apply(acl());
  const [before] = acls();
  await workspace.write(
    acl({ rest: "active = false\n priority = 7", action: 'redirect = true, redirect_uri = "https://example.com/no"' }),
  );

  const { changes } = await workspace.plan();
  expect(changes).toMatchObject([{ address, change: { actions: ["update"], after_unknown: { updated_at: true } } }]);
  expect(changes[0]!.change.after.id).toBe(before!.id);
  workspace.served();
  await workspace.apply();

  expect(workspace.served().filter((line) => !line.startsWith("GET"))).toEqual([
    `PUT /api/v2/network-acls/${before!.id}`,
  ]);
  expect(acls()).toMatchObject([
    {
      id: before!.id,
      active: false,
      priority: 7,
      rule: { action: { redirect: true, redirect_uri: "https://example.com/no" } },
    },
  ]);
  expect((await workspace.plan()).changes).toEqual([]);
});

test("removes a deleted ACL from the state with a message, and creates it again", async () => {
  await workspace.apply(acl());
  const { id } = acls()[0]!;
  workspace.emulator.store.networkAcls.drop(id);

  const { changes, output } = await workspace.plan();
  expect(changes).toMatchObject([{ change: { actions: ["create"] } }]);
  expect(unwrapped(output)).toContain(`no longer has network ACL ${id} ("Office")`);
  await workspace.apply();
  expect(acls()).toHaveLength(1);
});

test("plans no change when the service returns unknown fields", async () => {
  await workspace.apply(acl());
  const [stored] = acls();
  workspace.emulator.store.networkAcls.put({
    ...stored!,
    colour: "green",
    rule: { ...stored!.rule, weight: 3 },
  } as never);
  expect((await workspace.plan()).changes).toEqual([]);
});

describe("priorities", () => {
  const at = (priorities: Record<string, number>) =>
    Object.entries(priorities)
      .map(([name, priority]) =>
        acl({ description: name, rest: `priority = ${priority}` }).replace('"office"', `"${name}"`),
      )
      .join("");
  const held = () => Object.fromEntries(acls().map(({ description, priority }) => [description, priority]));

  test("rotate in one apply, with one more write than there are ACLs", async () => {
    await workspace.apply(at({ a: 1, b: 2, c: 3, d: 4 }));
    workspace.served();
    await workspace.apply(at({ a: 2, b: 3, c: 4, d: 1 }));
    expect(held()).toEqual({ a: 2, b: 3, c: 4, d: 1 });
    expect(workspace.served().filter((line) => line.startsWith("PUT"))).toHaveLength(5);
    expect((await workspace.plan()).changes).toEqual([]);
  });

  test("swap with one call at a time in one apply with a warning, and the second apply needs no write", async () => {
    await workspace.apply(at({ a: 1, b: 2 }));
    await workspace.write(at({ a: 2, b: 1 }));
    const first = await workspace.terraform("apply", "-auto-approve", "-parallelism=1");
    expect(first.code).toBe(0);
    expect(unwrapped(first.stdout)).toContain("A network ACL waits for its priority");
    expect(held()).toEqual({ a: 2, b: 1 });
    workspace.served();
    const second = await workspace.terraform("apply", "-auto-approve", "-parallelism=1");
    expect(second.code).toBe(0);
    expect(workspace.served().filter((line) => line.startsWith("PUT"))).toEqual([]);
  });
});
