/** The advice that avoids an effect for a moment. */
import type { PlannedAcl } from "../../../src/impact/network-acl/acl";
import type { AclChange, Status } from "../../../src/impact/transient/acl-change";
import type { Involved } from "../../../src/impact/transient/moment-words";
import { remedyOf } from "../../../src/impact/transient/remedies";
import { acl } from "../support/acls";

const version = (name: string, priority: number): PlannedAcl => ({
  ...acl(priority, { match_all: true }),
  address: name,
  key: name,
});
const at = (name: string, how: AclChange["how"], status: Status, from: number, to = from): Involved => ({
  change: {
    ...(how !== "create" && { before: version(name, from) }),
    ...(how !== "delete" && { after: version(name, to) }),
    how,
    isOwn: false,
  },
  status,
});
const remedy = (
  involved: readonly Involved[],
  { isBad = () => false, unchanged = [], others = [] }: Partial<Options> = {},
) =>
  remedyOf(involved, { changes: [...involved, ...others].map(({ change }) => change), unchanged } as never, (acls) =>
    isBad(acls.map(({ address, priority }) => `${address} ${priority}`)),
  );
interface Options {
  readonly isBad: (acls: readonly string[]) => boolean;
  readonly unchanged: readonly PlannedAcl[];
  readonly others: readonly Involved[];
}

const newPriorities = "First apply a plan that gives these ACLs priorities that no ACL has yet.";
const extra =
  "First apply a plan with an ACL that keeps the outcome of these requests, and remove that ACL afterwards.";
const alone = (names: string) => `First apply the change of ${names} alone, with \`-target\`, and then the rest.`;

test("a replaced ACL is created before the old one is destroyed", () => {
  const text =
    "Write `lifecycle { create_before_destroy = true }`, and give the new ACL another priority. If you do not want to replace the " +
    "object, remove its taint or `-replace`.";
  const other = at("b", "update", "old", 2);
  expect(remedy([at("a", "delete, then create", "gone", 1)])).toBe(text);
  expect(remedy([other, at("a", "delete, then create", "gone", 1)])).toBe(text);
  // Such an ACL is not away for the moment.
  expect(remedy([other, at("a", "delete, then create", "new", 1)])).toBe(alone("b"));
  expect(remedy([other, at("a", "delete", "gone", 1)])).toBe(alone("b"));
});

test("a resource that only has another name is moved", () => {
  expect(remedy([at("a", "delete", "gone", 1), at("b", "create", "gone", 2)])).toBe(
    "If a resource only has another name, write `moved`. Otherwise, first apply the change of b alone, with `-target`, and then the rest.",
  );
});

test.each<[string, readonly Involved[], string]>([
  ["the ACL that waits for its change", [at("a", "update", "new", 1), at("b", "update", "old", 2, 3)], alone("b")],
  ["the ACL that is not created yet", [at("a", "update", "new", 1), at("b", "create", "gone", 2)], alone("b")],
  ["the ACL that is not destroyed yet", [at("a", "update", "new", 1), at("b", "delete", "old", 2)], alone("b")],
  [
    "the ACL that waits at a free priority",
    [at("a", "update", "new", 1), at("b", "update", "aside 2", 2, 3)],
    alone("b"),
  ],
  [
    "two ACLs",
    [at("a", "update", "new", 1), at("b", "update", "old", 2), at("c", "update", "old", 3)],
    alone("b and c"),
  ],
])("first come(s) %s", (_what, involved, text) => {
  expect(remedy(involved)).toBe(text);
});

test("a new ACL waits for the others with depends_on", () => {
  const long = "x".repeat(100);
  expect(remedy([at(long, "create", "gone", 1), at("wall", "create", "new", 2)])).toBe(
    `Name ${"x".repeat(47)}… in \`depends_on\` of wall.`,
  );
  expect(remedy([at("office", "create", "gone", 1), at("w", "create", "new", 2), at("v", "create", "new", 3)])).toBe(
    "Name office in `depends_on` of w and v.",
  );
  expect(remedy([at("office", "update", "old", 1), at("wall", "create", "new", 2)])).toBe(alone("office"));
});

describe("new priorities come first", () => {
  test("if all changes still wait", () => {
    expect(remedy([at("a", "update", "old", 1, 2), at("b", "update", "old", 2, 3)])).toBe(newPriorities);
  });

  test("if the waiting change needs the priority of another one", () => {
    const swap = [at("a", "update", "new", 1, 2), at("b", "update", "old", 2, 1)];
    expect(remedy(swap)).toBe(newPriorities);
    expect(remedy([swap[0]!, at("b", "update", "old", 2, 3)])).toBe(alone("b"));
  });

  test("even if another change has the priority, which does not matter for the moment", () => {
    const involved = [at("a", "update", "new", 1), at("b", "update", "old", 2, 4)];
    expect(remedy(involved, { others: [at("c", "update", "old", 4, 5)] })).toBe(newPriorities);
    expect(remedy(involved, { others: [at("c", "create", "gone", 4)] })).toBe(alone("b"));
  });
});

describe("an ACL for the time of the apply keeps the outcome", () => {
  test("if no change still waits", () => {
    expect(remedy([at("a", "update", "new", 1), at("b", "delete", "gone", 2)])).toBe(extra);
  });

  test("if the other order has the effect too", () => {
    const involved = [at("a", "update", "new", 1, 5), at("b", "update", "old", 2, 3)];
    const unchanged = [version("wall", 9)];
    const states: (readonly string[])[] = [];
    expect(remedy(involved, { unchanged, isBad: (acls) => states.push(acls) > 0 })).toBe(extra);
    expect(states).toEqual([["wall 9", "a 1", "b 3"]]);
    expect(remedy(involved, { unchanged })).toBe(alone("b"));
  });
});
