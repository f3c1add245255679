/** The whole judgement of a statement about members: words, causes, and what got worse. */
import type { StatedObject } from "../../../src/impact/expectation/judge";
import { judgeMembers } from "../../../src/impact/expectation/member-statement";

const unknown = Symbol("unknown");
const set = (members: unknown, values: object = {}, more: Partial<StatedObject> = {}): StatedObject => ({
  address: "set.a",
  values: { organization_id: "org_1", members, ...values },
  ...more,
});
const remote = (...members: string[]): StatedObject => ({ values: { organization_id: "org_1", members } });
const shared = { exclusive: false };
const judge = (statement: object, members: StatedObject[] | undefined) =>
  judgeMembers({ kind: "members", organization_id: "org_1", ...statement }, { ...(members && { members }) });
const nothing = { verdict: "undecided", cause: [], assumptions: [], offences: new Map() };

test("a statement that holds has no cause", () => {
  expect(judge({ include: ["a"], exclude: ["b"], at_least: 1, at_most: 1 }, [set(["a"])])).toEqual({
    verdict: "held",
    text: "It holds after the change.",
    cause: [],
    assumptions: [],
    offences: new Map(),
  });
});

test("says what was not read", () => {
  const organization = "org_".padEnd(80, "x");
  expect(judge({ include: unknown }, [set(["a"])])).toEqual({
    ...nothing,
    text: "The plan does not show every value of this expectation.",
  });
  expect(judge({ at_most: 1 }, undefined)).toEqual({ ...nothing, text: "The members of organizations were not read." });
  expect(judge({ organization_id: organization, at_most: 1 }, [set(["a"])])).toEqual({
    ...nothing,
    text: `The members of the organization ${organization.slice(0, 63)}… were not read.`,
  });
});

test("a broken statement names its set", () => {
  const own = set(["a", "b"], {}, { plan: "eu", id: "org_1" });
  expect(judge({ include: ["a", "c"], exclude: ["b"] }, [own])).toEqual({
    verdict: "broken",
    text: "c is not in the organization. b is in the organization.",
    cause: [{ address: "set.a", plan: "eu", id: "org_1", words: "the members of org_1" }],
    assumptions: [],
    offences: new Map([
      ["missing c", 0],
      ["present b", 0],
    ]),
  });
});

test("remote members have no address", () => {
  const judged = judge({ include: ["c"] }, [remote("a")]);
  expect(judged.cause).toStrictEqual([{ words: "the members of org_1" }]);
});

const many = ["a", "b", "c", "d", "e"];
test.each<[string, object, StatedObject[], string]>([
  ["two missing", { include: ["x", "y"] }, [set(["a"])], "x and y are not in the organization."],
  ["four missing", { include: ["w", "x", "y", "z"] }, [set(["a"])], "w, x, y and 1 more are not in the organization."],
  ["three missing", { include: ["x", "y", "z"] }, [set(["a"])], "x, y and z are not in the organization."],
  ["a long id", { include: ["x".repeat(80)] }, [set(["a"])], `${"x".repeat(63)}… is not in the organization.`],
  ["two present", { exclude: ["a", "b"] }, [set(many)], "a and b are in the organization."],
  ["one too few", { at_least: 2 }, [set(["a"])], "The organization has 1 member, and it should have at least 2."],
  ["no member", { at_least: 1 }, [set([])], "The organization has 0 members, and it should have at least 1."],
  ["too many", { at_most: 1 }, [set(["a", "b"])], "The organization has 2 members, and it should have at most 1."],
])("words for %s", (_name, statement, members, text) => {
  expect(judge(statement, members)).toMatchObject({ verdict: "broken", text });
});

const someUnknown = "Some members are known only after the apply.";
test.each<[string, object, StatedObject[], string, string]>([
  [
    "a member that may be missing",
    { include: ["x"] },
    [set(["a", unknown])],
    "x is perhaps not in the organization.",
    someUnknown,
  ],
  [
    "as many as may join",
    { include: ["x", "y"] },
    [set([unknown, unknown])],
    "x and y are perhaps not in the organization.",
    someUnknown,
  ],
  [
    "a member that may be present",
    { exclude: ["x"] },
    [set(["a", unknown])],
    "x may be in the organization.",
    someUnknown,
  ],
  [
    "perhaps too few",
    { at_least: 2 },
    [set(["a", unknown])],
    "The organization has perhaps only 1 member, and it should have at least 2.",
    someUnknown,
  ],
  [
    "perhaps too many",
    { at_most: 1 },
    [set(["a", unknown])],
    "The organization may have more than 1 member.",
    someUnknown,
  ],
  [
    "unread members",
    { include: ["x"] },
    [set(["a"], shared)],
    "x is perhaps not in the organization.",
    "The other members of the organization were not read.",
  ],
  [
    "two exclusive sets",
    { include: ["x"] },
    [set(["a"]), set(["b"])],
    "x is perhaps not in the organization.",
    "Several member sets manage the organization.",
  ],
  [
    "a set of an unknown organization",
    { include: ["x"] },
    [set(["a"], shared), remote("b"), set(["c"], { organization_id: unknown })],
    "x is perhaps not in the organization.",
    "A member set whose organization is known only after the apply may change these members.",
  ],
])("undecided: %s", (_name, statement, members, text, why) => {
  const judged = judge(statement, members);
  expect(judged).toMatchObject({ verdict: "undecided", text: `${text} ${why}`, assumptions: [why] });
});

test("a certain problem hides an uncertain one", () => {
  const judged = judge({ include: ["x"], exclude: ["a"] }, [set(["a", unknown])]);
  expect(judged).toMatchObject({ verdict: "broken", text: "a is in the organization.", assumptions: [] });
  // Nobody who may join is named next to a member who is present.
  expect([...judged.offences]).toEqual([["present a", 0]]);
});

test.each<[string, object, StatedObject[], [string, number][]]>([
  ["too few", { at_least: 5 }, [set(["a", "b"])], [["few", 3]]],
  ["too many", { at_most: 1 }, [set(many)], [["many", 4]]],
  ["perhaps too many", { at_most: 1 }, [set(["a", unknown])], [["many", 0]]],
  [
    "perhaps present",
    { exclude: ["x", "y"] },
    [set([unknown])],
    [
      ["present x", 0],
      ["present y", 0],
    ],
  ],
])("how far it is: %s", (_name, statement, members, offences) => {
  expect([...judge(statement, members).offences]).toEqual(offences);
});

test("sensitive members are counted and named nowhere", () => {
  const secret = set(["a", "b"], {}, { sensitive: { members: true, organization_id: true } });
  const judged = judge({ include: ["x"], exclude: ["a"], at_least: 3 }, [secret]);
  expect(judged.text).toBe(
    "(sensitive) is not in the organization. (sensitive) is in the organization. " +
      "The organization has (sensitive) members, and it should have at least 3.",
  );
  expect(judged.cause).toEqual([{ address: "set.a", words: "the members of (sensitive)" }]);
  expect(judge({ at_least: 2 }, [set(["a"], {}, { sensitive: { members: true } })]).text).toBe(
    "The organization has (sensitive) members, and it should have at least 2.",
  );
  const one = set(["a"], shared, { sensitive: { members: true } });
  expect(judge({ exclude: ["b"] }, [one, set(["b"], shared)]).text).toBe("(sensitive) is in the organization.");
});

test.each<[string, StatedObject[], string]>([
  ["an exclusive set", [set(["a"], { exclusive: true }), remote("z")], "held"],
  ["null in place of exclusive", [set(["a"], { exclusive: null }), remote("z")], "held"],
  ["a shared set", [set(["a"], shared), remote("z")], "broken"],
  ["one resource for each member", [set(undefined, { user_id: "a" }), remote("z")], "broken"],
  ["null in place of members", [set(null, { members_with_notes: { z: "" } })], "broken"],
  ["members with unknown notes", [set(undefined, { members_with_notes: unknown })], "undecided"],
  ["an unknown member of one resource", [set(undefined, { user_id: unknown }), remote()], "undecided"],
  ["a list of an expired member", [set(["z"], { expired_members: ["z"] })], "held"],
])("whether z is excluded: %s", (_name, members, verdict) => {
  expect(judge({ exclude: ["z"] }, members).verdict).toBe(verdict);
});

test("one unknown member of a resource adds at most one", () => {
  const members = [set(undefined, { user_id: unknown }), remote("a")];
  expect(judge({ at_most: 2 }, members).verdict).toBe("held");
  expect(judge({ at_most: 1 }, members).verdict).toBe("undecided");
});

test("an exclusive set decides alone, also next to a set of an unknown organization", () => {
  const other = set(["x"], { organization_id: unknown });
  expect(judge({ include: ["x"] }, [set(["a"]), other]).verdict).toBe("broken");
});

test("a list that is not known may have any number of members", () => {
  expect(judge({ at_most: 1 }, [set(unknown)]).verdict).toBe("undecided");
  expect(judge({ at_most: 2 }, [set(["a"], { members_with_notes: unknown })]).verdict).toBe("undecided");
});

test("a member whose end is not known may have left", () => {
  const ends = set(["a"], { expired_members: unknown });
  expect(judge({ include: ["a"] }, [ends])).toMatchObject({
    verdict: "undecided",
    text: `a is perhaps not in the organization. ${someUnknown}`,
  });
  expect(judge({ exclude: ["a"] }, [ends])).toMatchObject({
    verdict: "undecided",
    text: `a may be in the organization. ${someUnknown}`,
  });
});
