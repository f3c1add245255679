/** Objects that exist already: imports by the names that people know, and states of the Go provider. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { movedMembers, movedNetworkAcl, movedRateLimitPolicy } from "../../src/resources/moves";
import { openWorkspace, type Workspace } from "../support/workspace";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await openWorkspace();
});
afterEach(() => workspace.close());

const stack = (organization: string) => `
resource "tenant_network_acl" "a" {
  description = "Office"
  priority    = 10
  rule = {
    action = { redirect = true, redirect_uri = "https://example.com/no" }
    match  = { geo_country_codes = ["DE"], http_message_signature = { keys = [{ id = "k" }] } }
    scope  = "authentication"
  }
}
resource "tenant_rate_limit_policy" "b" {
  consumer_selector = "client_id:abc"
  configuration     = { action = "log", limit = 0 }
}
resource "tenant_organization_member_set" "c" {
  organization_id = "${organization}"
  members         = ["auth0|1", "auth0|2"]
}
`;

test("import blocks with generated configuration give a plan without changes", async () => {
  const organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
  await workspace.apply(stack(organization));
  for (const address of ["tenant_network_acl.a", "tenant_rate_limit_policy.b", "tenant_organization_member_set.c"]) {
    expect((await workspace.terraform("state", "rm", address)).code).toBe(0);
  }
  await workspace.write(`
    import {
      to = tenant_network_acl.a
      id = "priority:10"
    }
    import {
      to = tenant_rate_limit_policy.b
      id = "consumer_selector:client_id:abc"
    }
    import {
      to = tenant_organization_member_set.c
      id = "${organization}"
    }
  `);
  const { changes } = await workspace.plan("-generate-config-out=generated.tf");
  expect(changes).toEqual([]);
  const output = await workspace.apply();
  expect(output).toContain("3 imported, 0 added, 0 changed, 0 destroyed");
  expect((await workspace.plan()).changes).toEqual([]);
});

test("what is not there, and what is no name, is said", async () => {
  await workspace.write(stack("org_0123456789abcdef"));
  const importing = async (address: string, id: string) => (await workspace.terraform("import", address, id)).stderr;
  expect(await importing("tenant_network_acl.a", "priority:3")).toContain("no network ACL with priority 3");
  expect(await importing("tenant_rate_limit_policy.b", "consumer_selector:default")).toContain(
    "has 0 rate limit policies",
  );
  expect(await importing("tenant_rate_limit_policy.b", "default")).toContain("consumer_selector:client_id:abc");
});

const goAcl = {
  id: `acl_${"a".repeat(22)}`,
  description: "Office",
  active: false,
  priority: 3,
  rule: [
    {
      action: [{ allow: false, block: true, log: false, redirect: false, redirect_uri: "" }],
      match: [{ asns: [1], auth0_managed: [], geo_country_codes: ["DE"], hostnames: null, ipv4_cidrs: [] }],
      not_match: [],
      scope: "tenant",
    },
  ],
};

test("states of the Go provider read as ours", () => {
  expect(movedNetworkAcl(goAcl)).toEqual({
    id: goAcl.id,
    description: "Office",
    active: false,
    priority: 3,
    rule: { action: { block: true }, match: { asns: [1], geo_country_codes: ["DE"] }, scope: "tenant" },
  });
  const policy = {
    id: "rlp_1",
    resource: "r",
    consumer: "c",
    consumer_selector: "default",
    created_at: "t",
    updated_at: "t",
  };
  const moved = (configuration: object) =>
    movedRateLimitPolicy({ ...policy, configuration: [configuration] }).configuration;
  expect(moved({ action: "allow", limit: 0, redirect_uri: "" })).toEqual({ action: "allow" });
  expect(moved({ action: "block", limit: 0, redirect_uri: "" })).toEqual({ action: "block", limit: 0 });
  expect(movedMembers({ id: "org_1", organization_id: "org_1", members: ["a"] })).toEqual({
    organization_id: "org_1",
    members: ["a"],
  });
});
