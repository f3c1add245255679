/** A plan reviews a member set with unknown values. */
import { createVirtualClock } from "../../sdk/support/clock";
import { titleOf } from "../../../src/codes/codes";
import { unknown } from "../../../src/cty/value";
import { limitsOf, reviewMemberSet } from "../../../src/resources/organization-member-set/review";
import { organizationMemberSet } from "../../../src/resources/organization-member-set/definition";
import { createExpectations } from "../../../src/resources/expectations/expectations";
import type { Change, Planned } from "../../../src/sdk/definition";
import type { Diagnostic } from "../../../src/sdk/diagnostic";
import { createPlanRegistry } from "../../../src/sdk/plan-registry";

type Set = typeof organizationMemberSet;

const standing = {
  id: "org_1",
  organization_id: "org_1",
  members: ["auth0|ada", "auth0|grace"],
  exclusive: true,
  remove_existing: false,
  on_destroy: "remove",
} as const;

async function review(planned: Partial<Planned<Set>>): Promise<string[]> {
  const said: string[] = [];
  const report = ({ severity, code }: Pick<Diagnostic, "severity" | "code">) =>
    said.push(`${severity}: ${titleOf(code)}`);
  const registry = createPlanRegistry({ clock: createVirtualClock() });
  registry.touch("plan");
  const change = { action: "update", prior: standing, planned: { ...standing, ...planned } } as unknown as Change<Set>;
  const plan = registry.enter({ kind: "organization_member_set", objectKey: "m", change: change as unknown as Change });
  const client = {
    planWarnings: "all",
    guard: { acls: () => undefined },
    expectations: createExpectations(undefined),
    tenant: { scopes: async () => undefined, organizationMembers: { list: async () => standing.members } },
  };
  await reviewMemberSet(change, { plan, report, client, log: () => {}, privateState: {} } as never);
  return said;
}

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

test("reports a changed limit only when its value is known", async () => {
  expect(await review({ max_removals: 5 })).toEqual([expect.stringContaining("max_removals 5 in place of unset")]);
  expect(await review({ max_removals: unknown })).toEqual([]);
});
