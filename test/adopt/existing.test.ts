/** What a directory declares already, and what only looks like it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gone } from "../../src/adopt/summary";
import { present } from "../../src/adopt/existing";
import { kinds, type Survey } from "../../src/adopt/survey";
import { writtenInHcl } from "../../src/adopt/written";

let directory: string;
beforeEach(() => void (directory = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"))));
afterEach(() => rmSync(directory, { recursive: true }));

function presentIn(files: Readonly<Record<string, string>>) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), text);
  }
  return present(directory);
}
const importedIn = (files: Readonly<Record<string, string>>) =>
  presentIn(files).imported.map(({ id, place }) => `${place} ${id}`);

const importBlock = (to: string, id: string) => `import {\n  to = ${to}\n  id = "${id}"\n}\n`;
const empty: Survey = {
  acls: [],
  policies: [],
  memberships: [],
  emptyOrganizations: 0,
  keys: [],
  leftOut: new Map(),
  living: new Set(),
};

test("HCL: only an import of ours is one, in a module too", () => {
  const hcl = [
    'data "aws_vpc" "x" {\n  id = "vpc-1"\n}\n',
    importBlock("aws_network_acl.x", "acl-7"),
    importBlock("auth0_organization.x", "org_1"),
    importBlock("tenant_network_acl.x", "acl_1"),
    importBlock('module.a["b"].module.c.tenant_organization_member_set.x["k"]', "org_2:auth0|ada"),
    'import {\n  to = tenant_rate_limit_policy.x\n  identity = {\n    id = "rlp_1"\n  }\n}\n',
    '# import {\n#   to = tenant_network_acl_key.x\n#   id = "key_1"\n# }\n',
  ];
  const found = presentIn({ "main.tf": hcl.join("") });
  expect(found.imported.map(({ id, place }) => `${place} ${id}`)).toEqual([
    "main.tf:14 acl_1",
    "main.tf:18 org_2",
    "main.tf:23 rlp_1",
  ]);
  const ids = ["acl_1", "org_2", "rlp_1", "key_1", "org_1", "acl-7", "vpc-1"];
  expect(ids.map((id) => found.knows(id))).toEqual([true, true, true, true, false, false, false]);
});

test("JSON is read where it is a configuration: a saved plan, state or note declares nothing", () => {
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
  const found = presentIn({
    "main.tf.json": JSON.stringify(configuration, undefined, 2),
    "broken.tofu.json": '{"import": [',
    "shown.json": JSON.stringify(shown),
    "notes.md": 'See "acl_3".',
    "terraform.tfvars": 'acl = "acl_3"\n',
  });
  expect(found.imported.map(({ id, place }) => `${place} ${id}`)).toEqual([
    "main.tf.json:5 acl_1",
    "main.tf.json:14 rlp_1",
  ]);
  const ids = ["acl_1", "rlp_1", "org_1", "acl_2", "acl_3", "org_2"];
  expect(ids.map((id) => found.knows(id))).toEqual([true, true, true, false, false, false]);
  expect([...found.names.get("tenant_organization_member_set")!, ...found.locals]).toEqual(["staff", "office"]);
});

test("where JSON requires the providers, ours is added by an override", () => {
  const nothing = { declarations: [], shared: [], rolls: [] };
  const terraform = { required_providers: { aws: { source: "hashicorp/aws" } } };
  const there = presentIn({ "main.tf.json": JSON.stringify({ terraform }) });
  expect([...writtenInHcl(nothing, there).files.keys()]).toEqual(["tenant_override.tf", ".gitignore"]);
});

test("programs: only a construct of ours imports one, by whatever name, in a chain or by a variable", () => {
  const program = `import { NetworkAcl } from "@cdktf/provider-aws/lib/network-acl";
import { NetworkAcl as Acl, RateLimitPolicy } from 'tenantform/cdktf';
import * as tenant from "tenantform";
new NetworkAcl(this, "a", { vpcId: "vpc-1" }).importFrom("acl-7");
new Acl(this, "b", { rule: [1] }).importFrom("acl_1");
const policy: RateLimitPolicy = new RateLimitPolicy(this, "c", {});
new NetworkAcl(this, "d", {});
policy.importFrom('rlp_1');
this.set = new tenant.OrganizationMemberSet(this, "e", {})
  .importFrom(\`org_1:\${members.join()}\`);
// new Acl(this, "f", {}).importFrom("acl_9");
other.importFrom("acl_8");
`;
  const script = `const { NetworkAclKey: Key } = require("tenantform");\nnew Key(this, "k", {}).importFrom("key_1");\n`;
  expect(importedIn({ "main.ts": program, "keys.cjs": script, "main.d.ts": program })).toEqual([
    "keys.cjs:2 key_1",
    "main.ts:5 acl_1",
    "main.ts:8 rlp_1",
    "main.ts:10 org_1",
  ]);
  expect(importedIn({ "dist/main.js": program })).toHaveLength(4);
});

test("what is gone is told of what was adopted alone", () => {
  const wanted = { kinds: new Set(kinds), organizations: [] };
  const there = presentIn({ "main.tf": importBlock("tenant_network_acl.x", "acl_1") + importBlock("x.y", "acl_2") });
  const { files, notes } = gone(there, empty, wanted);
  expect(notes).toEqual(["main.tf:3: acl_1 is gone from the tenant"]);
  writeFileSync(path.join(directory, "gone.md"), files.get("gone.md")!);
  expect(gone(present(directory), empty, wanted)).toEqual({ files: new Map(), notes });
  expect(gone(presentIn({ "main.tf": importBlock("x.y", "acl_2") }), empty, wanted).notes).toEqual([]);
});
