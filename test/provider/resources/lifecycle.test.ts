/** Real Terraform creates, plans, changes, imports and destroys objects of all kinds, in one configuration. */
import * as hcl from "../../support/hcl";
import { openWorkspace, unwrapped } from "../../support/workspace";
import { eachTest } from "../../support/each-test";

const workspace = eachTest(() => openWorkspace({ flags: ["tenant_acl_match_all", "tenant_acl_hmac_signature"] }));
let organization: string;
let partner: string;
beforeEach(() => {
  const { store } = workspace.emulator;
  [organization, partner] = ["acme", "partner"].map((name) => store.addOrganization({ name }).id) as [string, string];
});

const addresses = [
  "tenant_network_acl.office",
  "tenant_network_acl_key.edge",
  "tenant_organization_member_set.guests",
  "tenant_organization_member_set.staff",
  "tenant_rate_limit_policy.bots",
];
const [office, , , staff] = addresses as [string, string, string, string];
const acls = () => workspace.emulator.snapshot().network_acls ?? [];
const policies = () => workspace.emulator.snapshot().rate_limit_policies ?? [];
const keys = () => workspace.emulator.snapshot().network_acl_keys ?? [];
const membersOf = (id: string) => Array.from(workspace.emulator.store.members(id)!, ([user]) => user).toSorted();
const present = () => membersOf(organization);
const users = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `auth0|user-${from + index}`);

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
const policy = (configuration = 'action = "block", limit = 25') => `
resource "tenant_rate_limit_policy" "bots" {
  consumer_selector = "third_party_clients"
  configuration {
    ${configuration.replaceAll(", ", "\n    ")}
  }
}
`;
const set = (members: string[], rest = "") => hcl.memberSet(organization, members, rest);
const guests = (...members: string[]) => hcl.memberSet(partner, members, "exclusive = false", "guests");
const key = hcl.key("edge", `value = "${Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("base64")}"`);

/** The writes since the last call, each with its body. */
function writes() {
  const sent = workspace.emulator.requests.filter(
    ({ method, path: at }) => method !== "GET" && !at.startsWith("/oauth"),
  );
  const found = sent.map(
    ({ method, path: at, body }) => [`${method} ${at.replace("/api/v2/", "")}`, body as any] as const,
  );
  workspace.emulator.requests.length = 0;
  return found.toSorted(([one], [other]) => (one < other ? -1 : 1));
}
test("creates, changes and destroys objects with the fewest writes, and plans no change in between", async () => {
  const { store } = workspace.emulator;
  store.addMembers(organization, ["auth0|stranger"]);
  store.addMembers(partner, ["auth0|other"]);
  const people = set(users(0, 12), "remove_existing = true\n  allow_empty = true") + guests("auth0|a", "auth0|b");
  await workspace.apply(acl() + key + policy() + people);
  const sizes = () => writes().map(([call, body]) => [call, body?.members?.length]);
  expect(sizes()).toEqual([
    [`DELETE organizations/${organization}/members`, 1],
    ["POST keys/network-acls", undefined],
    ["POST network-acls", undefined],
    ...[`${organization} 10`, `${organization} 2`, `${partner} 2`]
      .toSorted()
      .map((one) => [`POST organizations/${one.split(" ")[0]}/members`, Number(one.split(" ")[1])]),
    ["POST rate-limit-policies", undefined],
  ]);
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
  const bots = { resource: "oauth_authentication_api", consumer: "client", consumer_selector: "third_party_clients" };
  expect(policies()).toMatchObject([{ ...bots, configuration: { action: "block", limit: 25 } }]);
  expect(present()).toEqual(users(0, 12).toSorted());
  await workspace.settled();
  expect(await workspace.state(office)).toMatchObject({ id: acls()[0]!.id, created_at: acls()[0]!.created_at });

  const [before, { id }] = [acls()[0]!, policies()[0]!];
  const redirect = 'redirect = true, redirect_uri = "https://example.com/no"';
  await workspace.write(
    acl({ rest: "active = false\n  priority = 7", action: redirect }) +
      key +
      policy('action = "redirect", limit = 0, redirect_uri = "https://example.com/busy"') +
      set(users(6, 24), "remove_existing = true\n  allow_empty = true") +
      guests("auth0|b", "auth0|c"),
  );
  const { changes } = await workspace.plan();
  expect(changes.map(({ address, change }) => [address, change.actions])).toEqual(
    addresses.filter((address) => !address.endsWith("edge")).map((address) => [address, ["update"]]),
  );
  expect(changes[0]!.change).toMatchObject({ after: { id: before.id }, after_unknown: { updated_at: true } });
  writes();
  await workspace.apply();
  const written = writes();
  expect(written.filter(([call]) => !call.includes("organizations"))).toMatchObject([
    [
      `PATCH rate-limit-policies/${id}`,
      { configuration: { action: "redirect", limit: 0, redirect_uri: "https://example.com/busy" } },
    ],
    [`PUT network-acls/${before.id}`, { active: false, priority: 7 }],
  ]);
  expect(Object.keys(written.find(([call]) => call.startsWith("PATCH"))![1])).toEqual(["configuration"]);
  expect(
    written
      .filter(([call]) => call.includes(organization))
      .map(([call, { members }]) => [call.slice(0, 4), members.length]),
  ).toEqual([
    ["DELE", 6],
    ["POST", 10],
    ["POST", 2],
  ]);
  expect([present(), membersOf(partner)]).toEqual([users(6, 24).toSorted(), ["auth0|b", "auth0|c", "auth0|other"]]);
  await workspace.settled();
  await workspace.destroy();
  expect([acls(), keys(), policies(), present(), membersOf(partner)]).toEqual([[], [], [], [], ["auth0|other"]]);
});

test("shows what changed outside Terraform, creates what was deleted, and imports or adopts what the state does not have", async () => {
  const { store } = workspace.emulator;
  const stack = acl() + policy() + set(users(0, 3)) + guests("auth0|a");
  await workspace.apply(stack);
  const [stored] = acls();
  store.networkAcls.put({ ...stored!, colour: "green", rule: { ...stored!.rule, weight: 3 } } as never);
  await workspace.settled();

  store.networkAcls.drop(stored!.id);
  store.addMembers(organization, ["auth0|stranger"]);
  store.removeMembers(partner, ["auth0|a"]);
  store.rateLimitPolicies.put({ ...policies()[0]!, configuration: { action: "log", limit: 1 } } as never);
  const { changes, drift, output } = await workspace.plan();
  expect(Object.fromEntries(changes.map(({ address, change }) => [address, change.actions.join()]))).toEqual({
    "tenant_network_acl.office": "create",
    "tenant_organization_member_set.guests": "update",
    "tenant_organization_member_set.staff": "update",
    "tenant_rate_limit_policy.bots": "update",
  });
  const ofStaff = drift.find(({ address }) => address === staff);
  expect(ofStaff).toMatchObject({ change: { after: { members: expect.arrayContaining(["auth0|stranger"]) } } });
  expect(unwrapped(output)).toContain(`no longer has network ACL ${stored!.id} ("Office")`);
  await workspace.apply();
  expect([acls().length, present(), membersOf(partner)]).toEqual([1, users(0, 3), ["auth0|a"]]);
  expect(policies()).toMatchObject([{ configuration: { action: "block", limit: 25 } }]);

  const ids = [acls()[0]!.id, `${partner}:auth0|a`, organization];
  const imported = addresses.filter((address) => /office|guests|staff/.test(address));
  await workspace.terraform("state", "rm", ...imported, "tenant_rate_limit_policy.bots");
  const imports = imported.map((to, index) => `import {\n  to = ${to}\n  id = "${ids[index]}"\n}\n`);
  writes();
  const applied = unwrapped(await workspace.apply(stack + imports.join("")));
  expect(applied).toContain(`The tenant already had an identical rate limit policy, ${policies()[0]!.id}`);
  expect(applied).toContain("3 imported, 1 added, 0 changed, 0 destroyed");
  expect(writes().map(([call]) => call)).toEqual(["POST rate-limit-policies"]);
  await workspace.settled();
});

test("changes from match_all to criteria and back", async () => {
  // It closes sign-in, and with it Terraform's own request for a token.
  const all = `provider "tenant" {\n  lockout_guard = "warn"\n}\n${acl().replace(/match \{[^]*?\}\n/, "match_all = true\n")}`;
  const rules = () => acls().map(({ rule }) => rule);
  expect(unwrapped(await workspace.apply(all))).toMatch(
    /Early Access features, .* match_all\. .*`hide_early_access_warning = true`/,
  );
  expect(rules()).toEqual([{ action: { block: true }, match_all: true, scope: "authentication" }]);
  await workspace.settled();
  await workspace.apply(acl({ match: "{\n asns = [1]\n}" }));
  expect(rules()).toEqual([{ action: { block: true }, match: { asns: [1] }, scope: "authentication" }]);
  await workspace.apply(all);
  expect(rules()).toMatchObject([{ match_all: true }]);
  await workspace.apply(`${all} data "tenant_network_acls" "all" {}
    output "all" { value = data.tenant_network_acls.all.network_acls[*].rule.match_all }`);
  expect(JSON.parse((await workspace.terraform("output", "-json", "all")).stdout)).toEqual([true]);
});

const at = (priorities: Record<string, number>) =>
  Object.entries(priorities)
    .map(([name, priority]) =>
      acl({ description: name, rest: `priority = ${priority}` }).replace('"office"', `"${name}"`),
    )
    .join("");
const held = () => Object.fromEntries(acls().map(({ description, priority }) => [description, priority]));

test("priorities rotate in one apply, with one more write than there are ACLs", async () => {
  await workspace.apply(at({ a: 1, b: 2, c: 3, d: 4 }));
  workspace.served();
  await workspace.apply(at({ a: 2, b: 3, c: 4, d: 1 }));
  expect(held()).toEqual({ a: 2, b: 3, c: 4, d: 1 });
  expect(workspace.served().filter((line) => line.startsWith("PUT"))).toHaveLength(5);
  await workspace.settled();
});

test("priorities swap with one call at a time in one apply with a warning, and the second apply needs no write", async () => {
  await workspace.apply(at({ a: 1, b: 2 }));
  await workspace.write(at({ a: 2, b: 1 }));
  const first = await workspace.terraform("apply", "-auto-approve", "-parallelism=1");
  expect([first.code, unwrapped(first.stdout)]).toEqual([
    0,
    expect.stringContaining("A network ACL waits for its priority"),
  ]);
  expect(held()).toEqual({ a: 2, b: 1 });
  writes();
  expect(await workspace.terraform("apply", "-auto-approve", "-parallelism=1")).toMatchObject({ code: 0 });
  expect(writes()).toEqual([]);
});

test("the data source filters policies by consumer_selector", async () => {
  await workspace.apply(`
    ${policy()}
    ${hcl.policy("rest", "default", 1)}
    data "tenant_rate_limit_policies" "some" {
      consumer_selector = "default"
      depends_on        = [tenant_rate_limit_policy.bots, tenant_rate_limit_policy.rest]
    }
    output "limits" {
      value = [for policy in data.tenant_rate_limit_policies.some.rate_limit_policies : policy.configuration.limit]
    }
  `);
  expect(JSON.parse((await workspace.terraform("output", "-json", "limits")).stdout)).toEqual([1]);
});
