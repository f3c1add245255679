/** The exit code of a review: a plan that failed passes no level, and `--same-as` compares the changes with an earlier review. */
import { Readable } from "node:stream";
import { linkTo } from "../../src/judge/codes/codes";
import type { Values } from "../../src/judge/impact/model";
import { readRun } from "../../src/review/input/terraform-output";
import { review } from "../../src/review/commands/command";
import { version } from "../../src/version";
import { openFolder, printed } from "./support/command";
import { acl, allow, block, kept } from "./support/objects";
import { change, configured, constant, planText } from "./support/plan";
import { faultOf } from "./support/schema";

const { at, put, read } = openFolder();
const edge = () => ({ stdin: Readable.from([]), environment: {} });

const detail = "The ACL \u001b[31mblocks the address 203.0.113.7 of Terraform.";
const [lockedOut, address] = ["Terraform would be locked out", "tenant_network_acl.wall"];
const stream = [
  "[command]/usr/bin/terraform plan -json",
  JSON.stringify({ "@level": "info", type: "version", terraform: "1.11.4" }),
  JSON.stringify({ "@level": "warn", diagnostic: { severity: "warning", summary: "Old", detail: "" } }),
  JSON.stringify({ "@level": "error", diagnostic: { severity: "error", summary: lockedOut, detail, address } }),
].join("\n");

const text = `Terraform used the selected providers to generate the following plan.
╷
│ Warning: Old
│
│ Nothing to see.
╵
╷
│ \u001b[31mError: \u001b[0mTerraform would be locked out
│
│   with tenant_network_acl.wall,
│   on main.tf line 3, in resource "tenant_network_acl" "wall":
│    3: resource "tenant_network_acl" "wall" {
│
│ The ACL blocks the address
│ 203.0.113.7 of Terraform.
╵
`;

const limited = change("tenant_network_acl.a", null, acl(10, { action: block, match: { geo_country_codes: ["KP"] } }));
const plan = put("limited.json", planText([limited]));
const partial = planText([limited], { errored: true, complete: false });

const plain = "The ACL blocks the address 203.0.113.7 of Terraform.";
const unframed = text.replace(/^[│╷╵] ?/gm, "");
const utf16 = (one: string) => Buffer.from(`\uFEFF${one}`, "utf16le");
const at1 = "2026-11-28T10:00:00.000Z ";
const each = (one: string, to: (line: string) => string) => one.split("\n").map(to).join("\n");
const lineOf = (message: object) => JSON.stringify(message);
const lockOut = { severity: "error", summary: lockedOut, detail, address };

test.each<[string, string | Buffer, string]>([
  ["a stream", stream, detail],
  ["a text", text, plain],
  ["a text without frames", unframed, plain],
  ["a text beside a line of a stream", `${lineOf({ "@level": "info" })}\n${text}`, plain],
  ["a stream with a time before each line", each(stream, (one) => at1 + one), detail],
  ["a text with a time before each line", each(text, (one) => at1 + one), plain],
  ["a text without frames with a time before each line", each(unframed, (one) => at1 + one), plain],
  ["a text with the stack of cdktf before each line", each(text, (one) => `tenant  ${one}`), plain],
  ["a text that is moved to the right", each(text, (one) => `  ${one}`), plain],
  ["a stream with a mark at its start", `\uFEFF${lineOf({ "@level": "error", diagnostic: lockOut })}`, detail],
  ["a stream with another order of keys", lineOf({ diagnostic: lockOut, "@level": "error" }), detail],
  ["a stream that says the level in the diagnostic alone", lineOf({ "@level": "info", diagnostic: lockOut }), detail],
  ["a stream in UTF-16", utf16(stream), detail],
  ["a text in UTF-16", utf16(text), plain],
  ["a text with carriage returns", text.replaceAll("\n", "\r\n"), plain],
  ["a text with carriage returns alone", text.replaceAll("\n", "\r"), plain],
  ["a text that has counted the changes", text.replace("╷", "Plan: 1 to add, 0 to change, 0 to destroy.\n╷"), plain],
])("reads the errors of %s", async (_, output, said) => {
  expect(await readRun({ output: put("plan.txt", output) }, edge())).toEqual([
    { summary: lockedOut, detail: said, address },
  ]);
});

test("reads an error that is no diagnostic", async () => {
  const output = put("plan.txt", lineOf({ "@level": "error", "@message": "Plugin stopped" }));
  expect(await readRun({ output }, edge())).toEqual([{ summary: "Plugin stopped", detail: "" }]);
});

test("reads a panic as an error, also after the number of changes", async () => {
  const output = put("plan.txt", "Plan: 1 to add, 0 to change, 0 to destroy.\npanic: boom\n\ngoroutine 1 [running]:\n");
  expect(await readRun({ output }, edge())).toEqual([{ summary: "panic: boom", detail: "" }]);
});

const finished = [
  "Plan: 1 to add, 0 to change, 0 to destroy.\n",
  "Plan: 2 to import, 1 to add, 0 to change, 0 to destroy.\n",
  "No changes. Your infrastructure matches the configuration.\n",
  "tenant  Plan: 3 to add, 0 to change, 0 to destroy.\n",
  "You can apply this plan to save these new output values to the Terraform state, without changing any real infrastructure.\n",
  lineOf({ "@level": "info", type: "change_summary", changes: { add: 0 } }),
];
const unfinished: readonly [string, string][] = [
  ["nothing", ""],
  ["a run that was killed", "tenant_network_acl.a: Refreshing state...\nKilled\n"],
  ["a stream whose last line is cut", stream.slice(0, -20)],
  [
    "a plan that met a problem",
    `OpenTofu planned the following actions, but then encountered a problem:\n${finished[0]}`,
  ],
];

test("takes the output of a plan that ended without an error", async () => {
  for (const output of finished) expect(await readRun({ output: put("plan.txt", output) }, edge())).toEqual([]);
});

test.each(unfinished)(
  "%s is not the output of a plan that ended: exit code 2, and the comment says it",
  async (_, output) => {
    const flags = { planOutput: put("plan.txt", output), output: at("review.md"), tag: "t" };
    const { code, stderr } = await printed((own) => review([plan], flags, "0.0.0", own));
    expect([code, stderr]).toEqual([2, expect.stringContaining("is not the output of a plan that ended")]);
    expect(read("review.md")).toContain("is not the output of a plan that ended");
  },
);

test.each<[number, string, number]>([
  [137, finished[0]!, 3],
  [137, "Killed\n", 3],
  [1, finished[0]!, 3],
  [2, finished[0]!, 0],
  [0, finished[0]!, 0],
])("the exit code %d of `terraform plan` that printed %j: exit code %d", async (planExitCode, output, code) => {
  const flags = { planOutput: put("plan.txt", output), planExitCode, failOn: "critical", output: at("review.txt") };
  expect(await review([put("plan.json", planText([limited]))], flags, "0.0.0", edge())).toBe(code);
  if (code === 3) expect(read("review.txt")).toContain(`ended with the exit code ${planExitCode}`);
});

test("shows what the other plan does, if one plan is missing", async () => {
  const gone = change("auth0_connection.users", { name: "Users", strategy: "auth0" }, null);
  const flags = { planOutput: put("plan.txt", text), output: at("review.txt"), tag: "t" };
  expect(await review([at("nowhere.json"), put("b.json", planText([gone]))], flags, "0.0.0", edge())).toBe(0);
  expect(read("review.txt")).toMatch(/^✖ The plan failed: Terraform would be locked out/m);
  expect(read("review.txt")).toContain("Deletes the connection");
});

test.each([
  ["with the partial plan", () => put("plan.json", partial)],
  ["with an older plan that did not fail", () => put("plan.json", planText([limited]))],
  ["without a plan file", () => at("nowhere/plan.json")],
])("says the error first %s, and fails every --fail-on", async (_, file) => {
  const output = ["txt", "md", "json", "html", "sarif"].map((form) => at(`review.${form}`));
  const flags = { planOutput: put("plan.txt", text), failOn: "critical", output, tag: "t" };
  expect(await review([file()], flags, "0.0.0", edge())).toBe(3);
  const [, first, ...rest] = read("review.txt").split("\n");
  expect(first).toBe(
    "✖ The plan failed: Terraform would be locked out, at tenant_network_acl.wall. Nothing can be applied, and other changes are not known. [TNF-PLAN-FAILED]",
  );
  expect(rest.join("\n")).toContain("The ACL blocks the address 203.0.113.7 of Terraform.");
  const { verdict, errors } = JSON.parse(read("review.json"));
  expect([verdict.level, errors]).toMatchObject(["critical", [{ address: "tenant_network_acl.wall" }]]);
  expect(read("review.sarif")).toContain("TNF-PLAN-FAILED");
});

/** What the provider prints about a plan that it refuses. */
const refused = ["a stream", "a text"].map((form) => {
  const summary = '"Only from the office" (priority 10) blocks the protected request "our CI"';
  const said = "Narrow the rule.";
  const link = linkTo("TNF-PROTECTED-REQUEST", version);
  const diagnostic = { severity: "error", summary, detail: `${said}\n\n${link}`, address: "tenant_network_acl.office" };
  const framed = `╷\n│ Error: ${summary}\n│\n│   with tenant_network_acl.office,\n│\n│ ${said}\n│\n│ ${link}\n╵\n`;
  return [form, form === "a text" ? framed : JSON.stringify({ "@level": "error", diagnostic })] as const;
});

test.each(refused)(
  "says who is refused and the remedy first, and nothing that is not known, for %s",
  async (_, output) => {
    const flags = { planOutput: put("plan.txt", output), output: [at("review.txt"), at("review.json")] };
    const wall = acl(10, { action: block, match: { geo_country_codes: ["KP"] } });
    const file = put("infra.json", planText([kept("tenant_network_acl.a", wall)]));
    expect(await review([file], flags, "0.0.0", edge())).toBe(0);
    expect(read("review.txt")).toBe(
      `Review of infra, for the tenant of the environment
✖ Refused: "Only from the office" (priority 10) blocks the protected request "our CI", at tenant_network_acl.office. Nothing can be applied, and other changes are not known. [TNF-PROTECTED-REQUEST]

Errors of \`terraform plan\`
- tenant_network_acl.office: Narrow the rule.

${linkTo("TNF-PROTECTED-REQUEST", version)}
`,
    );
    const shown = JSON.parse(read("review.json")) as object;
    expect([faultOf(shown), shown]).toMatchObject([undefined, { errors: [{ code: "TNF-PROTECTED-REQUEST" }] }]);
  },
);

const messages = {
  error: [
    'Expectation "KP" is broken',
    `It allows KP. This change was not made.\n\n${linkTo("TNF-EXPECTATION-BROKEN", version)}`,
  ],
  warning: [
    '✖ Blocks sign-in for everyone. ACL "Wall" is created. [TNF-ACL-TIGHTENED]',
    `This is about the whole plan.\n\n- ● Allows sign-in for 2 addresses: 192.0.2.0 and 192.0.2.1. [TNF-ACL-WIDENED]\n- and 3 more\n\nRun it.\n\n${linkTo("TNF-PLAN-EFFECTS", version)}`,
  ],
} as const;
const bySaid = Object.entries(messages).map(([severity, [summary, more]]) => ({ severity, summary, detail: more }));

test.each([
  ["a stream", bySaid.map((diagnostic) => lineOf({ "@level": diagnostic.severity, diagnostic })).join("\n")],
  [
    "a text",
    bySaid
      .map((one) => {
        const lines = one.detail.replace("addresses:", "addresses:\n");
        return `${one.severity === "error" ? "Error" : "Warning"}: ${one.summary}\n\n${lines}\n`;
      })
      .join("\n"),
  ],
])("takes over what the provider printed, with one plan missing: %s", async (_, output) => {
  const expectation = ["KP", "IR"].map((name, index) => ({
    name: constant(name),
    outcome: constant(index === 0 ? "blocked" : "reached"),
    request: [{ countries: constant([name]) }],
  }));
  const more = configured({ tenant: { expectation } });
  const flags = { planOutput: put("plan.txt", output), output: [at("review.txt"), at("review.json")], tag: "t" };
  expect(await review([at("nowhere.json"), put("b.json", planText([limited], more))], flags, "0.0.0", edge())).toBe(0);
  expect(JSON.parse(read("review.json")).together).toMatchObject({
    expectations: [
      { name: "KP", verdict: "broken", text: "`terraform plan` refuses the plan because of it." },
      { name: "IR", verdict: "undecided" },
    ],
    effects: [
      { code: "TNF-PLAN-FAILED", level: "critical" },
      { code: "TNF-ACL-TIGHTENED", text: expect.stringContaining("North Korea") },
      { code: "TNF-ACL-TIGHTENED", level: "high", text: expect.stringMatching(/plan`: Blocks .* for everyone\. ACL/) },
      { code: "TNF-ACL-WIDENED", level: "medium", text: expect.stringMatching(/192\.0\.2\.0 and 192\.0\.2\.1\.$/) },
      { code: "TNF-EXPECTATION-UNDECIDED", text: expect.stringContaining('Expectation "IR" is undecided') },
    ],
  });
});

test("shows what the failed plan has, and cannot be ignored", async () => {
  const flags = { output: at("review.txt"), planOutput: put("plan.txt", text) };
  expect(await review([put("plan.json", partial)], flags, "0.0.0", edge())).toBe(0);
  expect(read("review.txt")).toMatch(/Blocks .*North Korea/);
  const ignoring = { ignore: ["TNF-PLAN-FAILED=why"] };
  expect(await printed((own) => review([put("plan.json", partial)], ignoring, "0.0.0", own))).toMatchObject({
    code: 2,
  });
});

const rule = (cidr: string) => ({ action: block, match: { ipv4_cidrs: [cidr] } });
const widened = (to = "203.0.112.0/23", more = {}) =>
  change("tenant_network_acl.office", acl(10, rule("203.0.113.0/24")), acl(10, rule(to)), more);
const bare = { ...acl(5, { action: allow }), id: null };
const created = change("tenant_network_acl.new", null, bare, { unknown: { id: true } });
const client = (name: string, { after = {}, ...more }: { after?: Values; [name: string]: unknown } = {}) =>
  change("auth0_client.web", { name: "a", secret: "s" }, { name, secret: "s", ...after }, more);

const secretName = client("b", { sensitive: { name: true } });
const secretOne = client("b", { sensitive: { secret: true } });

const throttle = { brute_force_protection: [{ enabled: true }] };
const throttled = change("auth0_attack_protection.a", throttle, throttle, {
  unknown: { brute_force_protection: [{ allowlist: [true] }] },
  actions: ["update"],
});

const invocation = {
  address: "auth0_x.a",
  type: "auth0_x",
  lifecycle_action_trigger: { triggering_resource_address: "tenant_network_acl.office" },
};

async function compared(approved: readonly Values[], now: readonly Values[], more = {}, approvedMore = {}) {
  await review(
    [put("approved.json", planText(approved, approvedMore))],
    { output: at("review.json") },
    "0.0.0",
    edge(),
  );
  const flags = { sameAs: at("review.json") };
  const { code, stdout } = await printed((own) => review([put("now.json", planText(now, more))], flags, "0.0.0", own));
  return [code, stdout];
}

test.each<[string, Values, number]>([
  ["known", {}, 0],
  ["not known", { config_unknown: { a: true } }, 4],
  ["sensitive", { config_sensitive: { a: true } }, 4],
])("the same action, whose values are %s", async (_, more, code) => {
  const actions = { action_invocations: [{ ...invocation, ...more }] };
  expect((await compared([widened()], [widened()], actions, actions))[0]).toBe(code);
});

test.each<[string, readonly Values[], readonly Values[]]>([
  ["the same changes", [widened(), created], [created, widened()]],
  ["a sensitive value", [secretOne], [secretOne]],
  ["no change", [], []],
])("%s: exit code 0", async (_, approved, now) => {
  expect(await compared(approved, now)).toEqual([0, "✔ The plan makes exactly the approved changes.\n"]);
});

test.each<[string, readonly Values[], readonly Values[], RegExp, object?]>([
  ["another value after", [widened()], [widened("203.0.112.0/22")], /office \(update\) has other values/],
  ["another value before", [client("b")], [change("auth0_client.web", { name: "x" }, { name: "b" })], /other values/],
  ["one more change", [widened()], [widened(), created], /new \(create\) is not in the approved review/],
  ["one change less", [widened(), created], [widened()], /tenant_network_acl\.new was approved/],
  ["an unknown value", [widened()], [widened(undefined, { unknown: { rule: true } })], /not known yet/],
  ["an unknown value of a dynamic block", [throttled], [throttled], /not known yet/],
  ["a sensitive value that changes", [secretName], [secretName], /sensitive one/],
  ["an incomplete plan", [widened()], [widened()], /The plan is incomplete/, { complete: false }],
  ["false in place of nothing", [client("b")], [client("b", { after: { is_enabled: false } })], /other values/],
  [
    "another action",
    [widened()],
    [widened()],
    /auth0_x\.a by tenant_network_acl\.office \(invoke\) is not in the approved/,
    { action_invocations: [invocation] },
  ],
  [
    "a provisioner",
    [widened()],
    [widened()],
    /other values/,
    {
      configuration: {
        root_module: { resources: [{ address: "tenant_network_acl.office", provisioners: [{ type: "local-exec" }] }] },
      },
    },
  ],
  [
    "a plan for another tenant",
    [widened()],
    [widened()],
    /review is about a tenant|review is about the environment, and the plan about b\.example/,
    configured({ tenant: { domain: constant("b.example") } }),
  ],
])("%s: exit code 4", async (_, approved, now, line, more = {}) => {
  expect(await compared(approved, now, more)).toEqual([4, expect.stringMatching(line)]);
});
