/** Values before a change come from the refreshed state, because Terraform plans a delete with the values before the refresh. */
import type { Values } from "../../src/impact/model";
import { reviewPlans } from "../../src/review/review";
import { acl, block, change, plan } from "./support/plan";

test("sees that a deleted block was switched on outside Terraform", () => {
  const rule = { action: block, match: { geo_country_codes: ["DE"] } };
  const off = { ...acl(1, rule), active: false };
  const [address, now] = ["tenant_network_acl.old", { ...off, active: true }];
  const state = { address, mode: "managed", type: "tenant_network_acl", values: now, sensitive_values: {} };
  const { acls, effects } = reviewPlans("plan", [
    plan([change(address, off, null)], {
      resource_drift: [change(address, off, now)],
      prior_state: { values: { root_module: { resources: [state] } } },
    }),
  ]);
  expect(acls).toMatchObject({ verdict: "more_permissive", changes: [{ before: { outcome: "blocked" } }] });
  expect(effects.map(({ code }) => code)).toContain("TNF-ACL-OPENED");
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
