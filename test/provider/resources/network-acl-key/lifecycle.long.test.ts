/** Real Terraform creates, rotates, imports and destroys network ACL keys. */
import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fingerprintOf } from "../../../../src/provider/resources/network-acl-key/definition";
import { openWorkspace, unwrapped } from "../../../support/workspace";
import { eachTest } from "../../../support/each-test";
import * as hcl from "../../../support/hcl";

const workspace = eachTest(() => openWorkspace({ flags: ["tenant_acl_hmac_signature"] }));

const address = "tenant_network_acl_key.edge";
const keys = () => workspace.emulator.snapshot().network_acl_keys ?? [];
const [first, second] = [material(), material()];

function material(): string {
  return randomBytes(32).toString("base64");
}

/** An ephemeral variable passes the material, because the plan would contain a constant as part of the configuration. */
const ephemeral = `
variable "material" {
  type      = string
  ephemeral = true
}`;
const given = (value: string) => writeFile(path.join(workspace.directory, "terraform.tfvars"), `material = "${value}"`);

const key = (value = `value_wo = "${first}"`) => hcl.key("edge", value, hcl.createFirst, 'name_prefix = "edge-"');
const signed = `match {
      hostnames = ["login.example.com"]
    }
    not_match {
      http_message_signature {
        keys {
          id = tenant_network_acl_key.edge.id
        }
      }
    }`;
const description = "Signed requests alone";
const rule = hcl.acl("unsigned", { description, action: "block", criteria: signed, scope: "authentication" });
const nameOf = (value: string) => `edge-${fingerprintOf(value).slice(0, 8)}`;

/** The state files and the decompressed plan. */
async function written(): Promise<string> {
  const files = await readdir(workspace.directory);
  const texts = files
    .filter((file) => file.startsWith("terraform.tfstate"))
    .map((file) => readFile(path.join(workspace.directory, file), "utf8"));
  const shown = (await workspace.terraform("show", "-json", "plan")).stdout;
  return [...(await Promise.all(texts)), shown].join("\n");
}

test("creates the key as planned, plans no change afterwards, and writes the material to no file", async () => {
  await given(first);
  await workspace.write(ephemeral + key("value_wo = var.material"));
  const { changes, output } = await workspace.plan();
  expect(changes).toMatchObject([
    { address, change: { after: { fingerprint: fingerprintOf(first), name: nameOf(first), value_wo: null } } },
  ]);
  expect(unwrapped(output)).toContain(
    "Early Access features, which Auth0 may change or refuse: keys of HTTP message signatures.",
  );
  const applied = await workspace.apply();
  expect(keys()).toMatchObject([{ name: nameOf(first), alg: "hmac-sha256", fingerprint: fingerprintOf(first) }]);
  expect(workspace.served()).toEqual(["POST /api/v2/keys/network-acls"]);
  await workspace.settled();
  expect(workspace.served()).toEqual(["GET /api/v2/keys/network-acls"]);
  expect(await workspace.state(address)).toMatchObject({ id: keys()[0]!.id, value_wo: null, value: null });
  for (const text of [output, applied, await written()]) expect(text).not.toContain(first.slice(0, 12));
});

test("creates the key of new material first, then updates the rule, then destroys the old key", async () => {
  await workspace.apply(key() + rule);
  const [old] = keys();
  workspace.served();
  await workspace.write(key(`value_wo = "${second}"`) + rule);
  const { changes } = await workspace.plan();
  expect(changes).toMatchObject([
    { address: "tenant_network_acl.unsigned", change: { actions: ["update"] } },
    { address, change: { actions: ["create", "delete"], after: { fingerprint: fingerprintOf(second) } } },
  ]);
  workspace.served();
  await workspace.apply();
  const [made] = keys();
  const acl = workspace.emulator.snapshot().network_acls![0]!;
  expect(workspace.served().filter((line) => !line.startsWith("GET"))).toEqual([
    "POST /api/v2/keys/network-acls",
    `PUT /api/v2/network-acls/${acl.id}`,
    `DELETE /api/v2/keys/network-acls/${old!.id}`,
  ]);
  expect(keys()).toMatchObject([{ name: nameOf(second) }]);
  expect(acl.rule).toMatchObject({ not_match: { http_message_signature: { keys: [{ id: made!.id }] } } });
  await workspace.settled();
});

test.each<[string, () => Promise<unknown>]>([
  ["destroyed together", () => workspace.destroy()],
  ["removed from the configuration together", () => workspace.apply("")],
  [
    "with the key removed from the rule in the same apply",
    () => workspace.apply(rule.replace(/http_message[^}]*\}\s*\}/, "asns = [1]")),
  ],
])("removes a key that a rule names, when key and rule are %s", async (_name, end) => {
  await workspace.apply(key() + rule);
  await end();
  expect(keys()).toEqual([]);
});

test("plans an unknown fingerprint for unknown material, and keeps the key when the material turns out the same", async () => {
  const late = (value: string, occasion = 1) => `
    resource "terraform_data" "late" {
      input            = "${value}"
      triggers_replace = ${occasion}
    }
    ${key("value = terraform_data.late.output")}${rule}`;
  await workspace.apply(late(first));
  const [made] = keys();
  expect(made).toMatchObject({ fingerprint: fingerprintOf(first) });
  await workspace.write(late(second));
  const { changes } = await workspace.plan();
  const unknown = { fingerprint: true, name: true, id: true };
  expect(changes.find((each) => each.address === address)).toMatchObject({ change: { after_unknown: unknown } });
  await workspace.apply(late(first, 2));
  expect(keys()).toEqual([made]);
  await workspace.settled();
  await workspace.apply(late(second));
  expect(keys()).toMatchObject([{ fingerprint: fingerprintOf(second) }]);
});

test("warns before it destroys a key that a rule of another stack names, and refuses the apply", async () => {
  await workspace.apply(key() + rule);
  const { id } = workspace.emulator.snapshot().network_acls![0]!;
  await workspace.terraform("state", "rm", "tenant_network_acl.unsigned");
  const planned = await workspace.terraform("plan", "-destroy");
  expect(planned.code).toBe(0);
  expect(unwrapped(planned.stdout)).toContain("A network ACL key in use would be destroyed");
  expect(unwrapped(planned.stdout)).toContain('"Signed requests alone" (priority 50) still names the key');
  const errors = await workspace.refused("destroy", "-auto-approve");
  expect(errors).toContain("The network ACL key is in use and was not deleted");
  expect(errors).toContain(`network ACL ${id} ("Signed requests alone")`);
  expect(await workspace.state(address)).toMatchObject({ id: keys()[0]!.id });
});

test("data sources find a key by id and by name, and list all keys", async () => {
  await workspace.apply(`${key()}
    data "tenant_network_acl_key" "by_id" { id = ${address}.id }
    data "tenant_network_acl_key" "by_name" { name = ${address}.name }
    data "tenant_network_acl_keys" "all" { depends_on = [${address}] }
    output "found" {
      value = [
        data.tenant_network_acl_key.by_id.fingerprint,
        data.tenant_network_acl_key.by_name.id,
        data.tenant_network_acl_keys.all.network_acl_keys[*].name
      ]
    }`);
  const { stdout } = await workspace.terraform("output", "-json", "found");
  expect(JSON.parse(stdout)).toEqual([fingerprintOf(first), keys()[0]!.id, [nameOf(first)]]);
  await workspace.write('data "tenant_network_acl_key" "none" { name = "nobody" }');
  expect(await workspace.refused("plan")).toContain('no network ACL key whose `name` is "nobody"');
});
