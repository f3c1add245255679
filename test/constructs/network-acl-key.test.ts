/** Checks signature keys in CDK programs: the output, errors and warnings of synth. */
import { TerraformVariable } from "cdktf";
import { Action, Match, NetworkAcl, NetworkAclKey } from "../../src/constructs";
import { writtenOf } from "../../src/constructs/plain";
import { openProject, type Project } from "./support/project";

let project: Project;
beforeEach(() => (project = openProject()));
afterEach(() => project.close());

const material = Buffer.alloc(32, "0123456789abcdef").toString("base64");

test("accepts a key from an ephemeral variable, and rules name it by its id", () => {
  const { stack } = project;
  const variable = new TerraformVariable(stack, "edge_key", { type: "string" });
  variable.addOverride("ephemeral", true);
  const key = new NetworkAclKey(stack, "edge", {
    namePrefix: "edge-",
    valueWo: variable.stringValue,
    lifecycle: { createBeforeDestroy: true },
  });
  const acl = new NetworkAcl(stack, "unsigned", {
    description: "",
    rule: { action: Action.block(), notMatch: Match.signedBy(key.id, "key_other"), scope: "authentication" },
  });
  expect(project.complaints()).toEqual([]);
  expect(project.warnings()).toEqual([]);
  expect(writtenOf(key)).toMatchObject({ name_prefix: "edge-", value_wo: "${var.edge_key}" });
  expect(writtenOf(acl)).toMatchObject({
    rule: {
      not_match: {
        http_message_signature: { keys: [{ id: "${tenant_network_acl_key.edge.id}" }, { id: "key_other" }] },
      },
    },
  });
});

test("warns about literal material without repeating it", () => {
  new NetworkAclKey(project.stack, "edge", { name: "edge", valueWo: material });
  new NetworkAclKey(project.stack, "old", { name: "old", value: material });
  expect(project.complaints()).toEqual([]);
  expect(project.warnings()).toEqual([
    expect.stringMatching(
      /^stack\/edge: `valueWo` is secret, and .*: give a sensitive TerraformVariable, with addOverride/,
    ),
    expect.stringMatching(/^stack\/old: `value` is secret, and .*: give a sensitive TerraformVariable\.$/),
  ]);
  expect(project.warnings().join()).not.toContain(material.slice(0, 8));
});

test("refuses errors, and two keys with one name", () => {
  new NetworkAclKey(project.stack, "one", { name: "edge", valueWo: "AAAA", value: material });
  new NetworkAclKey(project.stack, "two", { name: "edge", value: material });
  expect(project.complaints()).toEqual([
    expect.stringContaining("2 network ACL keys of this stack have the same name"),
    expect.stringMatching(/`valueWo` and `value` exclude each other/),
    expect.stringMatching(/`valueWo` cannot be the secret of a key: it has 3 bytes/),
  ]);
});
