/** Member sets in detail: their attributes, their removals, and what several sets of one organization do together. */
import { memberChange, organizationsIn } from "../../src/impact/organization-member-set/changes";
import { few, judgeMembers, openWords } from "../../src/impact/organization-member-set/findings";
import { departuresOf, openAttributes, setFrom, setsIn } from "../../src/impact/organization-member-set/set";
import type { PlannedObject, Values } from "../../src/impact/model";
import { members as values, memberSet, type } from "./support/member-sets";

const unknown = Symbol("not known yet");
const set = (before?: Values, after?: Values, more?: Partial<PlannedObject>) =>
  memberSet(`${type}.staff`, before, after, more);
const shared = { exclusive: false };
const replaced = { actions: ["delete", "create"] };

describe("reads", () => {
  const sideOf = (given: Values, marks?: object, ofType = type) =>
    setFrom(set(undefined, given, { type: ofType, ...(marks && { afterSensitive: marks as never }) })).after!;

  test("the defaults of a set", () => {
    expect(setFrom(set(undefined, values(["a"])))).toEqual({
      address: `${type}.staff`,
      before: undefined,
      after: {
        organization: "org_1",
        isSecretOrganization: false,
        members: ["a"],
        notes: new Map(),
        open: undefined,
        isSecret: false,
        exclusive: true,
        adopts: false,
        maxRemovals: undefined,
      },
      deletes: undefined,
      keeps: false,
      isCreated: true,
      isDestroyed: false,
      defers: true,
      isUnseen: false,
      acts: true,
    });
  });

  test("the plan and the kind of an object", () => {
    const sets = setsIn([
      set(values([]), undefined, { plan: "edge" }),
      { address: "acl", type: "tenant_network_acl", actions: ["create"] },
    ]);
    expect(sets).toMatchObject([{ plan: "edge", isDestroyed: true, isCreated: false }]);
    expect(setFrom(set(values([]), values([]), { actions: ["no-op"] })).acts).toBe(false);
    expect(setFrom(set(values([]), undefined, { type: "auth0_organization_members" })).defers).toBe(false);
  });

  test("a set that is replaced and keeps its members", () => {
    const left = setFrom(set(values(["a"]), values(["b"]), { actions: ["forget", "create"], leaves: true }));
    expect(left).toMatchObject({ keeps: true, isDestroyed: true });
  });

  test.each<[string, Values, string[], string | undefined]>([
    ["a list", values(["a", "b"]), ["a", "b"], undefined],
    ["a map of notes", values(null, { members_with_notes: { a: "note", b: null } }), ["a", "b"], undefined],
    ["one user", values(undefined, { user_id: "a" }), ["a"], undefined],
    ["an unknown list", values(unknown), [], "members"],
    ["an unknown member", values(["a", unknown]), ["a"], "members"],
    ["unknown notes", values(["a"], { members_with_notes: unknown }), ["a"], "members_with_notes"],
    ["two unknown forms", values(unknown, { members_with_notes: unknown }), [], "members"],
  ])("members from %s", (_what, given, members, open) => {
    expect(sideOf(given)).toMatchObject({ members, open });
  });

  test.each<[object | true, boolean, boolean]>([
    [{ members: true }, true, false],
    [{ members: [true] }, true, false],
    [{ user_id: true }, true, false],
    [{ members_with_notes: true }, true, false],
    [{ members_with_notes: { a: true } }, false, false],
    [[{ members_with_notes: true }], true, false],
    [[{}, { members_with_notes: { a: true } }], false, false],
    [[{}, { members_with_notes: true }], true, false],
    [{ organization_id: true }, false, true],
    [{ exclusive: true }, false, false],
    [true, true, true],
  ])("which parts are sensitive from %j", (marks, isSecret, isSecretOrganization) => {
    expect(sideOf(values(["a"]), marks as object)).toMatchObject({ isSecret, isSecretOrganization });
  });

  test("flags and limits", () => {
    expect(sideOf(values([], { exclusive: unknown, adopt_existing: unknown, max_removals: unknown }))).toMatchObject({
      exclusive: undefined,
      adopts: undefined,
      maxRemovals: undefined,
    });
    expect(sideOf(values([], { ...shared, adopt_existing: true, max_removals: 3 }))).toMatchObject({
      exclusive: false,
      adopts: true,
      maxRemovals: 3,
    });
    const entry = sideOf(
      { organization_id: "org_1", user_id: "a", exclusive: true },
      undefined,
      "auth0_organization_member",
    );
    expect(entry.exclusive).toBe(false);
    expect(sideOf({ organization_id: unknown, members: [] }).organization).toBeUndefined();
  });
});

describe("removes", () => {
  const departures = (object: PlannedObject, organization: string | undefined = "org_1") =>
    departuresOf(setFrom(object), organization);
  const nobody = { certain: [], possible: [], others: "no" };

  test.each<[string, PlannedObject, object]>([
    ["nobody without an action", set(values(["a"]), values([]), { actions: ["no-op"] }), nobody],
    ["the members that the new list lacks", set(values(["a", "b"]), values(["b"])), { ...nobody, certain: ["a"] }],
    ["all members when it is destroyed", set(values(["a"])), { ...nobody, certain: ["a"] }],
    ["nobody if it keeps them", set(values(["a"], { on_destroy: "keep" })), nobody],
    ["nobody when it stops being exclusive", set(values(["a"]), values([], shared)), nobody],
    [
      "its own members if it was not exclusive",
      set(values(["a"], shared), values([], { exclusive: unknown })),
      { certain: ["a"], possible: [], others: "perhaps" },
    ],
    [
      "perhaps its members if it may stop being exclusive",
      set(values(["a"]), values([], { exclusive: unknown })),
      { ...nobody, possible: ["a"] },
    ],
    [
      "only the members of older values",
      set(values(["a", "b"]), undefined, { deleted: values(["b"]) }),
      { ...nobody, certain: ["b"] },
    ],
    [
      "perhaps its members, if the replacement is not exclusive",
      set(values(["a", "b"]), values(["b"], shared), replaced),
      { ...nobody, possible: ["a"] },
    ],
    [
      "its members for certain, if the replacement is exclusive",
      set(values(["a", "b"]), values(["b"]), replaced),
      { certain: ["a"], possible: [], others: "yes" },
    ],
    [
      "its members for certain, if the Go provider replaces the set",
      set(values(["a", "b"]), values(["b"], shared), { ...replaced, type: "auth0_organization_members" }),
      { ...nobody, certain: ["a"] },
    ],
    [
      "other members when it becomes exclusive",
      set(values(["a"], shared), values(["a"])),
      { ...nobody, others: "yes" },
    ],
    [
      "perhaps other members when it becomes exclusive with an unknown list",
      set(values(["a"], shared), values([unknown])),
      { certain: [], possible: ["a"], others: "perhaps" },
    ],
    ["no other members as it stays exclusive", set(values(["a"]), values(["a", "b"])), nobody],
    [
      "other members when it adopts",
      set(undefined, values([], { adopt_existing: true })),
      { ...nobody, others: "yes" },
    ],
    ["no other members when it does not adopt", set(undefined, values([])), nobody],
    [
      "perhaps other members if it may adopt",
      set(undefined, values([], { adopt_existing: unknown })),
      { ...nobody, others: "perhaps" },
    ],
    [
      "perhaps other members if it may be exclusive",
      set(undefined, values([], { adopt_existing: true, exclusive: unknown })),
      { ...nobody, others: "perhaps" },
    ],
    [
      "perhaps other members of an imported set",
      set(undefined, values(["a"]), { actions: ["no-op"], isImported: true }),
      { ...nobody, others: "perhaps" },
    ],
  ])("%s", (_what, object, expected) => {
    expect(departures(object)).toEqual(expected);
  });

  describe("from the old organization", () => {
    const moved = (before: Values, after: Values, id: unknown) =>
      set({ ...values(["a", "b"]), ...before }, { ...values(["b"]), organization_id: id, ...after }, replaced);

    test.each<[string, PlannedObject, object]>([
      ["all members when it moves", moved({}, {}, "org_2"), { ...nobody, certain: ["a", "b"] }],
      [
        "perhaps listed members if it may come back",
        moved({}, {}, unknown),
        { ...nobody, certain: ["a"], possible: ["b"] },
      ],
      [
        "perhaps all others if it may come back and becomes exclusive",
        moved(shared, {}, unknown),
        { certain: ["a"], possible: ["b"], others: "perhaps" },
      ],
      [
        "perhaps all others if it keeps its members and may come back",
        moved({ on_destroy: "keep" }, {}, unknown),
        { ...nobody, others: "perhaps" },
      ],
      [
        "no others if it comes back without being exclusive",
        moved(shared, shared, unknown),
        {
          certain: ["a"],
          possible: ["b"],
          others: "no",
        },
      ],
      ["nobody if it keeps its members and moves", moved({ on_destroy: "keep" }, {}, "org_2"), nobody],
      ["no others if it was shared and moves", moved(shared, {}, "org_2"), { ...nobody, certain: ["a", "b"] }],
    ])("%s", (_what, object, expected) => {
      expect(departures(object)).toEqual(expected);
    });

    test("perhaps other members from an organization that is not known", () => {
      const object = moved({}, { adopt_existing: true }, unknown);
      expect(departuresOf(setFrom(object), undefined)).toEqual({ ...nobody, others: "perhaps" });
      expect(departures(object, "org_3")).toEqual(nobody);
    });
  });
});

test.each<[string, PlannedObject, string[]]>([
  ["nothing of a destroyed set", set(values(["a"])), []],
  ["nothing of a known set", set(values([]), values([])), []],
  [
    "every unknown attribute of a new set",
    set(undefined, {
      organization_id: unknown,
      members: unknown,
      exclusive: unknown,
      adopt_existing: unknown,
    }),
    ["organization_id", "members", "exclusive", "adopt_existing"],
  ],
  ["no adopt_existing of a set that stays", set(values([]), values([], { adopt_existing: unknown })), []],
  [
    "no adopt_existing of a set that is replaced within its organization",
    set(values([]), values([], { adopt_existing: unknown }), replaced),
    [],
  ],
  [
    "adopt_existing of a set that moves",
    set(values([], { organization_id: "org_2" }), values([], { adopt_existing: unknown }), replaced),
    ["adopt_existing"],
  ],
  [
    "no adopt_existing of a set that changes its organization in place",
    set(values([], { organization_id: "org_2" }), values([], { adopt_existing: unknown })),
    [],
  ],
])("finds unknown attributes that affect the outcome: %s", (_what, object, names) => {
  expect(openAttributes(setFrom(object))).toEqual(names);
});

describe("several sets", () => {
  const named = (name: string, before?: Values, after?: Values, more: Partial<PlannedObject> = {}) =>
    set(before, after, { address: name, ...more });
  const fatesOf = (objects: PlannedObject[], remote?: Map<string, string[]>) =>
    organizationsIn(setsIn(objects), remote).map(({ id, were, all, lost, fates }) => ({
      id,
      were: [...were],
      all: all && [...all],
      lost: [...lost],
      fates: [...fates].map(([one, { certain, possible, isUncounted }]) => [
        one.address,
        certain,
        possible,
        isUncounted,
      ]),
    }));

  test("are checked separately in two organizations", () => {
    const other = { organization_id: "org_2" };
    const objects = [
      named("one", values(["a"]), values([])),
      named("two", values(["a"], other), values(["a", "b"], other)),
    ];
    expect(judgeMembers(objects).changes.map((row) => [row.address, row.organization_id])).toEqual([
      ["one", "org_1"],
      ["two", "org_2"],
    ]);
    const found = fatesOf(objects);
    expect(found).toEqual([
      { id: "org_1", were: ["a"], all: ["a"], lost: ["a"], fates: [["one", ["a"], [], false]] },
      { id: "org_2", were: ["a"], all: ["a"], lost: [], fates: [["two", [], [], false]] },
    ]);
  });

  test("keep a member certain to leave if the other set had it, or does nothing", () => {
    const leaving = named("one", values(["a"], shared), values([], shared));
    const lost = (other: PlannedObject) => fatesOf([leaving, other])[0]!.lost;
    expect(lost(named("two", values(["a"], shared), values(["a"], shared)))).toEqual(["a"]);
    expect(lost(named("two", values([], shared), values(["a"], shared), { actions: ["no-op"] }))).toEqual(["a"]);
    expect(lost(named("two", values([], shared), values(["b"], shared)))).toEqual(["a"]);
    expect(lost(named("two", values([], shared), values(["a"], shared)))).toEqual([]);
    expect(lost(named("two", undefined, values(["a"], shared)))).toEqual([]);
    expect(lost(named("two", values(["x"], shared)))).toEqual(["a", "x"]);
  });

  test("tell members that perhaps leave from those that certainly leave", () => {
    const [found] = fatesOf([
      named("one", values(["a", "b", "c"], shared), values(["c"], shared)),
      named("two", values([], shared), values(["a"], shared)),
    ]);
    expect(found!.fates).toEqual([
      ["one", ["b"], ["a"], false],
      ["two", [], [], false],
    ]);
  });

  test("know all members from the tenant, or from an exclusive set", () => {
    const joins = named("one", undefined, values([], { adopt_existing: true }));
    expect(fatesOf([joins])).toMatchObject([{ all: undefined, fates: [["one", [], [], true]] }]);
    expect(fatesOf([joins], new Map([["org_1", ["a"]]]))).toMatchObject([{ all: ["a"], lost: ["a"] }]);
    expect(fatesOf([joins, named("two", values(["b"]), values(["b"]))])).toMatchObject([{ all: ["b"], lost: ["b"] }]);
    expect(fatesOf([joins, named("two", values(["b"], shared), values(["b"], shared))])[0]!.all).toBeUndefined();
    expect(fatesOf([joins, named("two", values(["b"], { exclusive: unknown }), values(["b"]))])[0]!.all).toEqual(["b"]);
  });

  test("hide an organization that one of them hides", () => {
    const marks = { beforeSensitive: { organization_id: true } };
    const objects = [named("one", values(["a"]), values([]), marks), named("two", values([]), values([]))];
    expect(judgeMembers(objects).losses[0]!.finding.text).toMatch(/^Nobody is left\. \(sensitive\) loses/);
    expect(judgeMembers(objects).changes.map((change) => change.organization_id)).toEqual([
      "(sensitive)",
      "(sensitive)",
    ]);
    const elsewhere = named("one", values(["a"], { organization_id: "org_2" }), values([]), { ...replaced, ...marks });
    expect(judgeMembers([elsewhere]).changes.map((change) => change.organization_id)).toEqual(["(sensitive)", "org_1"]);
  });

  test("are reported at the set that removes a member", () => {
    const objects = [
      named("keeps", values(["a"], shared), values(["a"], shared)),
      named("removes", values(["b"], shared), values([], shared)),
    ];
    expect(judgeMembers(objects).losses.map(({ finding }) => finding.address)).toEqual(["removes"]);
  });

  test("hide the names of members if one side of one set hides them", () => {
    const text = (more: Partial<PlannedObject>) =>
      judgeMembers([
        named("one", values(["a", "b"]), values(["b"]), more),
        named("two", values([], shared), values([], shared)),
      ]).losses[0]!.finding.text;
    expect(text({})).toBe("org_1 loses 1 of 2 members (50 %): a.");
    expect(text({ beforeSensitive: { members: true } })).toContain("their names are sensitive");
    expect(text({ afterSensitive: { members: true } })).toContain("their names are sensitive");
  });

  test("are not empty if one of them may get members", () => {
    const objects = [
      named("one", values(["a"], shared), values([], shared)),
      named("two", values([], shared), values(unknown, shared)),
    ];
    expect(judgeMembers(objects).losses[0]!.finding.code).toBe("TF-MEMBERS-REMOVED");
  });
});

describe("a row", () => {
  const rowsOf = (object: PlannedObject, remote?: Map<string, string[]>) => {
    const sets = setsIn([object]);
    return organizationsIn(sets, remote).map((organization) => memberChange(sets[0]!, organization));
  };

  test("counts gains, losses and members", () => {
    expect(rowsOf(set(values(["c", "b", "a"]), values(["e", "d", "a"]), { plan: "edge" }))).toEqual([
      {
        address: `${type}.staff`,
        plan: "edge",
        organization_id: "org_1",
        gains: ["d", "e"],
        may_gain: false,
        loses: ["b", "c"],
        may_lose: 0,
        before: 3,
        after: 3,
      },
    ]);
    expect(rowsOf(set(values(["a"])))).toMatchObject([{ before: 1, after: 0, gains: [] }]);
    expect(rowsOf(set(undefined, values(["a"])))).toMatchObject([{ before: 0, after: 1, gains: ["a"] }]);
    expect(rowsOf(set(undefined, values(["a"])))[0]).not.toHaveProperty("plan");
  });

  test("does not count a member that the tenant has already as a gain", () => {
    expect(rowsOf(set(undefined, values(["a", "b"])), new Map([["org_1", ["a"]]]))).toMatchObject([{ gains: ["b"] }]);
  });

  test("is open for unknown members, and for an unknown organization", () => {
    expect(rowsOf(set(values([]), values([unknown])))).toMatchObject([{ may_gain: true, after: null }]);
    expect(rowsOf(set(undefined, values(["a"], { organization_id: unknown })))).toMatchObject([
      { organization_id: null, may_gain: true, after: null },
    ]);
  });

  test("hides the members if one side hides them", () => {
    const hidden = (more: Partial<PlannedObject>) => rowsOf(set(values(["a"]), values(["b"]), more))[0]!.gains;
    expect(hidden({})).toEqual(["b"]);
    expect(hidden({ beforeSensitive: { members: true } })).toEqual(["(sensitive)"]);
    expect(hidden({ afterSensitive: { members: true } })).toEqual(["(sensitive)"]);
  });

  test("subtracts certain losses from max_removals", () => {
    const people = ["a", "b", "c", "d"];
    const remote = new Map([["org_1", people]]);
    const limited = (most: number) =>
      rowsOf(set(values(["a", "b"], shared), values(["b"], { exclusive: unknown, max_removals: most })), remote).map(
        ({ loses, may_lose: mayLose }) => [loses, mayLose],
      );
    expect(limited(2)).toEqual([[["a"], 1]]);
    expect(limited(1)).toEqual([[["a"], 0]]);
    expect(limited(9)).toEqual([[["a"], 2]]);
  });
});

describe("a possible loss", () => {
  const textOf = (object: PlannedObject, remote?: Map<string, string[]>) =>
    judgeMembers([object], remote).possibleLosses.map(({ finding }) => finding.text);
  const remote = new Map([["org_1", ["a", "b"]]]);
  const uncounted =
    "the set removes every member that it does not list, and the number of members is not known (give --tenant, or read " +
    "data.tenant_organization_members)";

  test.each<[PlannedObject, Map<string, string[]> | undefined, string]>([
    [
      set(values(["a"]), values(unknown)),
      undefined,
      "Up to 1 of 1 member of org_1 may lose access through ADDRESS: `members` is known only after the apply.",
    ],
    [
      set(values(["a", "b"]), values(["a"], { exclusive: unknown })),
      undefined,
      "Up to 1 of 2 members of org_1 may lose access through ADDRESS: `exclusive` is known only after the apply.",
    ],
    [
      set(undefined, values([], { adopt_existing: true })),
      undefined,
      `Any number of members of org_1 may lose access through ADDRESS: ${uncounted}.`,
    ],
    [
      set(undefined, values(unknown, { adopt_existing: true })),
      undefined,
      `Any number of members of org_1 may lose access through ADDRESS: \`members\` is known only after the apply; ${uncounted}.`,
    ],
    [
      set(undefined, values(["a"]), { actions: ["no-op"], isImported: true }),
      remote,
      "Up to 1 of 2 members of org_1 may lose access through ADDRESS: the set is imported, and the plan does not show its members.",
    ],
    [
      set(undefined, values([], { adopt_existing: true, max_removals: 3 })),
      undefined,
      `Up to 3 members of org_1 may lose access through ADDRESS: ${uncounted}.`,
    ],
  ])("is worded: %#", (object, present, words) => {
    expect(textOf(object, present)).toEqual([words.replace("ADDRESS", `${type}.staff`)]);
  });

  test("names the attributes in a sentence", () => {
    expect(openWords(["members"])).toBe("`members` is known only after the apply");
    expect(openWords(["members", "exclusive"])).toBe("`members` and `exclusive` are known only after the apply");
  });

  test("lists at most five ids", () => {
    expect(few(["c", "b", "a"])).toBe("a, b, c");
    expect(few(["1", "2", "3", "4", "5"])).toBe("1, 2, 3, 4, 5");
    expect(few(["1", "2", "3", "4", "5", "6"])).toBe("1, 2, 3, 4, 5 and 1 more");
  });
});
