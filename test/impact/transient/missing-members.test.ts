/** Members that lose access for a moment, because the Go provider removes them before it adds them again. */
import type { PlannedObject, Values } from "../../../src/impact/model";
import { memberFindings } from "../../../src/impact/transient/members";

const people = (count: number) => Array.from({ length: count }, (_, index) => `auth0|${index}`);
const set = (members: readonly string[], more: Values = {}): Values => ({ organization_id: "org_1", members, ...more });
const object = (
  before: Values | undefined,
  after: Values | undefined,
  more: Partial<PlannedObject> = {},
): PlannedObject => ({
  address: "auth0_organization_members.staff",
  type: "auth0_organization_members",
  actions: ["delete", "create"],
  ...(before && { before }),
  ...(after && { after }),
  ...more,
});
const found = (...args: Parameters<typeof object>) => memberFindings([object(...args)]);

test("names how many members, their organization, the resource and the remedy", () => {
  expect(found(set(people(3)), set(people(2)), { plan: "eu" })).toMatchObject([
    {
      code: "TF-TRANSIENT-LOCKOUT",
      level: "low",
      address: "auth0_organization_members.staff",
      plan: "eu",
      text:
        "For a moment during the apply, 2 members of org_1 lose access. This happens while auth0_organization_members.staff is destroyed " +
        "and not created again yet. If you do not want to replace the object, remove its taint or `-replace`.",
    },
  ]);
  expect(found(set(people(1)), set(people(9)))[0]!.text).toContain("1 member of org_1 loses access.");
  expect(found(set(people(1)), set(people(1)))[0]).not.toHaveProperty("plan");
});

test.each([
  [10, "low"],
  [11, "medium"],
])("%i members are of level %s", (count, level) => {
  expect(found(set(people(count)), set(people(count)))).toMatchObject([{ level }]);
});

test("shortens long names, and hides a sensitive organization", () => {
  const long = "x".repeat(100);
  const [one] = found(set(people(1), { organization_id: long }), set(people(1), { organization_id: long }), {
    address: long,
  });
  expect(one!.text).toContain(`of ${"x".repeat(47)}… loses access. This happens while ${"x".repeat(47)}… is`);
  for (const side of ["beforeSensitive", "afterSensitive"]) {
    const [hidden] = found(set(people(1)), set(people(1)), { [side]: { organization_id: true } });
    expect(hidden!.text).toContain("1 member of (sensitive) loses access.");
  }
});

test.each<[string, Values | undefined, Values | undefined, Partial<PlannedObject>]>([
  [
    "a set that is created before the old one is destroyed",
    set(people(2)),
    set(people(2)),
    { actions: ["create", "delete"] },
  ],
  ["a set that changes in place", set(people(2)), set(people(2)), { actions: ["update"] }],
  ["a set that is destroyed", set(people(2)), undefined, { actions: ["delete"] }],
  ["a set that is created", undefined, set(people(2)), { actions: ["create"] }],
  ["a replaced set that the plan shows without its old values", undefined, set(people(2)), {}],
  ["a set that moves to another organization", set(people(2)), set(people(2), { organization_id: "org_2" }), {}],
  [
    "sets of unknown organizations",
    set(people(2), { organization_id: Symbol("not known yet") }),
    set(people(2), { organization_id: Symbol("not known yet") }),
    {},
  ],
  ["a set whose members all leave", set(people(2)), set(["auth0|9"]), {}],
  [
    "a set of the provider tenant, which keeps them",
    set(people(2)),
    set(people(2)),
    { type: "tenant_organization_member_set" },
  ],
])("finds nothing for %s", (_what, before, after, more) => {
  expect(found(before, after, more)).toEqual([]);
});
