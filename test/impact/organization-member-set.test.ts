/** The members that a change removes for certain, or may remove, and the findings about them. */
import { gainWords, judgeMembers, lossWords } from "../../src/impact/organization-member-set/findings";
import type { PlannedObject, Values } from "../../src/impact/model";

const type = "tenant_organization_member_set";
const unknown = Symbol("not known yet");
const people = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `auth0|${index + from}`);
const members = (ids: readonly unknown[] | symbol, more: Values = {}): Values => ({
  organization_id: "org_1",
  members: ids,
  exclusive: true,
  adopt_existing: false,
  ...more,
});
const set = (before?: Values, after?: Values, more: Partial<PlannedObject> = {}): PlannedObject => ({
  address: `${type}.staff`,
  type,
  actions: before && after ? ["update"] : before ? ["delete"] : ["create"],
  ...(before && { before }),
  ...(after && { after }),
  ...more,
});
const codesOf = (...objects: PlannedObject[]) =>
  judgeMembers(objects).losses.map(({ finding: { code, level } }) => [code, level]);

test.each([
  [100, 0, []],
  [100, 1, [["TF-MEMBERS-REMOVED", "low"]]],
  [100, 10, [["TF-MEMBERS-REMOVED", "low"]]],
  [100, 11, [["TF-MEMBERS-MANY", "high"]]],
  [20, 5, [["TF-MEMBERS-REMOVED", "low"]]],
  [20, 6, [["TF-MEMBERS-MANY", "high"]]],
  [4, 1, [["TF-MEMBERS-REMOVED", "low"]]],
  [3, 1, [["TF-MEMBERS-MANY", "high"]]],
  [2, 1, [["TF-MEMBERS-MANY", "high"]]],
  [1, 1, [["TF-MEMBERS-EMPTIED", "critical"]]],
  [30, 30, [["TF-MEMBERS-EMPTIED", "critical"]]],
])("judges an organization of %d members that loses %d: %j", (of, leaving, codes) => {
  expect(codesOf(set(members(people(of)), members(people(of - leaving, leaving))))).toEqual(codes);
});

test("names the first five members that leave, with counts", () => {
  const { losses } = judgeMembers([set(members(people(20)), members(people(12, 8)))]);
  expect(losses).toMatchObject([{ organization: "org_1", of: 20, leaving: people(8) }]);
  expect(losses[0]!.finding.text).toBe(
    "org_1 loses 8 of 20 members (40 %): auth0|0, auth0|1, auth0|2, auth0|3, auth0|4 and 3 more.",
  );
});

test("says that nobody is left", () => {
  const { losses } = judgeMembers([set(members(people(2)))]);
  expect(losses[0]!.finding.text).toBe("Nobody is left. org_1 loses 2 of 2 members (100 %): auth0|0, auth0|1.");
});

test("does not call an organization empty if unknown or new members join", () => {
  expect(codesOf(set(members(people(3)), members(["auth0|new"])))).toEqual([["TF-MEMBERS-MANY", "high"]]);
  const replaced = set(members(people(3)), members([unknown]), { actions: ["delete", "create"] });
  expect(codesOf(replaced)).toEqual([]);
  const moved = (ids: unknown[]) =>
    set(members(people(3)), members(ids, { organization_id: unknown }), { actions: ["delete", "create"] });
  expect(codesOf(moved(["auth0|new"]))).toEqual([["TF-MEMBERS-MANY", "high"]]);
  expect(codesOf(moved([]))).toEqual([["TF-MEMBERS-EMPTIED", "critical"]]);
});

test("hides members and organizations that are sensitive", () => {
  const marks = { members: true, organization_id: true };
  const { losses, changes } = judgeMembers([
    set(members(people(3)), members(people(1)), { beforeSensitive: marks, afterSensitive: marks }),
  ]);
  expect(losses[0]!.finding.text).toBe("(sensitive) loses 2 of 3 members (67 %): their names are sensitive.");
  expect(changes).toMatchObject([{ organization_id: "(sensitive)", loses: ["(sensitive)", "(sensitive)"] }]);
});

test.each<[string, PlannedObject, string[] | undefined, number | null, string[]]>([
  ["members", set(members(people(9)), members(unknown)), undefined, 9, ["members"]],
  ["one member", set(members(people(9)), members([...people(7), unknown])), undefined, 2, ["members"]],
  [
    "notes",
    set(members(people(9)), { ...members([]), members: undefined, members_with_notes: unknown }),
    undefined,
    9,
    ["members_with_notes"],
  ],
  ["exclusive", set(members(people(9)), members(people(4), { exclusive: unknown })), undefined, 5, ["exclusive"]],
  [
    "max_removals, which the apply enforces",
    set(members(people(9)), members(unknown, { max_removals: 3 })),
    undefined,
    3,
    ["members"],
  ],
  ["adopt_existing", set(undefined, members(people(2), { adopt_existing: unknown })), people(9), 7, ["adopt_existing"]],
  ["the number of members", set(undefined, members([], { adopt_existing: true })), undefined, null, []],
  [
    "the number of members, with max_removals",
    set(undefined, members([], { adopt_existing: true, max_removals: 4 })),
    undefined,
    4,
    [],
  ],
  [
    "members of an imported set",
    set(undefined, members(people(1)), { actions: ["update"], isImported: true }),
    people(3),
    2,
    [],
  ],
])("counts possible losses without %s", (_, object, remote, atMost, open) => {
  const { losses, possibleLosses } = judgeMembers([object], remote && new Map([["org_1", remote]]));
  expect(losses).toEqual([]);
  expect(possibleLosses).toMatchObject([
    { organization: "org_1", atMost, open, finding: { code: "TF-MEMBERS-UNKNOWN" } },
  ]);
});

test.each<[string, PlannedObject, string]>([
  ["any number", set(undefined, members([], { adopt_existing: true })), "high"],
  ["all", set(members(people(3)), members(unknown)), "high"],
  ["more than ten", set(members(people(80)), members([...people(69), unknown])), "high"],
  ["more than a quarter", set(members(people(20)), members([...people(14), unknown])), "high"],
  ["ten of many", set(members(people(80)), members([...people(70), unknown])), "low"],
  ["a quarter", set(members(people(20)), members([...people(15), unknown])), "low"],
  ["a few of an unknown number", set(undefined, members([], { adopt_existing: true, max_removals: 4 })), "low"],
])("judges a possible loss of %s members by its largest share", (_what, object, level) => {
  expect(judgeMembers([object]).possibleLosses.map(({ finding }) => finding.level)).toEqual([level]);
});

test("adds a possible loss to the certain loss of the organization", () => {
  const loose = { exclusive: false };
  const named = (name: string, ...sides: [Values, Values]) => ({ ...set(...sides), address: name });
  const drops = (count: number) => named("one", members(people(count), loose), members([], loose));
  const opens = named("two", members(people(8, 50), loose), members(unknown, loose));
  const levelOf = (objects: PlannedObject[]) =>
    judgeMembers(objects).possibleLosses.map(({ finding: { level } }) => level);
  expect([levelOf([opens]), levelOf([drops(2), opens]), levelOf([drops(3), opens])]).toEqual([
    ["low"],
    ["low"],
    ["high"],
  ]);
});

test.each([
  [250, 1, "under 1 %"],
  [250, 249, "over 99 %"],
  [250, 250, "100 %"],
  [200, 1, "1 %"],
])("never rounds to none or all: %d members, %d leave", (of, leaving, share) => {
  const [loss] = judgeMembers([set(members(people(of)), members(people(of - leaving, leaving)))]).losses;
  expect(loss!.finding.text).toContain(`${leaving} of ${of} members (${share})`);
});

test("counts no loss for members that may only join", () => {
  const [gain] = judgeMembers([set(undefined, members(unknown))]).possibleLosses;
  expect(gain).toMatchObject({ atMost: 0, finding: { level: "info" } });
  expect(gain!.finding.text).toContain("can only add members");
});

test("removes unlisted members for certain only if the set is known to take them", () => {
  const remote = new Map([["org_1", people(5)]]);
  const lost = (object: PlannedObject) => judgeMembers([object], remote).losses.map(({ leaving }) => leaving.length);
  expect(lost(set(undefined, members(people(2), { adopt_existing: true })))).toEqual([3]);
  expect(lost(set(undefined, members(people(2))))).toEqual([]);
  expect(lost(set(undefined, members(people(2), { adopt_existing: true, exclusive: false })))).toEqual([]);
  expect(lost(set(members(people(1), { exclusive: false }), members(people(2))))).toEqual([3]);
  expect(lost(set(members(people(2)), members(people(1), { exclusive: false })))).toEqual([]);
  expect(lost(set(members(people(2), { exclusive: false }), members(people(1), { exclusive: false })))).toEqual([1]);
  expect(lost(set(members(people(2)), undefined, { actions: ["forget"], after: members(people(2)) }))).toEqual([]);
  expect(lost(set(members(people(2), { on_destroy: "keep" })))).toEqual([]);
});

test("may lose members that another set adds in the same apply", () => {
  const shared = { exclusive: false };
  const { losses, possibleLosses } = judgeMembers([
    set(members(people(2), shared), members(people(1), shared)),
    { ...set(members([], shared), members(["auth0|1"], shared)), address: `${type}.more` },
  ]);
  expect(losses).toEqual([]);
  expect(possibleLosses).toMatchObject([{ atMost: 1 }]);
  expect(possibleLosses[0]!.finding.text).toBe(
    `Up to 1 member of org_1 may lose access through ${type}.staff: another set adds them in the same apply, and the order is not known.`,
  );
});

test("an organization that is not known yet may lose any number of members", () => {
  const after = members(people(1), { organization_id: unknown, adopt_existing: true });
  const { losses, possibleLosses } = judgeMembers([set(members(people(3)), after, { actions: ["delete", "create"] })]);
  expect(losses).toMatchObject([{ organization: "org_1", leaving: ["auth0|1", "auth0|2"] }]);
  expect(possibleLosses).toMatchObject([
    { organization: "org_1", atMost: 1, open: ["organization_id"] },
    { organization: undefined, atMost: null, open: ["organization_id"] },
  ]);
  expect(possibleLosses[1]!.finding.text).toMatch(/^Any number of members of an organization that is not known yet/);
});

test("says how many gain and lose access", () => {
  const change = { gains: ["a"], loses: ["b", "c"], may_gain: false, may_lose: 0 as number | null };
  const row = { address: "", organization_id: "org_1", before: 0, after: 0, ...change };
  expect([gainWords(row), lossWords(row)]).toEqual(["1 gain access", "2 lose access"]);
  const open = { ...row, may_gain: true, may_lose: 3 };
  expect([gainWords(open), lossWords(open)]).toEqual([
    "1 gain access and others may",
    "2 lose access, and up to 3 more may",
  ]);
  const unseen = { ...open, gains: [], loses: [], may_lose: null };
  expect([gainWords(unseen), lossWords(unseen)]).toEqual([
    "an unknown number may gain access",
    "any number may lose access",
  ]);
  expect(lossWords({ ...unseen, may_lose: 3 })).toBe("up to 3 may lose access");
  expect(lossWords({ ...open, may_lose: null })).toBe("2 lose access, and any number more may");
});

test("gives no share of an organization whose other members are not known", () => {
  const loose = { exclusive: false };
  const dropped = set(members(people(2), loose), members(people(1), loose));
  expect(judgeMembers([dropped]).losses[0]!.finding).toMatchObject({
    code: "TF-MEMBERS-REMOVED",
    text: "org_1 loses 1 member: auth0|1. The plan does not show how many members the organization has.",
  });
  expect(judgeMembers([dropped], new Map([["org_1", people(12)]])).losses[0]!.finding.text).toBe(
    "org_1 loses 1 of 12 members (8 %): auth0|1.",
  );
});

test("does not call an organization empty if a set that does not list all members is destroyed", () => {
  expect(codesOf(set(members(people(3), { exclusive: false })))).toEqual([["TF-MEMBERS-REMOVED", "low"]]);
  expect(codesOf(set(members(people(11), { exclusive: false })))).toEqual([["TF-MEMBERS-MANY", "high"]]);
});

test("says that members stay although the set no longer lists them", () => {
  const keptOf = (one: PlannedObject) => judgeMembers([one]).kept.map(({ level, text }) => `${level}: ${text}`);
  expect(keptOf(set(members(people(3)), members(people(2), { exclusive: false })))).toEqual([
    `info: 1 member stays in org_1, although ${type}.staff no longer lists them: auth0|2.`,
  ]);
  expect(keptOf(set(members(people(2), { on_destroy: "keep" })))).toEqual([
    `info: 2 members stay in org_1, although ${type}.staff no longer lists them: auth0|0, auth0|1.`,
  ]);
  expect(keptOf(set(members(people(3)), members(people(2))))).toEqual([]);
  expect(keptOf(set(members(people(3)), members(people(2), { exclusive: unknown })))).toEqual([]);
});
