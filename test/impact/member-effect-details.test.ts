/** Effects on members in detail: every cause, assumption and share, and the sets that cause nothing. */
import { hidden } from "../../src/impact/hidden";
import type { PlannedObject, Values } from "../../src/impact/model";
import { memberEffects } from "../../src/impact/organization-member-set/effects";
import { judgeMembers } from "../../src/impact/organization-member-set/findings";
import { directoryOf, organizationWords } from "../../src/impact/organization-member-set/names";
import { causeWords, departuresOf, isWhollyMarked, setFrom } from "../../src/impact/organization-member-set/set";
import { members, memberSet as set } from "./support/member-sets";

const unknown = Symbol("not known yet");
const shared = { exclusive: false };
const elsewhere = { organization_id: "org_2" };
const nowhere = { organization_id: unknown };
const replaced = { actions: ["delete", "create"] };
const unchanged = { actions: ["no-op"] };
const tenant = (...ids: string[]) => new Map([["org_1", ids]]);
const effectsOf = (objects: PlannedObject[], remote?: Map<string, string[]>) =>
  memberEffects(judgeMembers(objects, remote));
const causesOf = (...given: Parameters<typeof effectsOf>) =>
  effectsOf(...given).map(({ cause }) => cause.map(({ address }) => address));

test("only a set that removes members causes a loss", () => {
  const removes = set("removes", members(["a", "b"], shared), members(["b"], shared));
  const stays = set("stays", members(["c"], shared), members(["c"], shared));
  expect(causesOf([stays, removes])).toEqual([["removes"]]);
});

test("every set that lists someone new causes the gain, and a destroyed set does not", () => {
  const objects = [
    set("one", members(["a"], shared), members(["a", "x"], shared)),
    set("two", members(["b"], shared), members(["b", "y"], shared)),
    set("three", members(["c"], shared), members(["c"], shared)),
    set("gone", members(["c"], shared)),
  ];
  const [gain] = effectsOf(objects, tenant("a", "b", "c")).filter(({ text }) => text.includes("gain"));
  expect(gain!.text).toBe("2 members gain access to org_1: x, y.");
  expect(gain!.cause.map(({ address }) => address)).toEqual(["one", "two"]);
});

test("what may happen in two organizations is reported once for each", () => {
  const objects = [
    set("one", members(["a"]), members(unknown)),
    set("two", members(["b"], elsewhere), members(unknown, elsewhere)),
  ];
  expect(effectsOf(objects).map(({ who, cause }) => [who, cause[0]!.address])).toEqual([
    ["Up to 1 of 1 member of org_1", "one"],
    ["people who are not known yet", "one"],
    ["Up to 1 of 1 member of org_2", "two"],
    ["people who are not known yet", "two"],
  ]);
});

test("a possible loss has a share, a cause and its reasons", () => {
  const [loss, gain] = effectsOf([set("one", members(["a", "b", "c", "d"]), members(["a", unknown]), { plan: "eu" })]);
  expect(loss).toStrictEqual({
    kind: "members",
    level: "high",
    apis: [],
    examples: [],
    share: { value: 0.75, of: "members of org_1", basis: "the members that the set lists" },
    who: "Up to 3 of 4 members of org_1",
    text: "Up to 3 of 4 members may lose access to org_1: `members` is known only after the apply.",
    cause: [{ address: "one", plan: "eu", words: "changes" }],
    certainty: "possible",
    assumptions: ["`members` is known only after the apply"],
  });
  expect(gain).toMatchObject({ who: "people who are not known yet", share: null });
});

test("all members may be lost", () => {
  const [loss] = effectsOf([set("one", members(["a", "b"]), members(unknown))]);
  expect(loss).toMatchObject({ who: "Up to 2 of 2 members of org_1", share: { value: 1 } });
});

test("an effect of a plan without a name has none", () => {
  const [loss] = effectsOf([set("one", members(["a", "b"]), members(["a"]))]);
  expect(loss!.cause).toStrictEqual([{ address: "one", words: "changes" }]);
});

test.each<[string, PlannedObject[], Map<string, string[]> | undefined, string, string[]]>([
  [
    "in an organization that is not known",
    [set("one", undefined, members(["a"], { ...nowhere, ...shared }))],
    undefined,
    "1 member may gain access to an organization that is not known yet",
    ["the organization is known only after the apply"],
  ],
  [
    "in an organization whose members are not known",
    [set("one", undefined, members(["a"], shared))],
    undefined,
    "1 member may gain access to org_1",
    ["whether they are members already is not known"],
  ],
  [
    "next to a new set that may list others",
    [set("all", undefined, members(unknown, { adopt_existing: true })), set("more", undefined, members(["b"], shared))],
    tenant(),
    "1 member may gain access to org_1",
    ["another set may remove them in the same apply"],
  ],
  [
    "next to an unchanged set",
    [set("all", members(["a"]), members(["a"]), unchanged), set("more", undefined, members(["b"], shared))],
    undefined,
    "1 member gains access to org_1",
    [],
  ],
  [
    "next to a destroyed set",
    [set("all", members(["a"])), set("more", undefined, members(["b"], shared))],
    undefined,
    "1 member gains access to org_1",
    [],
  ],
  [
    "next to a set that moves to another organization",
    [set("all", members(["a"]), members(["a"], elsewhere), replaced), set("more", undefined, members(["b"], shared))],
    new Map([
      ["org_1", ["a"]],
      ["org_2", ["a"]],
    ]),
    "1 member gains access to org_1",
    [],
  ],
  [
    "from two sets that list some members",
    [set("one", undefined, members(["a"], shared)), set("two", undefined, members(["b"], shared))],
    tenant(),
    "2 members gain access to org_1",
    [],
  ],
])("a gain %s", (_what, objects, remote, words, assumptions) => {
  const [gain] = effectsOf(objects, remote).filter(({ brief }) => brief?.includes("gain"));
  expect(gain).toMatchObject({ brief: `${words}.`, assumptions });
});

test("sensitive people are counted", () => {
  const marks = { beforeSensitive: { members: true } };
  const [loss] = effectsOf([set("one", members(["a", "b", "c"]), members(["c"]), marks)]);
  expect(loss).toMatchObject({
    who: `2 members ${hidden}`,
    text: "2 of 3 members lose access to org_1 (their names are sensitive).",
  });
});

describe("a loss of all members", () => {
  const codeOf = (...objects: PlannedObject[]) => judgeMembers(objects).losses[0]!.finding.code;

  test("empties an organization whose set moves to another one with its members", () => {
    expect(codeOf(set("one", members(["a"]), members(["a"], elsewhere), replaced))).toBe("TF-MEMBERS-EMPTIED");
  });

  test.each<[string, PlannedObject]>([
    ["members that are listed", set("two", members([]), members(["b"], nowhere), replaced)],
    ["members that are not known", set("two", members([]), members(unknown, nowhere), replaced)],
    ["members that join this organization", set("two", members([], shared), members(unknown, shared))],
  ])("does not empty an organization to which a set may come back with %s", (_what, other) => {
    const [goes, whole] = [
      set("one", members(["a"], shared), members([], shared)),
      set("all", members([]), members([]), unchanged),
    ];
    expect(codeOf(goes, whole, other)).not.toBe("TF-MEMBERS-EMPTIED");
    expect(codeOf(goes, whole)).toBe("TF-MEMBERS-EMPTIED");
  });

  test("counts the members that some sets lose", () => {
    const [loss] = judgeMembers([set("one", members(["a", "b"], shared), members([], shared))]).losses;
    expect(loss!.finding.text).toMatch(/^org_1 loses 2 members: a, b\./);
  });
});

describe("members who stay", () => {
  const keptOf = (...objects: PlannedObject[]) => judgeMembers(objects).kept;

  test("are reported at their set", () => {
    expect(keptOf(set("one", members(["a", "b"]), members(["b"], shared)))).toEqual([
      {
        code: "TF-MEMBERS-REMOVED",
        level: "info",
        address: "one",
        text: "1 member stays in org_1, although one no longer lists them: a.",
      },
    ]);
  });

  test("are not named if they are sensitive", () => {
    const marks = { beforeSensitive: { members: true } };
    expect(keptOf(set("one", members(["a"]), members([], shared), marks))[0]!.text).toBe(
      "1 member stays in org_1, although one no longer lists them.",
    );
  });

  test.each<[string, PlannedObject]>([
    ["the new list is not known", set("one", members(["a"]), members(unknown, shared))],
    ["nothing changes", set("one", members(["a"]), members([], shared), unchanged)],
    ["the set is new", set("one", undefined, members(["a"], shared))],
    ["the organization is not known", set("one", undefined, members(["a"], nowhere))],
  ])("are not reported if %s", (_what, object) => {
    expect(keptOf(object)).toEqual([]);
  });
});

describe("a set", () => {
  const sideOf = (more: Values, marks?: object) =>
    setFrom(set("one", undefined, members(["a", "b"], more), marks ? { afterSensitive: marks as never } : {})).after!;

  test("does not list a member whose end has passed", () => {
    expect(sideOf({ expired_members: ["a"] })).toMatchObject({ members: ["b"], open: undefined });
    expect(sideOf({ expired_members: null })).toMatchObject({ members: ["a", "b"], open: undefined });
    expect(sideOf({ expired_members: unknown })).toMatchObject({ open: "members" });
    expect(sideOf({}, { expired_members: true }).isSecret).toBe(true);
  });

  test("has only notes that are texts", () => {
    const notes = { a: "lead", b: unknown, c: null, d: "" };
    expect([...sideOf({ members_with_notes: notes }).notes]).toEqual([["a", "lead"]]);
    expect([...sideOf({ members_with_notes: null }).notes]).toEqual([]);
  });

  test("has a plan only if there are several", () => {
    expect(setFrom(set("one", members([])))).not.toHaveProperty("plan");
  });

  test("is sensitive as a whole, or not at all", () => {
    expect(
      [true, { until: true }, [{ until: true }], { until: { a: true } }, false, null, undefined].map((marks) =>
        isWhollyMarked(marks as never, "until"),
      ),
    ).toEqual([true, true, true, false, false, false, false]);
  });

  test("perhaps removes its members if it changes its organization in place", () => {
    const moved = set("one", members(["a"]), members(["a"], elsewhere));
    expect(departuresOf(setFrom(moved), "org_1")).toEqual({ certain: [], possible: ["a"], others: "no" });
  });

  test.each<[string, PlannedObject]>([
    ["is replaced", set("one", members([]), members([], nowhere), replaced)],
    ["changes", set("one", members([]), members([], { exclusive: unknown }))],
    ["changes", set("one", members([], shared), members(["a"], shared))],
  ])("%s", (words, object) => {
    expect(causeWords(setFrom(object))).toBe(words);
  });

  test("that moves is counted in each organization, with the notes of each", () => {
    const notes = (note: string) => ({ members_with_notes: { a: note } });
    const { changes } = judgeMembers([
      set("one", members([], notes("old")), members(["b"], { ...elsewhere, ...notes("new") }), replaced),
    ]);
    expect(changes).toMatchObject([
      { organization_id: "org_1", loses: ["a"], gains: [], before: 1, after: 0, people: { a: 'a ("old")' } },
      { organization_id: "org_2", loses: [], gains: ["a", "b"], before: 0, after: 2, people: { a: 'a ("new")' } },
    ]);
  });
});

test.each<[object, string | undefined, string]>([
  [{ name: " Ada ", email: "ada@example.org" }, undefined, "Ada (example.org)"],
  [{ name: "Ada", email: "nobody, ada@example.org" }, undefined, "Ada"],
  [{}, "on  \n call", 'x ("on call")'],
])("names %j with the note %j as %s", (person, note, words) => {
  const names = directoryOf({ people: new Map([["x", person]]) });
  expect(names(new Map(note === undefined ? [] : [["x", note]])).words("x")).toBe(words);
});

test("an organization that has its id as its name is named once", () => {
  expect(organizationWords("org_1", { organization_names: new Map([["org_1", "org_1"]]) })).toBe("org_1");
});
