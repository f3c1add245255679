/** Reads files of `--expect` and `--base`: lists, HCL, configurations in JSON, folders and plans. */
import path from "node:path";
import { readBase } from "../../src/review/input/base-branch";
import { expressionsOf } from "../judge/impact/support/channels";
import { openFolder } from "./support/command";
import { planText } from "./support/plan";

const { folder, at, put } = openFolder();
const edge = { stdin: (async function* () {})(), environment: {} };
type Flag = Parameters<typeof readBase>[2];
const read = (content: unknown, flag: Flag = "--expect") => readBase(put("base.file", content), edge, flag);

let count = 0;
function inFolder(files: Readonly<Record<string, unknown>>, flag: Flag = "--base") {
  const base = `base${count++}`;
  for (const [name, content] of Object.entries(files)) put(path.join(base, name), content);
  return readBase(at(base), edge, flag);
}

/** The message, without the folder. */
const refusal = async (reading: Promise<unknown>) => {
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "UserError", of: "input" });
  return (error as Error).message.replaceAll(folder + path.sep, "");
};

const sanctions = { name: "sanctions", outcome: "blocked", request: { countries: ["KP", "IR"] } };
const statement = { kind: "requests", outcomes: ["blocked"], requests: [{ countries: ["KP", "IR"] }], except: [] };
const found = (isBase: boolean) => [{ isBase, read: [{ expectation: { name: "sanctions", statement } }] }];
const block = 'expectation {\nname = "sanctions"\noutcome = "blocked"\nrequest {\ncountries = ["KP", "IR"]\n}\n}';
const planWith = (more: object, rest = {}) =>
  planText([], { configuration: { provider_config: { tenant: { name: "tenant", expressions: more } } }, ...rest });
const planned = planWith(expressionsOf({ expectation: [sanctions] }));
const reference = (name: string) => ({ references: [name] });
const withCountries = (countries: object) => {
  const { expectation } = expressionsOf({ expectation: [{ name: "sanctions", outcome: "blocked" }] });
  return { expectation: [{ ...(expectation as object[])[0], request: [{ countries }] }] };
};

const variable = planWith(withCountries(reference("var.all")), { variables: { all: { value: ["KP", "IR"] } } });
const others =
  `terraform {\n}\nlocals {\n a = "\${b}" }\nresource "a" "b" {\n c = [for d in e : f(d)]\n}\nprovider "tenant" {\n` +
  ` domain = var.domain\n protected_request {\n ip = local.ip\n }\n ${block}\n}\nprovider "tenant" {\n alias = "eu"\n}`;

test.each<[string, unknown]>([
  ["a JSON list", [sanctions]],
  ["HCL", block],
  ["a plan", planned],
  ["a variable", variable],
  ["a synthesized stack", { provider: { tenant: [{ domain: "${var.d}", expectation: [sanctions] }] } }],
  ["HCL with other blocks", others],
])("--expect reads expectations of %s", async (_, content) => {
  expect((await read(content)).expectations).toMatchObject(found(false));
});

describe("--base", () => {
  const terraform = { name: "lockout_guard", statement: { kind: "terraform" } };
  const ownLimit = { name: "lockout_guard", statement: { kind: "own limit" } };
  const builtIn = (severity = "error", ...requests: object[]) => {
    const all = [...requests.map((one) => ({ statement: { requests: [one] } })), terraform, ownLimit];
    return { builtIn: all.map((one) => ({ severity, ...one })) };
  };
  const guard = (...given: Parameters<typeof builtIn>) => [builtIn(...given)];
  test("reads a plan", async () => {
    expect(await read(planned, "--base")).toMatchObject({ guards: guard(), expectations: found(true) });
  });

  test.each<[string, Record<string, unknown>, object[], object[]]>([
    [
      "in the second file, after a tab, without a space",
      { "a.tf": 'resource "x" "y" {}', "b.tf": `provider "tenant"{\n\t${block.replace("n {", "n{")}\n}` },
      guard(),
      found(true),
    ],
    [
      "beside a guard",
      {
        "main.tofu": `provider "tenant" {\n lockout_guard = "warn"\n protected_request { ip = "192.0.2.1" }\n ${block}\n}`,
      },
      guard("warning", { ip_cidrs: ["192.0.2.1"] }),
      found(true),
    ],
    [
      "in a synthesized stack",
      { "cdk.tf.json": { provider: { tenant: [{ expectation: sanctions, protected_request: [{ asn: 1 }] }] } } },
      guard("error", { asns: [1] }),
      found(true),
    ],
    [
      "under another name of the provider",
      { "main.tf": `provider "other" {}\nprovider "auth" {\n protected_request { asn = 1 }\n ${block}\n}` },
      guard("error", { asns: [1] }),
      found(true),
    ],
    [
      "under another name, in JSON",
      { "a.tf.json": { provider: [{ other: {} }, { auth: { protected_request: { asn: 1 } } }] } },
      guard("error", { asns: [1] }),
      [],
    ],
    [
      "with several provider blocks",
      {
        "a.tf": `provider "tenant" {\n domain = "a.example"\n ${block}\n}\nprovider "tenant" {\n alias = "b"\n domain = var.b\n}`,
        "b.tf": 'provider "tenant" {\n alias = "c"\n domain = "c.example"\n lockout_guard = "off"\n}',
      },
      [
        { ...builtIn(), tenantAddress: { host: "a.example" } },
        { ...builtIn(), tenantAddress: { kind: "unknown" } },
        { ...builtIn("off"), tenantAddress: { host: "c.example" } },
      ],
      [{ ...found(true)[0], tenantAddress: { host: "a.example" } }],
    ],
    ["nothing, without a provider block", { "main.tf": "action {}", ".hidden.tf": "{", "x.tf/y.tf": "{" }, [], []],
  ])("reads a folder: %s", async (_, files, guards, expectations) => {
    expect(await inFolder(files)).toMatchObject({ guards, expectations });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["a dynamic block", { "a.tf": 'provider "tenant" {\n dynamic "protected_request" {}\n}' }, "block is dynamic"],
    ["one in JSON", { "a.tf.json": { provider: { tenant: { dynamic: { expectation: {} } } } } }, "is dynamic"],
    ["a variable", { "a.tf": 'provider "tenant" {\n protected_request { ip = var.ip }\n}' }, "not a literal value"],
    [
      "one in JSON",
      { "a.tf.json": { provider: { tenant: { lockout_guard: "${var.x}" } } } },
      "line 1: lockout_guard is not a literal value",
    ],
    ["no HCL", { "a.tf": "}" }, "a.tf, line 1"],
    ["no JSON", { "a.tf.json": "}" }, "a.tf.json, line 1: a value must be here"],
  ])("refuses a folder with %s (case %#)", async (_, files, words) => {
    expect(await refusal(inFolder(files))).toContain(words);
  });
});

const inBlock = (line: string) => `expectation {\n  name = "a"\n  outcome = "blocked"\n${line}\n}`;
test.each<[string, unknown, string]>([
  ["nothing", "", "base.file is empty. Give a JSON list"],
  ["JSON with an error", "[{]", "base.file, line 1: a string must be here"],
  ["an empty list", [], "base.file has no expectations in it (plans leave out dynamic blocks). Give a JSON list"],
  ["an object without expectations", { terraform: {} }, "base.file has no expectations"],
  ["an object of lists", { expectations: [sanctions] }, "base.file has no expectations"],
  ["a list with a text", [sanctions, "x"], "line 1: name is missing"],
  ["an unknown property", [{ ...sanctions, requests: {} }], '"requests" is not known. "request" is probably meant.'],
  ["one name twice", [sanctions, sanctions], '"sanctions" is the name of two expectations. Rename one.'],
  [
    "a template in a synthesized stack",
    { provider: { tenant: { expectation: { ...sanctions, name: "${var.name}" } } } },
    "line 1: name is not a literal value",
  ],
  ["a plan without expectations", planText([]), "base.file has no expectations"],
  [
    "a plan that does not show a value",
    planWith(withCountries({ references: ["local.all", "local"] })),
    'the expectation "sanctions" is not known. The plan does not show `countries`',
  ],
  ["HCL without expectations", 'resource "a" "b" {}', "base.file has no expectations"],
  ["a misspelled block", "expectatoin {}", 'line 1: the block "expectatoin" is not known. Name it "expectation".'],
  ["an attribute outside of a block", 'name = "x"', "line 1: a block such as `expectation {` must be here."],
  ["a variable", inBlock("  severity = var.s"), "line 4: severity is not a literal value. Write the values themselves"],
  ["a label", 'expectation "x" {\n}', "line 1: this block has no label. Write `expectation {`"],
  ["no name", 'expectation {\n outcome = "blocked"\n}', "line 1: name is missing"],
  ["a dynamic block", inBlock('  dynamic "request" {\n for_each = []\n }'), "line 4: the block is dynamic."],
  ["an attribute twice", inBlock('  name = "b"'), "line 4: name is there twice. Remove one."],
])("--expect refuses %s", async (_, content, message) => expect(await refusal(read(content))).toContain(message));

const requests = (more: object, rest: object = {}) =>
  planWith({ protected_request: [{ name: { constant_value: "our CI" }, ...more }], ...rest });

test.each<[string, unknown, string]>([
  ["is empty", "", "is empty. Give the folder of the base branch's configuration"],
  ["is a list", [sanctions], "base.file is a list, not a plan"],
  ["is HCL", block, "base.file is no plan. Make one with"],
  ["is a plan that protects nothing", planText([]), "has no protected requests"],
  [
    "is a plan that does not tell a fact",
    requests({ ip: reference("local.ci") }),
    "`ip` of a request in `protected_request` is not known",
  ],
])("--base refuses a file that %s", async (_, content, words) => {
  expect(await refusal(read(content, "--base"))).toContain(words);
});

test("--expect FOLDER reads no guard, and refuses a folder without expectations", async () => {
  const guarded = 'provider "tenant" {\n protected_request { ip = var.ip }\n';
  const { guards, expectations } = await inFolder({ "main.tf": `${guarded} ${block}\n}` }, "--expect");
  expect([guards, expectations.length]).toEqual([[], 1]);
  expect(await refusal(inFolder({ "main.tf": `${guarded}}` }, "--expect"))).toContain("has no expectations in it");
});
