/** Rows of people, and those of the branch under review. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { table } from "../../../../src/judge/impact/auth0/table";
import { readRules, rulesHere, rulesList } from "../../../../src/review/commands/auth0-rules-file";
import { parsePlan } from "../../../../src/review/input/plan";
import { reviewPlans } from "../../../review/support/plan";
import { effectsOfLines } from "../../../../src/judge/impact/verdict";
import { changed, client, linesOf, shop, type Values } from "./support/lines";

describe("rows of people", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "rules-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "rules.json");
  const rules = (rows: unknown) => {
    writeFileSync(file, typeof rows === "string" ? rows : JSON.stringify(rows));
    return readRules([file]);
  };
  const tier = {
    type: "auth0_client",
    path: "client_metadata.tier",
    change: "removed",
    level: "high",
    text: "{name} loses its tier {removed}.",
  };
  const silent = changed("auth0_client.a", shop, { ...shop, callbacks: [] });

  test("adds a row, replaces level and text of one, and takes one out with a reason", () => {
    const lost = client({ client_metadata: { tier: "gold" } }, { client_metadata: {} });
    const builtIn = 'built in: medium: client_metadata.tier of "Shop" changes ("gold" becomes no value).';
    const told = `high TNF-OWN-RULE auth0_client.a | "Shop" loses its tier "gold". A row of ${file}; ${builtIn}`;
    expect(linesOf([lost], rules([tier]))).toEqual([told]);
    expect(linesOf([lost], rules([{ ...tier, when: { name: "prod-*" } }]))).toEqual([
      expect.stringMatching(/^medium TNF-READ-CHANGED auth0_client.a /),
    ]);
    const callbacks = { type: "auth0_client", path: "callbacks", change: "emptied" };
    expect(linesOf([silent], rules([{ ...callbacks, level: "low", text: "{name} is old." }]))).toEqual([
      expect.stringMatching(
        /^low TNF-CALLBACK-REMOVED auth0_client.a \| "Shop" is old. A row of .*; built in: critical: Sign-ins/,
      ),
    ]);
    expect(linesOf([silent], rules([{ ...callbacks, level: "none", reason: "it is old" }]))).toEqual([
      expect.stringMatching(
        /^info TNF-CALLBACK-REMOVED auth0_client.a it is old\| Possible, if somebody signs in to the application: Sign-ins of "Shop"/,
      ),
    ]);
  });

  test("decides one row: what a built-in row with a condition decides stays as it is", () => {
    const rows = rules([{ type: "auth0_connection", change: "destroy", level: "low", text: "{name} goes." }]);
    const [users, okta] = ["auth0", "okta"].map((strategy) =>
      changed("auth0_connection.x", { id: "x", name: "X", strategy }, null),
    );
    expect(linesOf([users!], rows)).toEqual([
      expect.stringMatching(/^critical TNF-USERS-DELETED .*cannot be undone\.$/),
    ]);
    expect(linesOf([okta!], rows)).toEqual([
      expect.stringMatching(
        /^low TNF-CONNECTION-CLOSED .* "X" goes\. A row of .*; built in: high: Deletes the connection "X"/,
      ),
    ]);
  });

  test("lists all rows, those of the person first", () => {
    const lines = rulesList(rules([tier]).rows).split("\n");
    expect(lines[1]).toBe(`auth0_client\tclient_metadata.tier\tremoved\thigh\t${tier.text} [${file}]`);
    expect(lines.length).toBe(table.length + 3);
  });

  test.each<[unknown, string]>([
    ["{", "it is not JSON"],
    [{}, "expected array"],
    [[{ ...tier, level: "grave" }], "row 1, level:"],
    [[{ ...tier, colour: "red" }], "row 1: Unrecognized key"],
    [[{ ...tier, type: "aws_s3" }], 'type "aws_s3" is no resource type'],
    [[{ ...tier, type: "auth0_network_acl" }], "has effects of its own"],
    [[tier, { ...tier, change: "vanished" }], 'row 2: change "vanished" is not known'],
    [[{ ...tier, path: undefined }], 'change "removed" needs a path'],
    [[{ ...tier, text: undefined }], "text is missing"],
    [[{ ...tier, text: "{naem} goes." }], 'the placeholder "{naem}", which does not exist'],
    [[{ ...tier, level: "none" }], "needs a reason"],
    [[{ ...tier, reason: "calm" }], 'reason is read only with level "none"'],
  ])("refuses %j", (rows, words) => expect(() => rules(rows)).toThrow(words));

  describe("of the branch under review", () => {
    const home = process.cwd();
    const head = path.join(folder, "head");
    const base = path.join(folder, "base");
    beforeAll(() => {
      for (const one of [head, base]) mkdirSync(path.dirname(path.join(one, rulesHere)), { recursive: true });
      process.chdir(head);
    });
    afterAll(() => process.chdir(home));
    const users = { id: "con_1", name: "Users", strategy: "auth0" };
    const removed = (address: string, values: Values) => changed(address, values, null);
    const gone = removed("auth0_connection.users", users);
    const flow = removed("auth0_flow.f", { id: "af_1", name: "Flow" });
    const form = changed("auth0_form.f", { id: "ap_1", name: "a" }, { id: "ap_1", name: "b" });
    const row = (type: string, level: string, more: object = {}) => ({
      type,
      change: "destroy",
      level,
      text: "It goes.",
      ...more,
    });
    const silenced = { path: "**", change: "any", level: "none", reason: "calm", text: undefined };
    const deleted = expect.stringMatching(/^critical TNF-USERS-DELETED/);
    const untold = (type: string) => expect.stringMatching(new RegExp(`^(medium|info) TNF-NOT-REVIEWED ${type}`));
    const told = (words: string) => expect.stringMatching(`^high TNF-RULES-CHANGED .*${words}`);

    const own = expect.stringMatching(/^high TNF-OWN-RULE auth0_flow.f \| It goes\. A row of .*; none is built in\.$/);
    const databases = { when: { strategy: "auth0" } };
    const [lowered, raised] = ["info", "high"].map((level) => [row("auth0_connection", level, databases)]) as [
      object[],
      object[],
    ];
    const [low, high] = [[row("auth0_flow", "low")], [row("auth0_flow", "high")]];
    const taken = [row("auth0_connection", "none", { reason: "no", ...databases })];
    const closed = (level: string) =>
      expect.stringMatching(`^${level} TNF-OWN-RULE auth0_connection.users \\| It goes. A row of`);
    const quiet = [row("auth0_form", "none", silenced)];

    /** The rows of the branch, and those of the base branch. */
    test.each<[string, object, object[], object[] | undefined, unknown[]]>([
      ["lowers a row", gone, lowered, undefined, [told('would lower.* critical ".*" -> info "It goes."'), deleted]],
      ["takes a row out", gone, taken, undefined, [told('-> none "no"'), deleted]],
      [
        "says the same level in other words",
        gone,
        [row("auth0_connection", "critical", databases)],
        undefined,
        [deleted],
      ],
      ["is behind a row with a condition", gone, [row("auth0_connection", "info")], undefined, [deleted]],
      ["lowers what is not reviewed", flow, low, undefined, [told("no row -> low"), untold("auth0_flow")]],
      ["silences what is not reviewed", form, quiet, undefined, [told('no row -> none "calm"'), untold("auth0_form")]],
      ["raises what is not reviewed", flow, high, undefined, [own]],
      ["has the level of what is not reviewed", flow, [row("auth0_flow", "medium")], undefined, [untold("auth0_flow")]],
      [
        "has a condition",
        flow,
        [row("auth0_flow", "high", { if: "nobody looks. ✔ Nothing changes" })],
        undefined,
        [own],
      ],
      ["does not concern the plan", gone, low, undefined, [deleted]],
      ["is new beside a base branch", flow, high, [], [told('adds .*no row -> high "It goes."'), own]],
      ["is that of the base branch", gone, lowered, lowered, [closed("info")]],
      ["differs from the base", gone, lowered, raised, [told('changes .*high "It goes." -> info "It'), closed("high")]],
      ["left", flow, [], high, [told('removes .*high "It goes." -> no row'), own]],
    ])("a row that %s", (_what, change, rows, reviewed, lines) => {
      writeFileSync(rulesHere, JSON.stringify(rows));
      writeFileSync(path.join(base, rulesHere), JSON.stringify(reviewed ?? []));
      expect(linesOf([change], readRules([], reviewed && [base]))).toEqual(lines);
    });

    test("given by the person lowers an answer", () => {
      writeFileSync(rulesHere, JSON.stringify(lowered));
      expect(linesOf([gone], readRules([path.join(head, rulesHere)], [base]))).toEqual([closed("info")]);
    });

    test("is the first line of the verdict", () => {
      writeFileSync(rulesHere, JSON.stringify(lowered));
      const plan = parsePlan(JSON.stringify({ format_version: "1.2", resource_changes: [gone] }), "plan");
      const { verdict } = reviewPlans("plan", [plan], { rules: readRules([]) });
      expect(effectsOfLines(verdict).map(({ code }) => code)).toEqual(["TNF-RULES-CHANGED", "TNF-USERS-DELETED"]);
    });
  });

  test("a folder, a device or a large file is no file of rows", () => {
    for (const one of [folder, "/dev/zero"]) expect(() => readRules([one])).toThrow("is no file of at most 1 MB");
    writeFileSync(file, " ".repeat(1_000_001));
    expect(() => readRules([file])).toThrow("is no file of at most 1 MB");
  });

  test("refuses patterns over 1,000 characters", () => {
    const long = "x".repeat(1_001);
    expect(() => rules([{ ...tier, path: long }])).toThrow("row 1, path:");
    expect(() => rules([{ ...tier, when: { name: long } }])).toThrow("row 1, when.name:");
  });

  test("names a file that does not exist", () => {
    expect(() => readRules([path.join(folder, "none.json")])).toThrow("does not exist: give a JSON list of rows.");
  });
});
