/** Compares configurations and tenants in every form, and checks what counts as equal. */
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

test("every form of one configuration is equal to every other form, also with other addresses, spellings and a useless ACL", async () => {
  const renamed: Named = all.map(([address, values]) => [address.replace(/\.(\w+)$/, ".other_$1"), values]);
  const useless: Named = [
    ...all,
    ["tenant_network_acl.useless", acl(20, { action: block, match: { asns: [7] } }, { active: false })],
  ];
  await withTenants({ STAGING: seed }, async (environment) => {
    const sides = [planOf(all), stateOf(renamed), stackOf(all), planOf(useless), "env:STAGING"];
    for (const one of sides) {
      for (const other of sides) {
        const { verdict, effects, unknown } = await compared(one, other, environment);
        expect({ one, other, verdict, effects, unknown }).toEqual({
          one,
          other,
          verdict: "equal",
          effects: [],
          unknown: [],
        });
      }
    }
  });
});

const without = (name: string): Named => all.filter(([address]) => !address.endsWith(name));

test.each<[string, Named, string, string]>([
  ["an ACL", without("office"), "TNF-ACL-TIGHTENED", "only in"],
  ["a limit", without("usual"), "TNF-LIMIT-TIGHTENED", "only in"],
  [
    "a member",
    [...without("staff"), ["tenant_organization_member_set.staff", members("org_0123456789abcdef", ["auth0|a"])]],
    "TNF-MEMBERS-ADDED",
    "differs",
  ],
])("says what differs, and in which object: %s", async (_, objects, code, how) => {
  const other = stateOf(all);
  const { verdict, effects, objects: differing } = await compared(stateOf(objects), other);
  expect(verdict).toBe("different");
  expect(effects.map((effect) => effect.code)).toContain(code);
  expect(differing).toEqual([[expect.any(String), expect.stringContaining(how)]]);
});

test.each<[string, () => string, RegExp]>([
  [
    "an incomplete plan",
    () => file(planText([change("tenant_network_acl.office", null, office)], { complete: false })),
    /other objects of/,
  ],
  [
    "a value that only the apply knows",
    () => planOf([["tenant_network_acl.office", office]], { unknown: { priority: true } }),
    /^priority of/,
  ],
  [
    "a resource that is not compared",
    () => file(planText([change("auth0_client.web", null, { name: "web" })])),
    /^auth0_client in/,
  ],
])("%s is not known", async (_, input, unknown) => {
  const { verdict, unknown: found } = await compared(input(), stateOf(all));
  expect(verdict).toBe("not known");
  expect(found).toContainEqual(expect.stringMatching(unknown));
});

test("an object that somebody changed by hand in production is only there", async () => {
  const rule = { action: { block: true }, match: { geo_country_codes: ["DE"] }, scope: "tenant" };
  const byHand = { description: "By hand", active: true, priority: 1, rule };
  const production = { ...seed, network_acls: [...seed.network_acls, byHand] };
  await withTenants({ STAGING: seed, PRODUCTION: production }, async (environment) => {
    const { verdict, effects, objects } = await compared("env:STAGING", "env:PRODUCTION", environment);
    expect(verdict).toBe("different");
    expect(effects[0]).toMatchObject({ code: "TNF-ACL-TIGHTENED" });
    expect(effects[0]!.examples[0]).toMatchObject({ country: "DE" });
    expect(objects).toEqual([['network ACL "By hand"', expect.stringMatching(/^only in localhost/)]]);
  });
});

test("pairs organizations by name, also if their ids are swapped", async () => {
  const side = (...sets: readonly (readonly [id: string, name: string, people: readonly string[]])[]) =>
    stateOf(
      sets.flatMap(([id, name, people]) => [
        [`auth0_organization.${name}`, { id, name }],
        [`tenant_organization_member_set.set_${id}`, members(id, people)],
      ]),
    );
  const one = side(["org_1", "acme", ["a", "b"]], ["org_2", "umbrella", ["c"]]);
  expect(await compared(one, side(["org_2", "acme", ["b", "a"]], ["org_1", "umbrella", ["c"]]))).toMatchObject({
    verdict: "equal",
  });
  const { effects } = await compared(one, side(["org_2", "acme", ["a"]], ["org_1", "umbrella", ["c"]]));
  expect(effects).toMatchObject([{ code: "TNF-MEMBERS-MANY" }]);
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
  ["a configuration", () => file("", "main.tf")],
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
