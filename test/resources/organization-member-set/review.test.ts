/** Whether a set may leave its organization without members. */
import { unknown } from "../../../src/cty/value";
import type { organizationMemberSet } from "../../../src/resources/organization-member-set/definition";
import { limitsOf } from "../../../src/resources/organization-member-set/review";
import type { Planned } from "../../../src/sdk/definition";

type Set = typeof organizationMemberSet;

test.each<[string, object, boolean]>([
  ["nothing", {}, false],
  ["allow_empty = true", { allow_empty: true }, true],
  ["allow_empty = false", { allow_empty: false }, false],
  ["a limit", { max_removals: 3 }, true],
  ["an allow_empty that is not known yet", { allow_empty: unknown }, true],
  ["a limit that is not known yet", { max_removals: unknown }, true],
])("with %s, a set may become empty: %j %s", (_what, written, mayEmpty) => {
  expect(limitsOf({ exclusive: true, ...written } as unknown as Planned<Set>)).toMatchObject({ mayEmpty });
});
