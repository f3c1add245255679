/** Judges statements about members: sets of one organization, remote members, and what is not known. */
import { judgeExpectations, type StatedObject } from "../../../src/impact/expectation/judge";
import { readExpectations } from "../../../src/impact/expectation/read";

const unknown = Symbol("unknown");
const set = (members: unknown, more: object = {}, organization_id: unknown = "org_1"): StatedObject => ({
  address: "set.a",
  values: { organization_id, members, ...more },
});
const remote = (...members: string[]): StatedObject => ({ values: { organization_id: "org_1", members } });
const shared = { exclusive: false };

const judge = (statement: object, members: StatedObject[] | undefined) =>
  judgeExpectations(readExpectations([{ name: "x", members: { organization_id: "org_1", ...statement } }], "test"), {
    after: members ? { members } : {},
  })[0]!;

test.each([
  ["a member of the set", { include: ["a"] }, [set(["a", "b"])], "held"],
  ["a missing member", { include: ["a", "c"] }, [set(["a", "b"])], "broken"],
  ["a member that must not be there", { exclude: ["a"] }, [set(["a", "b"])], "broken"],
  ["no such member", { exclude: ["c"] }, [set(["a", "b"])], "held"],
  ["enough members", { at_least: 2 }, [set(["a", "b"])], "held"],
  ["too few members", { at_least: 3 }, [set(["a", "b"])], "broken"],
  ["the same member twice", { at_least: 2 }, [set(["a", "a"])], "broken"],
  ["too many members", { at_most: 1 }, [set(["a", "b"])], "broken"],
  ["few members", { at_most: 2 }, [set(["a", "b"])], "held"],
  ["an empty set", { at_least: 1 }, [set([])], "broken"],
  ["members with notes", { include: ["a"] }, [set(undefined, { members_with_notes: { a: "lead" } })], "held"],
  ["another organization", { include: ["a"] }, [set(["a"], {}, "org_2")], "undecided"],
  ["no set", { include: ["a"] }, undefined, "undecided"],
  ["an exclusive set in place of the remote members", { exclude: ["z"] }, [set(["a"]), remote("z")], "held"],
  ["a shared set with the remote members", { include: ["a", "z"] }, [set(["a"], shared), remote("z")], "held"],
  ["a remote member next to a shared set", { exclude: ["z"] }, [set(["a"], shared), remote("z")], "broken"],
  ["the remote members alone", { at_most: 1 }, [remote("a")], "held"],
  ["a shared set without the remote members", { include: ["a"] }, [set(["a"], shared)], "held"],
  ["a member that others may have", { include: ["z"] }, [set(["a"], shared)], "undecided"],
  ["an exclusion that others may break", { exclude: ["z"] }, [set(["a"], shared)], "undecided"],
  ["a number that others may exceed", { at_most: 5 }, [set(["a"], shared)], "undecided"],
  ["a number that is exceeded already", { at_most: 1 }, [set(["a", "b"], shared)], "broken"],
  ["a number that others may reach", { at_least: 2 }, [set(["a"], shared)], "undecided"],
  ["two shared sets", { include: ["a", "b"], at_least: 2 }, [set(["a"], shared), set(["b"], shared)], "held"],
  ["one resource for each member", { include: ["a"] }, [set(undefined, { user_id: "a" })], "held"],
  ["unknown members", { include: ["a"] }, [set(unknown)], "undecided"],
  ["a known member among unknown ones", { include: ["a"] }, [set(["a", unknown])], "held"],
  ["an unknown member that may be excluded", { exclude: ["z"] }, [set(["a", unknown])], "undecided"],
  ["an unknown member that may make too many", { at_most: 1 }, [set(["a", unknown])], "undecided"],
  ["an unknown member that makes too many at most", { at_most: 2 }, [set(["a", unknown])], "held"],
  ["an unknown member that cannot make enough", { at_least: 3 }, [set(["a", unknown])], "broken"],
  ["a set with an unknown flag", { exclude: ["z"] }, [set(["a"], { exclusive: unknown })], "undecided"],
  ["a set of an unknown organization", { include: ["a"] }, [set(["a"]), set(["b"], {}, unknown)], "held"],
  [
    "a set of an unknown organization next to a shared set",
    { at_most: 1 },
    [set(["a"], shared), remote(), set(["b"], {}, unknown)],
    "undecided",
  ],
  ["an unknown statement", { include: unknown }, [set(["a"])], "undecided"],
] as [string, object, StatedObject[] | undefined, string][])("%s", (_, statement, members, verdict) => {
  expect(judge(statement, members).verdict).toBe(verdict);
});

test("names the missing members, the numbers and the set", () => {
  expect(judge({ include: ["a", "c"], at_least: 3 }, [set(["a", "b"])])).toMatchObject({
    text: "c is not in the organization. The organization has 2 members, and it should have at least 3.",
    cause: [{ address: "set.a" }],
  });
});

test("marks what was so before and got no worse", () => {
  const list = readExpectations([{ name: "x", members: { organization_id: "org_1", include: ["a", "b"] } }], "test");
  const change = (before: string[], after: string[]) =>
    judgeExpectations(list, { before: { members: [set(before)] }, after: { members: [set(after)] } })[0]!.already;
  expect([change(["a"], ["a"]), change([], ["a"]), change(["a"], [])]).toEqual([true, true, undefined]);
});

test("shows no sensitive members", () => {
  const judged = judge({ include: ["secret"], at_most: 0 }, [{ ...set(["hidden"]), sensitive: { members: true } }]);
  expect(judged.verdict).toBe("broken");
  expect(judged.text).not.toMatch(/secret|hidden/);
});
