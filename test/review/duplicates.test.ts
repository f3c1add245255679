/** Finds objects that two resources manage, in one plan, in several plans, and under several names of one tenant. */
import type { Values } from "../../src/impact/model";
import type { Plan } from "../../src/review/input/plan";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { acl, allow, block, change, members, plan } from "./support/plan";

const at = (name: string) => `tenant_network_acl.${name}`;
const set = (name: string) => `tenant_organization_member_set.${name}`;
const korea = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_kp", description: "Korea" });
const opened = { ...korea, priority: 11, rule: { ...(korea.rule as Values), action: allow } };
const importing = { importing: { id: "acl_kp" } };

const reviewed = (...plans: Plan[]) =>
  tenantsIn(plans.map((one, index) => ({ name: `plan${index + 1}`, plan: one }))).map((tenant) => {
    const { whole, parts } = reviewTenant(tenant, {});
    return { ...whole, parts };
  });
const duplicates = ({ effects }: ReturnType<typeof reviewed>[number]) =>
  effects.filter(({ code }) => code === "TNF-DUPLICATE").map(({ level, address, plan: of }) => [level, address, of]);

const kept = (name: string) => change(at(name), korea, korea);
const opens = (name: string, more?: object) => change(at(name), korea, opened, more);
const forgets = (name: string) => change(at(name), korea, null, { actions: ["forget"] });
const deposed = (name: string) => ({ ...change(at(name), korea, null), deposed: "1a2b" });
const created = change(at("b"), null, opened);
const byIdentity = { ...(created.change as Values), importing: { identity: { id: "acl_kp" } } };
const state = (address: string, mode: string, type: string, values: Values) => ({
  prior_state: { values: { root_module: { resources: [{ address, mode, type, values }] } } },
});

/** Plans of one tenant. "shown": they show both versions of the ACL. */
const attacks: [string, Plan[], "shown"?][] = [
  [
    "an import of the same id twice",
    [plan([change(at("a"), korea, korea, importing), opens("b", importing)])],
    "shown",
  ],
  ["the same, the other way round", [plan([opens("b", importing), kept("a")])], "shown"],
  ["two stacks", [plan([kept("a")]), plan([opens("a", importing)])], "shown"],
  [
    "three stacks, one of them hands the object over",
    [plan([forgets("a")]), plan([change(at("b"), korea, korea, importing)]), plan([opens("c", importing)])],
    "shown",
  ],
  ["one destroys what the other keeps", [plan([change(at("a"), korea, null), kept("b")])]],
  ["two names of the provider", [plan([kept("a"), change("auth0_network_acl.b", korea, opened)])]],
  ["one that -target left out", [plan([opens("b")], state(at("a"), "managed", "tenant_network_acl", korea))]],
  ["one left over from a replacement, which goes while the other stays", [plan([deposed("a"), kept("b")])]],
  ["an import whose values the plan does not tell", [plan([kept("a"), change(at("b"), null, opened, importing)])]],
  [
    "an import by identity, whose values the plan does not tell",
    [plan([kept("a"), { ...created, change: byIdentity }])],
  ],
];

test.each(attacks)("proves nothing about %s", (...[, plans, shown]) => {
  const [whole, ...others] = reviewed(...plans);
  expect(others).toEqual([]);
  expect(whole!.acls.proven).toBe(false);
  expect(duplicates(whole!).map(([level]) => level)).toEqual(["critical", "critical"]);
  expect(whole!.parts.map(({ acls }) => acls.proven)).toEqual(plans.length > 1 ? plans.map(() => false) : []);
  if (shown) {
    expect(whole!.acls).toMatchObject({ verdict: "more_permissive", before: [{ id: "acl_kp" }] });
    expect(whole!.effects.map(({ code }) => code)).toContain("TNF-ACL-WIDENED");
  }
});

test("does not count an import as a new ACL if the plan does not show its current values", () => {
  const [whole] = reviewed(plan([change(at("b"), null, korea, importing)]));
  expect(whole!.acls.proven).toBe(false);
  expect(whole!.acls.before).toMatchObject([{ id: "acl_kp" }]);
});

const other = { ...korea, id: "acl_other", priority: 20 };
const shared = (...ids: string[]) => members("org_1", ids, { exclusive: false });
const imports = change(at("b"), korea, korea, importing);
const replaced = change(at("a"), korea, { ...korea, id: undefined }, { actions: ["create", "delete"] });

test.each<[string, Plan[]]>([
  ["a handover from stack to stack", [plan([forgets("a")]), plan([imports])]],
  ["a handover within a plan", [plan([forgets("a"), imports])]],
  ["a move", [plan([change(at("b"), korea, korea, { previous: at("a") })])]],
  ["a replacement", [plan([replaced])]],
  ["a deposed object", [plan([deposed("a"), change(at("a"), other, other)])]],
  ["one address in two stacks", [plan([kept("a")]), plan([change(at("a"), other, other)])]],
  ["two destroyed resources", [plan([change(at("a"), korea, null)]), plan([change(at("b"), korea, null)])]],
  [
    "sets that are not exclusive",
    [plan([change(set("a"), shared("a"), shared("a")), change(set("b"), null, shared("b"))])],
  ],
  [
    "a destroyed set that keeps its members for another",
    [
      plan([change(set("a"), members("org_1", ["a"], { on_destroy: "keep" }), null)]),
      plan([change(set("b"), null, members("org_1", ["a"]))]),
    ],
  ],
  [
    "a data source that reads what a resource manages",
    [
      plan(
        [kept("a")],
        state("data.tenant_network_acls.all", "data", "tenant_network_acls", { network_acls: [korea] }),
      ),
    ],
  ],
])("reports no duplicate for %s", (_, plans) => {
  const [whole] = reviewed(...plans);
  expect(duplicates(whole!)).toEqual([]);
  expect(whole!.acls.proven).toBe(true);
});
