/** Reviews signature keys in plans of real Terraform, and in rare plans. */
import type { Values } from "../../src/impact/model";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { formats } from "../../src/review/command";
import { toJson } from "../../src/review/json";
import { parsePlan } from "../../src/review/input/plan";
import { reviewPlans, type Review } from "../../src/review/review";
import { run } from "../support/program";
import { openWorkspace } from "../support/workspace";
import { acl, allow, change, plan } from "./support/plan";

const material = () => randomBytes(32).toString("base64");
const edge = "tenant_network_acl_key.edge";
const signed = (ids: readonly unknown[], more: Values = {}, id = "unsigned") =>
  acl(
    5,
    { action: allow, match: { http_message_signature: { keys: ids.map((key) => ({ id: key })) } } },
    { id, ...more },
  );
const key = (id: string | null, more: Values = {}) => ({ id, name: `${id} name`, fingerprint: `${id}`, ...more });

const told = (review: Review, ...codes: string[]) =>
  review.effects.filter(({ code }) => codes.includes(code)).map(({ code, text }) => `${code} ${text}`);
const review = (...changes: Values[]) => reviewPlans("plan", [plan(changes)]);
const ofRules = (...changes: Values[]) => told(review(...changes), "TNF-KEY-IN-USE", "TNF-KEY-ROTATED");

const cli = path.join(__dirname, "../../dist/cli.js");

test("names created, rotated, renamed and destroyed keys of real plans, and never shows their material", async () => {
  const workspace = await openWorkspace({ flags: ["tenant_acl_hmac_signature"] });
  try {
    const [first, second, other] = [material(), material(), material()];
    const resource = (name: string, text: string, given = 'name_prefix = "edge-"') => `
      resource "tenant_network_acl_key" "${name}" {
        ${given}
        value = "${text}"
        lifecycle {
          create_before_destroy = true
        }
      }`;
    const rule = (name: string, id: string) => `
      resource "tenant_network_acl" "${name}" {
        description = "${name}"
        priority    = ${name === "follows" ? 1 : 2}
        rule {
          action {
            allow = true
          }
          match {
            http_message_signature {
              keys {
                id = ${id}
              }
            }
          }
          scope = "authentication"
        }
      }`;
    await workspace.apply(
      resource("edge", first) + resource("old", other, 'name = "old"') + rule("follows", `${edge}.id`),
    );
    const { id, name } = await workspace.state(edge);
    await workspace.write(
      resource("edge", second) +
        resource("renamed", other, 'name = "older"') +
        resource("new", material(), 'name = "new"') +
        "\nmoved {\n  from = tenant_network_acl_key.old\n  to = tenant_network_acl_key.renamed\n}\n" +
        rule("follows", `${edge}.id`) +
        rule("stays", `"${id}"`),
    );
    await workspace.plan();
    const json = (await workspace.terraform("show", "-json", "plan")).stdout;
    expect(json).toContain(second);
    const reviewed = reviewPlans("plan", [parsePlan(json, "plan")]);
    const after = (await workspace.state(edge)).name;
    expect(after).toBe(name);
    expect(told(reviewed, "TNF-KEY-IN-USE", "TNF-KEY-ROTATED", "TNF-KEY-CREATED", "TNF-REPLACED", "TNF-MOVED")).toEqual(
      [
        expect.stringMatching(
          `^TNF-KEY-IN-USE "stays" .*still names the key "${name}" \\(${edge}\\), which will be replaced`,
        ),
        expect.stringMatching(
          `^TNF-KEY-ROTATED "follows" .*no longer names the key "${name}" \\(${edge}\\).*the old material stop matching`,
        ),
        expect.stringMatching(
          `^TNF-REPLACED ${edge} \\(key "${name}"\\) is rotated: key "edge-\\w{8}" takes its place, with other material`,
        ),
        'TNF-REPLACED tenant_network_acl_key.renamed (key "old") is renamed: key "older" takes its place, with the same material and another id.',
        'TNF-KEY-CREATED tenant_network_acl_key.new (key "new") is created.',
        expect.stringMatching(
          /^TNF-MOVED tenant_network_acl_key.old is now tenant_network_acl_key.renamed \(key "old"\)/,
        ),
      ],
    );
    const files = { "marked.json": json, "bare.json": json.replaceAll(/"(before|after)_sensitive"/g, '"unread"') };
    for (const [file, text] of Object.entries(files)) await writeFile(path.join(workspace.directory, file), text);
    for (const format of formats) {
      for (const file of Object.keys(files)) {
        const { stdout } = await run(process.execPath, [cli, "review", file, "--format", format], {
          cwd: workspace.directory,
        });
        expect(stdout).toContain(format === "html" ? "http_message_signature" : "TNF-KEY-IN-USE");
        for (const secret of [first, second, other]) expect(stdout).not.toContain(secret.replace(/=+$/, ""));
      }
    }
    await workspace.write(resource("edge", first) + rule("follows", '"key_8mJ2rTqZsWv5nYxB4cKdEf"'));
    await workspace.plan();
    const destroyed = parsePlan((await workspace.terraform("show", "-json", "plan")).stdout, "plan");
    expect(told(reviewPlans("plan", [destroyed]), "TNF-DESTROYED", "TNF-KEY-ROTATED", "TNF-KEY-IN-USE")).toEqual([
      'TNF-DESTROYED tenant_network_acl_key.old (key "old") is destroyed.',
    ]);
  } finally {
    await workspace.close();
  }
});

describe("rules", () => {
  const gone = change(edge, key("k1"), null);
  const at = "tenant_network_acl.unsigned";

  test("that still name a deleted key are found in every stack, unmanaged, left out by -target or inactive", () => {
    const inUse = expect.stringMatching(
      /^TNF-KEY-IN-USE "ACL 5" \(priority 5\) still names the key "k1 name" \(.*edge\), which will be destroyed/,
    );
    const rule = signed(["k1", "k2"]);
    expect(ofRules(gone, change(at, rule, rule))).toEqual([inUse]);
    expect(ofRules(gone, change(at, null, rule))).toEqual([inUse]);
    expect(ofRules(gone, change("auth0_network_acl.go", rule, { ...rule, rule: [rule["rule"]] }))).toEqual([inUse]);
    expect(ofRules(gone, change(at, rule, null))).toEqual([]);
    expect(ofRules(gone, change(at, rule, signed(["k2"])))).toEqual([]);
    expect(ofRules(gone, change(at, rule, { ...rule, active: false }))).toEqual([inUse]);
    expect(ofRules(gone, change(at, { ...rule, active: false }, { ...rule, active: false }))).toEqual([inUse]);
    expect(ofRules(change(edge, key("k1"), null, { actions: ["forget"] }), change(at, rule, rule))).toEqual([]);
    const stacks = [plan([gone]), plan([change(at, rule, rule)])];
    expect(reviewPlans("both", stacks).effects.map(({ code }) => code)).toContain("TNF-KEY-IN-USE");
    const byHand = reviewPlans("plan", [plan([gone])], { remote: { network_acls: [rule] } });
    expect(byHand.effects).toContainEqual(expect.objectContaining({ code: "TNF-KEY-IN-USE", address: edge }));
    const resource = { address: at, mode: "managed", type: "tenant_network_acl", values: rule };
    const prior_state = { values: { root_module: { resources: [resource] } } };
    const targeted = reviewPlans("plan", [plan([gone], { prior_state })]);
    expect(targeted.effects.map(({ code }) => code)).toContain("TNF-KEY-IN-USE");
  });
});

test("reports keys of the Go provider in the same way", () => {
  const theirs = "auth0_network_acl_key.edge";
  const bare = { id: "k1", name: "edge", value: "shh" };
  const one = review(change(theirs, bare, { ...bare, id: null, value: "hush" }, { actions: ["delete", "create"] }));
  expect(told(one, "TNF-REPLACED")).toEqual([
    `TNF-REPLACED ${theirs} (key "edge") is replaced: key "edge" takes its place, with another id.`,
  ]);
  expect(JSON.stringify(toJson(one))).not.toMatch(/shh|hush/);
  const coming = { ...bare, id: null, name: null, name_prefix: "go-" };
  expect(told(review(change(edge, null, coming, { unknown: { name: true } })), "TNF-KEY-CREATED")).toEqual([
    `TNF-KEY-CREATED ${edge} (key whose name that begins with "go-" is known after apply) is created.`,
  ]);
});
