/** The stages that network ACLs pass, in every order that Terraform may choose. */
import { aclFrom, type PlannedAcl } from "../../../src/impact/network-acl/acl";
import type { AclChange } from "../../../src/impact/transient/acl-change";
import type { DependsOn } from "../../../src/impact/transient/order";
import { groupsOf } from "../../../src/impact/transient/stages";
import { allow, block, log, values } from "../support/acls";

const version = (name: string, priority: unknown, action: object = block, active = true): PlannedAcl =>
  aclFrom({ ...values(1, { action, match_all: true }), id: name, priority, active }, undefined, name)[0]!;
const update = (before: PlannedAcl, priority: unknown, more: Partial<AclChange> = {}): AclChange => ({
  before,
  after: { ...before, priority: priority as number },
  how: "update",
  isOwn: false,
  ...more,
});
const own = { isOwn: true };
const create = (after: PlannedAcl): AclChange => ({ after, how: "create", isOwn: false });
const remove = (before: PlannedAcl): AclChange => ({ before, how: "delete", isOwn: false });
const free = () => false;

/** Each group as the texts of its stages: `a1 b2`. */
const stagesOf = (changes: readonly AclChange[], dependsOn: DependsOn = free, unchanged: readonly PlannedAcl[] = []) =>
  groupsOf({ changes, unchanged }, dependsOn)?.map((stages) =>
    stages.map(({ acls }) => acls.map((acl) => `${acl.key}${acl.priority}`).join(" ")).toSorted(),
  );
const [a, b, c] = [version("a", 1), version("b", 2), version("c", 3)];

test("changes that have nothing in common are apart", () => {
  expect(stagesOf([update(a, 11), update(b, 12), create(c), remove(version("d", 4))])).toEqual([
    ["a1", "a11"],
    ["b12", "b2"],
    ["", "c3"],
    ["", "d4"],
  ]);
});

test("a replaced ACL is away, or there twice", () => {
  const again = { before: a, after: { ...a, priority: 7 }, isOwn: false };
  expect(stagesOf([{ ...again, how: "delete, then create" }])).toEqual([["", "a1", "a7"]]);
  expect(stagesOf([{ ...again, how: "create, then delete" }])).toEqual([["a1", "a1 a7", "a7"]]);
});

test("an ACL that needs a priority waits until another one leaves it", () => {
  expect(stagesOf([update(a, 2), update(b, 3)])).toEqual([["a1 b2", "a1 b3", "a2 b3"]]);
  expect(stagesOf([update(b, 3), update(a, 2)])).toEqual([["b2 a1", "b3 a1", "b3 a2"]]);
  expect(stagesOf([remove(a), create(version("n", 1))])).toEqual([["", "a1", "n1"]]);
  // An inactive ACL has its priority too.
  expect(stagesOf([remove(version("i", 1, block, false)), create(version("n", 1))])).toEqual([["", "i1", "n1"]]);
});

test("a dependency limits the order, in both directions", () => {
  const [one, two] = [create(a), create(b)];
  const orderly = [["", "a1", "a1 b2"]];
  expect(stagesOf([one, two], (x, y) => x === two && y === one)).toEqual(orderly);
  expect(stagesOf([two, one], (x, y) => x === two && y === one)).toEqual([["", "a1", "b2 a1"]]);
});

test("one change joins groups that were apart", () => {
  expect(stagesOf([update(a, 11), update(b, 12), { ...update(c, 11), after: { ...c, priority: 2 } }])).toEqual([
    ["a1", "a11"],
    ["b12 c2", "b12 c3", "b2 c3"],
  ]);
  const joined = stagesOf([remove(a), remove(b), update(version("c", 1), 2)])!;
  expect(joined).toHaveLength(1);
});

test("an unknown priority takes no priority of another ACL", () => {
  expect(stagesOf([update(a, Number.NaN), update(b, Number.NaN)])).toEqual([
    ["a1", "aNaN"],
    ["b2", "bNaN"],
  ]);
  const [one, two] = [update(a, Number.NaN), update(b, Number.NaN)];
  expect(stagesOf([one, two], (x, y) => x === two && y === one)).toEqual([["a1 b2", "aNaN b2", "aNaN bNaN"]]);
});

test("more than 512 stages are too many", () => {
  const first = create(version("first", 99));
  const later = (count: number) => [
    first,
    ...Array.from({ length: count }, (_, index) => create(version(`n${index}`, index + 1))),
  ];
  const afterFirst: DependsOn = (one, other) => one !== first && other === first;
  expect(stagesOf(later(8), afterFirst)!.map(({ length }) => length)).toEqual([257]);
  expect(stagesOf(later(9), afterFirst)).toBeUndefined();
  expect(stagesOf([...later(9), update(a, 50)], afterFirst)).toBeUndefined();
});

describe("ACLs that need the priorities of each other", () => {
  const swap = (more: Partial<AclChange> = {}) => [update(a, 2, more), update(b, 1, more)];

  test("may change in any order with the Go provider", () => {
    expect(stagesOf(swap())).toEqual([
      ["a1", "a2"],
      ["b1", "b2"],
    ]);
  });

  test("stay one group with the Go provider if they depend on each other", () => {
    const [one, two] = swap() as [AclChange, AclChange];
    expect(stagesOf([one, two], (x, y) => x === two && y === one)).toEqual([["a1 b2", "a2 b1", "a2 b2"]]);
  });

  test("stay one group if one of them is replaced", () => {
    const replaced: AclChange = { ...update(b, 1), how: "create, then delete" };
    expect(stagesOf([update(a, 2), replaced])).toEqual([
      ["a1 b2", "a1 b2 b1", "a1 b1", "a2 b1", "a2 b2", "a2 b2 b1"].toSorted(),
    ]);
  });

  test("pass a free priority with the provider tenant", () => {
    expect(stagesOf(swap(own))).toEqual([["a1 b2", "a1 b3", "a2 b1", "a2 b3", "a3 b1", "a3 b2"].toSorted()]);
  });

  test("pass the nearest free priority, which no ACL has before or after", () => {
    const taken = [version("x", 3), version("y", 4)];
    expect(stagesOf(swap(own), free, taken)).toEqual([
      ["a1 b2", "a1 b5", "a2 b1", "a2 b5", "a5 b1", "a5 b2"].toSorted(),
    ]);
  });

  describe("at 50 and 51", () => {
    const middle = [update(version("a", 50), 51, own), update(version("b", 51), 50, own)];
    /** The priorities at which `a` waits. */
    const placesOf = (unchanged: readonly PlannedAcl[], ...more: readonly AclChange[]) =>
      [...new Set(JSON.stringify(stagesOf([...middle, ...more], free, unchanged)).match(/\ba\d+/g))]
        .filter((text) => !["a50", "a51"].includes(text))
        .toSorted();
    const x = (...more: [action: object, active?: boolean]) => version("x", 52, ...more);

    test.each<[string, PlannedAcl]>([
      ["has the same outcome", x(block)],
      ["only logs", x(log)],
      ["is inactive", x(allow, false)],
    ])("wait after an ACL that %s", (_what, other) => {
      expect(placesOf([other])).toEqual(["a53"]);
    });

    test("wait on the other side of an ACL with another outcome", () => {
      expect(placesOf([])).toEqual(["a52"]);
      expect(placesOf([x(allow)])).toEqual(["a49"]);
      expect(placesOf([x({ redirect: true })])).toEqual(["a49"]);
    });

    test("wait on both sides if the other ACL comes or goes", () => {
      expect(placesOf([], remove(x(allow)))).toEqual(["a49", "a53"]);
      expect(placesOf([], create(x(allow)))).toEqual(["a49", "a53"]);
    });

    test("pass an ACL with another outcome if there is no other way", () => {
      expect(placesOf([version("w", 49, allow), x(allow)])).toEqual(["a53"]);
    });
  });

  test("may wait at the first and at the last priority", () => {
    const at = (from: number, to: number, taken: readonly number[]) =>
      JSON.stringify(
        stagesOf(
          [update(version("a", from), to, own), update(version("b", to), from, own)],
          free,
          taken.map((priority) => version(`t${priority}`, priority)),
        ),
      );
    const between = Array.from({ length: 96 }, (_, index) => index + 2);
    expect(at(98, 99, between)).toContain("a100");
    expect(at(99, 98, [...between, 100])).toContain("a1 ");
  });

  test("wait at one more priority for each group, and at 3 at most", () => {
    const pair = (name: string, priority: number) => [
      update(version(`${name}-`, priority), priority + 1, own),
      update(version(`${name}+`, priority + 1), priority, own),
    ];
    const placesOf = (count: number) => {
      const changes = [10, 30, 50, 70].slice(0, count).flatMap((priority, index) => pair("pqrs"[index]!, priority));
      const texts = stagesOf(changes)![0]!.flatMap((text) => text.split(" "));
      return new Set(texts.filter((text) => text.startsWith("p-"))).size - 2;
    };
    expect([1, 2, 3, 4].map(placesOf)).toEqual([1, 2, 3, 3]);
  });
});
