/** Decides from the provider blocks which plans and which objects belong to one tenant, and reviews each tenant with its own objects. */
import type { Values } from "../../src/impact/model";
import { titleOf } from "../../src/impact/network-acl/words";
import type { Plan } from "../../src/review/input/plan";
import { toJson } from "../../src/review/json";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { acl, allow, block, change, members, plan, policy } from "./support/plan";
import { faultOf } from "./support/schema";

const at = (name: string) => `tenant_network_acl.${name}`;
const constant = (domain: string): Values => ({ domain: { constant_value: domain } });
const variable = (name: string): Values => ({ domain: { references: [`var.${name}`] } });
const prefix = (name: string): Values => ({ environment_prefix: { constant_value: name } });
/** In JSON syntax, the plan shows the text. */
const template = (text: string): Values => ({ domain: { constant_value: text } });

/** `homes`: address of a resource -> the key of its provider configuration. */
function configured(configs: Readonly<Record<string, Values>>, homes: Readonly<Record<string, string>>): Values {
  const provider_config = Object.entries(configs).map(([key, expressions]) => {
    const [name] = key.split(":").at(-1)!.split(".");
    const within = key.includes(":") && { module_address: key.split(":")[0] };
    return [key, { name, ...within, full_name: `registry.terraform.io/x/${name}`, expressions }];
  });
  const resources = Object.entries(homes).map(([address, key]) => ({ address, provider_config_key: key }));
  return { configuration: { provider_config: Object.fromEntries(provider_config), root_module: { resources } } };
}
const two = { "tenant.eu": constant("eu.example"), "tenant.us": constant("us.example") };

const reviewed = (changes: readonly Values[], more: Values) =>
  tenantsIn([{ name: "infra", plan: plan(changes, more) }]).map((tenant) => reviewTenant(tenant, {}).whole);
const codesOf = ({ effects }: { readonly effects: readonly { readonly code: string }[] }) =>
  effects.map(({ code }) => code);

const all = acl(1, { action: allow, match_all: true }, { id: "acl_eu", description: "All" });
const korea = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_us", description: "Korea" });
const opening = [
  change(at("all"), all, all),
  change(at("korea"), korea, { ...korea, rule: { ...(korea.rule as Values), match: { asns: [1] } } }),
];
const homes = { [at("all")]: "tenant.eu", [at("korea")]: "tenant.us" };

const endpoint = (value: string): Values => ({ endpoint: { constant_value: value } });
const local: Values = { domain: { references: ["local.one"] } };
const variables = { eu: { value: "eu.example" }, same: { value: "eu.example" }, us: { value: "us.example" } };
const proxy = (folder: string) => endpoint(`https://proxy.example/${folder}`);
const exact: Values = { domain: { constant_value: "${var.eu}", references: ["var.eu"] } };

const relations: readonly [words: string, relation: "one" | "two" | "unknown", Values, Values][] = [
  ["without slashes", "one", endpoint("http:127.0.0.1:4010"), endpoint("http://127.0.0.1:4010")],
  ["with slashes that lean back", "one", endpoint("http:\\\\127.0.0.1:4010"), endpoint("http://127.0.0.1:4010")],
  ["by the name of this machine", "one", endpoint("http://localhost:4010"), endpoint("http://127.0.0.1:4010")],
  ["by an IPv6 address", "one", endpoint("http://[::1]:4010/"), endpoint("http://[::ffff:127.0.0.1]:4010/")],
  ["by a short address", "one", endpoint("http://127.1:4010"), endpoint("http://0x7f.0.0.1:4010")],
  ["by another loopback address", "one", endpoint("https://127.0.0.2:4010"), endpoint("https://0.0.0.0:4010")],
  ["with a name below localhost", "one", endpoint("http://acme.localhost:4010"), endpoint("http://localhost:4010")],
  ["with the usual port", "one", constant("eu.example:443"), endpoint("https://eu.example:443/")],
  ["in upper case and with a trailing dot", "one", constant("EU.Example"), endpoint("https://eu.example./")],
  ["with a user, a query and a fragment", "one", endpoint("https://ada:pw@eu.example/?a=b#c"), constant("eu.example")],
  ["with spaces and a detour", "one", endpoint(" https://eu.example/a/%2e%2e//\n"), constant("eu.example")],
  ["escaped", "one", endpoint("https://%65u.example"), constant("https://eu.example/")],
  ["international", "one", endpoint("https://bücher.example"), constant("xn--bcher-kva.example")],
  ["in wide letters", "one", endpoint("https://ｅu.example"), constant("eu.example")],
  ["with a null", "one", { endpoint: { constant_value: null }, ...constant("eu.example") }, constant("eu.example")],
  [
    "with two prefixes",
    "one",
    { ...constant("a.example"), ...prefix("A") },
    { ...constant("a.example"), ...prefix("B") },
  ],
  ["by the environment", "one", {}, { client_id: { constant_value: "x" } }],
  ["by one prefix", "one", prefix("A"), prefix("A")],
  ["by a variable alone, in JSON", "one", exact, constant("eu.example")],

  ["ports", "two", endpoint("http://127.0.0.1:4010"), endpoint("http://127.0.0.1:4011")],
  ["hosts", "two", constant("acme.eu.auth0.com"), constant("acme.us.auth0.com")],
  ["a part of the host", "two", constant("acme.example"), constant("me.example")],
  ["folders of one server", "two", proxy("a"), proxy("b")],

  ["a constant and the environment", "unknown", constant("eu.example"), {}],
  ["a constant and a prefix", "unknown", constant("eu.example"), prefix("B")],
  ["a variable and the environment", "unknown", variable("eu"), {}],
  ["one variable, perhaps with a text around it", "unknown", variable("eu"), variable("eu")],
  ["variables of one value", "unknown", variable("eu"), variable("same")],
  ["variables of two values", "unknown", variable("eu"), variable("us")],
  ["a constant and a variable", "unknown", constant("x.example"), variable("us")],
  ["a constant and a local value", "unknown", constant("eu.example"), local],
  ["two local values", "unknown", local, local],
  ["one text in JSON", "unknown", template("${local.one}"), template("${local.one}")],
  ["the environment and a local value", "unknown", {}, local],
  ["two prefixes", "unknown", prefix("A"), prefix("B")],
  ["a prefix and the environment", "unknown", prefix("A"), {}],
  ["a prefix that is not known", "unknown", {}, { environment_prefix: { references: ["local.b"] } }],
  ["no URL", "unknown", endpoint("ftp://acme.example"), constant("acme.example")],
];

/** Whether the reviews prove something, and whether they say that the tenant is not known. */
const outcomes = (plans: readonly Plan[]) =>
  tenantsIn(plans.map((one, index) => ({ name: `plan${index + 1}`, plan: one }))).map((tenant) => {
    const { whole } = reviewTenant(tenant, {});
    return [whole.acls.proven, codesOf(whole).includes("TNF-TENANT-UNKNOWN")];
  });
const wanted = { one: [[true, false]], two: [[true, false], [true, false]], unknown: [[false, true], [false, true]] }; // prettier-ignore

test.each(relations)("whether two blocks name one tenant: %s: %s", (_, relation, one, other) => {
  const [first, second] = [change(at("all"), null, { ...all, id: undefined }), change(at("korea"), korea, korea)];
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    const apart = [
      plan([first], { ...configured({ tenant: a }, {}), variables }),
      plan([second], { ...configured({ tenant: b }, {}), variables }),
    ];
    expect(outcomes(apart)).toEqual(wanted[relation]);
    const own = { [at("all")]: "tenant", [at("korea")]: "tenant.b" };
    const aliases = plan([first, second], { ...configured({ tenant: a, "tenant.b": b }, own), variables });
    expect(outcomes([aliases])).toEqual(wanted[relation]);
  }
});

test("plans of one tenant are judged together", () => {
  const opened = change(at("all"), null, { ...all, id: undefined });
  const closed = plan(
    [change(at("korea"), korea, korea)],
    configured({ tenant: endpoint("https://EU.example:443") }, {}),
  );
  const tenants = tenantsIn([
    { name: "a", plan: plan([opened], configured({ tenant: constant("eu.example") }, {})) },
    { name: "b", plan: closed },
  ]);
  const { whole, parts } = reviewTenant(tenants[0]!, {});
  expect(whole).toMatchObject({ name: "all plans together", acls: { verdict: "more_permissive", proven: true } });
  expect(parts.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(codesOf(whole)).toContain("TNF-ACL-WIDENED");
});

test("a lock-out by an allow that one alias removes and a block that another one adds is reported if both name one tenant", () => {
  const ip = "198.51.100.10";
  const office = acl(1, { action: allow, match: { ipv4_cidrs: [`${ip}/32`] } }, { id: "acl_ci" });
  const net = acl(2, { action: block, match: { ipv4_cidrs: ["198.51.100.0/24"] } });
  const guarded = { ...constant("eu.example"), protected_request: [{ ip: { constant_value: ip } }] };
  const own = { [at("office")]: "tenant", [at("net")]: "tenant.b" };
  const configs = { tenant: guarded, "tenant.b": endpoint("https://EU.example") };
  const [one, ...others] = reviewed(
    [change(at("office"), office, null), change(at("net"), null, net)],
    configured(configs, own),
  );
  expect([others, codesOf(one!)]).toEqual([[], expect.arrayContaining(["TNF-ACL-LOCKOUT"])]);
});

test("a stack that takes the tenant from the environment may belong to any of two tenants", () => {
  const second = { ...korea, id: "acl_other" };
  const plans = [
    plan([change(at("korea"), korea, korea)], configured({ tenant: constant("a.example") }, {})),
    plan([change(at("korea"), second, second)], configured({ tenant: constant("b.example") }, {})),
    plan([change(at("all"), null, all)], configured({ tenant: {} }, {})),
  ];
  expect(outcomes(plans)).toEqual([[false, true], [false, true], [false, true]]); // prettier-ignore
});

test("a variable of a module has no value in the plan", () => {
  const configs = { tenant: constant("a.example"), "module.m:tenant.b": variable("us") };
  const own = { [at("all")]: "tenant", [at("korea")]: "module.m:tenant.b" };
  const infra = plan(opening, { ...configured(configs, own), variables });
  expect(outcomes([infra])).toEqual(wanted.unknown);
});

test("a block with for_each may name any number of tenants", () => {
  const by = { "tenant.by": { endpoint: { references: ["each.value"] } } };
  const both = [change(at("n"), all, all), change(at("n2"), null, { ...korea, priority: 1 })];
  const [one, ...others] = reviewed(both, configured(by, { [at("n")]: "tenant.by", [at("n2")]: "tenant.by" }));
  expect(others).toEqual([]);
  expect(one!.acls.proven).toBe(false);
  expect(codesOf(one!)).toContain("TNF-TENANT-UNKNOWN");
  expect(codesOf(one!)).not.toContain("TNF-ACL-SAME-PRIORITY");
});

test("a block without objects is no tenant", () => {
  const configs = { ...two, tenant: {} };
  const [one, ...others] = reviewed([change(at("all"), null, all)], configured(configs, { [at("all")]: "tenant.eu" }));
  expect(others).toEqual([]);
  expect(one).toMatchObject({ name: "infra", acls: { proven: true } });
});
test.each<[string, Values, Values]>([
  ["two prefixes", prefix("STAGING"), prefix("PRODUCTION")],
  ["a prefix that is not known", prefix("STAGING"), { environment_prefix: { references: ["var.prefix"] } }],
  ["a constant and a prefix", constant("staging.example"), prefix("PRODUCTION")],
])("an allow of one block shadows no ACL of another one, and excludes no priority of it: %s", (_, one, other) => {
  const changes = (priority: number) => [
    change(at("all"), null, { ...all, id: undefined }),
    change(at("korea"), null, { ...korea, id: undefined, priority }),
  ];
  for (const priority of [1, 5]) {
    const configs = configured({ "tenant.eu": one, "tenant.us": other }, homes);
    const reviews = reviewed(changes(priority), configs);
    expect(reviews.map(({ acls }) => [acls.proven, acls.unreachable, acls.after.length])).toEqual([
      [false, [], 1],
      [false, [], 1],
    ]);
    expect(reviews[1]!.acls.verdict).toBe("less_permissive");
    expect(reviews.flatMap(codesOf)).not.toContain("TNF-ACL-SAME-PRIORITY");
    expect(reviews.map((review) => codesOf(review).includes("TNF-TENANT-UNKNOWN"))).toEqual([true, true]);
    const alone = changes(priority).map((each, index) =>
      plan([each], configured({ tenant: index === 0 ? constant("a.example") : other }, {})),
    );
    const apart = tenantsIn(alone.map((each, index) => ({ name: `plan${index}`, plan: each })));
    expect(apart.map((tenant) => reviewTenant(tenant, {}).whole.acls.proven)).toEqual([false, false]);
  }
});

test("combines stacks of several tenants for each tenant", () => {
  const stack = (changes: readonly Values[], addresses: readonly string[]) => {
    const own = Object.fromEntries(Object.entries(homes).filter(([address]) => addresses.includes(address)));
    return plan(changes, configured(two, own));
  };
  const shut = acl(99, { action: block, match_all: true }, { id: "acl_shut" });
  const tenants = tenantsIn([
    { name: "one", plan: stack(opening, Object.keys(homes)) },
    { name: "two", plan: plan([change(at("shut"), shut, shut)], configured(two, { [at("shut")]: "tenant.eu" })) },
  ]);
  const reviews = tenants.map((tenant) => reviewTenant(tenant, {}));
  expect(reviews.map(({ whole, parts }) => [whole.name, parts.map(({ name }) => name), codesOf(whole)])).toEqual([
    ["all plans of eu.example", ["one (tenant.eu)", "two"], ["TNF-ACL-SHADOWED"]],
    ["one (tenant.us)", [], ["TNF-ACL-OPENED", "TNF-ACL-TIGHTENED"]],
  ]);
});

test("reviews each tenant alone, without the ACLs of the other", () => {
  const [eu, us] = reviewed(opening, configured(two, homes));
  expect(eu).toMatchObject({ name: "infra (tenant.eu)", configs: ["tenant.eu"] });
  expect(eu).toMatchObject({ acls: { verdict: "equivalent", proven: true, after: [{ address: at("all") }] } });
  expect(us).toMatchObject({ name: "infra (tenant.us)", acls: { verdict: "incomparable", proven: true } });
  expect(us!.acls.unreachable).toEqual([]);
  expect([codesOf(eu!), codesOf(us!)]).toEqual([[], ["TNF-ACL-OPENED", "TNF-ACL-TIGHTENED"]]);
});

test("reports a lock-out and no equal priority for one tenant, although the other allows the request", () => {
  const closed = acl(1, { action: block, match_all: true }, { id: "acl_us" });
  const reviews = reviewed([change(at("all"), all, all), change(at("korea"), null, closed)], configured(two, homes));
  expect(reviews.map(codesOf)).toEqual([
    [],
    ["TNF-ACL-TIGHTENED", "TNF-ACL-LOCKOUT", "TNF-ACL-LOCKOUT", "TNF-EARLY-ACCESS"],
  ]);
});

test("assigns policies, members, drift, scopes and data sources to their tenant", () => {
  const limited = "tenant_rate_limit_policy.all";
  const staff = "tenant_organization_member_set.staff";
  const data = { address: "data.tenant_network_acls.x", mode: "data", type: "tenant_network_acls" };
  const more = configured(two, { [limited]: "tenant.eu", [staff]: "tenant.us", [data.address]: "tenant.us" });
  const reviews = reviewed(
    [
      change(
        limited,
        policy("default", { action: "block", limit: 5 }),
        policy("default", { action: "block", limit: 4 }),
      ),
      change(staff, members("org_1", ["a"]), members("org_1", [])),
    ],
    {
      ...more,
      resource_drift: [change(limited, policy("default", { limit: 1 }), policy("default", { limit: 2 }))],
      prior_state: { values: { root_module: { resources: [{ ...data, values: { network_acls: [korea] } }] } } },
    },
  );
  expect(reviews).toMatchObject([
    { policies: [{ address: limited }], members: [], unseen: expect.arrayContaining(["network_acls"]) },
    { policies: [], members: [{ address: staff }], acls: { after: [{ description: "Korea" }] } },
  ]);
  expect(reviews.map(({ scopes }) => scopes.filter((scope) => !scope.startsWith("read")))).toEqual([
    ["update:rate_limit_policies"],
    ["delete:organization_members"],
  ]);
  expect(reviews.map((one) => codesOf(one).includes("TNF-DRIFT"))).toEqual([true, false]);
});

describe("objects that the configuration no longer has", () => {
  const removing = [change(at("all"), all, all), change(at("korea"), korea, null)];
  const staying = { [at("all")]: "tenant.eu" };

  test("are part of each review, without a proof and with a effect", () => {
    const us = "tenant_organization_member_set.us";
    const reviews = reviewed(
      [...removing, change(us, members("org_1", ["a"]), members("org_1", ["a"]))],
      configured(two, { ...staying, [us]: "tenant.us" }),
    );
    expect(reviews.map(({ acls: { verdict, proven } }) => [verdict, proven])).toEqual([
      ["equivalent", false],
      ["more_permissive", false],
    ]);
    expect(reviews[1]!.acls.changes).toMatchObject([
      { certainty: "possible", assumptions: [expect.stringContaining(`the tenant of ${at("korea")}`)] },
    ]);
    for (const { effects } of reviews) {
      const [said] = effects.filter(({ code }) => code === "TNF-TENANT-UNKNOWN");
      expect(said!.text).toContain(`does not show the tenant of ${at("korea")}`);
    }
  });

  test("belong to the same tenant before and after, and certainly occupy no priority", () => {
    const forgotten = change(at("gone"), { ...korea, priority: 1 }, null, { actions: ["forget"] });
    const [eu] = reviewed([change(at("all"), all, all), forgotten], configured(two, staying));
    expect(eu!.acls).toMatchObject({ verdict: "equivalent", proven: false, changes: [] });
    expect(codesOf(eu!)).toEqual(["TNF-FORGOTTEN", "TNF-TENANT-UNKNOWN"]);
  });

  test("belong to a tenant if the block, the module or only one configuration remains", () => {
    const told = { [at("all")]: "tenant.eu", [at("many")]: "tenant.us", "auth0_network_acl.old": "auth0" };
    const more = configured({ ...two, auth0: constant("old.example") }, told);
    const inModule = { resources: [{ address: at("in"), provider_config_key: "tenant.us" }] };
    const configuration = more.configuration as { root_module: object };
    const root_module = {
      ...configuration.root_module,
      module_calls: { a: { module: { module_calls: { b: { module: inModule } } } } },
    };
    const reviews = reviewed(
      [
        change(at("all"), all, all),
        change(`${at("many")}["a.b[0]\\"]"]`, korea, null),
        change(`module.a["x"].module.b[0].${at("in")}[1]`, { ...korea, id: "acl_in" }, null),
        change("auth0_network_acl.gone", { ...korea, id: "acl_gone" }, null),
        change("auth0_network_acl.old", { ...korea, id: "acl_old" }, { ...korea, id: "acl_old" }),
      ].map((one) => ({
        ...one,
        type: String(one.address).includes("auth0") ? "auth0_network_acl" : "tenant_network_acl",
      })),
      { configuration: { ...configuration, root_module } },
    );
    expect(reviews.map(({ name, rules, acls }) => [name, rules.length, acls.proven])).toEqual([
      ["infra (tenant.eu)", 0, true],
      ["infra (tenant.us)", 2, true],
      ["infra (auth0)", 1, true],
    ]);
  });

  test("certainly shadow no ACL, and are shown as possibly of another tenant", () => {
    const gone = change(at("gone"), { ...all, id: "acl_gone" }, null, { actions: ["forget"] });
    const later = { ...korea, id: "acl_later", priority: 11 };
    const own = { [at("korea")]: "tenant.us", [at("later")]: "tenant.us", [at("all")]: "tenant.eu" };
    const changes = [change(at("all"), all, all), change(at("korea"), korea, korea), change(at("later"), later, later)];
    const [, us] = reviewed([...changes, gone], configured(two, own));
    expect(us!.acls.unreachable).toMatchObject([{ acl: { id: "acl_later" }, shadowedBy: [{ id: "acl_us" }] }]);
    expect(us!.acls.after.map(titleOf)[0]).toBe('"All" (priority 1, perhaps another tenant\'s)');
    expect(faultOf(JSON.parse(JSON.stringify(toJson(us!))))).toBeUndefined();
  });

  test("belong to the tenant of their new address after a move", () => {
    const moved = change(at("all"), all, all, { previous: at("once") });
    const state = { address: at("once"), mode: "managed", type: "tenant_network_acl", values: all };
    const prior_state = { values: { root_module: { resources: [state] } } };
    const reviews = reviewed([moved, change(at("korea"), korea, korea)], { ...configured(two, homes), prior_state });
    expect(reviews.map(({ acls }) => acls.proven)).toEqual([true, true]);
  });

  test("get one review if no tenant has another object", () => {
    const reviews = reviewed([change(at("a"), all, null), change(at("b"), korea, null)], configured(two, {}));
    expect(reviews).toMatchObject([{ name: "infra", acls: { proven: false } }]);
    expect(codesOf(reviews[0]!)).toContain("TNF-TENANT-UNKNOWN");
  });

  test("count as limits only if the tenant has no limit of its own, and are shown as possibly of another tenant", () => {
    const limit = (number: number) => policy("default", { action: "block", limit: number });
    const own = "tenant_rate_limit_policy.own";
    const gone = change("tenant_rate_limit_policy.gone", limit(9), null);
    const changes = [change(own, limit(5), limit(5)), change(at("korea"), korea, korea), gone];
    const reviews = reviewed(changes, configured(two, { [own]: "tenant.eu", [at("korea")]: "tenant.us" }));
    expect(reviews.map(({ policies }) => policies)).toMatchObject([
      [{ address: own, before: { limit: 5 }, after: { limit: 5 } }],
      [
        {
          before: { limit: 9 },
          after: null,
          assumptions: ["the plan does not show which tenant the policy belongs to"],
        },
      ],
    ]);
  });
});

test("masks a password in the domain of a plan in the names of reviews", () => {
  const configs = { tenant: constant("ada:hunter2@eu.example") };
  const changes = [change(at("all"), all, all)];
  const home = { [at("all")]: "tenant" };
  const one = (name: string, written: typeof configs) => ({ name, plan: plan(changes, configured(written, home)) });
  const named = [one("a", configs), one("b", configs), one("c", { tenant: constant("us.example") })];
  const names = tenantsIn(named).map(({ name }) => name);
  expect(names).toEqual(["all plans of eu.example", "c"]);
  expect(names.join()).not.toMatch(/hunter2|ada/);
});
