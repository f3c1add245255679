/** The words for causes, amounts and lists, and names of people and organizations. */
import type { Cause, Change } from "../../../../src/judge/impact/cause";
import { effect } from "../../../../src/judge/impact/effect";
import type { PlannedObject } from "../../../../src/judge/impact/model";
import {
  directoryOf,
  organizationWords,
  personWords,
} from "../../../../src/judge/impact/organization-member-set/changes";
import { judgeMembers } from "../../../../src/judge/impact/organization-member-set/effects";
import { amountWords, andWords, clipped, orWords } from "../../../../src/formats/text/lists";
import { briefLine, withCauses } from "../../../../src/judge/impact/words/words";
import { members as setOf, memberSet } from "../support/member-sets";
import { text as factsText, worded as wordsOf } from "../support/worded";

test("causes", () => {
  const cause = (change: Change, more: Partial<Cause> = {}): Cause => ({ address: "acl.a", change, ...more });
  const causes: Change[] = [
    ...(["created", "destroyed", "replaced", "forgotten", "imported", "activated", "deactivated"] as const).map(
      (kind) => ({ kind }),
    ),
    { kind: "changed", attributes: [] },
    { kind: "changed", attributes: [{ path: "active" }] },
    { kind: "changed", attributes: [{ path: "exclusive", was: false, is: true }] },
    { kind: "changed", attributes: [{ path: "exclusive", was: true, is: false }] },
    { kind: "changed", attributes: [{ path: "organization_id" }] },
    { kind: "changed", attributes: [{ path: "rule" }] },
    { kind: "changed", attributes: [{ path: "rule.action", was: "log", is: "block" }] },
    { kind: "changed", attributes: [{ path: "rule.action" }] },
    { kind: "changed", attributes: [{ path: "priority", was: 1, is: 9 }] },
    { kind: "changed", attributes: [{ path: "priority" }] },
    { kind: "decides", what: "requests" },
    { kind: "decides", what: "requests", before: true },
    { kind: "decides", what: "policy" },
    { kind: "decides", what: "members" },
  ];
  const withCause = (...all: Cause[]) => effect("TNF-LIMIT-TIGHTENED", factsText("It changes."), { cause: all });
  expect(`\n${causes.map((one) => briefLine(withCause(cause(one)))).join("\n")}\n`).toMatchSnapshot();
  const four = causes.slice(0, 4).map((one) => cause(one, { file: "main.tf", line: 7 }));
  expect(withCauses(withCause(...four))).toMatchSnapshot();
});

test.each<[bigint, string[]]>([
  [0n, []],
  [1n, ["1 address"]],
  [2n, ["2 addresses"]],
  [1n << 40n, ["1,099,511,627,776 addresses"]],
  [1n << 41n, ["2^41 addresses"]],
  [(1n << 41n) + 1n, ["about 2^41 addresses"]],
  [(1n << 128n) - 4n, ["about 2^128 addresses"]],
  [5n << 62n, ["about 2^64 addresses"]],
  [7n << 62n, ["about 2^65 addresses"]],
])("words the amount %s", (count, words) => expect(amountWords(count, ["address", "addresses"])).toEqual(words));

test("shortens a name to the most characters, and splits none", () => {
  expect(["abcd", "abcde", "😀😀😀😀", "😀😀😀😀😀"].map((text) => clipped(text, 4))).toEqual([
    "abcd",
    "abc…",
    "😀😀😀😀",
    "😀😀😀…",
  ]);
  expect([48, 49].map((length) => clipped("a".repeat(length)))).toEqual(["a".repeat(48), `${"a".repeat(47)}…`]);
});

test("joins words, again and again", () => {
  for (const _ of [1, 2]) {
    expect([andWords(["A", "B", "C"]), orWords(["A", "B", "C"])]).toEqual(["A, B and C", "A, B or C"]);
  }
});

describe("names of people", () => {
  const ada = "auth0|ada";

  test.each<[object, string | undefined, string]>([
    [{}, undefined, ada],
    [{ name: "Ada Lovelace" }, undefined, "Ada Lovelace"],
    [{ name: "Ada", email: "ada@example.org" }, "on call", 'Ada (example.org, "on call")'],
    [{ name: "Zoë O’Neil-Łuk 3.", email: "z@münchen.example" }, undefined, "Zoë O’Neil-Łuk 3. (münchen.example)"],
    [{ name: "ada@example.org", email: "ada@example.org" }, undefined, "ada@example.org"],
    [{ email: "ada@example.org" }, undefined, "ada@example.org"],
    [{ name: " ", email: "no address" }, undefined, ada],
    [{}, 'ends" here.\nNothing changes', `${ada} ("ends' here. Nothing changes")`],
    [{ name: "Ada, Bob and 28 more" }, undefined, ada],
    [{ name: "<img src=x>" }, undefined, ada],
    [{ name: "Ada\u202egnihton" }, undefined, ada],
    [{ name: "Ada\nBob" }, undefined, ada],
    [{ name: "x".repeat(61) }, undefined, ada],
    [{ name: "Ada", email: "ada@example.org) and others" }, undefined, "Ada"],
  ])("names %j with the note %j as %s", (person, note, words) => {
    const named = directoryOf({ people: new Map([[ada, person]]) });
    expect(named(new Map(note === undefined ? [] : [[ada, note]])).words(ada)).toBe(words);
  });

  test("tells people with the same name and domain apart", () => {
    const emails = { a: "1@one.example", b: "2@one.example", c: "1@two.example" };
    const directory = new Map(Object.entries(emails).map(([id, email]) => [id, { name: "Ada", email }]));
    const shown = ["Ada (one.example, a)", "Ada (one.example, b)", "Ada (two.example)", "d"];
    expect(["a", "b", "c", "d"].map(directoryOf({ people: directory })(new Map()).words)).toEqual(shown);
  });

  test("shows the display name of an organization with its id", () => {
    const organization_names = new Map(Object.entries({ org_1: "Acme", org_2: 'A" (org_9)' }));
    const words = (id: string) => organizationWords(id, { organization_names });
    expect(["org_1", "org_2", "org_3"].map(words)).toEqual(['"Acme" (org_1)', `"A' (org_9)" (org_2)`, "org_3"]);
  });

  const noted = (members_with_notes: object) => setOf(null, { members_with_notes });
  const judged = (before: object, after: object, more?: Partial<PlannedObject>) =>
    judgeMembers([memberSet("set.a", noted(before), noted(after), more)]);

  test("names people with notes first when they leave, and people who join with the note of the new list", () => {
    const leaving = judged({ a: "", b: "", c: "", d: "", e: "", ada: "founder", zoe: "on call" }, { a: "" });
    expect(wordsOf(leaving.effects[0]!).text).toBe(
      '6 of 7 members lose access to org_1: ada ("founder"), zoe ("on call") and 4 more.',
    );
    const [change] = leaving.changes;
    expect(change).toMatchObject({
      loses: ["ada", "b", "c", "d", "e", "zoe"],
      people: { ada: 'ada ("founder")', zoe: 'zoe ("on call")' },
    });
    const named = ["ada", "b", "toString"].map((id) => personWords(change!, id));
    expect(named).toEqual(['ada ("founder")', "b", "toString"]);
    const [joining] = judged({ a: "" }, { a: "", zoe: "on call" }).effects;
    expect(wordsOf(joining!).text).toBe('1 member gains access to org_1: zoe ("on call").');
  });

  test.each<Partial<PlannedObject>>([
    { beforeSensitive: { members_with_notes: { ada: true } } },
    { afterSensitive: { members_with_notes: { ada: true } } },
  ])("does not show a sensitive note: %j", (marks) => {
    const judgement = judged({ ada: "founder", b: "boss" }, { b: "boss" }, marks);
    expect(wordsOf(judgement.effects[0]!).text).toBe("1 of 2 members loses access to org_1: ada.");
    expect(JSON.stringify(judgement.changes)).not.toContain("founder");
  });

  test("does not show names of people that the plan hides", () => {
    const marks = { beforeSensitive: { members: true }, afterSensitive: { members: true } };
    const directory = new Map([["ada", { name: "Ada Lovelace" }]]);
    const one = memberSet("set.a", setOf(["ada", "b"]), setOf(["b"]), marks);
    const judgement = judgeMembers([one], undefined, { people: directory });
    expect(JSON.stringify([judgement.changes, judgement.effects])).not.toMatch(/ada|lovelace/i);
  });
});
