/** Finds objects that two resources manage, in one plan, in several plans, and under several names of one tenant. */
import type { Values } from "../../src/impact/model";
import type { Plan } from "../../src/review/plan";
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
const duplicates = ({ findings }: ReturnType<typeof reviewed>[number]) =>
  findings.filter(({ code }) => code === "TF-DUPLICATE").map(({ level, address, plan: of }) => [level, address, of]);

const created = change(at("b"), null, opened);
const attacks: [string, Plan[]][] = [
  [
    "an import of the same id twice",
    [plan([change(at("a"), korea, korea, importing), change(at("b"), korea, opened, importing)])],
  ],
  ["the same, the other way round", [plan([change(at("b"), korea, opened, importing), change(at("a"), korea, korea)])]],
  ["two stacks", [plan([change(at("a"), korea, korea)]), plan([change(at("a"), korea, opened, importing)])]],
  [
    "three stacks, one of them hands the object over",
    [
      plan([change(at("a"), korea, null, { actions: ["forget"] })]),
      plan([change(at("b"), korea, korea, importing)]),
      plan([change(at("c"), korea, opened, importing)]),
    ],
  ],
  ["one destroys what the other keeps", [plan([change(at("a"), korea, null), change(at("b"), korea, korea)])]],
  [
    "one of two names of the provider",
    [
      plan([
        change(at("a"), korea, korea),
        { ...change("auth0_network_acl.b", korea, opened), type: "auth0_network_acl" },
      ]),
    ],
  ],
  [
    "one that -target left out",
    [
      plan([change(at("b"), korea, opened)], {
        prior_state: {
          values: {
            root_module: {
              resources: [{ address: at("a"), mode: "managed", type: "tenant_network_acl", values: korea }],
            },
          },
        },
      }),
    ],
  ],
  [
    "one left over from a replacement, which goes while the other stays",
    [plan([{ ...change(at("a"), korea, null), deposed: "1a2b" }, change(at("b"), korea, korea)])],
  ],
  [
    "an import whose values the plan does not tell",
    [plan([change(at("a"), korea, korea), change(at("b"), null, opened, importing)])],
  ],
  [
    "an import by identity, whose values the plan does not tell",
    [
      plan([
        change(at("a"), korea, korea),
        { ...created, change: { ...(created.change as Values), importing: { identity: { id: "acl_kp" } } } },
      ]),
    ],
  ],
];

test.each(attacks)("proves nothing about %s", (_, plans) => {
  const [whole, ...others] = reviewed(...plans);
  expect(others).toEqual([]);
  expect(whole!.acls.proven).toBe(false);
  expect(duplicates(whole!)).toHaveLength(2);
  expect(duplicates(whole!).every(([level]) => level === "critical")).toBe(true);
  expect(whole!.parts.map(({ acls }) => acls.proven)).toEqual(plans.length > 1 ? plans.map(() => false) : []);
});

test.each(attacks.slice(0, 4))("reviews each version of %s", (_, plans) => {
  const [whole] = reviewed(...plans);
  expect(whole!.acls).toMatchObject({ verdict: "more_permissive", before: [{ id: "acl_kp" }] });
  expect(whole!.findings.map(({ code }) => code)).toContain("TF-ACL-WIDENED");
});

test("does not count an import as a new ACL if the plan does not show its current values", () => {
  const [whole] = reviewed(plan([change(at("b"), null, korea, importing)]));
  expect(whole!.acls.proven).toBe(false);
  expect(whole!.acls.before).toMatchObject([{ id: "acl_kp" }]);
});

describe("reports no duplicate for", () => {
  const other = { ...korea, id: "acl_other", priority: 20 };
  const shared = { exclusive: false };

  test.each<[string, Plan[]]>([
    [
      "a handover from stack to stack",
      [plan([change(at("a"), korea, null, { actions: ["forget"] })]), plan([change(at("b"), korea, korea, importing)])],
    ],
    [
      "a handover within a plan",
      [plan([change(at("a"), korea, null, { actions: ["forget"] }), change(at("b"), korea, korea, importing)])],
    ],
    ["a move", [plan([change(at("b"), korea, korea, { previous: at("a") })])]],
    ["a replacement", [plan([change(at("a"), korea, { ...korea, id: undefined }, { actions: ["create", "delete"] })])]],
    ["a deposed object", [plan([{ ...change(at("a"), korea, null), deposed: "1a2b" }, change(at("a"), other, other)])]],
    ["one address in two stacks", [plan([change(at("a"), korea, korea)]), plan([change(at("a"), other, other)])]],
    ["two destroyed resources", [plan([change(at("a"), korea, null)]), plan([change(at("b"), korea, null)])]],
    [
      "sets that are not exclusive",
      [
        plan([
          change(set("a"), members("org_1", ["a"], shared), members("org_1", ["a"], shared)),
          change(set("b"), null, members("org_1", ["b"], shared)),
        ]),
      ],
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
        plan([change(at("a"), korea, korea)], {
          prior_state: {
            values: {
              root_module: {
                resources: [
                  {
                    address: "data.tenant_network_acls.all",
                    mode: "data",
                    type: "tenant_network_acls",
                    values: { network_acls: [korea] },
                  },
                ],
              },
            },
          },
        }),
      ],
    ],
  ])("%s", (_, plans) => {
    const [whole] = reviewed(...plans);
    expect(duplicates(whole!)).toEqual([]);
    expect(whole!.acls.proven).toBe(true);
  });
});
