/** Import blocks and moved blocks adopt existing objects without a write to the tenant. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { encode } from "../../../src/formats/cty/msgpack";
import { encodeType, type Type } from "../../../src/formats/cty/type";
import type { ProviderHandlers } from "../../../src/provider/plugin/handlers";
import { Schema_NestedBlock_NestingMode, type Schema_Block } from "../../../src/provider/plugin/protocol/tfplugin6";
import { callsOf } from "../../../src/provider/plugin/calls";
import { listen, reattachment } from "../../../src/provider/plugin/listener";
import { acl, memberSet } from "../../support/hcl";
import { openWorkspace } from "../../support/workspace";

const stack = (organization: string) => `
${acl("a", {
  action: "block",
  priority: 10,
  match: '\n asns = [1]\n geo_country_codes = ["DE"]\n',
  scope: "authentication",
  rest: "active = false",
})}
resource "tenant_rate_limit_policy" "b" {
  consumer_selector = "client_id:abc"
  configuration {
    action = "allow"
  }
}
${memberSet(organization, ["auth0|1", "auth0|2"], "", "c")}
`;
test("plans no change after import blocks with generated configuration", async () => {
  const workspace = await openWorkspace();
  const organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
  await workspace.apply(stack(organization));
  const ids = {
    "tenant_network_acl.a": "priority:10",
    "tenant_rate_limit_policy.b": "consumer_selector:client_id:abc",
    "tenant_organization_member_set.c": organization,
  };
  await workspace.terraform("state", "rm", ...Object.keys(ids));
  await workspace.write(
    Object.entries(ids)
      .map(([to, id]) => `import {\n  to = ${to}\n  id = "${id}"\n}\n`)
      .join(""),
  );
  expect((await workspace.plan("-generate-config-out=generated.tf")).changes).toEqual([]);
  expect(await workspace.apply()).toContain("3 imported, 0 added, 0 changed, 0 destroyed");
  await workspace.settled();
});

const text = "string";
type Attributes = Readonly<Record<string, Type>>;
const block = (attributes: Attributes): Type => ["list", ["object", attributes]];
const criteria = { asns: ["list", "number"], geo_country_codes: ["list", text] } as const;
const flags = { block: "bool", allow: "bool", log: "bool", redirect: "bool", redirect_uri: text } as const;

/** The types of states of the Go provider. */
const types: Readonly<Record<string, Attributes>> = {
  auth0_network_acl: {
    id: text,
    description: text,
    active: "bool",
    priority: "number",
    rule: block({ scope: text, action: block(flags), match: block(criteria), not_match: block(criteria) }),
  },
  auth0_organization_members: { id: text, organization_id: text, members: ["set", text] },
};

const blockIn = (type: Type): Attributes | undefined =>
  Array.isArray(type) && Array.isArray(type[1]) ? (type[1][1] as Attributes) : undefined;
const schemaOf = (attributes: Attributes): Schema_Block => {
  const all = Object.entries(attributes);
  return {
    attributes: all
      .filter(([, type]) => !blockIn(type))
      .map(([name, type]) => ({ name, type: encodeType(type), optional: true, computed: true })),
    blockTypes: all.flatMap(([typeName, type]) => {
      const inner = blockIn(type);
      return inner ? [{ typeName, block: schemaOf(inner), nesting: Schema_NestedBlock_NestingMode.LIST }] : [];
    }),
  };
};

/** Tests cannot download the Go provider, so this stand-in has its schema and returns stored states unchanged. import.test.ts has all kinds. */
const goProvider: ProviderHandlers = {
  getProviderSchema: async () => ({
    provider: { block: {} },
    resourceSchemas: Object.fromEntries(
      Object.entries(types).map(([name, attributes]) => [name, { block: schemaOf(attributes) }]),
    ),
  }),
  validateProviderConfig: async () => ({}),
  configureProvider: async () => ({}),
  upgradeResourceState: async ({ typeName, rawState }) => {
    const stored = JSON.parse(Buffer.from(rawState!.json).toString());
    return { upgradedState: { msgpack: encode(stored, ["object", types[typeName]!]) } };
  },
  stopProvider: async () => ({}),
};

test("a stack of the Go provider moves to this provider with moved blocks, without a write to the tenant", async () => {
  const other = await listen(callsOf(goProvider));
  const source = "registry.terraform.io/auth0/auth0";
  const workspace = await openWorkspace({}, [reattachment(source, other)]);
  try {
    const { emulator } = workspace;
    const members = ["auth0|1", "auth0|2"];
    const organization = emulator.store.addOrganization({ name: "acme" }).id;
    const all = stack(organization).replace(/resource "tenant_rate[^]*?\n\}\n/, "");
    await workspace.apply(all);
    const { rule, ...made } = emulator.snapshot().network_acls![0]!;
    const action = { allow: false, block: true, log: false, redirect: false, redirect_uri: "" };
    const states = {
      auth0_network_acl: { ...made, rule: [{ ...rule, action: [action], match: [rule.match], not_match: [] }] },
      auth0_organization_members: { id: organization, organization_id: organization, members },
    };
    await writeFile(
      path.join(workspace.directory, "terraform.tfstate"),
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
          provider: `provider["${source}"]`,
          instances: [{ schema_version: 0, attributes }],
        })),
      }),
    );
    const addresses = ["tenant_network_acl.a", "tenant_organization_member_set.c"];
    const moves = Object.keys(states).map(
      (type, index) => `moved {\n  from = ${type}.old\n  to   = ${addresses[index]}\n}\n`,
    );
    workspace.served();
    await writeFile(
      path.join(workspace.directory, "auth0_override.tf"),
      `terraform {\n  required_providers {\n    auth0 = { source = "${source}" }\n  }\n}\n`,
    );
    await workspace.write(all + moves.join(""));
    const { changes, output } = await workspace.plan();
    expect(changes).toEqual([]);
    expect(output).toContain("has moved to");
    await workspace.apply();
    expect(workspace.served().filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect((await workspace.state("tenant_network_acl.a")).id).toBe(made.id);
  } finally {
    await workspace.close();
    await other.close();
  }
});
