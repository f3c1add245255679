/** `tenantform test` on plans, states, synthesized stacks and an embedded tenant. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import type { Values } from "../../src/impact/model";
import { test as testCommand, type TestFlags } from "../../src/review/test-command/command";
import { acl, allow, block, change, members, planText, policy } from "./support/plan";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-command-"))));
afterAll(() => rm(folder, { recursive: true }));

const write = async (name: string, content: unknown) => {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};

interface Given extends TestFlags {
  readonly env?: NodeJS.ProcessEnv;
  /** Expectations of `--expect`. */
  readonly of?: readonly object[];
  readonly stdin?: string;
}

/** The exit code and the output, or the message. */
async function command(input: string | undefined, { env = {}, of, stdin = "", ...flags }: Given = {}) {
  const output = path.join(folder, "output");
  await writeFile(output, "");
  const said: string[] = [];
  const error = jest.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  const expect = [...(flags.expect ?? []), ...(of ? [await write("expect.json", of)] : [])];
  const edge = {
    stdin: (async function* () {
      yield Buffer.from(stdin);
    })(),
    environment: env,
  };
  try {
    const code = await testCommand(input, { ...flags, expect, output }, edge as never);
    const text = await readFile(output, "utf8");
    return {
      code,
      text: text.replaceAll(folder + path.sep, ""),
      message: said.join("").replaceAll(folder + path.sep, ""),
    };
  } finally {
    error.mockRestore();
  }
}

const wall = acl(90, { action: block, match: { geo_country_codes: ["KP", "IR"] } }, { description: "Wall" });
const partners = acl(10, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { description: "Partners" });
const sanctions = {
  name: "sanctions",
  outcome: "blocked",
  request: { scopes: ["authentication"], countries: ["KP", "IR"] },
};
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
const stateOf = (...own: object[]) => ({
  format_version: "1.0",
  terraform_version: "1.11.4",
  values: { root_module: { resources: own } },
});
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
const folderOf = async (name: string, json: unknown) => {
  await write(`${name}/manifest.json`, { stacks: { edge: { name: "edge", workingDirectory: "stacks/edge" } } });
  await write(`${name}/stacks/edge/cdk.tf.json`, json);
  return path.join(folder, name);
};

test.each<[string, () => Promise<string | undefined>, Given?]>([
  ["the state that Terraform shows", () => write("shown.json", stateOf(...resources))],
  ["a state file", () => write("terraform.tfstate", stateFile)],
  ["a plan", () => write("plan.json", plan)],
  ["a plan on standard input", async () => "-", { stdin: plan }],
  ["a synthesized stack", () => folderOf("cdktf.out", stack)],
  ["the folder of a synthesized stack", async () => path.join(await folderOf("cdktf.out", stack), "stacks/edge")],
])("the expectations hold for %s", async (_, input, given = {}) => {
  const { code, text, message } = await command(await input(), { of: all, ...given });
  expect(message).toBe("");
  expect(text).toMatch(
    /^✔ sanctions\n✔ limit\n✔ staff\n\n3 hold, 0 broken, 0 undecided\. Judged only on the objects in /,
  );
  expect(code).toBe(0);
});

describe("an expectation does not hold", () => {
  const opened = planText([
    change("tenant_network_acl.wall", wall, wall),
    change("tenant_network_acl.partners", partners, partners),
  ]);
  const unknown = planText([
    change("tenant_network_acl.wall", null, wall, { unknown: { rule: { match: { geo_country_codes: true } } } }),
  ]);

  test.each<[string, string, object, number, RegExp]>([
    [
      "if a request has another outcome",
      opened,
      sanctions,
      1,
      /^✖ sanctions\n {4}A request to sign-in from 198\.51\.100\.\d+, country (KP|IR), is allowed by ACL "Partners" with priority 10\.[^]*tenant_network_acl\.partners\.[^]*0 hold, 1 broken, 0 undecided\./,
    ],
    ["also if it is a warning", opened, { ...sanctions, severity: "warning" }, 1, /^✖ sanctions \(warning\)\n/],
    ["if it is undecided", unknown, sanctions, 1, /^\? sanctions.*\n {4}\S/],
    ["but an undecided warning is fine", unknown, { ...sanctions, severity: "warning" }, 0, /^\? sanctions.*\n {4}\S/],
  ])("%s", async (_, content, expectation, code, text) => {
    const found = await command(await write("plan.json", content), { of: [expectation] });
    expect(found).toMatchObject({ code, text: expect.stringMatching(text) as string });
  });

  const withRule = { ...wall, rule: { ...(wall["rule"] as object), match: { geo_country_codes: "${var.codes}" } } };
  test.each<[string, object, RegExp]>([
    ["values that only a plan shows", { ...stack, resource: aclOf(withRule) }, /^\? sanctions\n/],
    [
      "objects that only a plan shows",
      { ...stack, resource: aclOf({ ...wall, for_each: "${var.all}" }) },
      /Not proven: only a plan shows the objects of tenant_network_acl\.wall\./,
    ],
    [
      "a module",
      { ...stack, module: { edge: { source: "./edge" } } },
      /Not proven: only a plan shows the objects of module\.edge\./,
    ],
    [
      "a dynamic block, which plans leave out",
      { ...stack, provider: { tenant: { dynamic: { expectation: { for_each: "${var.all}", content: {} } } } } },
      /^\? The provider configuration tenant has a dynamic block/,
    ],
  ])("in a synthesized stack with %s", async (_, json, text) => {
    const found = await command(await folderOf("open", json));
    expect(found).toMatchObject({ code: 1, text: expect.stringMatching(text) as string });
  });

  test("says what an expectation that holds does not cover", async () => {
    const configuration = { action: "block", limit: 80 };
    const changes = [
      change("tenant_rate_limit_policy.all", limited, limited),
      change("tenant_rate_limit_policy.own", null, {
        ...limited,
        id: "rlp_2",
        consumer_selector: "client_id:a",
        configuration,
      }),
    ];
    const { code, text } = await command(await write("higher.json", planText(changes)), { of: [limit] });
    expect([code, text]).toEqual([
      0,
      expect.stringContaining(
        "✔ limit\n    It does not cover applications with another policy: the rate limit policy for client_id:a",
      ),
    ]);
  });
});

describe("--tenant", () => {
  const configuration = limited["configuration"] as never;
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
    rate_limit_policies: [
      {
        resource: "oauth_authentication_api",
        consumer: "client",
        consumer_selector: "third_party_clients",
        configuration,
      },
    ],
  });
  let emulator: ReturnType<typeof createEmulator>;
  let tenant: Awaited<ReturnType<typeof emulator.listen>>;
  let env: NodeJS.ProcessEnv;
  beforeEach(async () => {
    emulator = createEmulator({ seed: seed() as never });
    tenant = await emulator.listen();
    env = {
      TENANT_ENDPOINT: tenant.url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    };
  });
  afterEach(() => tenant.close());

  test("judges the tenant itself, its limits and its members, and what a plan changes", async () => {
    const asked = { env, tenant: true, of: all };
    const held =
      "✔ sanctions\n✔ limit\n✔ staff\n\n3 hold, 0 broken, 0 undecided. Judged on the objects of the tenant, unmanaged ones included";
    expect(await command(undefined, asked)).toEqual({ code: 0, text: `${held}.\n`, message: "" });
    emulator.store.addMembers("org_1", ["auth0|3"]);
    const broken = await command(undefined, asked);
    expect(broken).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^✖ staff\n.*3 members.*\n.*✔ sanctions/s) as string,
    });
    const three = members("org_1", ["auth0|1", "auth0|2", "auth0|3"]);
    const removes = await write("plan.json", planText([change("tenant_organization_member_set.team", three, team)]));
    expect(await command(removes, asked)).toMatchObject({
      code: 0,
      text: `${held}, after the changes of plan.json.\n`,
    });
    expect(emulator.requests.every(({ method, path: at }) => method === "GET" || at === "/oauth/token")).toBe(true);
  });

  interface Objects {
    values(): Values[];
    drop(id: string): void;
  }
  const empty = (objects: unknown) => {
    for (const { id } of (objects as Objects).values()) (objects as Objects).drop(id as string);
  };
  const edit = (objects: unknown, values: object) => void Object.assign((objects as Objects).values()[0]!, values);
  test.each<[string, string, () => void]>([
    ["a deleted ACL", "sanctions", () => empty(emulator.store.networkAcls)],
    ["an ACL that is switched off", "sanctions", () => edit(emulator.store.networkAcls, { active: false })],
    ["a deleted policy", "limit", () => empty(emulator.store.rateLimitPolicies)],
    [
      "a raised limit",
      "limit",
      () => edit(emulator.store.rateLimitPolicies, { configuration: { action: "block", limit: 60 } }),
    ],
    ["a member more", "staff", () => void emulator.store.addMembers("org_1", ["auth0|3"])],
    ["a member less", "staff", () => void emulator.store.removeMembers("org_1", ["auth0|1"])],
  ])("counts what the tenant has now, whatever a state or a plan without changes says: %s", async (_, name, act) => {
    const first = (objects: unknown) => structuredClone((objects as Objects).values()[0]!);
    const objects = [
      managed("tenant_network_acl", "wall", first(emulator.store.networkAcls)),
      managed("tenant_rate_limit_policy", "all", first(emulator.store.rateLimitPolicies)),
      managed("tenant_organization_member_set", "team", team),
    ];
    // Plans hold the state too. With -target, they show an object there alone.
    const held = { prior_state: { values: { root_module: { resources: objects } } } };
    const same = objects.map(({ address, values }) => change(address, values, values));
    const inputs = [
      await write("old.json", stateOf(...objects)),
      await write("held.json", planText(same, held)),
      await write("targeted.json", planText([], held)),
    ];
    for (const input of inputs) expect((await command(input, { env, tenant: true, of: all })).code).toBe(0);
    act();
    for (const input of inputs) {
      const found = await command(input, { env, tenant: true, of: all });
      expect(found).toMatchObject({ code: 1, text: expect.stringMatching(`^✖ ${name}\n`) as string });
    }
  });

  test("names the missing scopes of those that the expectations need", async () => {
    const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString("base64url");
    const claims = { scope: "read:network_acls", exp: 9_999_999_999 };
    const token = [part({ alg: "none" }), part(claims), "x"].join(".");
    const own = { TENANT_ENDPOINT: tenant.url, TENANT_ACCESS_TOKEN: token };
    const missing = await command(undefined, { env: own, tenant: true, of: all });
    expect(missing).toMatchObject({ code: 2, text: "" });
    expect(missing.message).toContain("lacks the scopes read:rate_limit_policies and read:organization_members");
  });
});

describe("the formats", () => {
  const hostile = '<a b="c">&\'] ]]> ##vso[x] ü 🙂';
  const of = [
    sanctions,
    { ...sanctions, name: hostile, request: { countries: ["DE"] } },
    { ...limit, name: "open", severity: "warning" },
  ];
  const unknown = planText([
    change("tenant_network_acl.wall", wall, { ...wall, description: `${hostile}\u0000\u001b\ufffe\u202e` }),
    change("tenant_rate_limit_policy.all", null, limited, { unknown: { configuration: true } }),
  ]);

  test("JUnit XML is well-formed with hostile names, and has the parts of the common schema in order", async () => {
    const { code, text } = await command(await write("plan.json", unknown), { of, format: "junit" });
    expect(code).toBe(1);
    const [suites, suite, properties, ...rest] = tagsOf(text);
    expect([suites!.name, suite!.name, properties!.name]).toEqual(["testsuites", "testsuite", "properties"]);
    expect(suite!.attributes).toMatchObject({
      name: "plan.json",
      tests: "3",
      failures: "1",
      errors: "0",
      skipped: "1",
    });
    expect(Object.keys(suite!.attributes).toSorted()).toEqual(
      "errors failures hostname id name package skipped tests time timestamp".split(" "),
    );
    expect(suite!.attributes["timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    const cases = rest.filter(({ name }) => name === "testcase").map(({ attributes }) => attributes["name"]);
    expect(cases).toEqual([hostile.replace("##", "\\u0023\\u0023"), "open", "sanctions"]);
    const failures = rest.filter(({ name }) => name === "failure" || name === "skipped");
    expect(failures.map(({ name, attributes }) => [name, attributes["type"]])).toEqual([
      ["failure", "broken"],
      ["skipped", undefined],
    ]);
    expect(rest.slice(-2).map(({ name }) => name)).toEqual(["system-out", "system-err"]);
  });

  test("JSON has the counts and the expectations", async () => {
    const lower = { ...limit, policy: { ...limit.policy, at_most: 10 } };
    const { code, text } = await command(await write("plan.json", plan), { of: [sanctions, lower], format: "json" });
    expect(code).toBe(1);
    expect(JSON.parse(text)).toMatchObject({
      format_version: "1.0",
      passed: false,
      held: 1,
      broken: 1,
      undecided: 0,
      tenants: [
        {
          name: "plan.json",
          expectations: [
            { name: "limit", verdict: "broken", cause: [{ address: "tenant_rate_limit_policy.all" }] },
            { name: "sanctions", verdict: "held", counterexample: null },
          ],
        },
      ],
    });
  });
});

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The elements in the order of their starts. Throws if the text is not well-formed. */
function tagsOf(xml: string): Tag[] {
  // XML 1.0 has no other characters.
  expect(xml).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
  const [, body] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n(.*)$/s.exec(xml)!;
  const found: Tag[] = [];
  const open: string[] = [];
  const text = (raw: string) => {
    expect(raw).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/);
    const signs: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
    return raw.replace(/&([^;]+);/g, (_, name: string) => signs[name]!);
  };
  let end = 0;
  for (const match of body!.matchAll(/<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>/g)) {
    text(body!.slice(end, match.index));
    end = match.index + match[0].length;
    const [, closes, name, written, isEmpty] = match;
    if (closes) expect(open.pop()).toBe(name);
    else {
      const attributes = [...written!.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, text(value!)]);
      found.push({ name: name!, attributes: Object.fromEntries(attributes) as Tag["attributes"] });
      if (!isEmpty) open.push(name!);
    }
  }
  expect([open, body!.slice(end)]).toEqual([[], "\n"]);
  return found;
}

test.each<[string, () => Promise<string | undefined>, Given, string]>([
  [
    "no input",
    async () => undefined,
    { of: all },
    "Standard input is empty: name a plan, a state or a folder such as cdktf.out, or give --tenant. ",
  ],
  ["a missing input", async () => "missing.json", { of: all }, "missing.json does not exist"],
  [
    "a missing file of --expect",
    () => write("a.json", stateOf()),
    { expect: ["missing.json"] },
    "missing.json does not exist",
  ],
  ["no expectations", () => write("a.json", stateOf()), {}, "There are no expectations. Give --expect FILE"],
  ["an unknown format", () => write("a.json", stateOf()), { format: "xml" }, '--format "xml" is not known'],
  ["--tenant without credentials", async () => undefined, { tenant: true, of: all }, "--tenant: "],
  ["a file that is neither a plan nor a state", () => write("a.json", all), { of: all }, "is not a plan"],
  [
    "a folder without plans and stacks",
    async () => path.dirname(await write("empty/a", "")),
    { of: all },
    "empty has no plan",
  ],
  ["a stack that is no JSON", () => folderOf("wrong", "{"), { of: all }, "cdk.tf.json"],
])("exit code 2 for %s, with one line", async (_, input, given, message) => {
  const found = await command(await input(), given);
  expect(found).toMatchObject({ code: 2, text: "" });
  expect(found.message).toContain(message);
  expect(found.message.trim().split("\n")).toHaveLength(1);
});
