/** Objects that a directory already declares, and text that only looks like a declaration. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { goneFrom, readExisting, type Existing } from "../../../src/commands/adopt/already-declared";
import { hclFiles } from "../../../src/commands/adopt/layout-files";
import { hclText, programText, terraformText } from "../../../src/commands/adopt/escape";
import { kinds } from "../../../src/judge/kinds/kinds";
import { newFolder } from "../../support/folder";

let directory: string;
beforeEach(() => void (directory = newFolder()));

function existingIn(files: Readonly<Record<string, string>>): Existing {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), text);
  }
  return readExisting(directory);
}

const places = ({ imported }: Existing) => imported.map(({ id, place }) => `${place} ${id}`);

/** Whether the directory declares each object, whose kind the first letters of the id tell. */
const declared = (existing: Existing, ids: readonly string[], content = {}) =>
  ids.map((id) => {
    const kind = kinds.find(({ identity }) => id.startsWith(identity.prefix)) ?? kinds[0]!;
    return existing.declares({ kind, id, content });
  });

/** The text in the JSON of a stack, for a text that `adopt` writes into a program. */
const valueOf = (text: string) => runInNewContext(programText(text)) as string;

const importBlock = (to: string, id: string) => `import {\n  to = ${to}\n  id = "${id}"\n}\n`;

test("HCL: counts an import of this provider, in a module too, and a member set of an organization", () => {
  const hcl = [
    'data "aws_vpc" "x" {\n  id = "vpc-1"\n}\n',
    importBlock("aws_network_acl.x", "acl_7"),
    importBlock("auth0_organization.x", "org_1"),
    importBlock("tenant_network_acl.x", "acl_1"),
    importBlock('module.a["b"].module.c.tenant_organization_member_set.x["k"]', "org_2:auth0|ada"),
    'import {\n  to = tenant_rate_limit_policy.x\n  identity = {\n    id = "rlp_1"\n  }\n}\n',
    '# import {\n#   to = tenant_network_acl_key.x\n#   id = "key_1"\n# }\n',
    'resource "tenant_organization_member_set" "y" {\n  organization_id = "org_3"\n}\n',
  ];
  const existing = existingIn({ "main.tf": hcl.join("") });
  expect(places(existing)).toEqual(["main.tf:14 acl_1", "main.tf:18 org_2", "main.tf:23 rlp_1"]);
  const ids = ["acl_1", "org_2", "rlp_1", "key_1", "org_3", "org_1", "acl_7"];
  expect(declared(existing, ids)).toEqual([true, true, true, true, true, false, false]);
});

test("finds ids with letters that the constructs would read as a number", () => {
  const [acl, organization, refused] = ["acl_1e4779", "org_1e4779", "acl_2e4779"];
  const program = `//   }).importFrom(${programText(refused)});\n`;
  const synthesized = {
    import: [{ to: "tenant_network_acl.x", id: valueOf(acl) }],
    resource: { tenant_organization_member_set: { y: { organization_id: valueOf(organization) } } },
  };
  const stack = "cdktf.out/stacks/tenant/cdk.tf.json";
  const existing = existingIn({ [stack]: JSON.stringify(synthesized), "main.ts": program });
  expect(declared(existing, [acl, organization, refused])).toEqual([true, true, true]);
  expect(places(existing)).toEqual([`tenant_network_acl.x ${acl}`]);
});

test("reads the text that it wrote for a program as Terraform does", () => {
  const texts = ["${x}", "%{if}", "$${x}", "acl_1e300", "\ufeffx", "a\rb", "String Map Token Value", '${"x"}', "%%%{"];
  expect(texts.map((text) => terraformText(valueOf(text)))).toEqual(texts);
});

test("JSON: counts a configuration; a saved plan, a note and variables declare nothing", () => {
  const configuration = {
    import: [
      { to: "tenant_network_acl.x", id: "acl_1" },
      { to: "auth0_network_acl.x", id: "acl_2" },
      { to: "module.m.tenant_rate_limit_policy.x", identity: { id: "rlp_1" } },
    ],
    resource: {
      tenant_organization_member_set: { staff: { organization_id: "org_1" } },
      other: { x: { id: "org_2" } },
    },
    locals: { office: [] },
  };
  const shown = { values: { root_module: { resources: [{ values: { network_acls: [{ id: "acl_3" }] } }] } } };
  const existing = existingIn({
    "main.tf.json": JSON.stringify(configuration, undefined, 2),
    "list.tf.json": "[1]",
    "shown.json": JSON.stringify(shown),
    "notes.md": 'See "acl_3".',
    "terraform.tfvars": 'acl = "acl_3"\n',
  });
  expect(places(existing)).toEqual(["main.tf.json:5 acl_1", "main.tf.json:14 rlp_1"]);
  const ids = ["acl_1", "rlp_1", "org_1", "acl_2", "acl_3", "org_2"];
  expect(declared(existing, ids)).toEqual([true, true, true, false, false, false]);
  expect([...existing.names.get("tenant_organization_member_set")!]).toEqual(["staff"]);
});

test.each([
  ["broken.tofu.json", '{"import": [', "line 1: a value must be here"],
  ["broken.tf", "import {\n", 'line 1: the block "import" has no end. Write a closing brace'],
  ["cdktf.out/stacks/tenant/cdk.tf.json", "", "line 1: a value must be here"],
])("writes nothing if %s cannot be read, because its declarations are not known", (file, text, why) => {
  expect(() => existingIn({ [file]: text })).toThrow(
    `${file} cannot be read, so its declarations are not known (${why}). Correct it and run adopt again. Nothing was written.`,
  );
});

test("programs: counts what their stacks declare, and imports in comments", () => {
  const stack = {
    import: [{ to: "tenant_network_acl.office", id: "acl_1" }],
    resource: { tenant_network_acl: { office: {} } },
  };
  const existing = existingIn({
    "cdktf.out/stacks/tenant/cdk.tf.json": JSON.stringify(stack),
    "tenant/keys.ts": '  // }).importFrom("key_1");\n  // edgeKey.importFrom("key_2");\n  // See "acl_9".\n',
    "main.ts": 'new NetworkAcl(stack, "x", { description: "acl_2" }).importFrom("acl_3");\n',
  });
  expect(places(existing)).toEqual(["tenant_network_acl.office acl_1"]);
  const ids = ["acl_1", "key_1", "key_2", "acl_2", "acl_3", "acl_9"];
  expect(declared(existing, ids)).toEqual([true, true, true, false, false, false]);
  expect([...existing.names.get("tenant_network_acl")!]).toEqual(["office"]);
});

test("states: counts an object of this provider by its id", () => {
  const instance = (attributes: object) => [{ attributes }];
  const resources = [
    { type: "tenant_network_acl", instances: instance({ id: "acl_1", description: "acl_2" }) },
    { type: "tenant_organization_member_set", instances: instance({ organization_id: "org_1" }) },
    { type: "auth0_network_acl", instances: instance({ id: "acl_3" }) },
  ].map((resource) => ({ mode: "managed", name: "x", ...resource }));
  const state = JSON.stringify({ version: 4, resources });
  const here = existingIn({ "terraform.tfstate": state });
  expect(declared(here, ["acl_1", "org_1", "acl_2", "acl_3"])).toEqual([true, true, false, false]);
  rmSync(path.join(directory, "terraform.tfstate"));
  const elsewhere = readExisting(directory, [state, "", "[]"]);
  expect(declared(elsewhere, ["acl_1", "acl_2"])).toEqual([true, false]);
});

test("counts an import by another key than the id", () => {
  const existing = existingIn({
    "main.tf":
      importBlock("tenant_network_acl.x", "priority:10") +
      importBlock("tenant_rate_limit_policy.x", "consumer_selector:default"),
  });
  expect(declared(existing, ["acl_1"], { priority: 10 })).toEqual([true]);
  expect(declared(existing, ["acl_1"], { priority: 11 })).toEqual([false]);
  expect(declared(existing, ["rlp_1"], { consumer_selector: "default" })).toEqual([true]);
});

const disguises = [
  "acl_1",
  '"acl_1"',
  'x = "acl_1"',
  '\nimport {\n  to = tenant_network_acl.x\n  id = "acl_1"\n}\n',
  '\n# import {\n#   to = tenant_network_acl.x\n#   id = "acl_1"\n# }\n',
  '\n// }).importFrom("acl_1");\n',
  '}).importFrom("acl_1")',
  'organization_id = "org_1"',
];

test.each(disguises)("a description declares nothing: %j", (description) => {
  const resource = { tenant_network_acl: { x: { description, rule: { id: "acl_1" } } } };
  const attributes = { id: "acl_2", description };
  const existing = existingIn({
    "main.tf": `resource "tenant_network_acl" "x" {\n  description = ${hclText(description)}\n}\n`,
    "other.tf": `# It can never match: ${JSON.stringify(description)} decides first.\n# resource "x" "y" {\n#   description = ${hclText(description)}\n# }\n`,
    "json.tf.json": JSON.stringify({ resource, locals: { text: description } }),
    "cdktf.out/stacks/tenant/cdk.tf.json": JSON.stringify({ resource }),
    "tenant/acls.ts": `const description = ${programText(description)};\n// It can never match: ${JSON.stringify(description)}\n//   description: ${programText(description)},\n`,
    "terraform.tfstate": JSON.stringify({
      version: 4,
      resources: [{ mode: "managed", type: "tenant_network_acl", name: "x", instances: [{ attributes }] }],
    }),
  });
  expect(declared(existing, ["acl_1", "org_1", "acl_2"])).toEqual([false, false, true]);
});

test("adds the provider in an override if JSON requires the providers", () => {
  const nothing = { declarations: [], shared: [], listFiles: [], provider: { proposals: [] } };
  const terraform = { required_providers: { aws: { source: "hashicorp/aws" } } };
  const existing = existingIn({ "main.tf.json": JSON.stringify({ terraform }) });
  expect([...hclFiles(nothing, existing).files.keys()]).toEqual(["tenant_override.tf", ".gitignore"]);
});

test.each([
  [
    "acl",
    "registry.terraform.io/tenantform/tenant",
    'calls the provider "registry.terraform.io/tenantform/tenant" "acl"',
  ],
  ["tenant", "other/tenant", 'calls the provider "other/tenant" "tenant"'],
])("refuses the local name %s of the provider %s", (name, source, words) => {
  const existing = existingIn({
    "main.tf": `terraform {\n  required_providers {\n    ${name} = { source = "${source}" }\n  }\n}\n`,
  });
  expect(() => hclFiles({ declarations: [], listFiles: [], host: undefined }, existing)).toThrow(words);
});

test("names an object that is gone, only if adopt imported it and its kind was read", () => {
  const survey = { read: new Set(kinds), ids: new Set<string>() };
  const wanted = { organizations: [] };
  const existing = existingIn({
    "main.tf": importBlock("tenant_network_acl.x", "acl_1") + importBlock("x.y", "acl_2"),
  });
  expect(goneFrom(existing, survey, wanted)).toEqual([
    expect.stringMatching(/^main\.tf:3: acl_1 is gone from the tenant\. Remove/),
  ]);
  expect(goneFrom(existing, { ...survey, read: new Set() }, wanted)).toEqual([]);
  expect(goneFrom(existingIn({ "main.tf": importBlock("x.y", "acl_2") }), survey, wanted)).toEqual([]);
});
