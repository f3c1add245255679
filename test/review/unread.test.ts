/** The verdict promises that nothing changes only if the review reads every change of the tenant. */
import type { Values } from "../../src/impact/model";
import { reviewPlans } from "../../src/review/review";
import { toText } from "../../src/review/render/text";
import { acl, block, change, members, plan, policy } from "./support/plan";

/** Remote state, so that no unmanaged object is a reason for doubt. */
const remote = { network_acls: [], rate_limit_policies: [], organization_members: new Map() };
const verdictOf = (...changes: readonly Values[]) => reviewPlans("plan", [plan(changes)], { remote }).verdict;
const wall = acl(1, { action: block, match: { geo_country_codes: ["DE"] } });
const limit = policy("default", { action: "block", limit: 10 });
const withAction = (action: string): Values => {
  const one = change("tenant_network_acl.a", wall, wall);
  return { ...one, change: { ...(one["change"] as Values), actions: [action] } };
};

test.each<[string, Values, string]>([
  ["a type of the Go provider", change("auth0_attack_protection.a", { a: 1 }, { a: 2 }), "auth0_attack_protection"],
  ["a type of a later version", change("tenant_new_thing.a", null, { a: 2 }), "tenant_new_thing"],
  [
    "an attribute of a network ACL",
    change("tenant_network_acl.a", { ...wall, mode: 1 }, { ...wall, mode: 2 }),
    "mode of tenant_network_acl.a",
  ],
  [
    "an attribute of a set",
    change("tenant_organization_member_set.a", members("org_1", ["a"]), { ...members("org_1", ["a"]), roles: ["x"] }),
    "roles of tenant_organization_member_set.a",
  ],
  [
    "a part of a limit",
    change("tenant_rate_limit_policy.a", limit, policy("default", { action: "block", limit: 10, window: 60 })),
    "window of tenant_rate_limit_policy.a",
  ],
  ["an action", withAction("defer"), "the action defer of tenant_network_acl.a"],
])("names %s that this version does not know", (_what, changed, words) => {
  const { level, summary } = verdictOf(changed);
  expect(level).toBe("info");
  expect(summary).toEqual([
    `○ No effect was found. The plan also has changes that this version does not read: ${words}.`,
  ]);
});

test("says that nothing changes if other providers change objects, or the service computes a value", () => {
  const computed = change("tenant_network_acl.a", { ...wall, updated_at: "x" }, { ...wall, description: "Wall" });
  const other = change("null_resource.a", null, {});
  const unknown = { ...computed, change: { ...(computed["change"] as Values), after_unknown: { updated_at: true } } };
  expect(verdictOf(other, unknown).summary).toEqual(["✔ No request, limit or member changes."]);
});

test("shows the effects before scopes if no object changes", () => {
  const one = { ...change("tenant_network_acl.a", wall, wall), previous_address: "tenant_network_acl.b" };
  const text = toText([reviewPlans("plan", [plan([one])], { remote })]);
  expect(text.indexOf("TNF-MOVED")).toBeGreaterThan(0);
  expect(text.indexOf("TNF-MOVED")).toBeLessThan(text.indexOf("Scopes that the apply needs"));
});
