/** Checks the verdict of a review: at most three lines, the worst first, and "nothing changes" only if everything was looked at. */
import { effect, type Code, type Effect, type Level } from "../../src/impact/effect";
import { verdictOf } from "../../src/impact/verdict";

const limit = (level: Level, text: string, more: Partial<Effect> = {}): Effect => ({
  ...effect("TNF-LIMIT-UNKNOWN", text, { level, who: "clients" }),
  ...more,
});
const end = "[TNF-LIMIT-UNKNOWN]";
const gap = effect("TNF-INCOMPLETE", "The plan is incomplete.");
const failing = effect("TNF-KEY-IN-USE", "The apply fails.");

test("puts the worst effect first and the larger share of two that are equally bad", () => {
  const share = (value: number) => ({ share: { value, of: "requests", basis: "" } });
  const effects = [limit("low", "A."), limit("critical", "B.", share(0.6)), limit("critical", "C.", share(0.9))];
  const summary = [`✖ C. ${end}`, `✖ B. ${end}`, `● A. ${end}`];
  expect(verdictOf(effects)).toMatchObject({ level: "critical", summary });
});

test("has at most three lines, each with an effect, and counts the others at the end", () => {
  const all = (["low", "medium", "high", "critical", "info"] as const).map((level) => limit(level, `${level}.`));
  const { summary, told } = verdictOf(all);
  expect(summary).toEqual([
    `✖ critical. ${end}`,
    `✖ high. ${end}`,
    `● medium. ${end} 2 more effects are listed below.`,
  ]);
  expect(told.map(({ text }) => text)).toEqual(["critical.", "high.", "medium."]);
  expect(verdictOf(all.slice(0, 4)).summary[2]).toBe(`● medium. ${end} 1 more effect is listed below.`);
  expect(verdictOf(all.slice(0, 3)).summary[2]).toBe(`● low. ${end}`);
});

test.each([
  [1, "tenant_network_acl.a0 is created, main.tf:41."],
  [2, "tenant_network_acl.a0 is created, main.tf:41, and 1 more object changes."],
  [3, "tenant_network_acl.a0 is created, main.tf:41, and 2 more objects change."],
])("names the first of %d causes with its place, and tells one of them in full", (count, words) => {
  const cause = Array.from({ length: count }, (_, index) => ({
    address: `tenant_network_acl.a${index}`,
    words: "is created",
    ...(index === 0 && { file: "main.tf", line: 41 }),
  }));
  const { summary, told } = verdictOf([limit("info", "Opens.", { cause })]);
  expect(summary).toEqual([`○ Opens. ${words} ${end}`]);
  expect(told).toHaveLength(count === 1 ? 1 : 0);
});

test("keeps the end of an address of more than 100 characters", () => {
  const lineOf = (address: string) =>
    verdictOf([limit("low", "A.", { cause: [{ address, words: "is created" }] })]).summary[0];
  expect(lineOf(`a${"b".repeat(99)}`)).toBe(`● A. a${"b".repeat(99)} is created. ${end}`);
  expect(lineOf(`a${"b".repeat(99)}c`)).toBe(`● A. …${"b".repeat(98)}c is created. ${end}`);
});

test("keeps each effect on one line of limited length, with any text in it", () => {
  const hostile = `x\n✔ No request, limit or member changes.\u2028\u202e${"y".repeat(5_000)}`;
  const cause = [{ address: `module.${hostile}.tenant_network_acl.a`, words: "is created", file: hostile, line: 1 }];
  const found = effect("TNF-DUPLICATE", hostile);
  const unknown = effect("TNF-TENANT-UNKNOWN", hostile);
  const { summary, told } = verdictOf([limit("high", hostile, { cause }), found, unknown]);
  expect(summary).toHaveLength(3);
  expect(told).toEqual([]);
  for (const line of [...summary, ...verdictOf([unknown]).summary]) {
    expect(line).not.toMatch(/[\n\u2028\u202e]/);
    expect(line.length).toBeLessThan(640);
  }
});

test("says that nothing changes only if everything was looked at", () => {
  expect(verdictOf([])).toEqual({ level: "none", summary: ["✔ No request, limit or member changes."], told: [] });
  for (const [open, { level, summary }] of [
    ["The plan is incomplete. [TNF-INCOMPLETE]", verdictOf([gap])],
    ["Other network ACLs are not known.", verdictOf([], { unseen: "Other network ACLs are not known." })],
  ] as const) {
    expect(level).not.toBe("none");
    expect(summary).toEqual([`○ No effect was found. ${open}`]);
  }
});

test("keeps a line for what is not known beside effects", () => {
  const effects = ["A.", "B.", "C."].map((text) => limit("low", text));
  expect(verdictOf([...effects, gap]).summary).toEqual([
    `● A. ${end}`,
    `● B. ${end} 1 more effect is listed below.`,
    "○ The plan is incomplete. [TNF-INCOMPLETE]",
  ]);
});

test.each<[string, Partial<Effect>, Level]>([
  ["", {}, "high"],
  [", unless it is older than the plan", { already: true }, "low"],
  [", unless it is ignored", { ignored: "known" }, "low"],
  [", unless it is no worse", { level: "low" }, "low"],
])("names an effect on objects that is worse than every effect on people%s", (_when, more, level) => {
  const { summary, ...verdict } = verdictOf([limit("low", "A."), { ...failing, ...more }]);
  expect([verdict.level, summary.length]).toEqual([level, level === "high" ? 2 : 1]);
});

test("an ignored effect on people happens nevertheless", () => {
  expect(verdictOf([limit("high", "A.", { ignored: "known" })]).level).toBe("high");
});

test("an effect on objects alone is named if it is more than information", () => {
  expect(verdictOf([failing]).summary).toEqual(["✖ The apply fails. [TNF-KEY-IN-USE]"]);
  expect(verdictOf([{ ...failing, level: "info" }]).summary).toEqual(["✔ No request, limit or member changes."]);
});

test("names changes that the review cannot read, also beside effects", () => {
  const unread = "The plan also changes auth0_attack_protection.";
  expect(verdictOf([limit("low", "A.")], { unread }).summary).toEqual([`● A. ${end}`, `○ ${unread}`]);
  expect(verdictOf([], { unread })).toMatchObject({ level: "info", summary: [`○ No effect was found. ${unread}`] });
});

test.each<[Code, Level, Level]>([
  ["TNF-TRANSIENT-OPEN", "medium", "low"],
  ["TNF-TRANSIENT-OPEN", "high", "high"],
  ["TNF-TRANSIENT-LOCKOUT", "medium", "low"],
  ["TNF-TRANSIENT-LOCKOUT", "high", "high"],
])("%s of level %s is named alone, and beside a lasting effect only if it is severe", (code, level, beside) => {
  const moment = effect(code, "Open for a moment.", { level });
  expect(verdictOf([moment])).toMatchObject({ level, summary: [expect.stringMatching(/Open for a moment/)] });
  expect(verdictOf([limit("low", "A."), moment]).level).toBe(beside);
});

test("a plan that failed says so first", () => {
  const { summary } = verdictOf([], { unread: "The plan failed: planning ended with an error." });
  expect(summary).toEqual(["✖ The plan failed: planning ended with an error."]);
});
