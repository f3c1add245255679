/** Splits a plan with several provider configurations by tenant, and reviews each tenant with its own objects. */
import type { Values } from "../../src/impact/model";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { formats } from "../../src/review/command";
import { toJson } from "../../src/review/json";
import { withPlaces } from "../../src/review/places/places";
import { parsePlan } from "../../src/review/input/plan";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { titleOf } from "../../src/impact/network-acl/words";
import { install } from "../support/installation";
import { run } from "../support/program";
import { acl, allow, block, change, members, plan, planText, policy } from "./support/plan";
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
const codesOf = ({ findings }: { readonly findings: readonly { readonly code: string }[] }) =>
  findings.map(({ code }) => code);

const all = acl(1, { action: allow, match_all: true }, { id: "acl_eu", description: "All" });
const korea = acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_us", description: "Korea" });
const opening = [
  change(at("all"), all, all),
  change(at("korea"), korea, { ...korea, rule: { ...(korea.rule as Values), match: { asns: [1] } } }),
];
const homes = { [at("all")]: "tenant.eu", [at("korea")]: "tenant.us" };

test("reviews each tenant alone, without the ACLs of the other", () => {
  const [eu, us] = reviewed(opening, configured(two, homes));
  expect(eu).toMatchObject({ name: "infra (tenant.eu)", configs: ["tenant.eu"] });
  expect(eu).toMatchObject({ acls: { verdict: "equivalent", proven: true, after: [{ address: at("all") }] } });
  expect(us).toMatchObject({ name: "infra (tenant.us)", acls: { verdict: "incomparable", proven: true } });
  expect(us!.acls.unreachable).toEqual([]);
  expect([codesOf(eu!), codesOf(us!)]).toEqual([[], ["TNF-ACL-OPENED"]]);
});

test("reports a lock-out and no equal priority for one tenant, although the other allows the request", () => {
  const closed = acl(1, { action: block, match_all: true }, { id: "acl_us" });
  const reviews = reviewed([change(at("all"), all, all), change(at("korea"), null, closed)], configured(two, homes));
  expect(reviews.map(codesOf)).toEqual([
    [],
    ["TNF-ACL-LOCKOUT", "TNF-ACL-LOCKOUT", "TNF-ACL-TIGHTENED", "TNF-EARLY-ACCESS"],
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

  test("are part of each review, without a proof and with a finding", () => {
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
    for (const { findings } of reviews) {
      const [said] = findings.filter(({ code }) => code === "TNF-TENANT-UNKNOWN");
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
      [{ before: { limit: 9 }, after: null, note: "the plan does not show which tenant the policy belongs to" }],
    ]);
  });
});

describe("configurations", () => {
  const names = (configs: Readonly<Record<string, Values>>, more: Values = {}) => {
    const keys = Object.keys(configs);
    const changes = keys.map((_, index) =>
      change(at(`n${index}`), null, acl(index + 1, { action: block, match: { asns: [index] } })),
    );
    const own = Object.fromEntries(keys.map((key, index) => [at(`n${index}`), key]));
    const reviews = reviewed(changes, { ...configured(configs, own), ...more });
    return reviews.map((one) => [one.name, one.acls.proven]);
  };
  const variables = { eu: { value: "eu.example" }, us: { value: "us.example" }, same: { value: "eu.example" } };

  test.each([
    [
      "with the same constant",
      { tenant: constant("eu.example"), "tenant.b": { endpoint: { constant_value: "https://EU.example/" } } },
    ],
    [
      "without a tenant, which the environment names",
      { tenant: {}, "tenant.b": { client_id: { constant_value: "x" } } },
    ],
    ["with the same prefix", { tenant: prefix("A"), "tenant.b": prefix("A") }],
    [
      "with the same constant and two prefixes",
      {
        tenant: { ...constant("a.example"), ...prefix("A") },
        "tenant.b": { ...constant("a.example"), ...prefix("B") },
      },
    ],
    [
      "with the same text in JSON",
      { tenant: template("${local.a}.example"), "tenant.b": template("${local.a}.example") },
    ],
  ])("%s name one tenant", (_, configs) => {
    expect(names(configs)).toEqual([["infra", true]]);
  });

  test.each([
    ["constants", two],
    [
      "ports",
      {
        tenant: { endpoint: { constant_value: "http://127.0.0.1:1" } },
        "tenant.b": { endpoint: { constant_value: "http://127.0.0.1:2" } },
      },
    ],
  ])("with different %s name different tenants", (_, configs) => {
    expect(names(configs, { variables }).map(([, proven]) => proven)).toEqual([true, true]);
  });

  test.each([
    ["a variable that both name, perhaps in a text", { tenant: variable("eu"), "tenant.b": variable("eu") }],
    ["variables of one value", { tenant: variable("eu"), "tenant.b": variable("same") }],
    ["variables of two values", { tenant: variable("eu"), "tenant.b": variable("us") }],
    ["a constant and a variable", { tenant: constant("x.example"), "tenant.b": variable("us") }],
    ["two prefixes", { tenant: prefix("A"), "tenant.b": prefix("B") }],
    ["a prefix and no prefix", { tenant: prefix("A"), "tenant.b": {} }],
    ["a prefix and a constant", { tenant: prefix("A"), "tenant.b": constant("b.example") }],
    ["a prefix that is not known", { tenant: {}, "tenant.b": { environment_prefix: { references: ["local.b"] } } }],
    ["the environment and a constant", { tenant: {}, "tenant.b": constant("b.example") }],
    ["two texts in JSON", { tenant: template("${local.a}"), "tenant.b": template("${local.b}") }],
    ["a function in JSON", { tenant: template("${uuid()}"), "tenant.b": template("${uuid()}") }],
    ["a local value", { tenant: constant("a.example"), "tenant.b": { domain: { references: ["local.b"] } } }],
    ["a variable of a module", { tenant: constant("a.example"), "module.m:tenant.b": variable("us") }],
  ])("with %s may name one tenant or two, and the review proves nothing", (_, configs) => {
    expect(names(configs, { variables }).map(([, proven]) => proven)).toEqual([false, false]);
  });

  test("with for_each may name any number of tenants", () => {
    const by = { "tenant.by": { endpoint: { references: ["each.value"] } } };
    const both = [change(at("n"), all, all), change(at("n2"), null, { ...korea, priority: 1 })];
    const [one, ...others] = reviewed(both, configured(by, { [at("n")]: "tenant.by", [at("n2")]: "tenant.by" }));
    expect(others).toEqual([]);
    expect(one!.acls.proven).toBe(false);
    expect(codesOf(one!)).toContain("TNF-TENANT-UNKNOWN");
    expect(codesOf(one!)).not.toContain("TNF-ACL-SAME-PRIORITY");
  });

  test("without objects are no tenant", () => {
    const configs = { ...two, tenant: {} };
    const [one, ...others] = reviewed(
      [change(at("all"), null, all)],
      configured(configs, { [at("all")]: "tenant.eu" }),
    );
    expect(others).toEqual([]);
    expect(one).toMatchObject({ name: "infra", acls: { proven: true } });
  });
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
    ["one (tenant.us)", [], ["TNF-ACL-OPENED"]],
  ]);
});

describe("the command", () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-tenants-"))));
  afterAll(() => rm(folder, { recursive: true }));

  const cli = path.join(__dirname, "../../dist/cli.js");
  const tenantform = async (...args: string[]) => {
    await writeFile(path.join(folder, "infra.json"), planText(opening, configured(two, homes)));
    return run(process.execPath, [cli, ...args], { cwd: folder });
  };

  test.each(formats)("names the tenants in %s", async (format) => {
    const { code, stdout } = await tenantform("review", "infra.json", "--format", format, "--fail-on", "critical");
    expect(code).toBe(0);
    expect(stdout.replaceAll("\\", "")).toMatch(/infra(%20| )\(tenant\.us\)/);
    if (format !== "json") return;
    const read = JSON.parse(stdout) as { plans: Values[] };
    expect(faultOf(read)).toBeUndefined();
    expect(read).not.toHaveProperty("together");
    expect(read.plans.map((one) => [one.name, one.provider_configs])).toEqual([
      // The graver effect comes first.
      ["infra (tenant.us)", ["tenant.us"]],
      ["infra (tenant.eu)", ["tenant.eu"]],
    ]);
  });

  test("explains a request for each tenant", async () => {
    const { stdout } = await tenantform("explain", "infra.json", "--before", "--country", "KP");
    expect(stdout.split("\n").filter((line) => /:$|^=>/.test(line))).toEqual([
      "infra.json (tenant.eu):",
      '=> allowed by "All" (priority 1)',
      "infra.json (tenant.us):",
      '=> blocked by "Korea" (priority 10)',
    ]);
  });

  test("reads objects only from their own tenant", async () => {
    const env = { TENANT_DOMAIN: "other.example", TENANT_ACCESS_TOKEN: "x" };
    const args = [cli, "review", "infra.json", "--tenant"];
    const { code, stderr } = await run(process.execPath, args, { cwd: folder, env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("--tenant: the environment names other.example, and no"),
    ]);
  });
});

describe("plans of real Terraform", () => {
  const rule = `rule {
    action { block = true }
    match { geo_country_codes = ["KP"] }
    scope = "tenant"
  }`;
  const list = (name: string, priority: string, more = "") => `resource "tenant_network_acl" "${name}" {
  ${more}
  description = "${name} \${${priority}}"
  priority    = ${priority}
  ${rule}
}
`;

  test("show the tenant of objects in modules and for_each, and not of objects that the configuration no longer has", async () => {
    const [eu, us] = [createEmulator(), createEmulator()];
    const [euHost, usHost] = await Promise.all([eu.listen(), us.listen()]);
    // Each provider process serves one configuration, so a provider inside the test cannot serve two.
    const { directory, terraform, close } = await install("");
    try {
      const write = async (folder_: string, hcl: string) => {
        await mkdir(path.join(directory, folder_), { recursive: true });
        await writeFile(path.join(directory, folder_, "main.tf"), hcl);
      };
      const succeed = async (...args: string[]) => {
        const { code, stdout, stderr } = await terraform(args, {
          TENANT_CLIENT_ID: eu.clientId,
          TENANT_CLIENT_SECRET: eu.clientSecret,
        });
        expect([code, stderr]).toEqual([0, ""]);
        return stdout;
      };
      const required = (more: string) => `terraform {
  required_providers {
    tenant = {
      source = "tenantform/tenant"
      ${more}
    }
  }
}
`;
      const own = list("own", "var.first") + list("away", "var.first", "provider = tenant.other");
      await write("edge", `${required("configuration_aliases = [tenant.other]")}variable "first" {}\n${own}`);
      const root = (keys: string, more = "") => `${required("")}
variable "us" { default = ${JSON.stringify(usHost.url)} }
provider "tenant" { endpoint = ${JSON.stringify(euHost.url)} }
provider "tenant" {
  alias         = "us"
  endpoint      = var.us
  client_id     = ${JSON.stringify(us.clientId)}
  client_secret = ${JSON.stringify(us.clientSecret)}
}
${list("many", "each.value", `provider = tenant.us\n  for_each = { ${keys} }`)}
module "edge" {
  source    = "./edge"
  for_each  = { "a.b" = 21 }
  first     = each.value
  providers = { tenant = tenant, tenant.other = tenant.us }
}
${more}`;
      const gone = list("gone", "31", "provider = tenant.us");
      const [both, one] = ['one = 11, "t]wo" = 12', "one = 11"];
      await write(".", root(both, gone));
      await succeed("init");
      await succeed("apply", "-auto-approve");
      expect([eu.store.networkAcls.size, us.store.networkAcls.size]).toEqual([1, 4]);
      const shown = async (hcl: string) => {
        await write(".", hcl);
        await succeed("plan", "-out=plan");
        const infra = withPlaces(parsePlan(await succeed("show", "-json", "plan"), "plan"), [directory]);
        return tenantsIn([{ name: "infra", plan: infra }]).map((tenant) => {
          const { name, acls } = reviewTenant(tenant, {}).whole;
          const [before, after] = [acls.before, acls.after].map((side) => side.map(({ address }) => address));
          return [name, acls.proven, before, after];
        });
      };
      const [inEdge, away] = ["own", "away"].map((name) => `module.edge["a.b"].${at(name)}`);
      const [first, second, last] = [`${at("many")}["one"]`, `${at("many")}["t]wo"]`, at("gone")];
      expect(await shown(root(one, gone))).toEqual([
        ["infra (tenant)", true, [inEdge], [inEdge]],
        ["infra (tenant.us)", true, [first, second, away, last], [first, away, last]],
      ]);
      expect(await shown(root(both))).toEqual([
        ["infra (tenant)", false, [inEdge, last], [inEdge]],
        ["infra (tenant.us)", false, [first, second, away, last], [first, second, away]],
      ]);
    } finally {
      await Promise.all([euHost.close(), usHost.close(), close()]);
    }
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
