/** Judges statements about members: sets of one organization, remote members, and what is not known. */
import { assumptionWords } from "../../../../src/judge/impact/words/assumption";
import { table } from "../support/table";
import type { TenantObject } from "../../../../src/judge/impact/state";
import { judgeExpectations } from "../../../../src/judge/impact/statement/judge";
import { judgeMembers } from "../../../../src/judge/impact/statement/members";
import { judgementWords } from "../../../../src/judge/impact/words/reason";
import { readExpectations } from "../support/expectations";

const unknown = Symbol("unknown");
const set = (members: unknown, values: object = {}, more: Partial<TenantObject> = {}): TenantObject => ({
  address: "set.a",
  values: { organization_id: "org_1", members, ...values },
  ...more,
});
const remote = (...members: string[]): TenantObject => ({ values: { organization_id: "org_1", members } });
const shared = { exclusive: false };
const elsewhere = { organization_id: unknown };
const judge = (statement: object, members: TenantObject[] | undefined) =>
  judgeMembers(
    { kind: "members", organization_id: "org_1", ...statement },
    { ...(members && { memberships: members }) },
  );

const ab = ["a", "b"];
const secret = { sensitive: { members: true, organization_id: true } };
const cases: [string, object, TenantObject[]?][] = [
  ["a member of the set", { include: ["a"] }, [set(ab)]],
  ["a missing member", { include: ["a", "c"] }, [set(ab, {}, { plan: "eu", id: "org_1" })]],
  ["a missing and a present member", { include: ["a", "c"], exclude: ["b"] }, [set(ab)]],
  ["four missing", { include: ["w", "x", "y", "z"] }, [set(["a"])]],
  ["a long id", { include: ["x".repeat(80)] }, [set(["a"])]],
  ["two present", { exclude: ab }, [set(ab)]],
  ["no such member", { exclude: ["c"] }, [set(ab)]],
  ["enough members", { at_least: 2 }, [set(ab)]],
  ["too few members", { at_least: 5 }, [set(ab)]],
  ["the same member twice", { at_least: 2 }, [set(["a", "a"])]],
  ["an empty set", { at_least: 1 }, [set([])]],
  ["too many members", { at_most: 1 }, [set(ab)]],
  ["few members", { at_most: 2 }, [set(ab)]],
  ["members with notes", { include: ["a"] }, [set(undefined, { members_with_notes: { a: "lead" } })]],
  ["another organization", { include: ["a"] }, [set(["a"], { organization_id: "org_2" })]],
  ["an organization that was not read", { organization_id: "org_".padEnd(80, "x"), at_most: 1 }, [set(["a"])]],
  ["no set", { include: ["a"] }],
  ["no such organization", { exclude: ["a"] }, [{ values: { organization_id: "org_1" } }]],
  ["a set of no such organization", { exclude: ["a"] }, [{ values: { organization_id: "org_1" } }, set(["b"])]],
  ["an unknown statement", { include: unknown }, [set(["a"])]],
  ["an exclusive set and the remote members", { exclude: ["z"] }, [set(["a"], { exclusive: true }), remote("z")]],
  ["null in place of exclusive", { exclude: ["z"] }, [set(["a"], { exclusive: null }), remote("z")]],
  ["a shared set with the remote members", { include: ["a", "z"] }, [set(["a"], shared), remote("z")]],
  ["a remote member next to a shared set", { exclude: ["z"] }, [set(["a"], shared), remote("z")]],
  ["the remote members alone", { at_most: 1 }, [remote("a")]],
  ["a member who is not among the remote ones", { include: ["c"] }, [remote("a")]],
  ["a shared set without the remote members", { include: ["a"] }, [set(["a"], shared)]],
  ["a member that others may have", { include: ["z"] }, [set(["a"], shared)]],
  ["an exclusion that others may break", { exclude: ["z"] }, [set(["a"], shared)]],
  ["a number that others may exceed", { at_most: 5 }, [set(["a"], shared)]],
  ["a number that is exceeded already", { at_most: 1 }, [set(ab, shared)]],
  ["a number that others may reach", { at_least: 2 }, [set(["a"], shared)]],
  ["two shared sets", { include: ab, at_least: 2 }, [set(["a"], shared), set(["b"], shared)]],
  ["two exclusive sets", { include: ["x"] }, [set(["a"]), set(["b"])]],
  ["one resource for each member", { exclude: ["z"] }, [set(undefined, { user_id: "a" }), remote("z")]],
  ["null in place of members", { exclude: ["z"] }, [set(null, { members_with_notes: { z: "" } })]],
  ["unknown members", { include: ["a"] }, [set(unknown)]],
  ["any number of unknown members", { at_most: 1 }, [set(unknown)]],
  ["members with unknown notes", { at_most: 2 }, [set(["a"], { members_with_notes: unknown })]],
  ["a known member among unknown ones", { include: ["a"] }, [set(["a", unknown])]],
  ["an unknown member that may be the one", { include: ["x"] }, [set(["a", unknown])]],
  ["as many as may join", { include: ["x", "y"] }, [set([unknown, unknown])]],
  ["an unknown member that may be excluded", { exclude: ["x", "y"] }, [set(["a", unknown])]],
  ["an unknown member beside a present one", { include: ["x"], exclude: ["a"] }, [set(["a", unknown])]],
  ["an unknown member that may make too many", { at_most: 1 }, [set(["a", unknown])]],
  ["an unknown member that makes too many at most", { at_most: 2 }, [set(["a", unknown])]],
  ["an unknown member that may make enough", { at_least: 2 }, [set(["a", unknown])]],
  ["an unknown member that cannot make enough", { at_least: 3 }, [set(["a", unknown])]],
  ["one unknown member of a resource", { at_most: 1 }, [set(undefined, { user_id: unknown }), remote("a")]],
  ["one unknown member at most", { at_most: 2 }, [set(undefined, { user_id: unknown }), remote("a")]],
  ["an unknown member of one resource", { exclude: ["z"] }, [set(undefined, { user_id: unknown }), remote()]],
  ["a set with an unknown flag", { exclude: ["z"] }, [set(["a"], { exclusive: unknown })]],
  ["an exclusive set beside an unknown organization", { include: ["x"] }, [set(["a"]), set(["x"], elsewhere)]],
  ["an unknown organization", { include: ["x"] }, [set(["a"], shared), remote("b"), set(["c"], elsewhere)]],
  ["an unknown organization, too many", { at_most: 1 }, [set(["a"], shared), remote(), set(["b"], elsewhere)]],
  ["sensitive members", { include: ["x"], exclude: ["a"], at_least: 3 }, [set(ab, {}, secret)]],
  ["a sensitive set among others", { exclude: ["b"] }, [set(["a"], shared, secret), set(["b"], shared)]],
  ["an addition up to the bound", { include: ["x"], at_least: 2, at_most: 2 }, [set(["a"])]],
  ["an addition above the bound", { include: ["x"], at_most: 1 }, [set(["a"])]],
  ["a removal below the bound", { exclude: ["a"], at_least: 1 }, [set(["a"])]],
  ["a removal that makes room", { include: ["x"], exclude: ["a"], at_most: 1 }, [set(["a"])]],
  ["a member of two sets", { exclude: ["a"] }, [set(["a"], shared), set(["b"], shared)]],
];

test("judges each case, words it, and names the set", () => {
  const lines = table(
    cases,
    (statement, members) => {
      const judged = judge(statement, members);
      const { verdict, cause, offences, assumptions } = judged;
      const text = judgementWords(judged);
      expect(assumptions.every((one) => text.includes(assumptionWords(one)))).toBe(true);
      const causes = cause.map(({ address, plan, id, words }) => [address, plan, id, words].filter(Boolean).join(" "));
      const worse = [...offences].map(([who, distance]) => `${who} by ${distance}`);
      const parts = [text, causes.join(", "), worse.join(", ")];
      return verdict === "held" ? [] : [`${verdict}. ${parts.filter(Boolean).join(" | ")}`];
    },
    "held",
  );
  expect(lines).toMatchInlineSnapshot(`
    "
    a missing member: broken. c is not in the organization. | set.a eu org_1 the members of org_1 | missing c by 0
    a missing and a present member: broken. c is not in the organization. b is in the organization. | set.a the members of org_1 | missing c by 0, present b by 0
    four missing: broken. w, x, y and z are not in the organization. | set.a the members of org_1 | missing w by 0, missing x by 0, missing y by 0, missing z by 0
    a long id: broken. xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… is not in the organization. | set.a the members of org_1 | missing xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx by 0
    two present: broken. a and b are in the organization. | set.a the members of org_1 | present a by 0, present b by 0
    too few members: broken. The organization has 2 members, and it should have at least 5. | set.a the members of org_1 | few by 3
    the same member twice: broken. The organization has 1 member, and it should have at least 2. | set.a the members of org_1 | few by 1
    an empty set: broken. The organization has 0 members, and it should have at least 1. | set.a the members of org_1 | few by 1
    too many members: broken. The organization has 2 members, and it should have at most 1. | set.a the members of org_1 | many by 1
    another organization: undecided. The members of the organization org_1 were not read.
    an organization that was not read: undecided. The members of the organization org_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… were not read.
    no set: undecided. The members of organizations were not read.
    no such organization: undecided. The tenant has no organization org_1.
    an unknown statement: undecided. The plan does not show every value of this expectation.
    a remote member next to a shared set: broken. z is in the organization. | set.a the members of org_1, the members of org_1 | present z by 0
    a member who is not among the remote ones: broken. c is not in the organization. | the members of org_1 | missing c by 0
    a member that others may have: undecided. z is perhaps not in the organization. Not certain, because the other members of the organization were not read. | set.a the members of org_1 | missing z by 0
    an exclusion that others may break: undecided. z may be in the organization. Not certain, because the other members of the organization were not read. | set.a the members of org_1 | present z by 0
    a number that others may exceed: undecided. The organization may have more than 5 members. Not certain, because the other members of the organization were not read. | set.a the members of org_1 | many by 0
    a number that is exceeded already: broken. The organization has 2 members, and it should have at most 1. | set.a the members of org_1 | many by 1
    a number that others may reach: undecided. The organization has perhaps only 1 member, and it should have at least 2. Not certain, because the other members of the organization were not read. | set.a the members of org_1 | few by 1
    two exclusive sets: undecided. x is perhaps not in the organization. Not certain, because several member sets manage the organization. | set.a the members of org_1, set.a the members of org_1 | missing x by 0
    one resource for each member: broken. z is in the organization. | set.a the members of org_1, the members of org_1 | present z by 0
    null in place of members: broken. z is in the organization. | set.a the members of org_1 | present z by 0
    unknown members: undecided. a is perhaps not in the organization. Not certain, because some members are known only after the apply. | set.a the members of org_1 | missing a by 0
    any number of unknown members: undecided. The organization may have more than 1 member. Not certain, because some members are known only after the apply. | set.a the members of org_1 | many by 0
    members with unknown notes: undecided. The organization may have more than 2 members. Not certain, because some members are known only after the apply. | set.a the members of org_1 | many by 0
    an unknown member that may be the one: undecided. x is perhaps not in the organization. Not certain, because some members are known only after the apply. | set.a the members of org_1 | missing x by 0
    as many as may join: undecided. x and y are perhaps not in the organization. Not certain, because some members are known only after the apply. | set.a the members of org_1 | missing x by 0, missing y by 0
    an unknown member that may be excluded: undecided. x and y may be in the organization. Not certain, because some members are known only after the apply. | set.a the members of org_1 | present x by 0, present y by 0
    an unknown member beside a present one: broken. a is in the organization. | set.a the members of org_1 | present a by 0
    an unknown member that may make too many: undecided. The organization may have more than 1 member. Not certain, because some members are known only after the apply. | set.a the members of org_1 | many by 0
    an unknown member that may make enough: undecided. The organization has perhaps only 1 member, and it should have at least 2. Not certain, because some members are known only after the apply. | set.a the members of org_1 | few by 1
    an unknown member that cannot make enough: broken. The organization has 1 member, and it should have at least 3. | set.a the members of org_1 | few by 2
    one unknown member of a resource: undecided. The organization may have more than 1 member. Not certain, because some members are known only after the apply. | set.a the members of org_1, the members of org_1 | many by 0
    an unknown member of one resource: undecided. z may be in the organization. Not certain, because some members are known only after the apply. | set.a the members of org_1, the members of org_1 | present z by 0
    a set with an unknown flag: undecided. z may be in the organization. Not certain, because the other members of the organization were not read. | set.a the members of org_1 | present z by 0
    an exclusive set beside an unknown organization: broken. x is not in the organization. | set.a the members of org_1 | missing x by 0
    an unknown organization: undecided. x is perhaps not in the organization. Not certain, because a member set whose organization is known only after the apply may change these members. | set.a the members of org_1, the members of org_1 | missing x by 0
    an unknown organization, too many: undecided. The organization may have more than 1 member. Not certain, because a member set whose organization is known only after the apply may change these members. | set.a the members of org_1, the members of org_1 | many by 0
    sensitive members: broken. (sensitive) is not in the organization. (sensitive) is in the organization. The organization has (sensitive) members, and it should have at least 3. | set.a the members of (sensitive) | missing x by 0, present a by 0, few by 1
    a sensitive set among others: broken. (sensitive) is in the organization. | set.a the members of (sensitive), set.a the members of org_1 | present b by 0
    an addition up to the bound: broken. x is not in the organization. The organization has 1 member, and it should have at least 2. | set.a the members of org_1 | missing x by 0, few by 1
    an addition above the bound: broken. x is not in the organization. | set.a the members of org_1 | missing x by 0
    a removal below the bound: broken. a is in the organization. | set.a the members of org_1 | present a by 0
    a removal that makes room: broken. x is not in the organization. a is in the organization. | set.a the members of org_1 | missing x by 0, present a by 0
    a member of two sets: broken. a is in the organization. | set.a the members of org_1, set.a the members of org_1 | present a by 0
    held: a member of the set; no such member; enough members; few members; members with notes; a set of no such organization; an exclusive set and the remote members; null in place of exclusive; a shared set with the remote members; the remote members alone; a shared set without the remote members; two shared sets; a known member among unknown ones; an unknown member that makes too many at most; one unknown member at most
    "
  `);
});

test("marks what was so before and got no worse", () => {
  const list = readExpectations([{ name: "x", members: { organization_id: "org_1", include: ab } }], "test");
  const change = (before: string[], after: string[]) =>
    judgeExpectations(list, { before: { memberships: [set(before)] }, after: { memberships: [set(after)] } })[0]!
      .already;
  expect([change(["a"], ["a"]), change([], ["a"]), change(["a"], [])]).toEqual([true, true, undefined]);
  // The plan adds an exclusive set, which decides what no set decided.
  const made = (after: TenantObject[]) =>
    judgeExpectations(list, { before: { memberships: [remote("a")] }, after: { memberships: after } })[0];
  expect(made([set(["a"]), remote("a")])).toMatchObject({ verdict: "broken" });
  expect(made([set(["a"]), remote("a")])?.already).toBeUndefined();
  expect(made([set(["a"], shared), remote("a")])?.already).toBe(true);
});
