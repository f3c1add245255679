/** Reads files of `--expect`: lists, HCL, configurations in JSON and plans. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { readExpectationFile } from "../../src/review/expectations/file";
import { readBase } from "../../src/review/protect";
import { planText } from "./support/plan";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-expect-"))));
afterAll(() => rm(folder, { recursive: true }));

const edge = { stdin: (async function* () {})(), environment: {} };

async function read(content: unknown, reader: typeof readExpectationFile | typeof readBase = readExpectationFile) {
  const file = path.join(folder, "expect.file");
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return reader(file, edge);
}

/** The message, without the folder. */
const refusal = async (...given: Parameters<typeof read>) => {
  const error: unknown = await read(...given).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: "ReviewError", of: "input" });
  return (error as Error).message.replaceAll(folder + path.sep, "");
};

const sanctions = { name: "sanctions", outcome: "blocked", request: { countries: ["KP", "IR"] } };
const statement = {
  kind: "requests",
  outcomes: ["blocked"],
  requests: [{ countries: ["KP", "IR"] }],
  except: [],
};

const hcl = `# A comment with { and "
expectation {
  name     = "sanctions" // who
  outcome  = "blocked"
  severity = "warning"
  always   = true
  request {
    scopes      = ["authentication"]
    countries = [
      "KP",
      "IR", # the last one
    ]
  }
  request { asns = [64500] }
  except  { ip_cidrs = ["198.51.100.0/24"] }
}
/* { */
expectation {
  name = "a \\"quoted\\" name, $\${x} and \\u00fc"
  policy {
    consumer = "third_party_clients"
    at_most  = 50
  }
}
expectation {
  name = "staff"
  members {
    organization_id = "org_1"
    include         = ["auth0|1"]
    at_least        = 2
  }
}
`;

describe("a list", () => {
  test.each([
    ["a JSON list", [sanctions]],
    ["an object with a list", { expectations: [sanctions] }],
    ["an object that protects requests too", { expectations: [sanctions], protected_request: [{ ip: "192.0.2.1" }] }],
    ["text with a byte order mark", `\ufeff${JSON.stringify([sanctions])}`],
    ["HCL", 'expectation {\nname = "sanctions"\noutcome = "blocked"\nrequest {\ncountries = ["KP", "IR"]\n}\n}'],
  ])("is read from %s", async (_, content) => {
    const files = await read(content);
    expect(files).toMatchObject([
      { isConfiguration: false, read: [{ expectation: { name: "sanctions", statement } }] },
    ]);
  });

  test("is read from HCL with every part of an expectation", async () => {
    const [file] = (await read(hcl)) as Awaited<ReturnType<typeof readExpectationFile>>;
    expect(file!.read.map(({ expectation }) => expectation)).toEqual([
      {
        name: "sanctions",
        severity: "warning",
        always: true,
        statement: {
          kind: "requests",
          outcomes: ["blocked"],
          requests: [{ scopes: ["authentication"], countries: ["KP", "IR"] }, { asns: [64500] }],
          except: [{ ip_cidrs: ["198.51.100.0/24"] }],
        },
      },
      {
        name: 'a "quoted" name, ${x} and ü',
        severity: "error",
        always: false,
        statement: { kind: "policy", consumer: "third_party_clients", at_most: 50 },
      },
      {
        name: "staff",
        severity: "error",
        always: false,
        statement: { kind: "members", organization_id: "org_1", include: ["auth0|1"], at_least: 2 },
      },
    ]);
  });
});

const constant = (value: unknown) => ({ constant_value: value });
const planWith = (request: object, more = {}) =>
  planText([], {
    configuration: {
      provider_config: {
        tenant: {
          name: "tenant",
          expressions: {
            expectation: [{ name: constant("sanctions"), outcome: constant("blocked"), request: [request] }],
          },
        },
      },
    },
    ...more,
  });

describe("a configuration", () => {
  test.each([
    ["a plan", planWith({ countries: constant(["KP", "IR"]) })],
    [
      "a plan with a variable",
      planWith({ countries: { references: ["var.all"] } }, { variables: { all: { value: ["KP", "IR"] } } }),
    ],
    [
      "a synthesized stack",
      { terraform: {}, provider: { tenant: [{ domain: "${var.d}", expectation: [sanctions] }] } },
    ],
    [
      "HCL with other blocks",
      'terraform {\n}\nlocals {\n a = "${b}" }\nresource "a" "b" {\n c = [for d in e : f(d)]\n}\nprovider "tenant" {\n' +
        ' domain = var.domain\n protected_request {\n ip = local.ip\n }\n expectation {\n name = "sanctions"\n outcome = "blocked"\n' +
        ' request {\n countries = ["KP", "IR"]\n }\n }\n}\nprovider "tenant" {\n alias = "eu"\n}',
    ],
  ])("is read from %s", async (_, content) => {
    const files = await read(content);
    expect(files).toMatchObject([{ isConfiguration: true, read: [{ expectation: { name: "sanctions", statement } }] }]);
  });
});

const block = (line: string) => `expectation {\n  name = "a"\n  outcome = "blocked"\n${line}\n}`;

describe("refuses", () => {
  test.each([
    ["nothing", "", "expect.file is empty. Give a JSON list"],
    ["JSON with an error", "[{]", "expect.file cannot be read as JSON"],
    ["an empty list", [], "expect.file lists no expectations. Give a JSON list"],
    ["an object without expectations", { terraform: {} }, "expect.file has no expectations"],
    ["another property", { expectations: [sanctions], expectation: [] }, '"expectation" is not known'],
    ["a text in place of an expectation", ["x"], 'expect.file, expectation 1 is "x". Give an object'],
    ["an unknown property", [{ ...sanctions, requests: {} }], '"requests" is not known. "request" is probably meant.'],
    ["a country that is none", [{ ...sanctions, request: { countries: ["Germany"] } }], '"Germany"'],
    ["one name twice", [sanctions, sanctions], 'expectation 2: "sanctions" is the name of an earlier one'],
    [
      "a template in a synthesized stack",
      { provider: { tenant: { expectation: { ...sanctions, name: "${var.name}" } } } },
      'expectation 1: "${var.name}" is not a literal value',
    ],
    ["a plan without expectations", planText([]), "has no `expectation` in a provider"],
    [
      "a plan that does not show a value",
      planWith({ countries: { references: ["local.all", "local"] } }),
      'the expectation "sanctions" is not known. The plan does not show `countries`',
    ],
    ["HCL without expectations", 'resource "a" "b" {}', "has no `expectation` block"],
    ["a misspelled block", "expectatoin {}", 'line 1: the block "expectatoin" is not known. Name it "expectation".'],
    ["an attribute outside of a block", 'name = "x"', "line 1: a block such as `expectation {` must be here."],
    ["a variable", block("  severity = var.s"), "line 4: severity is not a literal value. Write the values themselves"],
    [
      "a block with an equals sign",
      block("  request = {\n  }"),
      'line 4: request is a block. Write `request {` without "=".',
    ],
    ["an object", block("  severity = { a = [] }"), "line 4: severity is not a literal value."],
    [
      "a label",
      'expectation "x" {\n}',
      'line 1: an expectation block has no label. Write `expectation {` and `name = "x"`.',
    ],
    [
      "a label in a provider",
      'provider "tenant" {\nexpectation "x" {\n}\n}',
      "line 2: an expectation block has no label.",
    ],
    ["a label of an inner block", block('  request "x" {\n  }'), "line 4: a request block has no label."],
    ["a dynamic block", block('  dynamic "request" {\n for_each = []\n }'), "line 4: the block is dynamic."],
    ["an unknown inner block", block("  requests {\n }"), "line 4: requests is not a block of an expectation."],
    ["an attribute twice", block('  name = "b"'), "line 4: name is there twice. Remove one."],
    ["a block twice", block("  policy {\n }\n  policy {\n }"), "line 6: policy is there twice. Remove one."],
    [
      "two providers with expectations",
      `provider "tenant" {\n${block("")}\n}\nprovider "tenant" {\nalias = "b"\n${block("")}\n}`,
      "expectations in 2 provider blocks. Give a plan instead.",
    ],
    [
      "a dynamic expectation",
      'provider "tenant" {\n dynamic "expectation" {\n }\n}',
      "line 2: the block is dynamic. Write each expectation as a block of its own.",
    ],
  ])("%s", async (_, content, message) => {
    expect(await refusal(content)).toContain(message);
  });
});

describe("a file of --protect", () => {
  test("may have expectations besides protected requests, or alone", async () => {
    const both = { protected_request: [{ ip: "192.0.2.1" }], expectations: [sanctions] };
    const expected = [{ isConfiguration: true, read: [{ expectation: { name: "sanctions" } }] }];
    expect(await read(both, readBase)).toMatchObject({ guards: [{ strength: "error" }], expectations: expected });
    expect(await read({ expectations: [sanctions] }, readBase)).toMatchObject({ guards: [], expectations: expected });
    const plan = planWith({ countries: constant(["KP", "IR"]) });
    expect(await read(plan, readBase)).toMatchObject({ guards: [], expectations: expected });
  });

  test("must protect something", async () => {
    expect(await refusal({ lockout_guard: "error" }, readBase)).toContain("lists no protected requests");
    expect(await refusal({ expectations: [] }, readBase)).toContain("lists no expectations");
    expect(await refusal(planText([]), readBase)).toContain("no `protected_request` or `expectation`");
  });
});

describe("a folder of --protect", () => {
  const inFolder = async (files: Record<string, string>) => {
    const base = await mkdtemp(path.join(folder, "base-"));
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(base, name), text);
    return base;
  };
  const embargo = 'expectation{\n\t\tname = "embargo"\n outcome = "blocked"\n }';
  const one = { read: [{ expectation: { name: "embargo" } }], isConfiguration: true };

  test.each<[string, Record<string, string>, object]>([
    [
      "in the second file, after a tab, without a space",
      { "a.tf": 'resource "x" "y" {}', "b.tf": `provider "tenant"{\n\t${embargo}\n}` },
      { expectations: [one], guards: [{ strength: "error", requests: [] }] },
    ],
    [
      "beside a guard",
      {
        "main.tofu": `provider "tenant" {\n lockout_guard = "warn"\n protected_request { ip = "192.0.2.1" }\n ${embargo}\n}`,
      },
      { expectations: [one], guards: [{ strength: "warn", requests: [{ facts: { ip: "192.0.2.1" } }] }] },
    ],
    [
      "in a synthesized stack",
      {
        "cdk.tf.json": JSON.stringify({
          provider: {
            tenant: [{ expectation: { name: "embargo", outcome: "blocked" }, protected_request: [{ asn: 1 }] }],
          },
        }),
      },
      { expectations: [one], guards: [{ requests: [{ facts: { asn: 1 } }] }] },
    ],
    [
      "under another name of the provider",
      { "main.tf": `provider "other" {}\nprovider "auth" {\n protected_request { asn = 1 }\n ${embargo}\n}` },
      { expectations: [one], guards: [{ requests: [{ facts: { asn: 1 } }] }] },
    ],
    [
      "under another name, in JSON",
      { "a.tf.json": '{"provider":[{"other":{}},{"auth":{"protected_request":{"asn":1}}}]}' },
      { expectations: [], guards: [{ requests: [{ facts: { asn: 1 } }] }] },
    ],
    [
      "nothing, without a provider block",
      { "main.tf": "action {}", ".hidden.tf": "{" },
      { expectations: [], guards: [] },
    ],
  ])("has the statements of its configuration: %s", async (_, files, expected) => {
    expect(await readBase(await inFolder(files), edge)).toMatchObject(expected);
  });

  test.each([
    ["two provider blocks", { "a.tf": 'provider "tenant" {}', "b.tf": 'provider "tenant" {}' }, "has 2 provider"],
    ["a dynamic block", { "a.tf": 'provider "tenant" {\n dynamic "protected_request" {}\n}' }, "block is dynamic"],
    [
      "a dynamic block in JSON",
      { "a.tf.json": '{"provider":{"tenant":{"dynamic":{"expectation":{}}}}}' },
      "is dynamic",
    ],
    ["a variable", { "a.tf": 'provider "tenant" {\n protected_request { ip = var.ip }\n}' }, "not a literal value"],
    [
      "a variable in JSON",
      { "a.tf.json": '{"provider":{"tenant":{"lockout_guard":"${var.x}"}}}' },
      "not a literal value",
    ],
    ["no HCL", { "a.tf": "}" }, "a.tf, line 1"],
    ["no JSON", { "a.tf.json": "}" }, "cannot be read as JSON"],
  ])("is refused with %s", async (_, files, words) => {
    const base = await inFolder(files);
    await expect(readBase(base, edge)).rejects.toMatchObject({
      name: "ReviewError",
      message: expect.stringContaining(words),
    });
  });
});
