/** Compares configurations and tenants in every form, and checks what counts as equal. */
import { summaryOf } from "../../src/impact/words/verdict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Values } from "../../src/impact/model";
import { compareSides, type Comparison } from "../../src/compare/comparison";
import { compare, sidesOf } from "../../src/compare/command";
import { createEmulator, type Seed } from "../../src/emulator/emulator";
import { acl, allow, block, change, members, planText, policy } from "../review/support/plan";
import { run } from "../support/program";
import { faultOf } from "../review/support/schema";

const cli = path.join(__dirname, "../../dist/cli.js");
const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-compare-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function file(content: unknown, name = "input.json"): string {
  const own = path.join(folder, String(count++));
  mkdirSync(own);
  writeFileSync(path.join(own, name), typeof content === "string" ? content : JSON.stringify(content));
  return path.join(own, name);
}

const stdin = (async function* () {})();
const compared = async (one: string, other: string, environment: NodeJS.ProcessEnv = {}): Promise<Comparison> =>
  compareSides(...(await sidesOf(one, other, { stdin, environment })));

type Named = readonly (readonly [address: string, values: Values])[];

const planOf = (objects: Named, marked = {}) =>
  file(planText(objects.map(([address, values]) => change(address, null, values, marked))));

const stateOf = (objects: Named) =>
  file({
    version: 4,
    resources: objects.map(([address, attributes]) => {
      const [type, name] = address.split(".");
      return { mode: "managed", type, name, instances: [{ attributes }] };
    }),
  });

const stackOf = (objects: Named) => {
  const resource: Record<string, Record<string, Values>> = {};
  for (const [address, { id: _id, ...values }] of objects) {
    const [type, name] = address.split(".") as [string, string];
    resource[type] = { ...resource[type], [name]: values };
  }
  return path.dirname(file({ resource }, "cdk.tf.json"));
};

const office = acl(10, { action: block, match: { ipv4_cidrs: ["203.0.113.0/24"] } });
const partner = acl(5, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24", "203.0.113.7/32"] } });
const limit = policy("default", { action: "block", limit: 50 });
const staff = members("org_0123456789abcdef", ["auth0|a", "auth0|b"]);
const all: Named = [
  ["tenant_network_acl.office", office],
  ["tenant_network_acl.partner", partner],
  ["tenant_rate_limit_policy.usual", limit],
  ["tenant_organization_member_set.staff", staff],
];

const hcl = `
# Written by adopt.
import {
  to = tenant_network_acl.office
  id = "acl_10"
}

resource "tenant_network_acl" "office" {
  description = "ACL 10"
  priority    = 10
  rule {
    scope = "tenant"
    action {
      block = true
    }
    match {
      ipv4_cidrs = ["203.0.113.0/24"]
    }
  }
}

resource "tenant_network_acl" "partner" {
  description = "Another text"
  priority    = 5
  rule {
    scope  = "tenant"
    action { allow = true }
    match {
      ipv4_cidrs = [
        "203.0.113.7", # the same address
        "198.51.100.0/24",
      ]
    }
  }
}

resource "tenant_rate_limit_policy" "usual" {
  resource          = "oauth_authentication_api"
  consumer          = "client"
  consumer_selector = "default"
  configuration {
    action = "block"
    limit  = 50
  }
}

resource "tenant_organization_member_set" "staff" {
  organization_id = "org_0123456789abcdef"
  members_with_notes = {
    "auth0|a" = "on call"
    "auth0|b" = ""
  }
}
`;

const seed = {
  organizations: [{ id: "org_0123456789abcdef", name: "acme", members: ["auth0|a", "auth0|b"] }],
  network_acls: [office, partner].map(({ description, active, priority, rule }) => {
    const { scope, action, match } = rule as Values;
    const [flag] = Object.entries(action as Values).filter(([, value]) => value === true);
    return { description, active, priority, rule: { scope, match, action: Object.fromEntries([flag!]) } };
  }),
  rate_limit_policies: [limit],
};

async function withTenants<T>(
  tenants: Readonly<Record<string, object>>,
  use: (environment: NodeJS.ProcessEnv) => Promise<T>,
) {
  const closing: (() => Promise<void>)[] = [];
  const environment: NodeJS.ProcessEnv = {};
  for (const [prefix, own] of Object.entries(tenants)) {
    const emulator = createEmulator({ seed: own as Seed });
    const { url, close } = await emulator.listen();
    closing.push(close);
    environment[`${prefix}_TENANT_ENDPOINT`] = url;
    environment[`${prefix}_TENANT_CLIENT_ID`] = emulator.clientId;
    environment[`${prefix}_TENANT_CLIENT_SECRET`] = emulator.clientSecret;
  }
  try {
    return await use(environment);
  } finally {
    for (const close of closing) await close();
  }
}

test("every form of one configuration is equal to every other form", async () => {
  const renamed: Named = all.map(([address, values]) => [
    address.replace(/\.\w+$/, ".other"),
    { ...values, id: `${String(values["id"])}_x` },
  ]);
  const separate = [renamed[0]!, ["tenant_network_acl.second", renamed[1]![1]], ...renamed.slice(2)] as Named;
  const forms = [planOf(all), stateOf(separate), stackOf(all.toReversed()), file(hcl, "main.tf"), "env:ACME"];
  await withTenants({ ACME: seed }, async (environment) => {
    for (const one of forms) {
      for (const other of forms) {
        const { verdict, review } = await compared(one, other, environment);
        expect({ one, other, verdict, summary: summaryOf(review.verdict) }).toEqual({
          one,
          other,
          verdict: "equal",
          summary: [expect.stringMatching(/^✔ .* mean the same for every request, limit, member and key\.$/)],
        });
      }
    }
  });
});

const without = (index: number): Named => all.filter((_, at) => at !== index);
const withOther = (index: number, more: Values): Named =>
  all.map(([address, values], at) => [address, at === index ? { ...values, ...more } : values]);
const redirect = { redirect: true, redirect_uri: "https://elsewhere.example/" };

test.each<[string, Named, string]>([
  ["an ACL on one side", without(0), "is only in"],
  [
    "other addresses",
    withOther(0, { rule: { scope: "tenant", action: block, match: { ipv4_cidrs: ["203.0.112.0/23"] } } }),
    "203.0.112.0/24",
  ],
  [
    "another action",
    withOther(0, { rule: { scope: "tenant", action: redirect, match: { ipv4_cidrs: ["203.0.113.0/24"] } } }),
    "elsewhere.example",
  ],
  ["an inactive ACL", withOther(0, { active: false }), "is active only in"],
  ["another order of two ACLs", withOther(1, { priority: 20 }), "has priority 5 in"],
  ["another limit", withOther(2, { configuration: { action: "block", limit: 20 } }), "20 requests/s"],
  ["another member", withOther(3, { members: ["auth0|a"] }), "auth0|b"],
  [
    "an ACL that logs",
    [...all, ["tenant_network_acl.log", acl(90, { action: { log: true }, match: { asns: [64500] } })]],
    "log",
  ],
])("tells %s, in both directions", async (_, objects, words) => {
  const [one, other] = [stateOf(all), stateOf(objects)];
  const [there, back] = [await compared(one, other), await compared(other, one)];
  expect([there.verdict, back.verdict]).toEqual(["different", "different"]);
  expect(summaryOf(there.review.verdict).join("\n")).toContain(words);
  expect(back.review.verdict.level).not.toBe("none");
});

test("a state with the nulls that Terraform writes needs no keys of a tenant whose token must not read them", async () => {
  const { rule } = office as { readonly rule: Values };
  const match = { ...(rule["match"] as Values), http_message_signature: null };
  const state = stateOf([
    ["tenant_network_acl.office", { ...office, rule: { ...rule, match, not_match: null } }],
    ...all.slice(1),
  ]);
  await withTenants({ ACME: seed }, async (environment) => {
    expect(await compared(state, "env:ACME", environment)).toMatchObject({ verdict: "equal", unknown: [] });
  });
});

test("a redundant ACL and another order of unrelated ACLs change nothing", async () => {
  const shadowed = acl(30, { action: { block: true }, match: { ipv4_cidrs: ["203.0.113.128/25"] } });
  const other = withOther(0, { priority: 70 });
  expect(
    (await compared(stateOf(all), stateOf([...other, ["tenant_network_acl.more", { ...shadowed, priority: 80 }]])))
      .verdict,
  ).toBe("equal");
});

test.each<[string, () => string, string]>([
  [
    "a value that is known only after the apply",
    () => planOf(all.slice(0, 1), { unknown: { priority: true } }),
    "a value of",
  ],
  ["a sensitive value", () => planOf(all.slice(0, 1), { sensitive: { rule: true } }), "the sensitive"],
  [
    "a kind that it does not read",
    () => stateOf([["auth0_attack_protection.x", { id: "x" }]]),
    "auth0_attack_protection",
  ],
])("says that %s is not known, and never that it is equal", async (_, input, words) => {
  const own = input();
  const { verdict, unknown, review } = await compared(own, own);
  expect(verdict).toBe("not known");
  expect(unknown.join("\n")).toContain(words);
  expect(summaryOf(review.verdict)[0]).toMatch(/^○ No difference was found, and .* are not proven equal\. Not known: /);
});

/** A folder with the files, each of which may have a folder of its own. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const own = path.join(folder, String(count++));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(own, name)), { recursive: true });
    writeFileSync(path.join(own, name), content);
  }
  return own;
}

const cidrs = '["203.0.113.0/24"]';
const noted = /members_with_notes = \{[^}]+\}/;
const fromFile = 'jsondecode(file("${path.module}/members/staff.json"))';
const listed = (expression: string) => hcl.replace(noted, `members = ${expression}`);

test.each<[string, Readonly<Record<string, string>>]>([
  ["a list in a JSON file", { "main.tf": listed(fromFile), "members/staff.json": '["auth0|a", "auth0|b"]' }],
  ["a local list", { "main.tf": hcl.replace(cidrs, "local.office"), "locals.tf": `locals {\n  office = ${cidrs}\n}` }],
  ["other blocks", { "main.tf": `${hcl}\nprovider "tenant" {\n  alias = "unused"\n}`, ".hidden.tf": "x" }],
])("reads %s of a folder", async (_, files) => {
  expect(await compared(folderOf(files), stateOf(all))).toMatchObject({ verdict: "equal", unknown: [] });
});

const edited = (from: string, to: string) => ({ "main.tf": hcl.replace(from, to) });

test.each<[string, Readonly<Record<string, string>>, string]>([
  ["a variable", edited(cidrs, "var.office"), "a value of"],
  ["a dynamic block", edited('rule {\n    scope = "tenant"', 'dynamic "rule" {\n    for_each = [1]'), "a value of"],
  ["two blocks in place of one", edited("match {", "match {\n      asns = [1]\n    }\n    match {"), "a value of"],
  ["a limit", edited("limit  = 50", "limit  = var.limit"), "configuration of tenant_rate_limit_policy.usual"],
  ["a selector", edited('"default"', "var.selector"), "consumer_selector of tenant_rate_limit_policy.usual"],
  [
    "a set's organization",
    edited('staff" {\n  organization_id = "org_0123456789abcdef"', 'them" {\n  organization_id = var.id'),
    "organization_id of tenant_organization_member_set.them",
  ],
  ["members", { "main.tf": listed("var.people") }, "members of tenant_organization_member_set.staff"],
  ["a part of the members", { "main.tf": listed('["auth0|a", var.b]') }, "members of tenant_organization_member_set"],
  ["a local that is not there", { "main.tf": listed("local.people") }, "members of tenant_organization_member_set"],
  ["a JSON file that is not there", { "main.tf": listed(fromFile) }, "members of tenant_organization_member_set"],
  [
    "a JSON file outside of the folder",
    { "main.tf": listed(fromFile.replace("members/", "../")), "../staff.json": '["auth0|a", "auth0|b"]' },
    "members of tenant_organization_member_set",
  ],
  ["an optional exclusive", edited("members_with_notes", "exclusive = var.all\n  members_with_notes"), "exclusive of"],
  ["a module", { "main.tf": `${hcl}\nmodule "more" {\n  source = "./more"\n}` }, "module.more is not read"],
  ["count", edited("priority    = 10", "priority    = 10\n  count = 2"), "only a plan shows the objects of"],
  ["for_each", edited("priority    = 10", "priority    = 10\n  for_each = {}"), "only a plan shows the objects of"],
  ["a JSON configuration", { "main.tf": hcl, "more.tf.json": "{}" }, "more.tf.json is not read"],
  ["an override file", { "main.tf": hcl, "main_override.tf": "" }, "main_override.tf is not read"],
  ["a file for OpenTofu alone", { "main.tf": hcl, "main.tofu": "" }, "main.tofu is not read"],
  ["a configuration beside a stack", { "cdk.tf.json": "{}", "more.tf": hcl }, "more.tf is not read"],
  [
    "an object of another alias",
    edited("priority    = 10", "priority    = 10\n  provider = tenant.other"),
    "tenant_network_acl.office is of the provider tenant.other",
  ],
])("does not know %s, so that nothing is equal or certainly different", async (_, files, words) => {
  const [own, state] = [folderOf(files), stateOf(all)];
  for (const [one, other] of [
    [own, state],
    [state, own],
  ]) {
    const { verdict, unknown, review } = await compared(one!, other!);
    expect({ verdict, unknown }).toEqual({ verdict: "not known", unknown: expect.anything() as string[] });
    expect(unknown.join("\n")).toContain(words);
    expect(summaryOf(review.verdict).join("\n")).toContain("Not known: ");
    expect(review.effects.filter(({ certainty }) => certainty === "certain")).toEqual([]);
  }
});

test("an incomplete plan is not known", async () => {
  const own = file(planText([change("tenant_network_acl.office", office, office)], { complete: false }));
  expect(await compared(own, own)).toMatchObject({
    verdict: "not known",
    unknown: [expect.stringContaining("incomplete")],
  });
});

test("names the request, the share and the object that somebody changed by hand in production", async () => {
  const production = {
    ...seed,
    network_acls: [
      ...seed.network_acls,
      {
        description: "By hand",
        active: true,
        priority: 1,
        rule: { action: { block: true }, match: { geo_country_codes: ["DE"] }, scope: "tenant" },
      },
    ],
  };
  await withTenants({ STAGING: seed, PRODUCTION: production }, async (environment) => {
    const { verdict, review } = await compared("env:STAGING", "env:PRODUCTION", environment);
    expect(verdict).toBe("different");
    const effect = review.effects.find(({ code }) => code === "TNF-ACL-TIGHTENED")!;
    expect(effect.share!.value).toBeGreaterThan(0.005);
    expect(effect.examples[0]).toMatchObject({ country: "DE" });
    expect(effect.cause[0]).toMatchObject({
      address: 'network ACL "By hand"',
      change: { kind: "only in" },
    });
  });
});

test("compares keys by name and material, and rules by the names of their keys", async () => {
  const signed = (id: string) => acl(1, { action: allow, match: { http_message_signature: { keys: [{ id }] } } });
  const key = (id: string, fingerprint: string) => ({ id, name: "edge", alg: "hmac-sha256", fingerprint });
  const side = (id: string, fingerprint: string) =>
    stateOf([
      ["tenant_network_acl.signed", signed(id)],
      ["tenant_network_acl_key.edge", key(id, fingerprint)],
    ]);
  const one = side("key_1", "aa");
  expect((await compared(one, side("key_2", "aa"))).verdict).toBe("equal");
  const other = await compared(one, side("key_2", "bb"));
  expect([other.verdict, summaryOf(other.review.verdict).join()]).toEqual([
    "different",
    expect.stringContaining('The key "edge" has other material'),
  ]);
});

test("sets with one address are one organization in two tenants", async () => {
  const side = (id: string, people: readonly string[]) =>
    stateOf([["tenant_organization_member_set.staff", members(id, people)]]);
  expect((await compared(side("org_1", ["a"]), side("org_2", ["a"]))).verdict).toBe("equal");
  expect((await compared(side("org_1", ["a"]), side("org_2", ["b"]))).verdict).toBe("different");
});

const organization = (id: string, name: string): Named[number] => ["auth0_organization.acme", { id, name }];

test("pairs organizations by name, also if ids and addresses differ", async () => {
  const side = (...sets: readonly (readonly [id: string, name: string, people: readonly string[]])[]) =>
    stateOf(
      sets.flatMap(([id, name, people]) => [
        [`auth0_organization.${name}`, { id, name }],
        [`tenant_organization_member_set.set_${id}`, members(id, people)],
      ]),
    );
  const one = side(["org_1", "acme", ["a", "b"]], ["org_2", "umbrella", ["c"]]);
  // The same ids and addresses, but the names are swapped.
  const swapped = side(["org_2", "acme", ["b", "a"]], ["org_1", "umbrella", ["c"]]);
  expect(await compared(one, swapped)).toMatchObject({ verdict: "equal", pairing: [] });
  const other = await compared(one, side(["org_2", "acme", ["a"]], ["org_1", "umbrella", ["c"]]));
  expect(other).toMatchObject({ verdict: "different", pairing: [] });
  expect(other.review.members).toContainEqual(expect.objectContaining({ organization_id: "acme", loses: ["b"] }));
  expect(other.review.effects).toHaveLength(1);
  // Another organization at the same id and address.
  const replaced = await compared(side(["org_1", "acme", ["a"]]), side(["org_1", "zeta", ["a"]]));
  expect(replaced.verdict).toBe("different");
  expect(replaced.review.members.map(({ organization_id: id, loses, gains }) => [id, loses, gains])).toEqual([
    ["acme", ["a"], []],
    ["zeta", [], ["a"]],
  ]);
});

test("a stack refers to an organization, a tenant lists it, and only the names are the same", async () => {
  const stack = path.dirname(
    file(
      {
        resource: {
          auth0_organization: { acme: { name: "acme" } },
          tenant_organization_member_set: {
            staff: { organization_id: "${auth0_organization.acme.id}", members: ["auth0|a"], exclusive: true },
          },
        },
        data: { auth0_organization: { zeta: { name: "zeta" } } },
      },
      "cdk.tf.json",
    ),
  );
  const planned = file(
    planText(
      [
        change("auth0_organization.acme", null, { name: "acme" }, { unknown: { id: true } }),
        change(
          "tenant_organization_member_set.staff",
          null,
          { members: ["auth0|a"], exclusive: true },
          { unknown: { organization_id: true } },
        ),
      ],
      {
        configuration: {
          root_module: {
            resources: [
              {
                address: "tenant_organization_member_set.staff",
                expressions: {
                  organization_id: { references: ["auth0_organization.acme.id", "auth0_organization.acme"] },
                },
              },
            ],
          },
        },
      },
    ),
  );
  const state = stateOf([
    organization("org_9", "acme"),
    ["tenant_organization_member_set.x", members("org_9", ["auth0|a"])],
  ]);
  const tenant = (id: string, ...people: string[]) => ({
    organizations: [
      { id: "org_other", name: "other", members: ["auth0|z"] },
      { id, name: "acme", members: people },
    ],
  });
  const tenants = { ONE: tenant("org_1", "auth0|a"), TWO: tenant("org_2", "auth0|a", "auth0|b") };
  await withTenants(tenants, async (environment) => {
    for (const [one, other] of [
      [stack, planned],
      [planned, state],
      [state, stack],
      [stack, "env:ONE"],
      ["env:ONE", planned],
      [state, "env:ONE"],
    ]) {
      const { verdict, pairing, unknown } = await compared(one!, other!, environment);
      expect({ one, other, verdict, pairing, unknown }).toEqual({
        one,
        other,
        verdict: "equal",
        pairing: [],
        unknown: [],
      });
    }
    for (const one of [stack, state, "env:ONE"]) {
      const { verdict, review } = await compared(one, "env:TWO", environment);
      expect(verdict).toBe("different");
      expect(review.members[0]).toMatchObject({ organization_id: "acme", gains: ["auth0|b"] });
    }
  });
});

test("says that ids or addresses pair organizations if a side does not name them", async () => {
  const side = (id: string) => stateOf([["tenant_organization_member_set.staff", members(id, ["a"])]]);
  const same = await compared(side("org_1"), side("org_1"));
  expect(same).toMatchObject({ verdict: "equal", pairing: ["id"] });
  expect(same.review.note).toContain("paired by id, because a side does not name them");
  const other = await compared(side("org_1"), side("org_2"));
  expect(other).toMatchObject({ verdict: "equal", pairing: ["address"] });
});

test("every format has the difference, hostile names stay inert, and the JSON matches the schema", async () => {
  const description = "</script><img src=x>\n::error::@all|`";
  const [one, other] = [stateOf([]), stateOf([["tenant_network_acl.x", { ...office, description }]])];
  const outputs = ["txt", "md", "json", "html"].map((extension) => path.join(folder, `out.${extension}`));
  const flags = outputs.flatMap((output) => ["--output", output]);
  const { code } = await run(process.execPath, [cli, "compare", one, other, ...flags], { cwd: folder });
  expect(code).toBe(1);
  const [text, markdown, json, html] = outputs.map((name) => readFileSync(name, "utf8"));
  expect(faultOf(JSON.parse(json!))).toBeUndefined();
  expect(JSON.parse(json!)).toMatchObject({ verdict: "different", unknown: [] });
  for (const form of [text!, markdown!, html!]) {
    expect(form).toContain("compared with");
    expect(form).not.toMatch(/^::error/m);
  }
  expect(markdown! + html!).not.toContain("<img");
});

test.each<[string, () => string]>([
  ["no such file", () => path.join(folder, "absent.json")],
  ["a program", () => file("export {}", "main.ts")],
  ["another JSON", () => file("[1]")],
  ["a damaged state", () => file({ version: 4, resources: [{ type: "tenant_network_acl", instances: [null] }] })],
  ["HCL with an open bracket", () => file('resource "tenant_network_acl" "x" {', "main.tf")],
  ["a prefix without variables", () => "env:NOBODY"],
  ["a prefix that is none", () => "env:../x"],
])("ends with 2 for %s", async (_, input) => {
  const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    expect(await compare(input(), stateOf([]), {}, { stdin, environment: {} })).toBe(2);
    expect(write.mock.calls.join("")).toMatch(/^[^\n]+\n$/);
    expect(write.mock.calls.join("")).not.toMatch(/destructure|undefined|null/);
  } finally {
    write.mockRestore();
  }
});
