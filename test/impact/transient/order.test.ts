/** The write that Terraform may send next, by the dependencies of the resources. */
import type { AclChange, Status } from "../../../src/impact/transient/acl-change";
import { firstStatus, nextOf } from "../../../src/impact/transient/order";

type How = AclChange["how"];
const change = (how: How): AclChange => ({ how, isOwn: false });
const free = () => false;

test.each<[How, (Status | undefined)[]]>([
  ["create", ["gone", "new", undefined]],
  ["update", ["old", "new", undefined]],
  ["delete", ["old", "gone", undefined]],
  ["delete, then create", ["old", "gone", "new", undefined]],
  ["create, then delete", ["old", "both", "new", undefined]],
])("%s passes the statuses %j", (how, passed) => {
  const one = change(how);
  expect(firstStatus(one)).toBe(passed[0]);
  for (const [index, status] of passed.slice(0, -1).entries()) {
    expect(nextOf(one, new Map([[one, status!]]), free)).toBe(passed[index + 1]);
  }
});

test("an ACL that waits at a free priority goes to its new one", () => {
  const one = change("update");
  expect(nextOf(one, new Map([[one, "aside 3"]]), free)).toBe("new");
});

/** The next status of the first change, while the second one has a status. */
const next = (
  [how, status]: readonly [How, Status],
  [otherHow, otherStatus]: readonly [How, Status],
  direction: "depends on" | "is a dependency of",
) => {
  const [one, other] = [change(how), change(otherHow)];
  return nextOf(
    one,
    new Map([
      [one, status],
      [other, otherStatus],
    ]),
    (first, second) =>
      direction === "depends on" ? first === one && second === other : first === other && second === one,
  );
};

test.each<[How, Status, boolean]>([
  ["create", "gone", false],
  ["create", "new", true],
  ["update", "old", false],
  ["update", "aside", false],
  ["update", "new", true],
  ["delete", "old", true],
  ["delete", "gone", true],
  ["delete, then create", "old", false],
  ["delete, then create", "gone", false],
  ["delete, then create", "new", true],
  ["create, then delete", "old", false],
  ["create, then delete", "both", true],
  ["create, then delete", "new", true],
])("a create or update waits for its dependency: %s at status %s makes it possible: %s", (how, status, isPossible) => {
  const then = isPossible ? "new" : undefined;
  expect(next(["create", "gone"], [how, status], "depends on")).toBe(then);
  expect(next(["update", "old"], [how, status], "depends on")).toBe(then);
  expect(next(["delete, then create", "gone"], [how, status], "depends on")).toBe(then);
  expect(next(["create, then delete", "old"], [how, status], "depends on")).toBe(isPossible ? "both" : undefined);
});

test.each<[How, Status, boolean]>([
  ["create", "gone", false],
  ["create", "new", true],
  ["update", "old", false],
  ["update", "new", true],
  ["delete", "old", false],
  ["delete", "gone", true],
  ["delete, then create", "old", false],
  ["delete, then create", "gone", false],
  ["delete, then create", "new", true],
  ["create, then delete", "old", false],
  ["create, then delete", "both", false],
  ["create, then delete", "new", true],
])(
  "a delete waits for a resource that depends on it: %s at status %s makes it possible: %s",
  (how, status, isPossible) => {
    expect(next(["delete", "old"], [how, status], "is a dependency of")).toBe(isPossible ? "gone" : undefined);
    expect(next(["create, then delete", "both"], [how, status], "is a dependency of")).toBe(
      isPossible ? "new" : undefined,
    );
  },
);

test.each<[How, Status, boolean]>([
  ["create", "gone", true],
  ["update", "old", true],
  ["delete", "old", false],
  ["delete", "gone", true],
  ["delete, then create", "old", false],
  ["delete, then create", "gone", true],
  ["create, then delete", "both", false],
])(
  "a replacement waits only for the delete of a dependent resource: %s at status %s makes it possible: %s",
  (how, status, isPossible) => {
    expect(next(["delete, then create", "old"], [how, status], "is a dependency of")).toBe(
      isPossible ? "gone" : undefined,
    );
  },
);

test("a delete does not wait for its dependency, nor a create for a resource that depends on it", () => {
  expect(next(["delete", "old"], ["create", "gone"], "depends on")).toBe("gone");
  expect(next(["create", "gone"], ["create", "gone"], "is a dependency of")).toBe("new");
});

test("a change does not wait for itself", () => {
  const one = change("create");
  expect(nextOf(one, new Map([[one, "gone"]]), () => true)).toBe("new");
});

test("a change waits for all its dependencies", () => {
  const [one, made, late] = [change("create"), change("create"), change("create")];
  const all = (status: Status) =>
    new Map<AclChange, Status>([
      [one, "gone"],
      [made, "new"],
      [late, status],
    ]);
  expect(nextOf(one, all("gone"), (first) => first === one)).toBeUndefined();
  expect(nextOf(one, all("new"), (first) => first === one)).toBe("new");
});
