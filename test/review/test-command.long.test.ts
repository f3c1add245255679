/** Runs the built `tenantform test` on plans, states, synthesized stacks and an embedded tenant. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Values } from "../../src/impact/model";
import { createEmulator } from "../../src/emulator/emulator";
import { run } from "../support/program";
import { openWorkspace } from "../support/workspace";
import { acl, allow, block, change, members, planText, policy } from "./support/plan";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-command-"))));
afterAll(() => rm(folder, { recursive: true }));

const cli = path.join(__dirname, "../../dist/cli.js");
const write = async (name: string, content: unknown) => {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
};
const command = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [cli, "test", ...args], { cwd: folder, env });

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
const shownState = { format_version: "1.0", terraform_version: "1.11.4", values: { root_module: { resources } } };
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
const stack = {
  provider: {
    tenant: [{ domain: "acme.eu.auth0.com", expectation: [{ ...sanctions, request: [sanctions.request] }] }],
  },
  resource: {
    tenant_network_acl: {
      wall: { "//": { metadata: {} }, description: "Wall", active: true, priority: 90, rule: wall["rule"] },
    },
    tenant_rate_limit_policy: {
      all: { consumer_selector: "third_party_clients", configuration: limited["configuration"] },
    },
    tenant_organization_member_set: { team: { organization_id: "org_1", members: ["auth0|1", "auth0|2"] } },
  },
};
const folderOf = async (name: string, json: unknown) => {
  await write(`${name}/manifest.json`, { stacks: { edge: { name: "edge", workingDirectory: "stacks/edge" } } });
  await write(`${name}/stacks/edge/cdk.tf.json`, json);
  return name;
};

describe("the expectations hold", () => {
  const inputs: [string, () => Promise<string>][] = [
    ["for the state that Terraform shows", () => write("shown.json", shownState)],
    ["for a state file", () => write("terraform.tfstate", stateFile)],
    ["for a plan", () => write("plan.json", plan)],
    ["for a synthesized stack", () => folderOf("cdktf.out", stack)],
    ["for the folder of a synthesized stack", async () => `${await folderOf("cdktf.out", stack)}/stacks/edge`],
  ];
  test.each(inputs)("%s", async (_, input) => {
    const { stdout, stderr, code } = await command([await input(), "--expect", await write("expect.json", all)]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(
      /^✔ sanctions\n✔ limit\n✔ staff\n\n3 held, 0 broken, 0 undecided\. Judged only on the objects in /,
    );
    expect(code).toBe(0);
  });

  test("for standard input and a saved plan of real Terraform", async () => {
    const workspace = await openWorkspace();
    try {
      await workspace.write(`
        provider "tenant" {
          expectation {
            name    = "sanctions"
            outcome = "blocked"
            request { countries = ["KP"] }
          }
        }
        resource "tenant_network_acl" "wall" {
          description = "Wall"
          active      = true
          priority    = 90
          rule {
            scope = "tenant"
            action { block = true }
            match { geo_country_codes = ["KP"] }
          }
        }`);
      await workspace.plan();
      await writeFile(path.join(folder, "real.json"), (await workspace.terraform("show", "-json", "plan")).stdout);
      const { stdout, code } = await run("sh", ["-c", `"$0" "$1" test < real.json`, process.execPath, cli], {
        cwd: folder,
      });
      expect([stdout, code]).toEqual([expect.stringMatching(/^✔ sanctions\n/), 0]);
      const applied = await workspace.apply();
      expect(applied).toContain("Apply complete");
      await writeFile(
        path.join(folder, "real.tfstate"),
        await readFile(path.join(workspace.directory, "terraform.tfstate")),
      );
      const state = await command(["real.tfstate", "--expect", await write("expect.json", [sanctions])]);
      expect([state.stdout, state.code]).toEqual([
        expect.stringMatching(/^✖ sanctions\n {4}A request to sign-in .*country IR/),
        1,
      ]);
    } finally {
      await workspace.close();
    }
  });
});

describe("an expectation does not hold", () => {
  const opened = planText([
    change("tenant_network_acl.wall", wall, wall),
    change("tenant_network_acl.partners", partners, partners),
  ]);

  test("if a request has another outcome: exit code 1, with the request and the ACL", async () => {
    const files = [await write("plan.json", opened), "--expect", await write("expect.json", [sanctions])];
    const { stdout, code } = await command(files);
    const lines = stdout.split("\n");
    expect(lines[0]).toBe("✖ sanctions");
    expect(lines[1]).toMatch(
      /^ {4}A request to sign-in from 198\.51\.100\.\d+, country (KP|IR), is allowed by ACL "Partners" with priority 10\./,
    );
    expect(stdout).toContain("tenant_network_acl.partners.");
    expect(stdout).toContain("0 held, 1 broken, 0 undecided.");
    expect(code).toBe(1);
  });

  test("also if it is a warning", async () => {
    const file = await write("expect.json", [{ ...sanctions, severity: "warning" }]);
    const { stdout, code } = await command([await write("plan.json", opened), "--expect", file]);
    expect([stdout, code]).toEqual([expect.stringMatching(/^✖ sanctions \(warning\)\n/), 1]);
  });

  test.each([
    ["error", 1],
    ["warning", 0],
  ])("if it is undecided, with severity %s: exit code %p", async (severity, expected) => {
    const unknown = planText([
      change("tenant_network_acl.wall", null, wall, { unknown: { rule: { match: { geo_country_codes: true } } } }),
    ]);
    const file = await write("expect.json", [{ ...sanctions, severity }]);
    const { stdout, code } = await command([await write("plan.json", unknown), "--expect", file]);
    expect([stdout, code]).toEqual([expect.stringMatching(/^\? sanctions.*\n {4}\S/), expected]);
  });

  test("in a synthesized stack with values that only a plan shows", async () => {
    const open = {
      ...stack,
      resource: {
        tenant_network_acl: {
          wall: { ...wall, rule: { ...(wall["rule"] as object), match: { geo_country_codes: "${var.codes}" } } },
        },
      },
    };
    const unknown = await command([await folderOf("unknown", open)]);
    expect([unknown.stdout, unknown.code]).toEqual([expect.stringMatching(/^\? sanctions\n/), 1]);
    const repeated = { ...stack, resource: { tenant_network_acl: { wall: { ...wall, for_each: "${var.all}" } } } };
    const several = await command([await folderOf("several", repeated)]);
    expect(several.stdout).toContain("Not proven: only a plan shows the objects of tenant_network_acl.wall.");
    const modules = await command([await folderOf("modules", { ...stack, module: { edge: { source: "./edge" } } })]);
    expect(modules.stdout).toContain("Not proven: only a plan shows the objects of module.edge.");
  });

  test("if it is in a dynamic block, which plans leave out", async () => {
    const dynamic = {
      provider: { tenant: { dynamic: { expectation: { for_each: "${var.all}", content: {} } } } },
      resource: stack.resource,
    };
    const { stdout, code } = await command([await folderOf("dynamic", dynamic)]);
    expect([stdout, code]).toEqual([
      expect.stringMatching(/^\? The provider configuration tenant has a dynamic block/),
      1,
    ]);
  });
});

describe("--tenant", () => {
  const seeded = () =>
    createEmulator({
      seed: {
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
            configuration: { action: "block", limit: 50 },
          },
        ],
      },
    });

  test("says what an expectation that holds does not cover", async () => {
    const own: Values = { ...limited, id: "rlp_2", consumer_selector: "client_id:a" };
    const higher = { ...own, configuration: { action: "block", limit: 80 } };
    const changes = [
      change("tenant_rate_limit_policy.all", limited, limited),
      change("tenant_rate_limit_policy.own", null, higher),
    ];
    const file = await write("limit.json", [limit]);
    const { stdout, code } = await command([await write("higher.json", planText(changes)), "--expect", file]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        "✔ limit\n    It does not cover applications with another policy: the rate limit policy for client_id:a allows 80 requests per second.\n",
      ),
    ]);
  });

  test("judges the tenant itself, its limits and its members", async () => {
    const emulator = seeded();
    const tenant = await emulator.listen();
    try {
      const env = {
        TENANT_ENDPOINT: tenant.url,
        TENANT_CLIENT_ID: emulator.clientId,
        TENANT_CLIENT_SECRET: emulator.clientSecret,
      };
      const file = await write("expect.json", all);
      const held = await command(["--tenant", "--expect", file], env);
      expect([held.stderr, held.stdout, held.code]).toEqual([
        "",
        "✔ sanctions\n✔ limit\n✔ staff\n\n3 held, 0 broken, 0 undecided. Judged on the objects of the tenant, unmanaged ones included.\n",
        0,
      ]);
      emulator.store.addMembers("org_1", ["auth0|3"]);
      const broken = await command(["--tenant", "--expect", file], env);
      expect([broken.stdout, broken.code]).toEqual([
        expect.stringMatching(/^✖ staff\n.*3 members.*\n.*✔ sanctions/s),
        1,
      ]);
      // The plan removes the third member.
      const set = change(
        "tenant_organization_member_set.team",
        members("org_1", ["auth0|1", "auth0|2", "auth0|3"]),
        team,
      );
      const planned = await command([await write("plan.json", planText([set])), "--tenant", "--expect", file], env);
      expect([planned.stdout, planned.code]).toEqual([
        expect.stringMatching(/^✔ sanctions\n✔ limit\n✔ staff\n.* included, after the changes of plan\.json\.$/ms),
        0,
      ]);
      expect(emulator.requests.every(({ method, path: at }) => method === "GET" || at === "/oauth/token")).toBe(true);
    } finally {
      await tenant.close();
    }
  });

  describe("with a state or a plan that changes nothing, counts what the tenant has now", () => {
    type Emulator = ReturnType<typeof seeded>;
    const first = (objects: Objects) => objects.values()[0]!;
    const acls = ({ store }: Emulator) => store.networkAcls as unknown as Objects;
    const policies = ({ store }: Emulator) => store.rateLimitPolicies as unknown as Objects;
    interface Objects {
      values(): Values[];
      drop(id: string): void;
    }
    const empty = (objects: Objects) => objects.values().forEach(({ id }) => objects.drop(id as string));
    const changed: [string, string, (emulator: Emulator) => void][] = [
      ["a deleted ACL", "sanctions", (emulator) => empty(acls(emulator))],
      [
        "an ACL that is switched off",
        "sanctions",
        (emulator) => Object.assign(first(acls(emulator)), { active: false }),
      ],
      ["a deleted policy", "limit", (emulator) => empty(policies(emulator))],
      [
        "a raised limit",
        "limit",
        (emulator) => Object.assign(first(policies(emulator)), { configuration: { action: "block", limit: 60 } }),
      ],
      ["a member more", "staff", ({ store }) => void store.addMembers("org_1", ["auth0|3"])],
      ["a member less", "staff", ({ store }) => void store.removeMembers("org_1", ["auth0|1"])],
    ];

    test.each(changed)("%s", async (_, name, edit) => {
      const emulator = seeded();
      const tenant = await emulator.listen();
      try {
        const env = {
          TENANT_ENDPOINT: tenant.url,
          TENANT_CLIENT_ID: emulator.clientId,
          TENANT_CLIENT_SECRET: emulator.clientSecret,
        };
        const objects = structuredClone([
          managed("tenant_network_acl", "wall", first(acls(emulator))),
          managed("tenant_rate_limit_policy", "all", first(policies(emulator))),
          managed("tenant_organization_member_set", "team", team),
        ]);
        const state = await write("old.json", { ...shownState, values: { root_module: { resources: objects } } });
        const same = objects.map(({ address, values }) => change(address, values, values));
        const file = await write("expect.json", all);
        // What an input shows does not depend on the edit, so one edit is enough for all of them. Plans hold the state too. With -target, they show an object there alone.
        const held = { prior_state: { values: { root_module: { resources: objects } } } };
        const targeted = await write("targeted.json", planText([], held));
        const others = [
          await write("same.json", planText(same)),
          await write("held.json", planText(same, held)),
          targeted,
        ];
        const isFirst = edit === changed[0]![2];
        const inputs = isFirst ? [state, ...others] : [state, targeted];
        const results = () => Promise.all(inputs.map((input) => command([input, "--tenant", "--expect", file], env)));
        if (isFirst) expect((await results()).map(({ code }) => code)).toEqual(inputs.map(() => 0));
        edit(emulator);
        for (const { stdout, code } of await results()) {
          expect([stdout, code]).toEqual([expect.stringMatching(`^✖ ${name}\n`), 1]);
        }
      } finally {
        await tenant.close();
      }
    });
  });

  test("names the missing scopes of those that the expectations need", async () => {
    const emulator = seeded();
    const tenant = await emulator.listen();
    try {
      const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString("base64url");
      const token = (scope: string) => [part({ alg: "none" }), part({ scope, exp: 9_999_999_999 }), "x"].join(".");
      const env = (...scopes: string[]) => ({
        TENANT_ENDPOINT: tenant.url,
        TENANT_ACCESS_TOKEN: token(scopes.join(" ")),
      });
      const missing = await command(
        ["--tenant", "--expect", await write("expect.json", all)],
        env("read:network_acls"),
      );
      expect([missing.code, missing.stdout]).toEqual([2, ""]);
      expect(missing.stderr).toContain("lacks the scopes read:rate_limit_policies and read:organization_members");
    } finally {
      await tenant.close();
    }
  });
});

describe("JUnit XML", () => {
  const hostile = '<a b="c">&\'] ]]> ##vso[x] ü 🙂';
  const expectations = [
    sanctions,
    { ...sanctions, name: hostile, request: { countries: ["DE"] } },
    { ...limit, name: "open", severity: "warning" },
  ];
  const unknown = planText([
    change("tenant_network_acl.wall", wall, { ...wall, description: `${hostile}\u0000\u001b\ufffe\u202e` }),
    change("tenant_rate_limit_policy.all", null, limited, { unknown: { configuration: true } }),
  ]);

  test("has a suite for each tenant, and is well-formed with hostile names", async () => {
    const args = [await write("plan.json", unknown), "--expect", await write("expect.json", expectations)];
    const { stdout, code } = await command([...args, "--format", "junit", "--output", "junit.xml"]);
    expect([stdout, code]).toEqual(["", 1]);
    const xml = await readFile(path.join(folder, "junit.xml"), "utf8");
    const tags = tagsOf(xml);
    expect(tags.filter(({ name }) => name === "testsuite").map(({ attributes }) => attributes)).toEqual([
      expect.objectContaining({ name: "plan.json", tests: "3", failures: "1", errors: "0", skipped: "1" }),
    ]);
    expect(tags.filter(({ name }) => name === "testcase").map(({ attributes }) => attributes["name"])).toEqual([
      hostile.replace("##", "\\u0023\\u0023"),
      "open",
      "sanctions",
    ]);
    expect(tags.filter(({ name }) => name === "failure")).toMatchObject([{ attributes: { type: "broken" } }]);
    expect(tags.filter(({ name }) => name === "skipped")).toHaveLength(1);
  });

  test("has the elements and attributes of the common schema, in order", async () => {
    const { stdout } = await command([
      await write("plan.json", unknown),
      "--expect",
      await write("expect.json", expectations),
      "--format",
      "junit",
    ]);
    const [suites, suite, properties, ...rest] = tagsOf(stdout);
    expect([suites!.name, suite!.name, properties!.name]).toEqual(["testsuites", "testsuite", "properties"]);
    expect(rest.slice(-2).map(({ name }) => name)).toEqual(["system-out", "system-err"]);
    expect(Object.keys(suite!.attributes).toSorted()).toEqual(
      "errors failures hostname id name package skipped tests time timestamp".split(" "),
    );
    expect(suite!.attributes["timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
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

test("JSON has the counts and the expectations", async () => {
  const args = [
    await write("plan.json", plan),
    "--expect",
    await write("expect.json", [sanctions, { ...limit, policy: { ...limit.policy, at_most: 10 } }]),
  ];
  const { stdout, code } = await command([...args, "--format", "json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
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

test("2,000 expectations end with one line each", async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => ({
    name: `one ${index}`,
    outcome: "blocked",
    request: { countries: ["KP"], asns: [index + 1] },
  }));
  const { stdout, code } = await command([
    await write("shown.json", shownState),
    "--expect",
    await write("expect.json", many),
  ]);
  expect([stdout.split("\n").length, code]).toEqual([2_003, 0]);
});

describe("exit code 2", () => {
  test("without an input, and the message names every input", async () => {
    const { stdout, stderr, code } = await command(["--expect", await write("expect.json", all)]);
    expect([stdout, code]).toEqual(["", 2]);
    expect(stderr).toMatch(
      /^Standard input is empty: name a plan, a state or a folder such as cdktf\.out, or give --tenant\. https:\S+#tenantform-test\n$/,
    );
  });

  test.each([
    ["an unknown option", ["--bogus"], "unknown option '--bogus'"],
    ["a missing input", ["missing.json", "--expect", "expect.json"], "missing.json does not exist"],
    ["a missing file of --expect", ["shown.json", "--expect", "missing.json"], "missing.json does not exist"],
    ["no expectations", ["shown.json"], "There are no expectations. Give --expect FILE"],
    ["an unknown format", ["shown.json", "--expect", "expect.json", "--format", "xml"], '--format "xml" is not known'],
    ["--tenant without credentials", ["--tenant", "--expect", "expect.json"], "--tenant: "],
    ["a file that is neither a plan nor a state", ["expect.json", "--expect", "expect.json"], "is not a plan"],
    ["a folder without plans and stacks", ["empty", "--expect", "expect.json"], "empty has no plan"],
    ["a stack that is no JSON", ["wrong", "--expect", "expect.json"], "cdk.tf.json"],
  ])("for %s", async (_, args, message) => {
    await write("shown.json", shownState);
    await write("expect.json", [sanctions]);
    await mkdir(path.join(folder, "empty"), { recursive: true });
    await folderOf("wrong", "{");
    const { code, stdout, stderr } = await command(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("objects and members whose end has passed", () => {
  const [past, future] = ["2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"];
  const office = (end: string, more: Values = {}) => ({ ...partners, expires_at: end, expired: false, ...more });
  const staffUntil = (end: string, more: Values = {}) => ({ ...team, expires_at: { "auth0|2": end }, ...more });
  const stateOf = (...own: Values[]) => ({
    ...shownState,
    values: { root_module: { resources: own } },
  });
  const stateWith = (one: Values, set: Values) =>
    stateOf(managed("tenant_network_acl", "office", one), managed("tenant_organization_member_set", "team", set));

  test("fail the test of a state until an apply has ended them", async () => {
    const late = await command([await write("late.json", stateWith(office(past), staffUntil(past)))]);
    expect(late.stdout).toMatch(
      /^✖ Network ACL "Partners" .* expired on 1 January 2020, 00:00 UTC, \d+ days ago\. It is still active/,
    );
    expect(late.stdout).toContain("    tenant_network_acl.office.\n");
    expect(late.stdout).toContain("✖ The membership of auth0|2 in org_1 expired");
    expect(late.stdout).toContain("0 held, 0 broken, 0 undecided, 2 expired but still active.");
    expect(late.code).toBe(1);
    const ended = stateWith(
      office(past, { active: false, expired: true }),
      staffUntil(past, { expired_members: ["auth0|2"] }),
    );
    const settled = [ended, stateWith(office(future), staffUntil(future))];
    for (const state of settled) {
      const { stdout, code } = await command([await write("settled.json", state)]);
      expect([stdout, code]).toEqual([expect.stringContaining("0 held, 0 broken, 0 undecided. "), 0]);
    }
  });

  test("fail the test of a plan that leaves them active, and of a stack, in JSON and JUnit too", async () => {
    const leaves = planText([change("tenant_network_acl.office", office(past), office(past))]);
    const ends = planText([
      change("tenant_network_acl.office", office(past), office(past, { active: false, expired: true })),
    ]);
    const json = JSON.parse((await command([await write("leaves.json", leaves), "--format", "json"])).stdout);
    expect(json).toMatchObject({
      passed: false,
      tenants: [{ still_active: [{ address: "tenant_network_acl.office" }] }],
    });
    expect((await command([await write("ends.json", ends)])).code).toBe(0);
    const declared = { description: "<b>", priority: 10, expires_at: past, rule: partners["rule"] };
    const input = await folderOf("late.out", { resource: { tenant_network_acl: { office: declared } } });
    const { stdout, code } = await command([input, "--format", "junit"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/<testcase name="Network ACL &quot;&lt;b&gt;&quot;" .*<failure .*type="still active"/);
    expect(stdout).toContain("The configuration still declares it: plan and apply, then delete it.");
  });

  test("pass the test of a stack with --tenant if the tenant has them no more", async () => {
    const emulator = createEmulator();
    const tenant = await emulator.listen();
    try {
      const environment = {
        TENANT_ENDPOINT: tenant.url,
        TENANT_CLIENT_ID: emulator.clientId,
        TENANT_CLIENT_SECRET: emulator.clientSecret,
      };
      const declared = { description: "Office", priority: 10, expires_at: past, rule: partners["rule"] };
      const input = await folderOf("gone.out", { resource: { tenant_network_acl: { office: declared } } });
      expect((await command([input, "--tenant"], environment)).code).toBe(0);
      const { id } = emulator.store.addOrganization({ name: "acme" });
      emulator.store.addMembers(id, ["auth0|2"]);
      const set = { organization_id: id, members: ["auth0|2"], expires_at: { "auth0|2": past } };
      const sets = await folderOf("there.out", { resource: { tenant_organization_member_set: { team: set } } });
      const there = await command([sets, "--tenant"], environment);
      expect([there.stderr, there.code]).toEqual(["", 1]);
      expect(there.stdout).toContain("It is still active");
    } finally {
      await tenant.close();
    }
  });
});
