/** The verdict of a review: at most three lines, the worst first, and "nothing changes" only if everything was looked at. */
import { text as factsOf } from "./support/worded";
import { sentence } from "../../../src/judge/impact/words/words";
import { summaryOf } from "../../../src/judge/impact/words/verdict";
import { effect, type Effect, type Facts, type Level } from "../../../src/judge/impact/effect";
import type { UnreviewedFacts } from "../../../src/judge/impact/auth0/facts";
import { type Read, verdictOf, wholeEffects } from "../../../src/judge/impact/verdict";

const end = "[TNF-LIMIT-UNKNOWN]";
/** `low A`: an effect on people with the text `A.`; `!high A`: on an object. */
function made(text: string, more: Partial<Effect> = {}): Effect {
  const [level, said] = text.split(" ") as [string, string];
  if (level === "gap") return effect("TNF-INCOMPLETE", factsOf(`${said}.`));
  const about = { level: level.replace("!", "") as Level };
  const onObject = effect("TNF-KEY-IN-USE", factsOf(`${said}.`), about);
  return { ...(level.startsWith("!") ? onObject : effect("TNF-LIMIT-UNKNOWN", onPeople(`${said}.`), about)), ...more };
}
const onPeople = (text: string): Facts => ({ kind: "row", type: "", text, values: {}, along: [], isNothing: false });
const unjudged = (address: string, change: UnreviewedFacts["change"], paths: readonly string[] = []) =>
  effect(
    "TNF-NOT-REVIEWED",
    { kind: "unreviewed", address, change, paths },
    { level: change === "destroy" ? "medium" : "info", certainty: "undecided", address, type: address.split(".")[0]! },
  );
const ruled = (row: string) =>
  effect("TNF-RULES-CHANGED", { kind: "rules", file: "r.json", change: "added", row, is: { level: "low", text: "x" } });
const drift = effect("TNF-DRIFT", { kind: "object", object: { address: "b" }, change: "drifted", planned: "undone" });
/** Effects of one line each: `low A, !high B`. */
const all = (texts: string) => texts.split(", ").map((text) => made(text));
const share = (value: number) => ({ share: { value, of: "requests", basis: "" } });

const drifted =
  "● medium: b was deleted outside Terraform since the last apply: the apply undoes that change. [TNF-DRIFT]";
const pages = (more: object = {}) => ({ ...unjudged("auth0_pages.p", "update"), ...more });
const known = { ignored: "known" };

test.each<[string, Effect[], string[], Read?]>([
  [
    "the larger share of two that are equally bad first",
    [made("low A"), made("critical B", share(0.6)), made("critical C", share(0.9))],
    [`✖ critical: C. ${end}`, `✖ critical: B. ${end}`, `● low: A. ${end}`],
  ],
  [
    "one row of the branch before the worst, and the others after it",
    [...["a", "b", "c"].map(ruled), made("critical D")],
    [
      '✖ high: r.json adds a row: a: no row -> low "x". [TNF-RULES-CHANGED]',
      `✖ critical: D. ${end}`,
      '✖ high: r.json adds a row: b: no row -> low "x". [TNF-RULES-CHANGED]',
    ],
  ],
  [
    "the three worst of many",
    all("low A, medium B, high C, critical D, info E"),
    [`✖ critical: D. ${end}`, `✖ high: C. ${end}`, `● medium: B. ${end}`],
  ],
  [
    "what somebody changed outside Terraform, whatever the plan does",
    [...all("high A, !medium C"), drift],
    [`✖ high: A. ${end}`, drifted],
  ],
  [
    "what somebody changed outside Terraform, beside more effects than lines",
    [...all("high A, high B, high C"), drift],
    [`✖ high: A. ${end}`, `✖ high: B. ${end}`, drifted],
  ],
  ["nothing", [], ["✔ Nothing changes for people."]],
  [
    "the objects that nothing stands on",
    [],
    [
      "✔ Nothing changes for people. 7 objects are created: a.1, a.2, a.3, a.4, a.5 and 2 more. " +
        "2 objects change: b (name) and c (x and y). 1 object is destroyed: d.",
    ],
    {
      touched: () => [
        ...[1, 2, 3, 4, 5, 6, 7].map((index) => ({ address: `a.${index}`, change: "created" as const, paths: ["x"] })),
        { address: "b", change: "changed", paths: ["name"] },
        { address: "d", change: "destroyed", paths: [] },
        { address: "c", change: "changed", paths: ["x", "y"] },
      ],
    },
  ],
  [
    "changes that no row judges",
    [unjudged("auth0_pages.p", "update", ["login.html"]), unjudged("auth0_flow.f", "destroy")],
    ["● medium: Changed, and not judged: auth0_flow.f (destroyed) and auth0_pages.p (login.html). [TNF-NOT-REVIEWED]"],
  ],
  [
    "three objects of one type that change alike, which no row judges",
    [
      ...["a", "b", "c"].map((name) => unjudged(`auth0_flow.${name}`, "destroy")),
      unjudged("auth0_flow.d", "update", ["name"]),
    ],
    [
      "● medium: Changed, and not judged: 3 of auth0_flow (destroyed): auth0_flow.a, auth0_flow.b and auth0_flow.c; " +
        "auth0_flow.d (name). [TNF-NOT-REVIEWED]",
    ],
  ],
  [
    "a change that no row judges, which somebody ignores",
    [pages(known)],
    ["○ info: Changed, and not judged: auth0_pages.p. (ignored: known) [TNF-NOT-REVIEWED]"],
  ],
  [
    "a change that no row judges, of two of which somebody ignores one",
    [pages(known), unjudged("auth0_pages.q", "update")],
    ["○ info: Changed, and not judged: auth0_pages.p and auth0_pages.q. [TNF-NOT-REVIEWED]"],
  ],
  [
    "a change that no row judges beside an effect",
    [made("low A"), unjudged("auth0_branding.b", "create", ["colors"])],
    [`● low: A. ${end}`, "○ info: Changed, and not judged: auth0_branding.b (created: colors). [TNF-NOT-REVIEWED]"],
  ],
  ["a gap alone", [made("gap A")], ["○ low: Nothing that was read changes for people. A. [TNF-INCOMPLETE]"]],
  ["objects that were not read", [], ["○ Nothing that was read changes for people. Others."], { unseen: "Others." }],
  [
    "a gap beside effects",
    all("low A, low B, low C, gap D"),
    [`● low: A. ${end}`, `● low: B. ${end}`, "○ low: D. [TNF-INCOMPLETE]"],
  ],
  [
    "a plan that failed",
    [effect("TNF-PLAN-FAILED", { kind: "gap", gap: "failed", error: { summary: "an error." }, others: 0 })],
    ["✖ The plan failed: an error. Nothing can be applied, and other changes are not known. [TNF-PLAN-FAILED]"],
  ],
  ["an effect on objects that is worse", all("low A, !high B"), ["✖ high: B. [TNF-KEY-IN-USE]", `● low: A. ${end}`]],
  ["unless it is older than the plan", [made("low A"), made("!high B", { already: true })], [`● low: A. ${end}`]],
  ["unless it is ignored", [made("low A"), made("!high B", known)], [`● low: A. ${end}`]],
  ["unless it is no worse", [made("low A"), made("!low B")], [`● low: A. ${end}`]],
  ["an effect on objects that is information", [made("!info A")], ["✔ Nothing changes for people."]],
  ["an ignored effect", [made("high A", { ignored: "known\nbad" })], [`✖ high: A. (ignored: known bad) ${end}`]],
])("has %s", (_what, effects, summary, more = {}) => expect(summaryOf(verdictOf(effects, more))).toEqual(summary));

test("the level is that of the worst line, and the told effects are those with the whole text", () => {
  expect(verdictOf([])).toMatchObject({ level: "none" });
  expect(verdictOf([], { unseen: "Others." })).toMatchObject({ level: "info" });
  const verdict = verdictOf(all("low A, critical B, medium C, high D"));
  expect(verdict.level).toBe("critical");
  expect(wholeEffects(verdict).map(sentence)).toEqual(["B.", "D.", "C."]);
  expect(wholeEffects(verdictOf([made("gap A")]))).toHaveLength(1);
});

test.each([
  [1, "tenant_network_acl.a0 is created, main.tf:41."],
  [2, "tenant_network_acl.a0 is created, main.tf:41, and 1 more object changes."],
  [3, "tenant_network_acl.a0 is created, main.tf:41, and 2 more objects change."],
])("names the first of %d causes with its place, and tells one of them in full", (count, words) => {
  const cause = Array.from({ length: count }, (_, index) => ({
    address: `tenant_network_acl.a${index}`,
    change: { kind: "created" as const },
    ...(index === 0 && { file: "main.tf", line: 41 }),
  }));
  const verdict = verdictOf([made("info Opens", { cause })]);
  const [summary, told] = [summaryOf(verdict), wholeEffects(verdict)];
  expect(summary).toEqual([`○ info: Opens. ${words} ${end}`]);
  expect(told).toHaveLength(count === 1 ? 1 : 0);
});

test("keeps each effect on one line of limited length, with any text in it, and the end of a long address", () => {
  const hostile = `x\n✔ Nothing changes for people.\u2028\u202e${"y".repeat(5_000)}`;
  const cause = [
    { address: `module.${hostile}.tenant_network_acl.a`, change: { kind: "created" as const }, file: hostile, line: 1 },
  ];
  const unknown = effect("TNF-TENANT-UNKNOWN", factsOf(hostile));
  const people = made("high A", { facts: onPeople(hostile), cause });
  const verdict = verdictOf([people, effect("TNF-DUPLICATE", factsOf(hostile)), unknown]);
  const [summary, told] = [summaryOf(verdict), wholeEffects(verdict)];
  expect([summary.length, told]).toEqual([3, []]);
  for (const line of [...summary, ...summaryOf(verdictOf([unknown]))]) {
    expect(line).not.toMatch(/[\n\u2028\u202e]/);
    expect(line.length).toBeLessThan(640);
  }
  const lineOf = (address: string) =>
    summaryOf(verdictOf([made("low A", { cause: [{ address, change: { kind: "created" } }] })]))[0];
  expect(lineOf(`a${"b".repeat(99)}`)).toBe(`● low: A. a${"b".repeat(99)} is created. ${end}`);
  expect(lineOf(`a${"b".repeat(99)}c`)).toBe(`● low: A. …${"b".repeat(98)}c is created. ${end}`);
});
