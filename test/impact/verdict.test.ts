/** Checks the verdict of a review: at most three lines, the worst first, and "nothing changes" only if everything was looked at. */
import { finding, type Level } from "../../src/impact/finding";
import type { Effect } from "../../src/impact/verdict/effect";
import { verdictOf, type VerdictInput } from "../../src/impact/verdict/verdict";

const effect = (level: Level, text: string, more: Partial<Effect> = {}): Effect => ({
  kind: "limit",
  level,
  apis: [],
  share: null,
  who: "",
  text,
  cause: [],
  certainty: "certain",
  assumptions: [],
  examples: [],
  ...more,
});
const judge = (input: Partial<VerdictInput>) => verdictOf({ effects: [], findings: [], gaps: [], ...input });

test("puts the worst effect first and the larger share of two that are equally bad", () => {
  const share = (value: number) => ({ share: { value, of: "requests", basis: "" } });
  const effects = [effect("low", "A."), effect("critical", "B.", share(0.6)), effect("critical", "C.", share(0.9))];
  expect(judge({ effects })).toMatchObject({ level: "critical", summary: ["✖ C.", "✖ B.", "● A."] });
});

test("has at most three lines, and the last one counts the effects that have none", () => {
  const effects = (["low", "medium", "high", "critical", "info"] as const).map((level) => effect(level, `${level}.`));
  const verdict = judge({ effects });
  expect(verdict.summary).toEqual(["✖ critical.", "✖ high.", "● medium. 2 more are listed below."]);
  expect(verdict.more.map(({ level }) => level)).toEqual(["low", "info"]);
  const three = judge({ effects: effects.slice(0, 3) });
  expect([three.summary.length, three.more]).toEqual([3, []]);
});

test("names the cause of an effect with its place", () => {
  const cause = [
    { address: "tenant_network_acl.a", words: "is created", file: "main.tf", line: 41 },
    { address: "tenant_network_acl.b", words: "is created" },
  ];
  expect(judge({ effects: [effect("high", "Blocks.", { cause })] }).summary).toEqual([
    "✖ Blocks. tenant_network_acl.a is created, main.tf:41, and 1 more object changes.",
  ]);
});

test("names a cause without a file, and counts further objects", () => {
  const cause = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ address: `tenant_network_acl.a${index}`, words: "is created" }));
  const lines = [1, 2, 3].map(
    (count) => judge({ effects: [effect("info", "Opens.", { cause: cause(count) })] }).summary,
  );
  expect(lines).toEqual([
    ["○ Opens. tenant_network_acl.a0 is created."],
    ["○ Opens. tenant_network_acl.a0 is created, and 1 more object changes."],
    ["○ Opens. tenant_network_acl.a0 is created, and 2 more objects change."],
  ]);
});

test("keeps the end of an address of more than 100 characters", () => {
  const lineOf = (address: string) =>
    judge({ effects: [effect("low", "A.", { cause: [{ address, words: "is created" }] })] }).summary[0];
  expect(lineOf(`a${"b".repeat(99)}`)).toBe(`● A. a${"b".repeat(99)} is created.`);
  expect(lineOf(`a${"b".repeat(99)}c`)).toBe(`● A. …${"b".repeat(98)}c is created.`);
});

test("keeps each effect on one line of limited length, with any text in it", () => {
  const hostile = `x\n✔ No request, limit or member changes.\u2028\u202e${"y".repeat(5_000)}`;
  const cause = [{ address: `module.${hostile}.tenant_network_acl.a`, words: "is created", file: hostile, line: 1 }];
  const found = finding("TNF-DUPLICATE", hostile, {});
  const gap = finding("TNF-TENANT-UNKNOWN", hostile, {});
  const { summary } = judge({ effects: [effect("high", hostile, { cause })], findings: [found], gaps: [gap] });
  expect(summary).toHaveLength(3);
  for (const line of [...summary, ...judge({ gaps: [gap] }).summary]) {
    expect(line).not.toMatch(/[\n\u2028\u202e]/);
    expect(line.length).toBeLessThan(600);
  }
  expect(summary[1]).toMatch(/^✖ x .*tenant_network_acl\.a is created, /);
});

test("says that nothing changes only if everything was looked at", () => {
  const sure = judge({});
  expect(sure).toMatchObject({ level: "none", summary: ["✔ No request, limit or member changes."] });
  const nobody = { share: null, who: "nobody", apis: [], cause: [], examples: [] };
  expect(sure.effects).toEqual([
    {
      kind: "none",
      level: "info",
      text: "No request, limit or member changes.",
      certainty: "certain",
      assumptions: [],
      ...nobody,
    },
  ]);
  const gap = finding("TNF-INCOMPLETE", "The plan is incomplete.");
  const unsure = [judge({ gaps: [gap], findings: [gap] }), judge({ unseen: "Other network ACLs are not known." })];
  for (const { level, summary, effects } of unsure) {
    expect(level).not.toBe("none");
    expect(summary.join()).not.toMatch(/nothing changes/i);
    expect(summary).toHaveLength(1);
    expect(effects).toMatchObject([{ kind: "none", certainty: "possible" }]);
  }
  expect(unsure[0]!.summary[0]).toContain("The plan is incomplete.");
  expect(unsure[1]!.summary[0]).toContain("Other network ACLs are not known.");
});

test("keeps a line for what is not known beside effects", () => {
  const gap = finding("TNF-INCOMPLETE", "The plan is incomplete.");
  const effects = ["A.", "B.", "C."].map((text) => effect("low", text));
  expect(judge({ effects, gaps: [gap], findings: [gap] }).summary).toEqual([
    "● A.",
    "● B. 1 more is listed below.",
    "○ The plan is incomplete.",
  ]);
});

test("names a finding that is worse than every effect, unless it is ignored or older than the plan", () => {
  const worse = finding("TNF-KEY-IN-USE", "The apply fails.");
  const effects = [effect("low", "A.")];
  expect(judge({ effects, findings: [worse] })).toMatchObject({
    level: "high",
    summary: ["✖ The apply fails.", "● A."],
  });
  expect(
    judge({
      effects,
      findings: [
        { ...worse, already: true },
        { ...worse, ignored: "known" },
      ],
    }).level,
  ).toBe("low");
});

test("names changes that the review cannot read, also beside effects", () => {
  const unread = "The plan also changes auth0_attack_protection.";
  expect(judge({ effects: [effect("low", "A.")], unread }).summary).toEqual(["● A.", `○ ${unread}`]);
  expect(judge({ unread })).toMatchObject({ level: "info", summary: [`○ No effect was found. ${unread}`] });
});

describe.each(["TNF-TRANSIENT-OPEN", "TNF-TRANSIENT-LOCKOUT"] as const)("%s, an effect for a moment,", (code) => {
  const moment = (level: Level) => ({ ...finding(code, "Open for a moment."), level });

  test("is named alone", () => {
    for (const level of ["low", "medium", "high"] as const) {
      expect(judge({ findings: [moment(level)] })).toMatchObject({
        level,
        summary: [expect.stringMatching(/moment\.$/)],
      });
    }
  });

  test("is named beside a lasting effect only if it is severe", () => {
    const effects = [effect("low", "A.")];
    expect(judge({ effects, findings: [moment("medium")] })).toMatchObject({ level: "low", summary: ["● A."] });
    expect(judge({ effects, findings: [moment("high")] })).toMatchObject({
      level: "high",
      summary: ["✖ Open for a moment.", "● A."],
    });
  });
});

test("leaves out a lasting finding that is no worse than an effect", () => {
  const failing = finding("TNF-KEY-IN-USE", "The apply fails.");
  for (const level of ["high", "critical"] as const) {
    expect(judge({ effects: [effect(level, "A.")], findings: [failing] }).summary).toEqual(["✖ A."]);
  }
  const slight = { ...failing, level: "info" as const };
  expect(judge({ findings: [slight] }).summary).toEqual(["✔ No request, limit or member changes."]);
  expect(judge({ findings: [{ ...failing, level: "low" }] }).summary).toEqual(["● The apply fails."]);
});

test("a plan that failed says so first", () => {
  const { summary, effects } = judge({ unread: "The plan failed: planning ended with an error." });
  expect(summary).toEqual(["✖ The plan failed: planning ended with an error."]);
  expect(effects[0]!.text).toBe("The plan failed.");
});
