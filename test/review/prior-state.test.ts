/** Values before a change come from the refreshed state, because Terraform plans a delete with the values before the refresh. */
import type { Values } from "../../src/impact/model";
import { reviewPlans } from "../../src/review/review";
import { acl, block, change, members, plan, policy } from "./support/plan";

const review = (address: string, old: Values, now: Values, after: Values | null = null) => {
  const type = address.split(".")[0]!;
  const drift = change(address, old, now);
  const state = { address, mode: "managed", type, values: now, sensitive_values: {} };
  return reviewPlans("plan", [
    plan([change(address, after === null ? old : now, after)], {
      resource_drift: [drift],
      prior_state: { values: { root_module: { resources: [state] } } },
    }),
  ]);
};

test("sees that a deleted block was switched on outside Terraform", () => {
  const rule = { action: block, match: { geo_country_codes: ["DE"] } };
  const off = { ...acl(1, rule), active: false };
  const { acls, effects } = review("tenant_network_acl.old", off, { ...off, active: true });
  expect(acls).toMatchObject({ verdict: "more_permissive", changes: [{ before: { outcome: "blocked" } }] });
  expect(effects.map(({ code }) => code)).toContain("TNF-ACL-OPENED");
});

test("compares a deleted limit as it is now", () => {
  const limit = (number: number) => ({ id: "rlp_1", ...policy("client_id:a", { action: "block", limit: number }) });
  const { policies } = review("tenant_rate_limit_policy.a", limit(100), limit(5));
  expect(policies).toMatchObject([{ before: { limit: 5 }, after: null }]);
});

test("knows that a deleted set keeps the members that joined after the last apply", () => {
  const { effects, members: sets } = review(
    "tenant_organization_member_set.staff",
    members("org_1", ["auth0|1", "auth0|2", "auth0|9"]),
    members("org_1", ["auth0|1", "auth0|2", "auth0|3", "auth0|4"]),
  );
  expect(sets).toMatchObject([{ loses: ["auth0|1", "auth0|2"], may_lose: 0, before: 4 }]);
  const loss = effects.find(({ code }) => code.startsWith("TNF-MEMBERS"));
  expect(loss).toMatchObject({
    code: "TNF-MEMBERS-MANY",
    text: "org_1 loses 2 of 4 members (50 %): auth0|1, auth0|2.",
  });
});

test("removes every member of a set that is updated after members joined", () => {
  const now = members("org_1", ["auth0|1", "auth0|2"]);
  const { members: sets } = review(
    "tenant_organization_member_set.staff",
    members("org_1", ["auth0|1"]),
    now,
    members("org_1", ["auth0|1"]),
  );
  expect(sets).toMatchObject([{ loses: ["auth0|2"], before: 2 }]);
});

test("does not take the values of a deposed object for those of the object in its place", () => {
  const address = "tenant_network_acl.a";
  const rule = { action: block, match: { geo_country_codes: ["DE"] } };
  const state = (values: Values, more: Values = {}) => ({
    address,
    mode: "managed",
    type: "tenant_network_acl",
    values,
    ...more,
  });
  const gone = acl(1, rule);
  const { acls } = reviewPlans("plan", [
    plan([change(address, gone, null)], {
      prior_state: {
        values: {
          root_module: { resources: [state(gone), state(acl(2, rule), { deposed_key: "a1b2c3d4" })] },
        },
      },
    }),
  ]);
  expect(acls.before).toMatchObject([{ id: "acl_1" }]);
});
