/** Recognizes one tenant by several names: spellings of its address, a custom domain, and two aliases. */
import type { Values } from "../../src/impact/model";
import type { Plan } from "../../src/review/input/plan";
import { reviewTenant, tenantsIn, type TenantReview } from "../../src/review/tenants";
import { acl, allow, block, change, members, plan } from "./support/plan";

const at = (name: string) => `tenant_network_acl.${name}`;
const endpoint = (value: string): Values => ({ endpoint: { constant_value: value } });
const domain = (value: string): Values => ({ domain: { constant_value: value } });

/** `homes`: address of a resource -> the key of its provider configuration. */
function configured(configs: Readonly<Record<string, Values>>, homes: Readonly<Record<string, string>> = {}): Values {
  const provider_config = Object.entries(configs).map(([key, expressions]) => {
    return [key, { name: "tenant", full_name: "registry.terraform.io/x/tenant", expressions }];
  });
  const resources = Object.entries(homes).map(([address, key]) => ({ address, provider_config_key: key }));
  return { configuration: { provider_config: Object.fromEntries(provider_config), root_module: { resources } } };
}

const reviewed = (...plans: Plan[]): TenantReview[] =>
  tenantsIn(plans.map((one, index) => ({ name: `plan${index + 1}`, plan: one }))).map((one) => reviewTenant(one, {}));
const codesOf = ({ whole }: TenantReview) => whole.findings.map(({ code }) => code);

const korea = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_kp", description: "Korea" });
const all = acl(1, { action: allow, match_all: true }, { id: "acl_all", description: "All" });
const opening = change(at("all"), null, { ...all, id: undefined });
const staying = change(at("korea"), korea, korea);
const homes = { [at("all")]: "tenant", [at("korea")]: "tenant.b" };

const spellings: [string, Values, Values][] = [
  ["without slashes", endpoint("http:127.0.0.1:4010"), endpoint("http://127.0.0.1:4010")],
  ["with one slash", endpoint("http:/127.0.0.1:4010"), endpoint("http://127.0.0.1:4010")],
  ["with slashes that lean back", endpoint("http:\\\\127.0.0.1:4010"), endpoint("http://127.0.0.1:4010")],
  ["by the name of this machine", endpoint("http://localhost:4010"), endpoint("http://127.0.0.1:4010")],
  ["by its IPv6 address", endpoint("http://[::1]:4010/"), endpoint("http://localhost:4010")],
  ["by a mapped address", endpoint("http://[::ffff:127.0.0.1]:4010/"), endpoint("http://localhost:4010")],
  ["by a short address", endpoint("http://127.1:4010"), endpoint("http://0x7f.0.0.1:4010")],
  ["by another loopback address", endpoint("https://127.0.0.2:4010"), endpoint("https://0.0.0.0:4010")],
  ["with a name below localhost", endpoint("http://acme.localhost:4010"), endpoint("http://localhost:4010")],
  ["with the usual port", domain("acme.eu.auth0.com:443"), domain("acme.eu.auth0.com")],
  ["as URL and as domain", endpoint("https://acme.eu.auth0.com:443/"), domain("acme.eu.auth0.com")],
  ["in upper case", domain("ACME.eu.Auth0.com"), domain("acme.eu.auth0.com")],
  ["with a trailing dot", endpoint("https://acme.eu.auth0.com./"), domain("acme.eu.auth0.com")],
  ["with a user", endpoint("https://ada:pw@acme.eu.auth0.com"), domain("acme.eu.auth0.com")],
  ["between spaces", endpoint(" https://acme.eu.auth0.com\n"), domain("acme.eu.auth0.com")],
  ["with a query and a fragment", endpoint("https://acme.eu.auth0.com/?a=b#c"), domain("acme.eu.auth0.com")],
  ["with a detour", endpoint("https://acme.eu.auth0.com/a/%2e%2e//"), domain("acme.eu.auth0.com")],
  ["escaped", endpoint("https://%61cme.eu.auth0.com"), domain("acme.eu.auth0.com")],
  ["international", endpoint("https://bücher.example"), domain("xn--bcher-kva.example")],
  ["in wide letters", endpoint("https://ａcme.eu.auth0.com"), domain("acme.eu.auth0.com")],
  ["a domain with its scheme", domain("https://acme.eu.auth0.com/"), domain("acme.eu.auth0.com")],
  ["an endpoint that is null", { endpoint: { constant_value: null }, ...domain("a.example") }, domain("a.example")],
];

test.each(spellings)("assigns two plans to one tenant: %s", (_, one, other) => {
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    const reviews = reviewed(
      plan([opening], configured({ tenant: first })),
      plan([staying], configured({ tenant: second })),
    );
    expect(reviews).toHaveLength(1);
    expect(reviews[0]!.whole.acls).toMatchObject({ verdict: "more_permissive", proven: true });
    expect(codesOf(reviews[0]!)).toContain("TNF-ACL-WIDENED");
  }
});

test.each(spellings)("assigns two aliases of one plan to one tenant: %s", (_, one, other) => {
  const reviews = reviewed(plan([opening, staying], configured({ tenant: one, "tenant.b": other }, homes)));
  expect(reviews.map(({ whole }) => [whole.acls.verdict, whole.acls.proven])).toEqual([["more_permissive", true]]);
});

test.each([
  ["ports", endpoint("http://127.0.0.1:4010"), endpoint("http://127.0.0.1:4011")],
  ["hosts", domain("acme.eu.auth0.com"), domain("acme.us.auth0.com")],
  ["a part of the host", domain("acme.example"), domain("me.example")],
])("keeps tenants with different %s apart", (_, one, other) => {
  const reviews = reviewed(
    plan([opening], configured({ tenant: one })),
    plan([staying], configured({ tenant: other })),
  );
  expect(reviews.map(({ whole }) => whole.acls.proven)).toEqual([true, true]);
});

test.each([
  ["folders of one server", endpoint("https://proxy.example/a"), endpoint("https://proxy.example/b")],
  ["no URL", endpoint("ftp://acme.example"), domain("acme.example")],
])("proves nothing if two names may be one tenant: %s", (_, one, other) => {
  const two = [plan([opening], configured({ tenant: one })), plan([staying], configured({ tenant: other }))];
  const aliases = plan([opening, staying], configured({ tenant: one, "tenant.b": other }, homes));
  const apart = plan([], configured({ tenant: domain("else.example") }));
  for (const plans of [[...two, apart], [aliases]]) {
    const reviews = reviewed(...plans).filter(({ whole }) => whole.acls.after.length > 0);
    expect(reviews.map(({ whole }) => whole.acls.proven)).toEqual([false, false]);
  }
});

describe("two hosts whose objects have the same ids", () => {
  const own = configured({ tenant: domain("acme.eu.auth0.com") });
  const custom = configured({ tenant: domain("login.acme.example") });
  const opened = { ...korea, priority: 11, rule: { ...(korea.rule as Values), action: allow } };
  const apart = (...plans: Plan[]) => {
    const reviews = reviewed(...plans);
    expect(reviews).toHaveLength(2);
    return reviews.map(({ whole }) => whole.acls.proven);
  };

  test("may be one tenant, so nothing is proven, and the review gives the reason", () => {
    const reviews = reviewed(plan([staying], own), plan([change(at("korea"), korea, opened)], custom));
    expect(reviews.map(({ whole }) => [whole.name, whole.acls.proven])).toEqual([
      ["plan1", false],
      ["plan2", false],
    ]);
    const [said] = reviews[0]!.whole.findings.filter(({ code }) => code === "TNF-TENANT-UNKNOWN");
    expect(said!.text).toContain("An object has the same id as one of plan2");
  });

  test("may be one tenant in a plan with two aliases too", () => {
    const configs = { tenant: domain("acme.eu.auth0.com"), "tenant.b": domain("login.acme.example") };
    const two = { [at("korea")]: "tenant", [at("again")]: "tenant.b" };
    expect(apart(plan([staying, change(at("again"), korea, opened)], configured(configs, two)))).toEqual([
      false,
      false,
    ]);
  });

  test.each<[string, Plan]>([
    [
      "a data source reads",
      plan([], {
        ...custom,
        prior_state: {
          values: {
            root_module: {
              resources: [
                {
                  address: "data.tenant_network_acls.all",
                  mode: "data",
                  type: "tenant_network_acls",
                  values: { network_acls: [korea, all] },
                },
              ],
            },
          },
        },
      }),
    ],
    ["the other forgets", plan([change(at("x"), korea, null, { actions: ["forget"] })], custom)],
    ["the other drifted from", plan([], { ...custom, resource_drift: [change(at("x"), korea, opened)] })],
    ["the other imports", plan([change(at("x"), korea, korea, { importing: { id: "acl_kp" } })], custom)],
  ])("include objects that %s", (_, second) => {
    expect(apart(plan([staying], own), second)).toEqual([false, false]);
  });

  test("can share only an organization", () => {
    const set = "tenant_organization_member_set.a";
    const one = plan([change(set, members("org_1", ["a"]), members("org_1", ["a"])), staying], own);
    const other = plan([change(set, null, members("org_1", ["b"]))], custom);
    expect(apart(one, other)).toEqual([false, false]);
  });

  test("are two tenants if they share no object", () => {
    const other = { ...korea, id: "acl_other" };
    expect(apart(plan([staying], own), plan([change(at("korea"), other, opened)], custom))).toEqual([true, true]);
  });
});

test("proves nothing if a stack takes the tenant from the environment and two tenants are possible", () => {
  const other = { ...korea, id: "acl_other" };
  const reviews = reviewed(
    plan([staying], configured({ tenant: domain("a.example") })),
    plan([change(at("korea"), other, other)], configured({ tenant: domain("b.example") })),
    plan([opening], configured({ tenant: {} })),
  );
  expect(reviews.map(({ whole }) => whole.acls.proven)).toEqual([false, false, false]);
  expect(reviews.every((one) => codesOf(one).includes("TNF-TENANT-UNKNOWN"))).toBe(true);
});

describe("one plan removes a block that another plan has", () => {
  const removed = change(at("korea"), { ...korea, id: "acl_old" }, null);
  const verdicts = (one: Values, other: Values) => {
    const variables = { one: { value: "acme.example" } };
    const reviews = reviewed(
      plan([removed], { ...configured({ tenant: one }), variables }),
      plan([staying], { ...configured({ tenant: other }), variables }),
    );
    return reviews.map(({ whole }) => [
      whole.acls.proven,
      whole.findings.some(({ code }) => code === "TNF-TENANT-UNKNOWN"),
    ]);
  };
  const local = { domain: { references: ["local.one"] } };
  const byVariable = { domain: { references: ["var.one"] } };
  const prefix = (value: string): Values => ({ environment_prefix: { constant_value: value } });

  test.each<[string, Values, Values]>([
    ["a constant and the environment", domain("acme.example"), {}],
    ["a variable and the environment", byVariable, {}],
    ["one variable, perhaps with a text around it", byVariable, byVariable],
    ["a constant and a local value", domain("acme.example"), local],
    ["two local values", local, local],
    ["two texts in JSON", domain("${local.one}"), domain("${local.one}")],
    ["the environment and a local value", {}, local],
    ["two prefixes", prefix("A"), prefix("B")],
    ["a prefix and the environment", prefix("A"), {}],
    ["two folders of one server", endpoint("https://proxy.example/a"), endpoint("https://proxy.example/b")],
  ])("joins and proves nothing, because the tenants may differ: %s", (_, one, other) => {
    const unproven = [
      [false, true],
      [false, true],
    ];
    expect(verdicts(one, other)).toEqual(unproven);
    expect(verdicts(other, one)).toEqual(unproven);
  });

  test.each<[string, Values, Values]>([
    ["by one constant", domain("acme.example"), endpoint("https://acme.example")],
    ["by the environment", {}, {}],
    ["by one prefix", prefix("A"), prefix("A")],
    [
      "by one variable in JSON",
      { domain: { constant_value: "${var.one}", references: ["var.one"] } },
      domain("acme.example"),
    ],
  ])("reports no change if both name the tenant %s", (_, one, other) => {
    expect(verdicts(one, other)).toEqual([[true, false]]);
  });
});

describe("one alias removes an allow, and another adds a block", () => {
  const ip = "198.51.100.10";
  const office = acl(1, { action: allow, match: { ipv4_cidrs: [`${ip}/32`] } }, { id: "acl_ci" });
  const net = acl(2, { action: block, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { id: "acl_net" });
  const changes = [change(at("office"), office, null), change(at("net"), null, { ...net, id: undefined })];
  const own = { [at("office")]: "tenant", [at("net")]: "tenant.b" };
  const guarded = (where: Values) => ({ ...where, protected_request: [{ ip: { constant_value: ip } }] });

  test.each<[string, Values, Values]>([
    ["in one spelling", domain("acme.example"), domain("acme.example")],
    ["in two spellings", endpoint("https://ACME.example:443"), domain("acme.example")],
    ["by the environment", {}, {}],
  ])("reports the lock-out if both name the tenant %s", (_, one, other) => {
    const reviews = reviewed(plan(changes, configured({ tenant: guarded(one), "tenant.b": other }, own)));
    expect(reviews.flatMap(codesOf)).toContain("TNF-ACL-LOCKOUT");
  });
});
