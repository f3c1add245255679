/** Runs `tenantform explain` for a plan, both forms of a state, and a tenant. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { run } from "../support/program";
import { acl, allow, block, change, planText } from "./support/plan";

const cli = path.join(__dirname, "../../dist/cli.js");
let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-explain-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const explain = async (document: unknown, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  if (document !== undefined)
    await writeFile(path.join(folder, "file.json"), typeof document === "string" ? document : JSON.stringify(document));
  return run(process.execPath, [cli, "explain", ...(document === undefined ? [] : ["file.json"]), ...args], {
    cwd: folder,
    env,
  });
};

const office = acl(1, { action: allow, match: { ipv4_cidrs: ["203.0.113.0/24"] } }, { description: "Office" });
const sanctions = acl(
  2,
  { action: block, match: { geo_country_codes: ["KP"] } },
  { description: "Sanctions\u001b[31m" },
);
const resource = (values: object) => ({
  address: "tenant_network_acl.x",
  mode: "managed",
  type: "tenant_network_acl",
  values,
});
const state = {
  format_version: "1.0",
  values: { root_module: { resources: [resource(office)], child_modules: [{ resources: [resource(sanctions)] }] } },
};
const stored = {
  version: 4,
  resources: [office, sanctions].map((attributes, index) => ({
    mode: "managed",
    type: index === 0 ? "tenant_network_acl" : "auth0_network_acl",
    name: "x",
    instances: [{ attributes }],
  })),
};
const planned = planText([
  change("tenant_network_acl.a", office, null),
  change("tenant_network_acl.b", sanctions, sanctions),
]);
const facts = ["--ip", "203.0.113.7", "--country", "KP", "--path", "/authorize"];

const told = [
  '"Office" (priority 1) matches: match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7',
  '=> allowed by "Office" (priority 1)',
];

test.each([
  ["a state as it is shown", state, facts, told],
  ["a state file", stored, facts, told],
  ["a plan before", JSON.parse(planned) as object, [...facts, "--before"], told],
  [
    "a plan",
    JSON.parse(planned) as object,
    facts,
    [
      '"Sanctions\\u001b[31m" (priority 2) matches: match.geo_country_codes KP matches the country KP',
      '=> blocked by "Sanctions\\u001b[31m" (priority 2)',
    ],
  ],
])("%s", async (_, document, args, lines) => {
  const { code, stdout } = await explain(document, args);
  expect([code, stdout.trimEnd().split("\n")]).toEqual([0, lines]);
});

test.each<[string, object, readonly (string | RegExp)[]]>([
  ["a state, whose tenant may have other ACLs", state, [/^Only managed network ACLs were evaluated\./]],
  [
    "a plan that ended with an error",
    { ...(JSON.parse(planned) as object), errored: true },
    [/^The plan failed: planning ended with an error\./, /^Only managed network ACLs were evaluated\./],
  ],
  [
    "a plan with -target",
    { ...(JSON.parse(planned) as object), complete: false },
    [/^The plan is incomplete: it was made with -target/, /^Only managed network ACLs were evaluated\./],
  ],
])("says on standard error what it does not know about %s", async (_, document, notes) => {
  const { code, stderr } = await explain(document, facts);
  const lines = stderr.trimEnd().split("\n");
  expect([code, lines]).toEqual([0, notes.map((note): unknown => expect.stringMatching(note))]);
});

test("explains the plans of a folder", async () => {
  await mkdir(path.join(folder, "cdktf.out/stacks/base"), { recursive: true });
  await writeFile(path.join(folder, "cdktf.out/stacks/base/plan"), planned);
  const { stdout } = await explain(undefined, ["cdktf.out", ...facts]);
  expect(stdout).toContain('=> blocked by "Sanctions');
});

test("evaluates the unmanaged ACLs that the configuration reads", async () => {
  const byHand = { ...acl(1, { action: allow, match: { ipv4_cidrs: ["203.0.113.0/24"] } }), description: "By hand" };
  const data = { address: "data.tenant_network_acls.all", mode: "data", type: "tenant_network_acls" };
  const document = planText([change("tenant_network_acl.b", sanctions, sanctions)], {
    prior_state: { values: { root_module: { resources: [{ ...data, values: { network_acls: [byHand] } }] } } },
  });
  const { stdout, stderr } = await explain(document, facts);
  expect(stdout).toContain('=> allowed by "By hand" (priority 1)');
  expect(stderr).toBe("");
});

test("shows why earlier ACLs do not match, and that unknown facts decide", async () => {
  const { stdout } = await explain(state, ["--ip", "192.0.2.1"]);
  expect(stdout).toBe(
    '"Office" (priority 1) does not match: match.ipv4_cidrs 203.0.113.0/24 does not match the address 192.0.2.1\n' +
      '"Sanctions\\u001b[31m" (priority 2) may match: match.geo_country_codes KP may match the country, which is not known\n' +
      "=> blocked or allowed: unknown facts decide\n",
  );
});

test("explains a request for the remote tenant", async () => {
  const emulator = createEmulator({
    seed: {
      network_acls: [
        {
          description: "Remote",
          active: true,
          priority: 3,
          rule: { action: { block: true }, match: { asns: [64500] }, scope: "tenant" },
        },
      ],
    },
  });
  const { url, close } = await emulator.listen();
  try {
    const env = {
      TENANT_ENDPOINT: url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    };
    const { stdout } = await explain(undefined, ["--tenant", "--asn", "64500"], env);
    const blocking = change("tenant_network_acl.new", null, acl(1, { action: block, match: { asns: [64501] } }));
    const outcomes = ["64500", "64501", "64502"].map(async (asn) => {
      const found = await explain(planText([blocking]), ["--tenant", "--asn", asn], env);
      return [found.stdout.trimEnd().split("\n").at(-1)!.split(" ")[1], found.stderr];
    });
    expect(await Promise.all(outcomes)).toEqual([
      ["blocked", ""],
      ["blocked", ""],
      ["allowed,", ""],
    ]);
    expect((await explain(state, ["--tenant", "--asn", "1"], env)).code).toBe(2);
    expect(stdout).toContain('=> blocked by "Remote" (priority 3)');
  } finally {
    await close();
  }
});

test.each([
  ["no JSON", "nothing"],
  ["an empty file", ""],
  ["another JSON", [1]],
])("reports %s in one line, with exit code 2", async (_, document) => {
  const { code, stdout, stderr } = await explain(document, facts);
  expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([2, "", 1]);
  expect(stderr).toContain("file.json");
});

test("hides only the values that are sensitive in the same object, with any attribute name", async () => {
  const attribute = (value: string) => ({ type: "get_attr", value });
  const paths = ["rule", "description"].map((name) => [attribute("__proto__"), attribute(name)]);
  const instances = [
    { schema_version: 0, attributes: sanctions, sensitive_attributes: paths },
    { schema_version: 0, attributes: office },
  ];
  const hostile = { version: 4, resources: [{ mode: "managed", type: "tenant_network_acl", name: "x", instances }] };
  const { stdout } = await explain(hostile, ["--ip", "203.0.113.7", "--country", "DE"]);
  expect(stdout).toContain('"Office" (priority 1) matches');
  expect(stdout).not.toContain("(sensitive)");
});

test.each([
  ["--ip", "300.1.1.1", "is not an IP address"],
  ["--ip", "nonsense", "is not an IP address"],
  ["--ip", "203.0.113.7\u200d", '"203.0.113.7" is probably meant'],
  ["--connecting-ip", "1.2.3", "is not an IP address"],
  ["--country", "Germany", '"DE" is probably meant'],
  ["--subdivision", "Bavaria", "is not an ISO 3166-2 code"],
  ["--asn", "4294967296", "is not an AS number"],
  ["--hostname", "https://a.example", '"a.example" is probably meant'],
  ["--ja3", "x", "is not a JA3 fingerprint"],
  ["--ja4", "x", "is not a JA4 fingerprint"],
  ["--managed", "a b", "is not the name of a curated list"],
  ["--path", "/%zz", "is not a path"],
])("refuses %s %j in one line and with exit code 2", async (flag, value, words) => {
  const { code, stdout, stderr } = await explain(state, [flag, value]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^[^\n\u200d]+\n$/);
  expect(stderr).toContain(`${flag}: `);
  expect(stderr).toContain(words);
});

test("decodes an encoded path", async () => {
  const blocked = acl(1, { action: block, match: { asns: [1] }, scope: "management" }, { description: "Api" });
  const one = { ...state, values: { root_module: { resources: [resource(blocked)] } } };
  for (const asked of ["/api/v2/x", "/%61pi/v2/x", "/x/%2e%2e/api/v2", "https://acme.example/api/v2"]) {
    const { stdout } = await explain(one, ["--path", asked, "--asn", "1"]);
    expect([asked, stdout]).toEqual([asked, expect.stringContaining("=> blocked by")]);
  }
});

test("a single signal of not_match excludes a request", async () => {
  const open = acl(
    1,
    { action: block, not_match: { geo_country_codes: ["KP"], asns: [64500] } },
    { description: "Open" },
  );
  const excluded = await explain(planText([change("tenant_network_acl.a", open, open)]), [...facts, "--asn", "64500"]);
  expect(excluded.stdout).toContain("=> allowed, because no ACL matches");
});
