/** Decides from the provider blocks which plans and which objects belong to one tenant, and reviews each tenant with its own objects. */
import { sentence, withCauses } from "../../src/judge/impact/words/words";
import type { Values } from "../../src/judge/impact/model";
import { titleOf } from "../../src/judge/impact/network-acl/words";
import { explain } from "../../src/review/commands/explain";
import type { Plan } from "../../src/review/input/plan";
import { toJson, toJsonOfMany } from "../../src/review/report/json";
import { tenantsIn } from "../../src/review/input/tenants";
import { openFolder, printed } from "./support/command";
import { acl, allow, block, kept, members, policy } from "./support/objects";
import { change, codesOf, configured, constant, inState, plan, planText, prior, reviewTenant } from "./support/plan";
import { faultOf } from "./support/schema";

const { put } = openFolder();
const at = (name: string) => `tenant_network_acl.${name}`;
const domain = (name: string): Values => ({ domain: constant(name) });
const endpoint = (url: string): Values => ({ endpoint: constant(url) });
const variable = (name: string): Values => ({ domain: { references: [`var.${name}`] } });
/** Nothing stands around the variable. Of HCL, a plan shows that only beside the configuration. */
const exactly = (name: string): Values => ({ domain: { ...constant(`\${var.${name}}`), references: [`var.${name}`] } });
const prefix = (name: string): Values => ({ environment_prefix: constant(name) });
const variables = { eu: { value: "eu.example" }, same: { value: "eu.example" }, us: { value: "us.example" } };

const tenantsOf = (...plans: readonly Plan[]) =>
  tenantsIn(plans.map((one, index) => ({ name: `plan${index + 1}`, plan: one })));
const reviewsOf = (...plans: readonly Plan[]) => tenantsOf(...plans).map((tenant) => reviewTenant(tenant, {}));
const reviewed = (changes: readonly Values[], more: Values) =>
  tenantsIn([{ name: "infra", plan: plan(changes, more) }]).map((tenant) => reviewTenant(tenant, {}).whole);

const two = { "tenant.eu": domain("eu.example"), "tenant.us": domain("us.example") };
const all = acl(1, { action: allow, match_all: true }, { id: "acl_eu", description: "All" });
const korea = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_us", description: "Korea" });
const homes = { [at("all")]: "tenant.eu", [at("korea")]: "tenant.us" };
const elsewhere = acl(10, { action: block, match: { asns: [1] } }, { id: "acl_us", description: "Korea" });
const opening = [kept(at("all"), all), change(at("korea"), korea, elsewhere)];

const relations: readonly [words: string, relation: "one" | "two" | "unknown", Values, Values][] = [
  ["without slashes", "one", endpoint("http:127.0.0.1:4010"), endpoint("http://127.0.0.1:4010")],
  ["by the name of this machine", "one", endpoint("http://localhost:4010"), endpoint("http://127.0.0.1:4010")],
  ["by an IPv6 address", "one", endpoint("http://[::1]:4010/"), endpoint("http://[::ffff:127.0.0.1]:4010/")],
  ["by another loopback address", "one", endpoint("https://127.0.0.2:4010"), endpoint("https://0.0.0.0:4010")],
  ["with a name below localhost", "one", endpoint("http://acme.localhost:4010"), endpoint("http://localhost:4010")],
  ["with the usual port", "one", domain("eu.example:443"), endpoint("https://eu.example:443/")],
  ["in upper case and with a trailing dot", "one", domain("EU.Example"), endpoint("https://eu.example./")],
  ["with a user, a query and a fragment", "one", endpoint("https://ada:pw@eu.example/?a=b#c"), domain("eu.example")],
  ["with spaces and a detour", "one", endpoint(" https://eu.example/a/%2e%2e//\n"), domain("eu.example")],
  ["escaped", "one", endpoint("https://%65u.example"), domain("https://eu.example/")],
  ["international", "one", endpoint("https://bücher.example"), domain("xn--bcher-kva.example")],
  ["with a null", "one", { endpoint: constant(null), ...domain("eu.example") }, domain("eu.example")],
  ["with two prefixes", "one", { ...domain("a.example"), ...prefix("A") }, { ...domain("a.example"), ...prefix("B") }],
  ["by the environment", "one", {}, { client_id: constant("x") }],
  ["by one prefix", "one", prefix("A"), prefix("A")],
  ["a variable, in JSON", "one", exactly("eu"), domain("eu.example")],
  ["variables of one value, in JSON", "one", exactly("eu"), exactly("same")],

  ["ports", "two", endpoint("http://127.0.0.1:4010"), endpoint("http://127.0.0.1:4011")],
  ["variables of two values, in JSON", "two", exactly("eu"), exactly("us")],
  ["hosts", "two", domain("acme.eu.auth0.com"), domain("acme.us.auth0.com")],
  ["folders of one server", "two", endpoint("https://proxy.example/a"), endpoint("https://proxy.example/b")],

  ["a constant and the environment", "unknown", domain("eu.example"), {}],
  ["one variable, perhaps with a text around it", "unknown", variable("eu"), variable("eu")],
  ["variables of one value", "unknown", variable("eu"), variable("same")],
  ["a constant and a variable", "unknown", domain("x.example"), variable("us")],
  ["one text in JSON", "unknown", domain("${local.one}"), domain("${local.one}")],
  ["two prefixes", "unknown", prefix("A"), prefix("B")],
  ["a prefix that is not known", "unknown", {}, { environment_prefix: { references: ["local.b"] } }],
  ["no URL", "unknown", endpoint("ftp://acme.example"), domain("acme.example")],
];

/** Whether the reviews prove something, and whether they say that the tenant is not known. */
const outcomes = (...plans: readonly Plan[]) =>
  reviewsOf(...plans).map(({ whole }) => [whole.acls.proven, codesOf(whole).includes("TNF-TENANT-UNKNOWN")]);
const wanted = {
  one: [[true, false]],
  two: [
    [true, false],
    [true, false],
  ],
  unknown: [
    [false, true],
    [false, true],
  ],
};

test.each(relations)("whether two blocks name one tenant: %s: %s", (_, relation, one, other) => {
  const [first, second] = [change(at("all"), null, { ...all, id: undefined }), kept(at("korea"), korea)];
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    const alone = (changed: Values, tenant: Values) => plan([changed], { ...configured({ tenant }), variables });
    const apart = [alone(first, a), alone(second, b)];
    expect(outcomes(...apart)).toEqual(wanted[relation]);
    const own = { [at("all")]: "tenant", [at("korea")]: "tenant.b" };
    const aliases = plan([first, second], { ...configured({ tenant: a, "tenant.b": b }, own), variables });
    expect(outcomes(aliases)).toEqual(wanted[relation]);
  }
});

test("a variable of a module has no value in the plan", () => {
  const configs = { tenant: domain("a.example"), "module.m:tenant.b": variable("us") };
  const own = { [at("all")]: "tenant", [at("korea")]: "module.m:tenant.b" };
  expect(outcomes(plan(opening, { ...configured(configs, own), variables }))).toEqual(wanted.unknown);
});

test("a stack that takes the tenant from the environment may belong to any of two tenants", () => {
  const second = { ...korea, id: "acl_other" };
  const plans = [
    plan([kept(at("korea"), korea)], configured({ tenant: domain("a.example") })),
    plan([kept(at("korea"), second)], configured({ tenant: domain("b.example") })),
    plan([change(at("all"), null, all)], configured({ tenant: {} })),
  ];
  expect(outcomes(...plans)).toEqual([
    [false, true],
    [false, true],
    [false, true],
  ]);
});

test("a block with for_each may name any number of tenants", () => {
  const by = { "tenant.by": { endpoint: { references: ["each.value"] } } };
  const both = [kept(at("n"), all), change(at("n2"), null, { ...korea, priority: 1 })];
  const [one, ...others] = reviewed(both, configured(by, { [at("n")]: "tenant.by", [at("n2")]: "tenant.by" }));
  expect([others, one!.acls.proven]).toEqual([[], false]);
  expect(codesOf(one!)).toContain("TNF-TENANT-UNKNOWN");
  expect(codesOf(one!)).not.toContain("TNF-ACL-SAME-PRIORITY");
});

test("the object of a block that is gone may belong to each tenant, and the title of one with nothing else is not certain", () => {
  const deleted = change(at("korea"), korea, null);
  const found = reviewed([kept(at("all"), all), deleted], configured(two, { [at("all")]: "tenant.eu" }));
  expect(found.map(({ name, tenant, acls }) => [name, tenant.name, tenant.certain, acls.proven])).toEqual([
    ["infra (tenant.eu)", "eu.example", true, false],
    ["infra (tenant.us)", null, false, false],
  ]);
  for (const one of found) expect(codesOf(one)).toContain("TNF-TENANT-UNKNOWN");
});

test("a block without objects is no tenant", () => {
  const configs = configured({ ...two, tenant: {} }, { [at("all")]: "tenant.eu" });
  expect(reviewed([change(at("all"), null, all)], configs)).toMatchObject([{ name: "infra", acls: { proven: true } }]);
});

test("an allow of one block shadows no ACL of another one, and excludes no priority of it", () => {
  for (const priority of [1, 5]) {
    const created = { ...korea, id: undefined, priority };
    const reviews = reviewed(
      [change(at("all"), null, { ...all, id: undefined }), change(at("korea"), null, created)],
      configured({ "tenant.eu": prefix("STAGING"), "tenant.us": prefix("PRODUCTION") }, homes),
    );
    for (const { acls } of reviews) expect([acls.proven, acls.unreachable, acls.after.length]).toEqual([false, [], 1]);
    expect(reviews[1]!.acls.outcomes).toMatchObject([{ before: "allowed", after: "blocked" }]);
    expect(reviews.flatMap(codesOf)).not.toContain("TNF-ACL-SAME-PRIORITY");
  }
});

describe("plans of one tenant", () => {
  const opened = change(at("all"), null, { ...all, id: undefined });
  const edge = plan([opened], configured({ tenant: domain("eu.example") }));
  const base = plan([kept(at("korea"), korea)], configured({ tenant: endpoint("https://EU.example:443") }));

  test("are judged together, with a part for each plan as if the others were applied first", () => {
    const [{ whole, parts }, ...others] = reviewsOf(edge, base) as [ReturnType<typeof reviewTenant>];
    expect(others).toEqual([]);
    expect(whole).toMatchObject({
      name: "all plans together",
      acls: { outcomes: [{ after: "allowed" }], proven: true },
    });
    expect(parts.map(({ name, acls, scopes }) => [name, acls.outcomes.map(({ after }) => after), scopes])).toEqual([
      ["plan1", ["allowed"], ["create:network_acls", "read:network_acls"]],
      ["plan2", [], ["read:network_acls"]],
    ]);
    expect(withCauses(whole.effects[0]!)).toContain(` ${at("all")} of plan1 is created`);
    expect(codesOf(parts[1]!)).toEqual(["TNF-ACL-SHADOWED"]);
    expect(parts.flatMap(codesOf).toSorted()).toEqual(codesOf(whole).toSorted());
    const json = toJsonOfMany([{ whole, parts }]);
    expect(faultOf(JSON.parse(JSON.stringify(json)))).toBeUndefined();
    expect(Object.keys(json)).toEqual(["format_version", "plans", "together"]);
  });

  const ip = "198.51.100.10";
  const office = acl(1, { action: allow, match: { ipv4_cidrs: [`${ip}/32`] } }, { id: "acl_ci" });
  const closed = acl(99, { action: block, match_all: true }, { id: "acl_closed" });
  const guarded = configured({ tenant: { ...domain("eu.example"), protected_request: [{ ip: constant(ip) }] } });
  const lockouts = (...plans: readonly Plan[]) =>
    reviewsOf(...plans).map(({ whole }) => codesOf(whole).filter((code) => code === "TNF-ACL-LOCKOUT").length);

  test("lock nobody out if another plan allows the request first, and do if one alias removes what allows it", () => {
    const wall = plan([kept(at("closed"), closed)], guarded);
    const first = plan([kept(at("ci"), office)], configured({ tenant: domain("eu.example") }));
    expect([lockouts(wall), lockouts(first, wall)]).toEqual([[1], [0]]);
    const { provider_config } = guarded["configuration"] as { provider_config: { tenant: { expressions: Values } } };
    const configs = { tenant: provider_config.tenant.expressions, "tenant.b": endpoint("https://EU.example") };
    const changes = [change(at("office"), office, null), change(at("closed"), null, closed)];
    const own = configured(configs, { [at("office")]: "tenant", [at("closed")]: "tenant.b" });
    expect(lockouts(plan(changes, own))[0]).toBeGreaterThan(0);
  });
});

test("combines stacks of several tenants for each tenant, and never those of two", () => {
  const shut = acl(99, { action: block, match_all: true }, { id: "acl_shut" });
  const reviews = reviewsOf(
    plan(opening, configured(two, homes)),
    plan([kept(at("shut"), shut)], configured(two, { [at("shut")]: "tenant.eu" })),
  );
  expect(reviews.map(({ whole, parts }) => [whole.name, parts.map(({ name }) => name), codesOf(whole)])).toEqual([
    ["all plans of eu.example", ["plan1 (tenant.eu)", "plan2"], ["TNF-ACL-SHADOWED"]],
    ["plan1 (tenant.us)", [], ["TNF-ACL-OPENED", "TNF-ACL-TIGHTENED"]],
  ]);
  expect(Object.keys(toJsonOfMany(reviews))).toEqual(["format_version", "groups", "plans", "tenants"]);
});

test("names the tenants of one plan in the JSON, the graver effect first", () => {
  const reviews = tenantsIn([{ name: "infra", plan: plan(opening, configured(two, homes)) }]).map((tenant) =>
    reviewTenant(tenant, {}),
  );
  const read = JSON.parse(JSON.stringify(toJsonOfMany(reviews))) as { plans: Values[] };
  expect(faultOf(read)).toBeUndefined();
  expect(read.plans.map((one) => [one["name"], one["provider_configs"]])).toEqual([
    ["infra (tenant.us)", ["tenant.us"]],
    ["infra (tenant.eu)", ["tenant.eu"]],
  ]);
});

test("explains a request for each tenant", async () => {
  const file = put("infra.json", planText(opening, configured(two, homes)));
  const { stdout } = await printed((edge) => explain(file, { before: true, country: "KP" }, edge));
  expect(stdout.split("\n").filter((line) => /:$|^=>/.test(line))).toEqual([
    "infra (tenant.eu):",
    '=> allowed by "All" (priority 1)',
    "infra (tenant.us):",
    '=> blocked by "Korea" (priority 10)',
  ]);
});

test("assigns policies, members, drift, scopes and data sources to their tenant", () => {
  const limited = "tenant_rate_limit_policy.all";
  const staff = "tenant_organization_member_set.staff";
  const data = "data.tenant_network_acls.x";
  const limit = (number: number) => policy("default", { action: "block", limit: number });
  const [eu, us] = reviewed(
    [change(limited, limit(5), limit(4)), change(staff, members("org_1", ["a"]), members("org_1", []))],
    {
      ...configured(two, { [limited]: "tenant.eu", [staff]: "tenant.us", [data]: "tenant.us" }),
      resource_drift: [change(limited, limit(1), limit(2))],
      ...prior(inState(data, { network_acls: [korea] })),
    },
  );
  expect(eu).toMatchObject({ policies: [{ address: limited }], members: [] });
  expect(eu!.unseen).toContain("network_acls");
  expect(us).toMatchObject({
    policies: [],
    members: [{ address: staff }],
    acls: { after: [{ description: "Korea" }] },
  });
  expect([eu, us].map((one) => one!.scopes.filter((scope) => !scope.startsWith("read")))).toEqual([
    ["update:rate_limit_policies"],
    ["delete:organization_members"],
  ]);
  expect([eu, us].map((one) => codesOf(one!).includes("TNF-DRIFT"))).toEqual([true, false]);
});

describe("objects that the configuration no longer has", () => {
  const staying = { [at("all")]: "tenant.eu" };

  test("are part of each review, without a proof and with an effect", () => {
    const us = "tenant_organization_member_set.us";
    const reviews = reviewed(
      [kept(at("all"), all), change(at("korea"), korea, null), kept(us, members("org_1", ["a"]))],
      configured(two, { ...staying, [us]: "tenant.us" }),
    );
    expect(reviews.map(({ acls }) => acls.proven)).toEqual([false, false]);
    expect(reviews[0]!.acls.outcomes).toEqual([]);
    expect(reviews[1]!.acls.outcomes).toMatchObject([{ after: "allowed", isCertain: false }]);
    for (const { effects } of reviews)
      expect(sentence(effects.find(({ code }) => code === "TNF-TENANT-UNKNOWN")!)).toContain(at("korea"));
  });

  test("belong to a tenant if the block, the module or only one configuration remains", () => {
    const told = { [at("all")]: "tenant.eu", [at("many")]: "tenant.us", "auth0_network_acl.old": "auth0" };
    const { configuration } = configured({ ...two, auth0: domain("old.example") }, told) as { configuration: any };
    const inModule = { resources: [{ address: at("in"), provider_config_key: "tenant.us" }] };
    const module_calls = { a: { module: { module_calls: { b: { module: inModule } } } } };
    let priority = 20;
    const gone = (address: string, id: string, type = "tenant_network_acl") => ({
      ...change(address, { ...korea, id, priority: priority++ }, null),
      type,
    });
    const reviews = reviewed(
      [
        kept(at("all"), all),
        gone(`${at("many")}["a.b[0]\\"]"]`, "acl_us"),
        gone(`module.a["x"].module.b[0].${at("in")}[1]`, "acl_in"),
        gone("auth0_network_acl.gone", "acl_gone", "auth0_network_acl"),
        kept("auth0_network_acl.old", { ...korea, id: "acl_old" }),
      ],
      { configuration: { ...configuration, root_module: { ...configuration.root_module, module_calls } } },
    );
    expect(reviews.map(({ name, changes, acls }) => [name, changes().length, acls.proven])).toEqual([
      ["infra (tenant.eu)", 0, true],
      ["infra (tenant.us)", 2, true],
      ["infra (auth0)", 1, true],
    ]);
  });

  test("certainly shadow no ACL, and are shown as possibly of another tenant", () => {
    const gone = change(at("gone"), { ...all, id: "acl_gone" }, null, { actions: ["forget"] });
    const later = { ...korea, id: "acl_later", priority: 11 };
    const own = { [at("korea")]: "tenant.us", [at("later")]: "tenant.us", [at("all")]: "tenant.eu" };
    const changes = [kept(at("all"), all), kept(at("korea"), korea), kept(at("later"), later)];
    const [, us] = reviewed([...changes, gone], configured(two, own));
    expect(us!.acls.unreachable).toMatchObject([{ acl: { id: "acl_later" }, shadowedBy: [{ id: "acl_us" }] }]);
    expect(us!.acls.after.map(titleOf)[0]).toBe('"All" (priority 1, perhaps another tenant\'s)');
    expect(faultOf(JSON.parse(JSON.stringify(toJson(us!))))).toBeUndefined();
  });

  test("belong to the tenant of their new address after a move", () => {
    const moved = kept(at("all"), all, { previous: at("once") });
    const more = { ...configured(two, homes), ...prior(inState(at("once"), all)) };
    const reviews = reviewed([moved, kept(at("korea"), korea)], more);
    expect(reviews.map(({ acls }) => acls.proven)).toEqual([true, true]);
  });

  test("get one review if no tenant has another object", () => {
    const reviews = reviewed([change(at("a"), all, null), change(at("b"), korea, null)], configured(two));
    expect(reviews).toMatchObject([{ name: "infra", acls: { proven: false } }]);
    expect(codesOf(reviews[0]!)).toContain("TNF-TENANT-UNKNOWN");
  });

  test("count as limits only if the tenant has no limit of its own", () => {
    const limit = (number: number) => policy("default", { action: "block", limit: number });
    const own = "tenant_rate_limit_policy.own";
    const gone = change("tenant_rate_limit_policy.gone", limit(9), null);
    const changes = [kept(own, limit(5)), kept(at("korea"), korea), gone];
    const reviews = reviewed(changes, configured(two, { [own]: "tenant.eu", [at("korea")]: "tenant.us" }));
    expect(reviews.map(({ policies }) => policies)).toMatchObject([
      [{ address: own, before: { limit: 5 }, after: { limit: 5 } }],
      [{ before: { limit: 9 }, after: null, assumptions: [{ is: "policy tenant" }] }],
    ]);
  });
});

test("masks a password in the domain of a plan in the names of reviews, and tells two files of one name apart", () => {
  const one = (name: string) => plan([kept(at("all"), all)], configured({ tenant: domain(name) }));
  const names = tenantsOf(one("ada:hunter2@eu.example"), one("eu.example"), one("us.example")).map(({ name }) => name);
  expect(names).toEqual(["all plans of eu.example", "plan3"]);
});
