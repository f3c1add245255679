/** A plan reviews a member set with unknown values. */
import { unknown } from "../../../src/cty/value";
import { limitsOf } from "../../../src/resources/organization-member-set/loss";
import { organizationMemberSet } from "../../../src/resources/organization-member-set/definition";
import type { Planned } from "../../../src/sdk/definition";

type Set = typeof organizationMemberSet;

const standing = {
  id: "org_1",
  organization_id: "org_1",
  members: ["auth0|ada", "auth0|grace"],
  exclusive: true,
  remove_existing: false,
  on_destroy: "remove",
} as const;

test.each<[string, object, boolean]>([
  ["nothing", {}, false],
  ["allow_empty = true", { allow_empty: true }, true],
  ["allow_empty = false", { allow_empty: false }, false],
  ["a limit", { max_removals: 3 }, true],
  ["an allow_empty that is not known yet", { allow_empty: unknown }, true],
  ["a limit that is not known yet", { max_removals: unknown }, true],
])("with %s, a set may become empty: %j %s", (_what, written, mayEmpty) => {
  expect(limitsOf({ ...standing, ...written } as unknown as Planned<Set>)).toMatchObject({ mayEmpty });
});
