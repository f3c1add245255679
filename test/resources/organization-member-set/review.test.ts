/** Whether a set may leave its organization without members. */
import { unknown } from "../../../src/cty/value";
import { setFrom } from "../../../src/impact/organization-member-set/set";

test.each<[string, object, boolean]>([
  ["nothing", {}, false],
  ["null", { max_removals: null, allow_empty: null, exclusive: null }, false],
  ["allow_empty = true", { allow_empty: true }, true],
  ["allow_empty = false", { allow_empty: false }, false],
  ["a limit", { max_removals: 3 }, true],
  ["exclusive = false", { exclusive: false }, true],
  ["an allow_empty that is not known yet", { allow_empty: unknown }, true],
  ["a limit that is not known yet", { max_removals: unknown }, true],
])("with %s, a set may become empty: %j %s", (_what, written, mayEmpty) => {
  const after = { exclusive: true, ...written };
  const set = { address: "a", type: "tenant_organization_member_set", actions: ["update"], after };
  expect(setFrom(set).limits).toMatchObject({ mayEmpty });
});
