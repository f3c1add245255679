/** Reviews new objects that the tenant has already: an apply adopts an identical object. */
import type { Values } from "../../src/impact/model";
import { reviewPlans } from "../../src/review/review";
import { acl, block, change, plan, policy } from "./support/plan";

const abroad = (priority: number, more: Values = {}) =>
  acl(priority, { action: block, match: { geo_country_codes: ["KP"], ipv4_cidrs: null } }, { id: null, ...more });
const byHand: Values = {
  id: "acl_hand",
  description: "ACL 1",
  active: true,
  priority: 1,
  rule: { action: { block: true }, match: { geo_country_codes: ["KP"] }, scope: "tenant" },
};
const codesOf = (changes: readonly Values[], remote: object) =>
  reviewPlans("plan", [plan(changes)], { remote }).effects.map(({ code }) => code);

test("an identical ACL of the tenant is adopted, so no outcome changes and no priority is taken twice", () => {
  const created = change("tenant_network_acl.kp", null, abroad(1), { unknown: { id: true } });
  const { effects, verdict } = reviewPlans("plan", [plan([created])], { remote: { network_acls: [byHand] } });
  expect(effects).toMatchObject([
    {
      code: "TNF-IMPORTED",
      level: "info",
      address: "tenant_network_acl.kp",
      text: "The tenant already has an identical network ACL, acl_hand. The apply adopts it as tenant_network_acl.kp and creates nothing.",
    },
  ]);
  expect(verdict.summary).toEqual(["✔ No request, limit or member changes."]);
});

test("an identical rate limit policy is adopted", () => {
  const limit = policy("default", { action: "block", limit: 7 });
  const created = change("tenant_rate_limit_policy.all", null, { id: null, ...limit });
  expect(codesOf([created], { rate_limit_policies: [{ id: "rlp_hand", ...limit }] })).toEqual([
    "TNF-IMPORTED",
    "TNF-EARLY-ACCESS",
  ]);
});

test.each<[string, Values[], Values]>([
  [
    "another description",
    [change("tenant_network_acl.kp", null, abroad(1, { description: "Other" }))],
    { network_acls: [byHand] },
  ],
  [
    "another rule",
    [change("tenant_network_acl.kp", null, abroad(1))],
    { network_acls: [{ ...byHand, active: false }] },
  ],
  [
    "a description that is known only after the apply",
    [change("tenant_network_acl.kp", null, abroad(1), { unknown: { id: true, description: true } })],
    { network_acls: [byHand] },
  ],
  [
    "two new ACLs that want it",
    [change("tenant_network_acl.kp", null, abroad(1)), change("module.b.tenant_network_acl.kp", null, abroad(1))],
    { network_acls: [byHand] },
  ],
  [
    "a resource of the auth0 provider, which adopts nothing",
    [change("auth0_network_acl.kp", null, abroad(1))],
    { network_acls: [byHand] },
  ],
])("an ACL with the same priority and %s is not adopted", (_what, changes, remote) => {
  const codes = codesOf(changes, remote);
  expect(codes).toContain("TNF-ACL-SAME-PRIORITY");
  expect(codes).not.toContain("TNF-IMPORTED");
});

test("an ACL that the plan manages at another address is not adopted", () => {
  const managed = { ...abroad(1), id: "acl_hand" };
  const codes = codesOf(
    [change("tenant_network_acl.old", managed, managed), change("tenant_network_acl.kp", null, abroad(1))],
    { network_acls: [byHand] },
  );
  expect(codes).toContain("TNF-ACL-SAME-PRIORITY");
  expect(codes).not.toContain("TNF-IMPORTED");
});
