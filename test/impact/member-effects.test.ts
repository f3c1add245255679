/** Effects on the people who gain or lose access to an organization. */
import { hidden } from "../../src/impact/hidden";
import type { PlannedObject, Values } from "../../src/impact/model";
import { memberEffects } from "../../src/impact/organization-member-set/effects";
import { judgeMembers } from "../../src/impact/organization-member-set/findings";
import { members, memberSet, type } from "./support/member-sets";

const unknown = Symbol("not known yet");
const people = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `auth0|${index + from}`);
const set = (before?: Values, after?: Values, more?: Partial<PlannedObject>) =>
  memberSet(`${type}.staff`, before, after, more);
const shared = { exclusive: false };
const replaced = { actions: ["delete", "create"] };
const tenant = (count: number, id = "org_1") => new Map([[id, people(count)]]);
const effectsOf = (objects: PlannedObject | PlannedObject[], remote?: Map<string, string[]>) =>
  memberEffects(judgeMembers([objects].flat(), remote));
const linesOf = (...given: Parameters<typeof effectsOf>) =>
  effectsOf(...given).map(({ level, certainty, text }) => `${level}, ${certainty}: ${text}`);

test.each<[string, PlannedObject, Map<string, string[]> | undefined, string[]]>([
  [
    "of many",
    set(members(people(80)), members(people(50, 30))),
    undefined,
    ["high, certain: 30 of 80 members lose access to org_1: auth0|0, auth0|1 and 28 more."],
  ],
  [
    "of one of four",
    set(members(people(4)), members(people(3))),
    undefined,
    ["low, certain: 1 of 4 members loses access to org_1: auth0|3."],
  ],
  [
    "of three",
    set(members(people(80)), members(people(77))),
    undefined,
    ["low, certain: 3 of 80 members lose access to org_1: auth0|77, auth0|78, auth0|79."],
  ],
  [
    "of all",
    set(members(people(3))),
    undefined,
    ["critical, certain: All 3 members lose access to org_1, so nobody is left: auth0|0, auth0|1, auth0|2."],
  ],
  [
    "of the last",
    set(members(people(1))),
    undefined,
    ["critical, certain: 1 of 1 member loses access to org_1, so nobody is left: auth0|0."],
  ],
  [
    "of all, while others join",
    set(members(people(2)), members(["x"])),
    undefined,
    [
      "high, certain: All 2 members lose access to org_1: auth0|0, auth0|1.",
      "low, certain: 1 member gains access to org_1: x.",
    ],
  ],
  [
    "from a set that lists some members",
    set(members(people(2), shared), members(people(1), shared)),
    undefined,
    ["low, certain: 1 member (the number of all members is not known) loses access to org_1: auth0|1."],
  ],
  [
    "from a set that lists some members of a known organization",
    set(members(people(2), shared), members(people(1), shared)),
    tenant(12),
    ["low, certain: 1 of 12 members loses access to org_1: auth0|1."],
  ],
  [
    "from a destroyed set that lists some members",
    set(members(people(3), shared)),
    undefined,
    [
      "low, certain: 3 members (the number of all members is not known) lose access to org_1: auth0|0, auth0|1, auth0|2.",
    ],
  ],
  [
    "of the members that a stale delete removes",
    set(members(people(6)), undefined, { deleted: members(people(2)) }),
    undefined,
    ["high, certain: 2 of 6 members lose access to org_1: auth0|0, auth0|1."],
  ],
])("words the loss %s", (_what, object, remote, lines) => {
  expect(linesOf(object, remote)).toEqual(lines);
});

test.each<[string, PlannedObject, Map<string, string[]> | undefined, string[]]>([
  [
    "in a set of all members",
    set(members(people(1)), members([...people(1), "b", "a"])),
    undefined,
    ["low, certain: 2 members gain access to org_1: a, b."],
  ],
  [
    "in a set of some members",
    set(members([], shared), members(["a"], shared)),
    undefined,
    ["info, possible: 1 member may gain access to org_1: a."],
  ],
  [
    "in a set of some members of a known organization",
    set(members([], shared), members(["a"], shared)),
    tenant(2),
    ["low, certain: 1 member gains access to org_1: a."],
  ],
  [
    "only for those who are not members yet",
    set(undefined, members(people(3), shared)),
    tenant(2),
    ["low, certain: 1 member gains access to org_1: auth0|2."],
  ],
  [
    "in an organization that is not known",
    set(undefined, members(["a"], { ...shared, organization_id: unknown })),
    undefined,
    [
      "info, possible: 1 member may gain access to an organization that is not known yet: a.",
      "info, possible: More members may gain access to an organization that is not known yet: `organization_id` is known only after the apply.",
    ],
  ],
])("words a gain %s", (_what, object, remote, lines) => {
  expect(linesOf(object, remote)).toEqual(lines);
});

test.each<[string, PlannedObject, Map<string, string[]> | undefined, string[]]>([
  [
    "unknown members",
    set(members(people(9)), members([...people(4), unknown])),
    undefined,
    [
      "high, possible: Up to 5 of 9 members may lose access to org_1: `members` is known only after the apply.",
      "info, possible: More members may gain access to org_1: `members` is known only after the apply.",
    ],
  ],
  [
    "members that can only join",
    set(undefined, members(unknown, shared)),
    undefined,
    ["info, possible: More members may gain access to org_1: `members` is known only after the apply."],
  ],
  [
    "the number of members",
    set(undefined, members([], { adopt_existing: true })),
    undefined,
    [
      "high, possible: Any number of members may lose access to org_1: the set removes every member that it does not list, and the number of members is not known.",
    ],
  ],
  [
    "members of an imported set",
    set(undefined, members(people(1)), { actions: ["update"], isImported: true }),
    tenant(3),
    [
      "high, possible: Up to 2 of 3 members may lose access to org_1: the set is imported, and the plan does not show its members.",
    ],
  ],
])("words what may happen without %s", (_what, object, remote, lines) => {
  expect(linesOf(object, remote)).toEqual(lines);
});

test.each<[string, PlannedObject]>([
  ["an unchanged set", set(members(people(3)), members(people(3)), { actions: ["no-op"] })],
  ["another order", set(members(people(2)), members(people(2).toReversed()))],
  ["a setting", set(members(people(2)), members(people(2), { max_removals: 3 }))],
  ["a set that Terraform forgets", set(members(people(2)), members(people(2)), { actions: ["forget"] })],
  ["a destroyed set that keeps its members", set(members(people(2), { on_destroy: "keep" }))],
  ["a member dropped while the set stops being exclusive", set(members(people(3)), members(people(2), shared))],
])("has no effect for %s", (_what, object) => {
  expect(effectsOf(object)).toEqual([]);
});

test("gives the share, the people, and the cause", () => {
  const dropped = set(members(people(12)), members(people(9)), { plan: "staff" });
  expect(effectsOf(dropped)).toEqual([
    {
      kind: "members",
      level: "low",
      apis: [],
      share: { value: 0.25, of: "members of org_1", basis: "the members that the set lists" },
      who: "auth0|10, auth0|11, auth0|9",
      text: "3 of 12 members lose access to org_1: auth0|10, auth0|11, auth0|9.",
      brief: "3 of 12 members lose access to org_1.",
      cause: [{ address: `${type}.staff`, plan: "staff", words: "changes" }],
      certainty: "certain",
      assumptions: [],
      examples: [],
    },
  ]);
  const [known] = effectsOf(set(members(people(2), shared), members(people(1), shared)), tenant(8));
  expect(known!.share).toEqual({ value: 0.125, of: "members of org_1", basis: "the members that the tenant lists" });
  expect(effectsOf(set(members(people(2), shared), members(people(1), shared)))[0]!.share).toBeNull();
});

test.each<[string, PlannedObject, string]>([
  ["is created", set(undefined, members(["x"])), "org_1"],
  ["is destroyed", set(members(["x"])), "org_1"],
  ["is replaced", set(members(["x"]), members(["y"]), replaced), "org_1"],
  [
    "moves to another organization",
    set(members(["x"]), members(["x"], { organization_id: "org_2" }), replaced),
    "org_2",
  ],
  ["is no longer exclusive", set(members(["x"]), members(["x", "y"], shared)), "org_1"],
  ["becomes exclusive", set(members(["x"], shared), members(["x", "y"])), "org_1"],
  ["is imported", set(undefined, members(["y"]), { isImported: true, actions: ["update"] }), "org_1"],
  ["changes", set(members(["x"]), members(["x", "y"])), "org_1"],
])("names the cause: the set %s", (words, object, organization) => {
  const effects = effectsOf(object).filter(({ text }) => text.includes(organization));
  expect(effects.flatMap(({ cause }) => cause)).toContainEqual({ address: `${type}.staff`, words });
});

test("names the set that removes most members first, and each organization once", () => {
  const named = (name: string, before: Values, after?: Values) => ({ ...set(before, after), address: name });
  const effects = effectsOf([
    named("one", members(["a", "b"], shared), members(["b"], shared)),
    named("two", members(["c", "d", "e"], shared), members([], shared)),
    named("three", members(["f"], { ...shared, organization_id: "org_2" })),
  ]);
  expect(effects.map(({ cause }) => cause.map(({ address }) => address))).toEqual([["two", "one"], ["three"]]);
});

test("does not name a set that leaves the organization as the cause of a gain", () => {
  const leaves = set(members(["a"]), members(["b"], { organization_id: "org_2" }), replaced);
  const joins = { ...set(undefined, members(["b"], shared)), address: `${type}.more` };
  const gains = effectsOf([leaves, joins]).filter(({ text }) => text.includes("gain"));
  expect(gains.map(({ text, cause }) => [/org_\d/.exec(text)![0], cause.map(({ address }) => address)])).toEqual([
    ["org_1", [`${type}.more`]],
    ["org_2", [`${type}.staff`]],
  ]);
});

test("never counts more members than the tenant lists", () => {
  const [loss] = effectsOf(set(members(people(3)), members(unknown)), tenant(0));
  expect(loss!.text).toBe("Up to 3 members may lose access to org_1: `members` is known only after the apply.");
  expect(loss!.share).toBeNull();
});

test("writes large numbers alike", () => {
  const [loss] = effectsOf(set(members(people(5000)), members(people(2000))));
  expect(loss!.text).toMatch(/^3,000 of 5,000 members lose .* and 2,998 more\.$/);
});

test("does not promise access that another set may remove in the same apply", () => {
  const [gain] = effectsOf(
    [
      set(undefined, members(["a"], { adopt_existing: true })),
      { ...set(undefined, members(["b"], shared)), address: `${type}.more` },
    ],
    tenant(0),
  ).filter(({ text }) => text.includes("gain"));
  expect(gain).toMatchObject({ certainty: "possible", assumptions: ["another set may remove them in the same apply"] });
});

test("does not show sensitive names and organizations", () => {
  const marks = { members: true, organization_id: true };
  const sensitive = { beforeSensitive: marks, afterSensitive: marks };
  const effects = effectsOf(set(members(["ada", "bob"]), members(["bob", "zoe", "joe"]), sensitive));
  expect(effects.map(({ text }) => text)).toEqual([
    `1 of 2 members loses access to ${hidden} (the name is sensitive).`,
    `2 members gain access to ${hidden} (their names are sensitive).`,
  ]);
  expect(JSON.stringify(effects)).not.toMatch(/ada|zoe|joe|org_1/);
});

test("shortens long names", () => {
  const long = people(9).map((id) => `${id}${"x".repeat(300)}`);
  const [effect] = effectsOf(set(members(long, { organization_id: `org_${"y".repeat(300)}` })));
  expect(effect!.text.length).toBeLessThan(300);
  expect(effect!.who.length).toBeLessThan(350);
});
