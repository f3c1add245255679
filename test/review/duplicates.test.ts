/** Finds objects that two resources manage, in one plan, in several plans, and under several names of one tenant. */
import type { Values } from "../../src/impact/model";
import type { Plan } from "../../src/review/input/plan";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { acl, allow, block, change, inState, kept as same, members, plan, prior, reviewOf } from "./support/plan";

const at = (name: string) => `tenant_network_acl.${name}`;
const set = (name: string) => `tenant_organization_member_set.${name}`;
const korea = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_kp", description: "Korea" });
const opened = { ...korea, priority: 11, rule: { ...(korea["rule"] as Values), action: allow } };
const importing = { importing: { id: "acl_kp" } };

const reviewed = (...plans: Plan[]) =>
  tenantsIn(plans.map((one, index) => ({ name: `plan${index + 1}`, plan: one }))).map((tenant) =>
    reviewTenant(tenant, {}),
  );
const duplicates = ({ whole }: ReturnType<typeof reviewed>[number]) =>
  whole.effects.filter(({ code }) => code === "TNF-DUPLICATE").map(({ level }) => level);

const kept = (name: string, marked?: object) => same(at(name), korea, marked);
const opens = (name: string, marked?: object) => change(at(name), korea, opened, marked);
const gone = (name: string, actions = ["delete"]) => change(at(name), korea, null, { actions });
const deposed = (name: string) => ({ ...gone(name), deposed: "1a2b" });
const created = change(at("b"), null, opened);
const byIdentity = { ...(created["change"] as Values), importing: { identity: { id: "acl_kp" } } };

/** "shown": the plans show both versions of the ACL. */
test.each<[string, Plan[], string?]>([
  ["an import of the same id twice", [plan([kept("a", importing), opens("b", importing)])], "shown"],
  ["the same, the other way round", [plan([opens("b", importing), kept("a")])], "shown"],
  ["two stacks", [plan([kept("a")]), plan([opens("a", importing)])], "shown"],
  [
    "three stacks, one of them hands the object over",
    [plan([gone("a", ["forget"])]), plan([kept("b", importing)]), plan([opens("c", importing)])],
    "shown",
  ],
  ["one destroys what the other keeps", [plan([gone("a"), kept("b")])]],
  ["two names of the provider", [plan([kept("a"), change("auth0_network_acl.b", korea, opened)])]],
  ["one that -target left out", [plan([opens("b")], prior(inState(at("a"), korea)))]],
  ["one left over from a replacement, which goes while the other stays", [plan([deposed("a"), kept("b")])]],
  ["an import whose values the plan does not tell", [plan([kept("a"), change(at("b"), null, opened, importing)])]],
  ["an import by identity", [plan([kept("a"), { ...created, change: byIdentity }])]],
])("proves nothing about %s", (_what, plans, shown = "") => {
  const [one, ...others] = reviewed(...plans);
  const { whole, parts } = one!;
  expect([others, whole.acls.proven, duplicates(one!)]).toEqual([[], false, ["critical", "critical"]]);
  expect(parts.map(({ acls }) => acls.proven)).toEqual(plans.length > 1 ? plans.map(() => false) : []);
  if (shown) expect(whole.acls).toMatchObject({ before: [{ id: "acl_kp" }] });
});

test("does not count an import as a new ACL if the plan does not show its current values", () => {
  const { acls } = reviewOf([change(at("b"), null, korea, importing)]);
  expect([acls.proven, acls.before.map(({ id }) => id)]).toEqual([false, ["acl_kp"]]);
});

const other = { ...korea, id: "acl_other", priority: 20 };
const shared = (...ids: string[]) => members("org_1", ids, { exclusive: false });
const data = inState("data.tenant_network_acls.all", { network_acls: [korea] });

test.each<[string, Plan[]]>([
  ["a handover from stack to stack", [plan([gone("a", ["forget"])]), plan([kept("b", importing)])]],
  ["a handover within a plan", [plan([gone("a", ["forget"]), kept("b", importing)])]],
  ["a move", [plan([kept("b", { previous: at("a") })])]],
  ["a replacement", [plan([change(at("a"), korea, { ...korea, id: undefined }, { actions: ["create", "delete"] })])]],
  ["a deposed object", [plan([deposed("a"), same(at("a"), other)])]],
  ["one address in two stacks", [plan([kept("a")]), plan([same(at("a"), other)])]],
  ["two destroyed resources", [plan([gone("a")]), plan([gone("b")])]],
  ["sets that are not exclusive", [plan([same(set("a"), shared("a")), change(set("b"), null, shared("b"))])]],
  [
    "a destroyed set that keeps its members for another",
    [
      plan([change(set("a"), members("org_1", ["a"], { on_destroy: "keep" }), null)]),
      plan([change(set("b"), null, members("org_1", ["a"]))]),
    ],
  ],
  ["a data source that reads what a resource manages", [plan([kept("a")], prior(data))]],
])("reports no duplicate for %s", (_, plans) => {
  const [one] = reviewed(...plans);
  expect([duplicates(one!), one!.whole.acls.proven]).toEqual([[], true]);
});
