/** Imports by known names and states of the Go provider adopt existing objects. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { resource as acls } from "../../src/resources/network-acl/service";
import { resource as memberSets } from "../../src/resources/organization-member-set/service";
import { resource as policies } from "../../src/resources/rate-limit-policy/service";
import { encode } from "../../src/cty/msgpack";
import { encodeType, type Type } from "../../src/cty/type";
import type { ProviderHandlers } from "../../src/plugin/handlers";
import { Schema_NestedBlock_NestingMode, type Schema_Block } from "../../src/plugin/protocol/tfplugin6";
import { callsOf } from "../../src/plugin/calls";
import { listen, reattachment } from "../../src/plugin/listener";
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
  rule {
    action {
      redirect     = true
      redirect_uri = "https://example.com/no"
    }
    match {
      geo_country_codes = ["DE"]
      http_message_signature {
        keys = [{ id = "k" }]
      }
    }
    scope = "authentication"
  }
}
resource "tenant_rate_limit_policy" "b" {
  consumer_selector = "client_id:abc"
  configuration {
    action = "log"
    limit  = 0
  }
}
resource "tenant_organization_member_set" "c" {
  organization_id = "${organization}"
  members         = ["auth0|1", "auth0|2"]
}
`;

test("plans no change after import blocks with generated configuration", async () => {
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

test("refuses an import of a missing object, and of an id in an unknown form", async () => {
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

test("converts states of the Go provider", () => {
  expect(acls.moves!.auth0_network_acl!(goAcl)).toEqual({
    id: goAcl.id,
    description: "Office",
    active: false,
    priority: 3,
    rule: { action: { block: true }, match: { asns: [1], geo_country_codes: ["DE"] }, scope: "tenant" },
  });
  const [{ action, scope }] = goAcl.rule as [(typeof goAcl.rule)[0]];
  const ruleOf = (more: object) =>
    acls.moves!.auth0_network_acl!({ ...goAcl, rule: [{ action, scope, match: [], ...more }] }).rule;
  expect(ruleOf({ match_all: true })).toEqual({ action: { block: true }, match_all: true, scope: "tenant" });
  expect(ruleOf({ match_all: false })).not.toHaveProperty("match_all");
  const policy = {
    id: "rlp_1",
    resource: "r",
    consumer: "c",
    consumer_selector: "default",
    created_at: "t",
    updated_at: "t",
  };
  const moved = (configuration: object) =>
    policies.moves!.auth0_rate_limit_policy!({ ...policy, configuration: [configuration] }).configuration;
  expect(moved({ action: "allow", limit: 0, redirect_uri: "" })).toEqual({ action: "allow" });
  expect(moved({ action: "block", limit: 0, redirect_uri: "" })).toEqual({ action: "block", limit: 0 });
  expect(
    memberSets.moves!.auth0_organization_members!({ id: "org_1", organization_id: "org_1", members: ["a"] }),
  ).toEqual({
    exclusive: true,
    remove_existing: false,
    id: "org_1",
    on_destroy: "remove",
    organization_id: "org_1",
    members: ["a"],
  });
});

describe("a stack of the Go provider", () => {
  const text = "string";
  const lists = (...names: string[]) => Object.fromEntries(names.map((name) => [name, ["list", text] as Type]));
  const criteria = { attributes: { asns: ["list", "number"] as Type, ...lists("geo_country_codes", "hostnames") } };
  const flags = { block: "bool", allow: "bool", log: "bool", redirect: "bool", redirect_uri: text } as const;
  const resources = {
    auth0_network_acl: {
      attributes: { id: text, description: text, active: "bool", priority: "number" },
      blocks: {
        rule: {
          attributes: { scope: text },
          blocks: { action: { attributes: flags }, match: criteria, not_match: criteria },
        },
      },
    },
    auth0_rate_limit_policy: {
      attributes: {
        id: text,
        resource: text,
        consumer: text,
        consumer_selector: text,
        created_at: text,
        updated_at: text,
      },
      blocks: { configuration: { attributes: { action: text, limit: "number", redirect_uri: text } } },
    },
    auth0_network_acl_key: {
      attributes: {
        id: text,
        name: text,
        alg: text,
        value: text,
        fingerprint: text,
        created_at: text,
        updated_at: text,
      },
    },
    auth0_organization_members: {
      attributes: { id: text, organization_id: text, members: ["set", text] },
    },
  } as const satisfies Record<string, Shape>;

  interface Shape {
    readonly attributes: Readonly<Record<string, Type>>;
    readonly blocks?: Readonly<Record<string, Shape>>;
  }
  const blockOf = ({ attributes, blocks = {} }: Shape): Schema_Block => ({
    attributes: Object.entries(attributes).map(([name, type]) => ({
      name,
      type: encodeType(type),
      optional: true,
      computed: true,
    })),
    blockTypes: Object.entries(blocks).map(([typeName, inner]) => ({
      typeName,
      block: blockOf(inner),
      nesting: Schema_NestedBlock_NestingMode.LIST,
    })),
  });
  const typeOf = ({ attributes, blocks = {} }: Shape): Type => [
    "object",
    {
      ...attributes,
      ...Object.fromEntries(Object.entries(blocks).map(([name, inner]) => [name, ["list", typeOf(inner)] as Type])),
    },
  ];

  // Tests cannot download the Go provider, so this stand-in has its schema and returns stored states unchanged.
  const stranger: ProviderHandlers = {
    getProviderSchema: async () => ({
      provider: { block: {} },
      resourceSchemas: Object.fromEntries(
        Object.entries(resources).map(([name, shape]) => [name, { block: blockOf(shape) }]),
      ),
    }),
    validateProviderConfig: async () => ({}),
    configureProvider: async () => ({}),
    upgradeResourceState: async ({ typeName, rawState }) => {
      const stored = JSON.parse(Buffer.from(rawState!.json).toString());
      const type = typeOf(resources[typeName as keyof typeof resources]);
      return { upgradedState: { msgpack: encode(stored, type) } };
    },
    stopProvider: async () => ({}),
  };

  const material = Buffer.from("thirty-two bytes and a few more of them").toString("base64");
  const ours = `
    resource "tenant_network_acl" "a" {
      description = "Office"
      active      = false
      priority    = 3
      rule {
        action { block = true }
        match {
          asns              = [1]
          geo_country_codes = ["DE"]
        }
        scope  = "tenant"
      }
    }
    resource "tenant_rate_limit_policy" "b" {
      consumer_selector = "default"
      configuration {
        action = "allow"
      }
    }
    resource "tenant_network_acl_key" "d" {
      name  = "my-hmac-key"
      alg   = "hmac-sha256"
      value = "${material}"
    }
  `;

  test("moves to this provider with moved blocks, without a write to the tenant", async () => {
    const other = await listen(callsOf(stranger));
    const moving = await openWorkspace({ flags: ["tenant_acl_hmac_signature"] }, [
      reattachment("registry.terraform.io/auth0/auth0", other),
    ]);
    try {
      const { store } = moving.emulator;
      const organization = store.addOrganization({ name: "acme", members: ["auth0|1", "auth0|2"] }).id;
      await moving.apply(ours);
      const [acl] = moving.emulator.snapshot().network_acls!;
      const [policy] = moving.emulator.snapshot().rate_limit_policies!;
      const states = {
        auth0_network_acl: { ...goAcl, id: acl!.id },
        auth0_rate_limit_policy: {
          ...policy,
          configuration: [{ action: "allow", limit: 0, redirect_uri: "" }],
        },
        auth0_network_acl_key: { ...moving.emulator.snapshot().network_acl_keys![0]!, value: material },
        auth0_organization_members: {
          id: organization,
          organization_id: organization,
          members: ["auth0|1", "auth0|2"],
        },
      };
      await writeFile(
        path.join(moving.directory, "terraform.tfstate"),
        JSON.stringify({
          version: 4,
          terraform_version: "1.11.4",
          serial: 9,
          lineage: "0b2ffb2e-6a0a-4a4e-9d55-3d9f0f3f2a11",
          outputs: {},
          resources: Object.entries(states).map(([type, attributes]) => ({
            mode: "managed",
            type,
            name: "old",
            provider: 'provider["registry.terraform.io/auth0/auth0"]',
            instances: [{ schema_version: 0, attributes }],
          })),
        }),
      );
      moving.served();
      await moving.write(`
        ${ours}
        resource "tenant_organization_member_set" "c" {
          organization_id = "${organization}"
          members         = ["auth0|1", "auth0|2"]
        }
        moved {
          from = auth0_network_acl.old
          to   = tenant_network_acl.a
        }
        moved {
          from = auth0_rate_limit_policy.old
          to   = tenant_rate_limit_policy.b
        }
        moved {
          from = auth0_network_acl_key.old
          to   = tenant_network_acl_key.d
        }
        moved {
          from = auth0_organization_members.old
          to   = tenant_organization_member_set.c
        }
      `);
      const { changes, output } = await moving.plan();
      expect(changes).toEqual([]);
      expect(output).toContain("has moved to");
      await moving.apply();
      expect(moving.served().filter((line) => !line.startsWith("GET"))).toEqual([]);
      expect((await moving.state("tenant_network_acl.a")).id).toBe(acl!.id);
    } finally {
      await moving.close();
      await other.close();
    }
  });
});
