/** `tenantform review --only expectations` on plans, states, synthesized stacks and an embedded tenant. */
import { mkdtempSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import type { Values } from "../../src/judge/impact/model";
import { review, type ReviewFlags } from "../../src/review/commands/command";
import { eachTest } from "../support/each-test";
import { listeningTenant } from "../support/tenant";
import { openFolder, printed } from "./support/command";
import { acl, allow, block, members, policy } from "./support/objects";
import { change, planText } from "./support/plan";
import { faultOf } from "./support/schema";

const { put: write, folder } = openFolder();

interface Given extends ReviewFlags {
  readonly env?: NodeJS.ProcessEnv;
  /** Expectations of `--expect`. */
  readonly of?: readonly object[];
  readonly stdin?: string;
}

async function judged(input: string | undefined, { env = {}, of, stdin, ...flags }: Given = {}) {
  const expect = [...(flags.expect ?? []), ...(of ? [write("expect.json", of)] : [])];
  const edge = { environment: env, ...(stdin !== undefined && { stdin: Readable.from([stdin]) }) };
  const names = input === undefined ? [] : [input];
  const { code, stdout, stderr } = await printed(
    (own) => review(names, { only: "expectations", ...flags, expect }, "0.0.0", own),
    edge,
  );
  return { code, text: stdout.replaceAll(folder + path.sep, ""), message: stderr.replaceAll(folder + path.sep, "") };
}

const wall = acl(90, { action: block, match: { geo_country_codes: ["KP", "IR"] } }, { description: "Wall" });
const partners = acl(10, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { description: "Partners" });
const request = { scopes: ["authentication"], countries: ["KP", "IR"] };
const sanctions = { name: "sanctions", outcome: "blocked", request };
const limit = { name: "limit", policy: { consumer: "third_party_clients", at_most: 50 } };
const staff = { name: "staff", members: { organization_id: "org_1", include: ["auth0|1"], at_most: 2 } };
const all = [sanctions, limit, staff];
const limited: Values = { id: "rlp_1", ...policy("third_party_clients", { action: "block", limit: 50 }) };
const team = members("org_1", ["auth0|1", "auth0|2"]);

const managed = (type: string, name: string, values: Values) => ({
  address: `${type}.${name}`,
  mode: "managed",
  type,
  name,
  values,
  sensitive_values: {},
});
const resources = [
  managed("tenant_network_acl", "wall", wall),
  managed("tenant_rate_limit_policy", "all", limited),
  managed("tenant_organization_member_set", "team", team),
];
const stateOf = (...own: object[]) => ({ format_version: "1.0", values: { root_module: { resources: own } } });
const stateFile = {
  version: 4,
  serial: 3,
  lineage: "one",
  terraform_version: "1.11.4",
  resources: resources.map(({ type, name, values }) => ({
    mode: "managed",
    type,
    name,
    provider: "provider",
    instances: [{ attributes: values, sensitive_attributes: [] }],
  })),
};
const plan = planText([
  change("tenant_network_acl.wall", wall, wall),
  change("tenant_rate_limit_policy.all", null, limited),
  change("tenant_organization_member_set.team", team, team),
]);
const aclOf = (values: Values) => ({ tenant_network_acl: { wall: values } });
const stack = {
  provider: {
    tenant: [{ domain: "acme.eu.auth0.com", expectation: [{ ...sanctions, request: [sanctions.request] }] }],
  },
  resource: {
    ...aclOf({ "//": { metadata: {} }, description: "Wall", active: true, priority: 90, rule: wall["rule"] }),
    tenant_rate_limit_policy: {
      all: { consumer_selector: "third_party_clients", configuration: limited["configuration"] },
    },
    tenant_organization_member_set: { team: { organization_id: "org_1", members: ["auth0|1", "auth0|2"] } },
  },
};
/** The folder of a project whose stack was synthesized after its last plan. */
function folderOf(name: string, json: unknown): string {
  write(`${name}/manifest.json`, { stacks: { edge: { name: "edge", workingDirectory: "stacks/edge" } } });
  write(`${name}/stacks/edge/plan.json`, planText([]));
  write(`${name}/stacks/edge/cdk.tf.json`, json);
  return path.join(folder, name);
}

test.each<[string, () => string, Given?]>([
  ["the state that Terraform shows", () => write("shown.json", stateOf(...resources))],
  ["a state file", () => write("terraform.tfstate", stateFile)],
  ["a plan", () => write("plan.json", plan)],
  ["a state on standard input", () => "-", { stdin: JSON.stringify(stateFile) }],
  ["a synthesized stack", () => folderOf("cdktf.out", stack)],
  ["the file of a synthesized stack", () => path.join(folderOf("cdktf.out", stack), "stacks/edge/cdk.tf.json")],
])("the expectations hold for %s", async (_, input, given = {}) => {
  const { code, text, message } = await judged(input(), { of: all, ...given });
  expect([code, message]).toEqual([0, ""]);
  const [title, summary] = text.split("\n");
  expect(title).toMatch(/^Expectations of \S/);
  expect(summary).toBe("✔ 3 expectations: 3 hold, 0 broken, 0 undecided.");
  expect(text).toContain("\nsanctions: ✔ holds -> Proven for the objects that the plan manages.\n");
  expect(text).toMatch(/\n\nNot read: .* --tenant includes them\.\n$/);
});

test.each<[string, () => string, string]>([
  ["a state", () => write("terraform.tfstate", stateFile), "terraform.tfstate is a state, which shows no changes: "],
  ["a stack", () => path.join(folderOf("cdktf.out", stack), "stacks/edge/cdk.tf.json"), "edge is a synthesized"],
])("a whole review refuses %s, because it shows no changes", async (_, input, words) => {
  const { code, text, message } = await judged(input(), { only: undefined, of: all } as never);
  expect([code, text]).toEqual([2, ""]);
  expect(message).toContain(words);
  expect(message).toContain("--only expectations. https:");
});

test.each(["tenant_network_acl", "tenant_rate_limit_policy", "tenant_organization_member_set"])(
  "a state that somebody edited, without the id of a %s, ends in a message",
  async (type) => {
    const [id] = type.endsWith("set") ? ["organization_id"] : ["id"];
    const edited = managed(type, "edited", { [id!]: null, priority: 1 });
    const { code, message } = await judged(write("edited.json", stateOf(edited)), { of: all });
    expect([code, message]).toEqual([2, expect.stringContaining(`no \`${id}\` of ${type}.edited. Run`)]);
  },
);

test("a state lacks no expectation of a configuration, because it has none", async () => {
  const own = 'name = "kp"\n outcome = "blocked"\n request {\n countries = ["KP"]\n }';
  const configuration = write("main.tf", `provider "tenant" {\n expectation {\n ${own}\n }\n}`);
  const { text } = await judged(write("terraform.tfstate", stateFile), { expect: [configuration] });
  expect(text).toContain("✔ 1 expectation: 1 holds");
});

describe("an expectation does not hold", () => {
  const acls = [wall, partners].map((one, at) => managed("tenant_network_acl", `a${at}`, one));
  const opened = write("opened.json", stateOf(...acls));
  const marked = { unknown: { rule: { match: { geo_country_codes: true } } } };
  const open = () => write("unknown.json", planText([change("tenant_network_acl.wall", null, wall, marked)]));
  const warned = { ...sanctions, severity: "warning" };

  test.each<[string, () => string, object, string | undefined, number, RegExp]>([
    [
      "as it did not before",
      () => opened,
      sanctions,
      undefined,
      3,
      /✖ 1 expectation: 0 hold, 1 broken, 0 undecided\.\n\n[^]*\nsanctions: ✖ broken -> A request to sign-in from 198\.51\.100\.\d+, country (KP|IR), is allowed by ACL "Partners" \(priority 10\)\.[^]*tenant_network_acl\.a1\./,
    ],
    ["and is a warning, and --fail-on is high", () => opened, warned, "high", 0, /✖ broken/],
    ["because it is undecided", open, sanctions, undefined, 3, /○ 1 expectation: 0 hold, 0 broken, 1 undecided/],
    ["because it is undecided, and --fail-on is high", open, sanctions, "high", 0, /\? undecided -> \S/],
  ])("%s", async (_, input, expectation, failOn, code, text) => {
    const found = await judged(input(), { of: [expectation], ...(failOn !== undefined && { failOn }) });
    expect(found).toMatchObject({ code, text: expect.stringMatching(text) as string });
  });

  const withRule = { ...wall, rule: { ...(wall["rule"] as object), match: { geo_country_codes: "${var.codes}" } } };
  test.each<[string, object, RegExp]>([
    ["values that only a plan shows", { ...stack, resource: aclOf(withRule) }, /sanctions: \? undecided/],
    [
      "objects that only a plan shows",
      { ...stack, resource: aclOf({ ...wall, for_each: "${var.all}" }) },
      /Not certain, because only a plan shows the objects of tenant_network_acl\.wall\./,
    ],
    [
      "a dynamic block, which plans leave out",
      { ...stack, provider: { tenant: { dynamic: { expectation: { for_each: "${var.all}", content: {} } } } } },
      /medium +TNF-EXPECTATION-UNDECIDED +The provider configuration tenant has a dynamic block/,
    ],
  ])("in a synthesized stack with %s", async (_, json, text) => {
    const found = await judged(folderOf("open", json));
    expect(found).toMatchObject({ code: 3, text: expect.stringMatching(text) as string });
  });

  test.each(["text", "markdown", "html", "json", "sarif", "annotations"])(
    "in the format %s, with the place of the cause",
    async (format) => {
      write("placed/main.tf", 'resource "tenant_network_acl" "a0" {\n}\nresource "tenant_network_acl" "a1" {\n}\n');
      const objects = [wall, partners].map((one, at) => change(`tenant_network_acl.a${at}`, one, one));
      const root_module = { resources: objects.map(({ address }) => ({ address })) };
      const placed = planText(objects, { configuration: { root_module } });
      const of = [...all, { ...sanctions, name: "<b>&" }];
      const found = await judged(write("placed/opened.json", placed), { of, format });
      expect(found.code).toBe(3);
      expect(found.text).toMatch(/allowed by ACL .{0,6}Partners/);
      expect(found.text).not.toMatch(/nothing changes/i);
      // SARIF and annotations have places within the repository only.
      if (!["sarif", "annotations"].includes(format)) expect(found.text).toMatch(/main\.tf[^]{0,200}?\b3\b/);
      if (format === "html" || format === "markdown") expect(found.text).not.toContain("<b>");
      if (format !== "json") return;
      expect(faultOf(JSON.parse(found.text))).toBeUndefined();
      const [{ expectations }] = JSON.parse(found.text).tenants;
      const verdicts = (expectations as { name: string; verdict: string }[]).map((one) => `${one.name} ${one.verdict}`);
      expect(verdicts).toEqual(["sanctions broken", "limit broken", "staff undecided", "<b>& broken"]);
      expect(found.text).not.toContain("before this change");
    },
  );
});

describe("--tenant", () => {
  const seed = () => ({
    organizations: [{ id: "org_1", name: "acme", members: ["auth0|1", "auth0|2"] }],
    network_acls: [
      {
        description: "Wall",
        active: true,
        priority: 90,
        rule: { action: { block: true }, match: { geo_country_codes: ["KP", "IR"] }, scope: "tenant" },
      },
    ],
    rate_limit_policies: [limited],
  });
  const tenant = eachTest(() => listeningTenant({ seed: seed() as never }));

  test("judges the tenant itself, its limits and its members, and what a plan changes", async () => {
    const asked = { env: tenant.env, tenant: true, of: all };
    const hold =
      /✔ 3 expectations: 3 hold, 0 broken, 0 undecided\.\n\n[^]*\nsanctions: ✔ holds -> Proven\.\n[^]*Proven\.\n$/;
    expect(await judged(undefined, asked)).toEqual({ code: 0, text: expect.stringMatching(hold), message: "" });
    tenant.emulator.store.addMembers("org_1", ["auth0|3"]);
    const { code, text } = await judged(undefined, asked);
    expect([code, text]).toEqual([3, expect.stringMatching(/\nstaff: ✖ broken -> .*3 members/)]);
    const three = members("org_1", ["auth0|1", "auth0|2", "auth0|3"]);
    const removes = write("plan.json", planText([change("tenant_organization_member_set.team", three, team)]));
    expect(await judged(removes, asked)).toMatchObject({ code: 0, text: expect.stringMatching(hold) as string });
    expect(tenant.emulator.requests.every(({ method, path: at }) => method === "GET" || at === "/oauth/token")).toBe(
      true,
    );
  });

  test("judges the tenant itself for somebody at a terminal who has no plan, and takes an empty pipe for a lost plan", async () => {
    const stated = [write("expect.json", all)];
    const asked = (isTTY: boolean) => {
      const stdin = Object.assign(Readable.from([]), { isTTY });
      return printed((own) => review([], { tenant: true, expect: stated }, "0.0.0", { ...own, stdin }), {
        environment: tenant.env,
      });
    };
    const start = process.cwd();
    process.chdir(mkdtempSync(path.join(folder, "none")));
    try {
      expect(await asked(true)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Expectations of tenant.*\n✔ 3 expectations: 3 hold/) as string,
      });
      tenant.emulator.store.addMembers("org_1", ["auth0|3"]);
      expect((await asked(true)).code).toBe(3);
      expect(await asked(false)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("For the tenant as it is: `review --tenant --only expectations`") as string,
      });
    } finally {
      process.chdir(start);
    }
  });

  interface Objects {
    values(): Values[];
    drop(id: string): void;
  }
  const empty = (objects: unknown) => {
    for (const { id } of (objects as Objects).values()) (objects as Objects).drop(id as string);
  };
  const edit = (objects: unknown, values: object) => void Object.assign((objects as Objects).values()[0]!, values);
  const raised = { configuration: { action: "block", limit: 60 } };
  test.each<[string, string, () => void]>([
    ["a raised limit", "limit", () => edit(tenant.emulator.store.rateLimitPolicies, raised)],
    ["a deleted ACL", "sanctions", () => empty(tenant.emulator.store.networkAcls)],
    ["a member more", "staff", () => void tenant.emulator.store.addMembers("org_1", ["auth0|3"])],
  ])("counts what the tenant has now, whatever a state or a plan without changes says: %s", async (_, name, act) => {
    const first = (objects: unknown) => structuredClone((objects as Objects).values()[0]!);
    const objects = [
      managed("tenant_network_acl", "wall", first(tenant.emulator.store.networkAcls)),
      managed("tenant_rate_limit_policy", "all", first(tenant.emulator.store.rateLimitPolicies)),
      managed("tenant_organization_member_set", "team", team),
    ];
    // Plans hold the state too. With -target, they show an object there alone.
    const held = { prior_state: { values: { root_module: { resources: objects } } } };
    const same = objects.map(({ address, values }) => change(address, values, values));
    const plans = [same, []].map((changes, index) => write(`held${index}.json`, planText(changes, held)));
    const inputs = [write("old.json", stateOf(...objects)), ...plans];
    for (const input of inputs) expect((await judged(input, { env: tenant.env, tenant: true, of: all })).code).toBe(0);
    act();
    for (const input of inputs) {
      const found = await judged(input, { env: tenant.env, tenant: true, of: all });
      expect(found).toMatchObject({ code: 3, text: expect.stringMatching(`\n${name}: ✖ broken`) as string });
    }
  });

  test("names the missing scopes of those that the expectations need", async () => {
    const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString("base64url");
    const claims = { scope: "read:network_acls", exp: 9_999_999_999 };
    const token = [part({ alg: "none" }), part(claims), "x"].join(".");
    const own = { TENANT_ENDPOINT: tenant.url, TENANT_ACCESS_TOKEN: token };
    const missing = await judged(undefined, { env: own, tenant: true, of: all });
    expect(missing).toMatchObject({ code: 2, text: "" });
    expect(missing.message).toContain("lacks the scopes read:rate_limit_policies and read:organization_members");
  });
});

test.each<[string, () => string | undefined, Given, string]>([
  ["a missing input", () => "missing.json", { of: all }, "missing.json does not exist"],
  ["no expectations", () => write("a.json", stateOf()), {}, "There are no expectations: give --expect FILE"],
  ["another part", () => write("a.json", stateOf()), { only: "members" }, '--only "members" is not known'],
  ["--same-as", () => write("a.json", stateOf()), { sameAs: "review.json" }, "--only leaves out what"],
  ["--rules", () => write("a.json", stateOf()), { rules: ["rules.json"] }, "--only leaves out what --rules asks for"],
  ["--tenant without credentials", () => undefined, { tenant: true, of: all }, "--tenant: "],
  ["a state of a strange form", () => write("a.json", stateOf({})), { of: all }, "is not a plan that can be read"],
  ["no state", () => write("a.json", { format_version: "1.0", provider_schemas: {} }), { of: all }, "is not a plan: "],
  ["a path below a file", () => path.join(write("a.json", stateOf()), "b"), { of: all }, "a.json/b does not exist"],
  ["a path that is too long", () => "a".repeat(300), { of: all }, "(ENAMETOOLONG): give another"],
  ["a folder without plans and stacks", () => path.dirname(write("empty/a", "")), { of: all }, "empty has no plan"],
  ["a stack that is no JSON", () => folderOf("wrong", "{"), { of: all }, "cdk.tf.json is not JSON: run `cdktf synth`"],
])("exit code 2 for %s, with one line", async (_, input, given, message) => {
  const found = await judged(input(), given);
  expect(found).toMatchObject({ code: 2, text: "" });
  expect(found.message).toContain(message);
  expect(found.message.trim().split("\n")).toHaveLength(1);
});
