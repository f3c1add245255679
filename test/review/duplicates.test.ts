/** Finds objects that two resources manage, in one plan, in several plans, and under several names of one tenant. */
import type { Values } from "../../src/judge/impact/model";
import type { Plan } from "../../src/review/input/plan";
import { tenantsIn } from "../../src/review/input/tenants";
import { acl, allow, block, change, inState, kept as same, plan, prior, reviewOf, reviewTenant } from "./support/plan";

const at = (name: string) => `tenant_network_acl.${name}`;
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
  ["two stacks", [plan([kept("a")]), plan([opens("a", importing)])], "shown"],
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
const data = inState("data.tenant_network_acls.all", { network_acls: [korea] });

test.each<[string, Plan[]]>([
  ["a handover from stack to stack", [plan([gone("a", ["forget"])]), plan([kept("b", importing)])]],
  ["a move", [plan([kept("b", { previous: at("a") })])]],
  ["a deposed object", [plan([deposed("a"), same(at("a"), other)])]],
  ["one address in two stacks", [plan([kept("a")]), plan([same(at("a"), other)])]],
  ["a data source that reads what a resource manages", [plan([kept("a")], prior(data))]],
])("reports no duplicate for %s", (_, plans) => {
  const [one] = reviewed(...plans);
  expect([duplicates(one!), one!.whole.acls.proven]).toEqual([[], true]);
});
