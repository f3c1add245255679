/** The sentence that tells at which moment of an apply an effect occurs. */
import type { AclChange, Status } from "../../../src/impact/transient/acl-change";
import { addressOf, involvedIn, momentWords, uncapitalized } from "../../../src/impact/transient/moment-words";
import { acl } from "../support/acls";

const version = (priority: number, more: object = {}) => ({ ...acl(priority, { match_all: true }), ...more });
const change = (how: AclChange["how"], name = "a"): AclChange => {
  const one = version(1, { address: name });
  return {
    ...(how !== "create" && { before: one }),
    ...(how !== "delete" && { after: one }),
    how,
    isOwn: false,
  };
};
const at = (how: AclChange["how"], status: Status, name?: string) => ({ change: change(how, name), status });

test.each<[AclChange["how"], Status, string]>([
  ["create", "gone", "a is not created yet"],
  ["create", "new", "a is created already"],
  ["delete", "gone", "a is destroyed already"],
  ["delete", "old", "a is not destroyed yet"],
  ["update", "aside", "a waits at a free priority"],
  ["update", "aside 6", "a waits at a free priority"],
  ["update", "new", "a is changed already"],
  ["update", "old", "a is not changed yet"],
  ["delete, then create", "gone", "a is destroyed and not created again yet"],
  ["delete, then create", "new", "a is replaced already"],
  ["delete, then create", "old", "a is not replaced yet"],
  ["create, then delete", "both", "a is created again and the old object is not destroyed yet"],
  ["create, then delete", "new", "a is replaced already"],
  ["create, then delete", "old", "a is not replaced yet"],
])("tells for %s at status %s: %s", (how, status, words) => {
  expect(momentWords([at(how, status)])).toBe(`This happens while ${words}.`);
});

test("names objects that are away first, then those that wait, have changed, and have not changed", () => {
  const all = [
    at("update", "old", "e"),
    at("create, then delete", "both", "d"),
    at("update", "new", "c"),
    at("update", "aside", "b"),
    at("delete", "gone", "a"),
  ];
  expect(momentWords(all)).toBe(
    "This happens while a is destroyed already, b waits at a free priority, c is changed already, d is created again and the old " +
      "object is not destroyed yet and e is not changed yet.",
  );
  expect(all[0]!.change.before!.address).toBe("e");
});

test("names five objects, and counts those after the fourth of six", () => {
  const many = (count: number) =>
    ["a", "b", "c", "d", "e", "f"].slice(0, count).map((name) => at("update", "new", name));
  expect(momentWords(many(5))).toMatch(/d is changed already and e is changed already\.$/);
  expect(momentWords(many(6))).toMatch(/c is changed already, d is changed already and 2 more objects are changing\.$/);
});

test("shortens a long address", () => {
  expect(momentWords([at("delete", "gone", "x".repeat(100))])).toBe(
    `This happens while ${"x".repeat(47)}… is destroyed already.`,
  );
});

test("names an ACL by its address, or by its id, or not at all", () => {
  const { address: _, ...unmanaged } = version(1);
  const { id: _id, ...unnamed } = unmanaged;
  const named = (after: typeof unnamed) => addressOf({ after, how: "create", isOwn: false });
  expect(named(version(1))).toBe("acl.1");
  expect(named(unmanaged)).toBe("acl_1");
  expect(named(unnamed)).toBe("an ACL");
  expect(
    addressOf({
      before: version(1, { address: "was" }),
      after: version(1, { address: "is" }),
      how: "update",
      isOwn: false,
    }),
  ).toBe("is");
});

test("starts a sentence in the middle of another one", () => {
  expect(uncapitalized("May Block")).toBe("may Block");
});

describe("the changes that matter for a moment", () => {
  const [office, wall, other] = [version(1), version(2), version(3)];
  const changes = [office, wall, other].map((one): AclChange => ({ before: one, how: "delete", isOwn: false }));
  const stage = (...statuses: Status[]) => ({
    statuses: new Map(changes.map((one, index) => [one, statuses[index]!])),
    acls: changes.flatMap(({ before }, index) => (statuses[index] === "old" ? before! : [])),
  });
  const namesOf = (hasEffect: (keys: readonly string[]) => boolean) =>
    involvedIn({ acl: wall, stages: [stage("gone", "old", "old")] } as never, { unchanged: [] }, (acls) =>
      hasEffect(acls.map(({ key }) => key)),
    ).map(({ change: { before }, status }) => [before!.key, status]);

  test("are those without which it has no effect", () => {
    expect(namesOf((keys) => keys.includes(wall.key) && !keys.includes(office.key))).toEqual([
      [office.key, "gone"],
      [wall.key, "old"],
    ]);
  });

  test("are all of them if no single change explains the effect", () => {
    expect(namesOf(() => true)).toEqual([
      [office.key, "gone"],
      [wall.key, "old"],
      [other.key, "old"],
    ]);
  });
});
