/** The playground without a browser: the texts that it reads, its links, and the policy of its page. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import { evaluated, outcomes } from "../../src/tools/site/playground/evaluated";
import { exampleRequest, exampleText } from "../../src/tools/site/playground/example";
import { fragmentOf, mostLinkCharacters, sharedIn } from "../../src/tools/site/playground/fragment";
import { playgroundPage } from "../../src/tools/site/playground/page";
import { shareable, writtenIn } from "../../src/tools/site/playground/written";
import { acl, allow, block, change, planText } from "../review/support/plan";

const hclOf = (rule: string, rest = "") =>
  `resource "tenant_network_acl" "x" {\n  description = "X"\n${rest}  rule {\n${rule}\n  }\n}\n`;
const blocking = '    action {\n      block = true\n    }\n    scope = "tenant"';
const blocks = (country: string) => hclOf(`${blocking}\n    match {\n      geo_country_codes = ["${country}"]\n    }`);
const all = acl(3, { action: block, match_all: true });
const secret = acl(3, { action: block, match: { user_agents: ["hunter2"] } });
const planWithSecret = planText([
  change("tenant_network_acl.a", null, secret, { sensitive: { rule: { match: { user_agents: true } } } }),
]);
const stateOf = (resource: object) =>
  JSON.stringify({
    format_version: "1.0",
    values: {
      root_module: {
        resources: [
          { address: "tenant_network_acl.a", mode: "managed", type: "tenant_network_acl", values: all, ...resource },
        ],
      },
    },
  });

function decided(text: string, request: Readonly<Record<string, string>> = {}): string[] {
  const found = outcomes(evaluated(text), 0, { path: "/authorize", ...request });
  return found.outcomes.map(({ side, evaluation: { end } }) => `${side}: ${end}`);
}

test("evaluates HCL, with a reason for each step", () => {
  const { outcomes: found } = outcomes(evaluated(exampleText), 0, exampleRequest);
  expect(found).toMatchObject([{ side: "after", at: 1, evaluation: { certain: true } }]);
  expect(found[0]!.evaluation.end).toBe('blocked by "No sign-in from sanctioned countries" (priority 10)');
  expect(found[0]!.evaluation.steps).toHaveLength(2);
  const file = path.join(__dirname, "../../examples/resources/tenant_network_acl/resource.tf");
  expect(decided(readFileSync(file, "utf8"), { country: "FR", ip: "192.0.2.1" })[0]).toContain("blocked by");
});

test.each([
  ["the response of the Management API", JSON.stringify({ network_acls: [all] })],
  ["a list", JSON.stringify([all])],
  ["a single ACL", JSON.stringify(all)],
  ["the JSON of a state", stateOf({})],
])("evaluates %s", (_, text) => {
  expect(decided(text)[0]).toMatch(/^after: blocked by .* \(priority 3\)$/);
});

test("evaluates a plan, with the verdict and both outcomes", () => {
  const text = planText([change("tenant_network_acl.a", all, acl(3, { action: allow, match_all: true }))]);
  expect(evaluated(text).html.text).toContain('<span class="line ');
  expect(decided(text)).toEqual([
    expect.stringMatching(/^before: blocked by/),
    expect.stringMatching(/^after: allowed by/),
  ]);
});

test("names a doubtful value and the remedy", () => {
  expect(evaluated(blocks("Germany")).html.text).toMatch(/Doubtful values.*tenant_network_acl\.x: .*Germany.*DE/s);
  expect(evaluated(blocks("DE")).html.text).not.toContain("Doubtful");
});

test("shows hostile names as text", () => {
  const hostile = "</script><img src=x onerror=alert(1)>\u202e";
  const plan = planText([change(`tenant_network_acl.a["${hostile}"]`, null, { ...all, description: hostile })]);
  for (const text of [plan, blocks("FR").replace("X", "<img src=x>")]) {
    expect(evaluated(text).html.text).not.toMatch(/<img|<\/script|\u202e/);
  }
});

test("hides the sensitive values of a plan", () => {
  const found = evaluated(planWithSecret);
  const shown = JSON.stringify(outcomes(found, 0, { path: "/authorize", user_agent: "hunter3" }));
  expect(found.html.text + shown.replace(/"by":.*$/s, "")).not.toContain("hunter2");
});

test.each([
  ["is empty", " ", "The text is empty: write a network ACL, or paste a plan as JSON."],
  ["has no ACL", 'variable "x" {}', "The text has no network ACL: write a block such as"],
  ["is no HCL", "hello", 'The text, line 1: "hello" needs "=" and a value'],
  ["has an expression", hclOf(blocking, "  priority = var.x\n"), "The text, line 3: priority is an expression"],
  ["has count", hclOf(blocking, "  count = 2\n"), "The text, line 1: the block has count."],
  [
    "has a wrong value",
    hclOf(blocking, "  priority = 300\n"),
    "x: `priority` is 300: use a whole number from 1 to 100",
  ],
  [
    "has a misspelt attribute",
    hclOf(`${blocking}\n    match {\n      country = ["DE"]\n    }`),
    "tenant_network_acl.x: `rule.match.country` is not an attribute. Use one of ipv4_cidrs, ipv6_cidrs,",
  ],
  ["has two blocks with one name", blocks("DE") + blocks("DE"), "tenant_network_acl.x is there twice. Rename one."],
  ["is cut JSON", '{"format_version": "1.2', "The text is incomplete or not JSON:"],
  ["is another JSON", '{"a": 1}', "The text is not a plan: give the output of `terraform show -json PLAN`"],
  ["has an entry that is no ACL", "[1]", "network_acls[0] is not an object: give ACLs as the Management API"],
  ["has an ACL without a rule", '[{"description": "X", "priority": 3}]', "network_acls[0]: `rule` is missing"],
  [
    "has too many ACLs",
    JSON.stringify(Array.from({ length: 101 }, () => ({ rule: {} }))),
    "There are 101 network ACLs, and a tenant has at most 100. Remove some.",
  ],
  ["is huge", `[${" ".repeat(4 * 1024 * 1024)}]`, "The text has more than 4 million characters."],
  [
    "is a state with sensitive values",
    stateOf({ sensitive_values: { description: true } }),
    "`npx tenantform explain`",
  ],
])("refuses a text that %s", (_, text, message) => {
  expect(() => writtenIn(text)).toThrow(message);
});

test("names each field that cannot be read", () => {
  const fields = { path: "/", country: "Germany", ip: "1.2.3" };
  expect(outcomes(evaluated(exampleText), 0, fields)).toEqual({
    outcomes: [],
    problems: {
      country: '"Germany" is not the ISO 3166-1 alpha-2 code of a country: "DE" is probably meant.',
      ip: expect.stringContaining('"1.2.3" is not an IP address'),
    },
  });
});

describe("a link", () => {
  const packed = (text: string) => `1.${deflateRawSync(text).toString("base64url")}`;

  test("brings back text and request", async () => {
    const shared = { text: `é\u202e</script>${exampleText}`, request: { country: "KP" } };
    const fragment = await fragmentOf(shared);
    expect(fragment).toMatch(/^1\.[\w-]+$/);
    expect(await sharedIn(fragment)).toEqual(shared);
  });

  test("is not made if programs would cut it", async () => {
    const noise = Array.from({ length: 1250 }, (_, n) => createHash("sha256").update(`${n}`).digest("hex")).join("");
    await expect(fragmentOf({ text: noise, request: {} })).rejects.toThrow(
      `many programs cut links above ${mostLinkCharacters}`,
    );
  });

  test.each([
    ["another version", "2.abc"],
    ["other characters", "1.%3Cscript%3E"],
    ["no compressed data", "1.AAAA"],
    ["half of the data", packed(JSON.stringify({ text: "x".repeat(99), request: {} })).slice(0, 12)],
    ["no text", packed("{}")],
    ["a text that is no text", packed('{"text": {}, "request": {}}')],
    ["a request with a value that is no text", packed('{"text": "", "request": {"ip": {}}}')],
    ["null", packed("null")],
  ])("with %s is refused", async (_, fragment) => {
    await expect(sharedIn(fragment)).rejects.toThrow("The link is damaged or incomplete.");
  });

  test("that expands to a huge text is refused", async () => {
    const bomb = packed(JSON.stringify({ text: "x".repeat(8 * 1024 * 1024), request: {} }));
    expect(bomb.length).toBeLessThan(mostLinkCharacters);
    await expect(sharedIn(bomb)).rejects.toThrow("The link holds more than 1 MB.");
  });

  test("contains no variable, provider setting or state of a plan, and no plan with sensitive values", () => {
    const whole = {
      ...(JSON.parse(planText([change("tenant_network_acl.a", null, all)])) as object),
      variables: { secret: { value: "hunter2" } },
      configuration: { provider_config: { tenant: { expressions: { client_secret: { constant_value: "hunter2" } } } } },
      prior_state: { values: { outputs: { secret: { value: "hunter2" } } } },
    };
    const text = shareable(JSON.stringify(whole));
    expect(text).not.toContain("hunter2");
    expect(decided(text)[1]).toMatch(/^after: blocked by/);
    expect(() => shareable(planWithSecret)).toThrow("marks values of tenant_network_acl.a as sensitive");
  });
});

test("the page runs its own script only, and may not connect to any host", async () => {
  const html = await playgroundPage();
  const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code]) => code!);
  expect(scripts).toHaveLength(1);
  const hash = createHash("sha256").update(scripts[0]!).digest("base64");
  expect(policy.split("; ")).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "connect-src 'none'",
      `script-src 'sha256-${hash}'`,
      "form-action 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ]),
  );
  expect(html.replace(scripts[0]!, "")).not.toMatch(/(src|href)="(https?:)?\/\//);
});
