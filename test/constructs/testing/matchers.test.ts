/** Statements about requests, limits and members, on stacks, on synthesized stacks and on plans. */
import "../../../src/constructs/testing/jest";
import { Testing, TerraformResource, TerraformStack, TerraformVariable, Token } from "cdktf";
import {
  Action,
  Match,
  NetworkAcl,
  OrganizationMemberSet,
  RateLimitPolicy,
  TenantProvider,
  type NetworkAclConfig,
} from "../../../src/constructs";
import { newFolder } from "../../support/folder";

let stack: TerraformStack;
beforeEach(() => {
  stack = new TerraformStack(Testing.app({ outdir: newFolder() }), "edge");
});

const add = (id: string, priority: number, rule: NetworkAclConfig["rule"], config: Partial<NetworkAclConfig> = {}) =>
  new NetworkAcl(stack, id, { description: id, priority, rule, ...config });

const authentication = { scope: "authentication" } as const;

/** The message of a failing test. */
function failure(test: () => unknown): string {
  try {
    test();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("The test passes.");
}

describe("toBlock", () => {
  beforeEach(() => {
    add("office", 5, { action: Action.allow(), match: Match.addresses("203.0.113.0/24"), ...authentication });
    add("sanctions", 10, { action: Action.block(), match: Match.countries("KP", "IR"), ...authentication });
  });

  test("takes a value, a list, or several objects", () => {
    const except = { ipCidrs: "203.0.113.0/24" };
    expect(stack).toBlock(
      [
        { scopes: "authentication", countries: "KP" },
        { scopes: ["authentication", "dynamic_client_registration"], countries: ["KP", "IR"] },
      ],
      { except: [except] },
    );
  });

  test("fails with the counterexample, the construct and its rule", () => {
    const message = failure(() => expect(stack).toBlock({ scopes: "authentication", countries: "KP" }));
    expect(message).toMatch(/^expect\(stack\)\.toBlock\(\{ scopes: 'authentication', countries: 'KP' \}\)\n/);
    expect(message).toContain("Not every such request is blocked.");
    expect(message).toMatch(
      /request to sign-in from 203\.0\.113\.\d+, country KP, is allowed by ACL "office" \(priority 5\)/,
    );
    expect(message).toContain("Object: edge/office");
    expect(message).toMatch(/Rule: .*allow: true.*203\.0\.113\.0\/24.*authentication/);
  });

  test("not: passes with a counterexample, and fails without one", () => {
    expect(stack).not.toBlock({ scopes: "authentication", countries: "KP" });
    const except = { ipCidrs: "203.0.113.0/24" };
    const message = failure(() => expect(stack).not.toBlock({ scopes: "authentication", countries: "KP" }, { except }));
    expect(message).toMatch(/^expect\(stack\)\.not\.toBlock.*\n\nEvery such request is blocked\.$/);
  });
});

test("toReach, toRedirect and toLog tell the other outcomes apart", () => {
  add("watch", 1, { action: Action.log(), match: Match.countries("FR"), scope: "tenant" });
  add("old", 2, {
    action: Action.redirect("https://example.com"),
    match: Match.hostnames("old.example.com"),
    scope: "tenant",
  });
  const old = { hostnames: "old.example.com" };
  expect(stack).toRedirect(old);
  expect(stack).not.toReach(old);
  expect(stack).not.toBlock(old);
  expect(stack).toReach({ hostnames: "new.example.com" });
  expect(stack).toLog({ countries: "FR" });
  expect(stack).not.toLog({ countries: ["FR", "DE"] });
});

test("an undecided statement fails with and without not", () => {
  const variable = (id: string) => new TerraformVariable(stack, id, { type: "any" });
  const undecided = (requests: object, words: string) => {
    for (const test of [() => expect(stack).toBlock(requests), () => expect(stack).not.toBlock(requests)])
      expect(failure(test)).toContain(words);
  };
  undecided({ countries: variable("fact").stringValue }, "This is undecided.");
  add("open", 1, { action: Action.block(), match: { geoCountryCodes: variable("rule").listValue }, scope: "tenant" });
  undecided({ countries: "KP" }, "This is undecided.");
  const count = { count: Token.asNumber(variable("some").value) } as Partial<NetworkAclConfig>;
  add("closed", 2, { action: Action.block(), match: Match.countries("KP"), scope: "tenant" }, count);
  undecided({ countries: "KP" }, "only a plan shows the objects of edge/closed.");
  const module = { edge: { source: "./edge" } };
  expect(failure(() => expect({ module, resource: {} }).toReach())).toContain(
    "only a plan shows the objects of module.edge",
  );
});

test("counts ACLs with a known `count`", () => {
  add("closed", 1, { action: Action.block(), match: Match.countries("KP"), scope: "tenant" }, { count: 0 });
  expect(stack).not.toBlock({ countries: "KP" });
});

describe("refuses a statement that nobody can mean", () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      "an option",
      () => expect(stack).toBlock({}, { exept: {} } as object),
      /`exept` is unknown: `except` is the only option/,
    ],
    ["a misplaced exception", () => expect(stack).toBlock({ except: {} } as object), /request: "except" is not known/],
    ["undefined", () => expect(stack).toBlock({ countries: undefined } as object), /`countries` is undefined/],
    ["no requests", () => expect(stack).toBlock([]), /list of requests is empty/],
    ["a text", () => expect(stack).toBlock("KP" as unknown as object), /"KP" is not an object: give one such as/],
  ])("%s", (_, test, message) => expect(failure(test)).toMatch(message));
});

describe("subjects", () => {
  const synthesized = {
    resource: {
      auth0_network_acl: {
        sanctions: {
          description: "Sanctions",
          active: true,
          priority: 1,
          rule: { action: { block: true }, match: { geo_country_codes: ["KP"] }, scope: "tenant" },
        },
      },
    },
  };

  test("takes the text of Testing.synth, and bindings of the auth0 provider", () => {
    add("sanctions", 1, { action: Action.block(), match: Match.countries("KP"), scope: "tenant" });
    expect(Testing.synth(stack)).toBlock({ countries: "KP" });
    expect(synthesized).toBlock({ countries: "KP" });
    expect(JSON.stringify(synthesized)).not.toBlock({ countries: "IR" });
  });

  test("takes a plan, with the objects that data sources read", () => {
    const rule = { action: { block: true }, match: { geo_country_codes: ["KP"] }, scope: "tenant" };
    const acl = { id: "acl_1", description: "By hand", active: true, priority: 1, rule };
    const data = { address: "data.tenant_network_acls.all", mode: "data", type: "tenant_network_acls" };
    const plan = {
      format_version: "1.2",
      planned_values: {},
      prior_state: { values: { root_module: { resources: [{ ...data, values: { network_acls: [acl] } }] } } },
    };
    expect(plan).toBlock({ countries: "KP" });
    expect(JSON.stringify({ ...plan, prior_state: undefined })).not.toBlock({ countries: "KP" });
    expect(failure(() => expect({ ...plan, complete: false }).toBlock({ countries: "KP" }))).toContain("undecided");
  });

  test.each([undefined, null, 3, "stack", "[]", {}, Promise.resolve(), { a: 1 }])("refuses %j", (subject) => {
    expect(failure(() => expect(subject).toBlock())).toMatch(/not a stack: give a TerraformStack/);
  });

  test("takes a stack with overrides and objects of other providers", () => {
    new TerraformResource(stack, "other", { terraformResourceType: "aws_vpc" });
    add("sanctions", 1, { action: Action.block(), match: Match.countries("KP"), scope: "tenant" });
    expect(stack).toBlock({ countries: "KP" });
    stack.addOverride("resource.tenant_network_acl.sanctions.active", false);
    expect(stack).not.toBlock({ countries: "KP" });
  });

  test("reads escaped templates as text", () => {
    add("agent", 2, { action: Action.block(), match: { userAgents: ["$${x}"] }, scope: "tenant" });
    expect(stack).toBlock({ userAgents: "$${x}" });
  });
});

test("a statement must be true for each tenant of the stack", () => {
  const variable = new TerraformVariable(stack, "eu", { type: "string" });
  const [eu, us] = [variable.stringValue, "us.example.com"].map(
    (domain, index) => new TenantProvider(stack, `provider${index}`, { alias: `a${index}`, domain }),
  );
  const rule = { action: Action.block(), match: Match.countries("KP"), scope: "tenant" };
  add("european", 1, rule, { provider: eu });
  add("us", 1, { ...rule, match: Match.countries("KP", "IR") }, { provider: us });
  expect(stack).toBlock({ countries: "KP" });
  expect(failure(() => expect(stack).toBlock({ countries: "IR" }))).toContain("Tenant of the provider tenant.a0:");
});

test("a tenant without such objects breaks a statement, and members are those of the tenant with the organization", () => {
  const [eu, us] = ["eu", "us"].map(
    (name) => new TenantProvider(stack, name, { alias: name, domain: `${name}.example.com` }),
  );
  add("european", 1, { action: Action.block(), match: Match.countries("KP"), scope: "tenant" }, { provider: eu });
  const sets = { acme: eu, bolt: us };
  for (const [name, provider] of Object.entries(sets))
    new OrganizationMemberSet(stack, name, { organizationId: `org_${name}`, members: [`auth0|${name}`], provider });
  expect(failure(() => expect(stack).toBlock({ countries: "KP" }))).toContain("Tenant of the provider tenant.us:");
  for (const name of Object.keys(sets)) expect(stack).toHaveMembers(`org_${name}`, { include: `auth0|${name}` });
});

test("shows a hostile description on one line and without control characters", () => {
  add(
    "x\u001b",
    1,
    { action: Action.allow(), match: Match.countries("KP"), scope: "tenant" },
    { description: "a\u001b[2J\n::error::b" },
  );
  const message = failure(() => expect(stack).toBlock({ countries: "KP" }));
  expect(message).not.toContain("\u001b");
  expect(message).not.toMatch(/^::error/m);
});

describe("toLimit", () => {
  test("lays out the answer, and names the policy", () => {
    new RateLimitPolicy(stack, "third-parties", {
      consumerSelector: "third_party_clients",
      configuration: { action: "block", limit: 60 },
    });
    expect(stack).toLimit({ consumer: "third_party_clients", atMost: 60 });
    const message = failure(() => expect(stack).toLimit({ consumer: "third_party_clients", atMost: 50 }));
    expect(message).toMatch(/allows 60 requests per second together\..*at most 50/);
    expect(message).toContain("Object: edge/third-parties");
  });

  test("refuses a limit without bounds, and names that nobody can mean", () => {
    expect(failure(() => expect(stack).toLimit({ consumer: "default" }))).toContain("Give atMost or atLeast");
    const misspelled = { consumer: "default", atmost: 3 } as never;
    expect(failure(() => expect(stack).toLimit(misspelled))).toContain('"atMost" is probably meant');
  });
});

describe("toHaveMembers", () => {
  const staff = "org_9ybsU1dN2dKfDkBi";

  test("lays out the answer, and says if the stack does not declare the members", () => {
    new OrganizationMemberSet(stack, "staff", { organizationId: staff, members: ["auth0|ada", "auth0|grace"] });
    expect(stack).toHaveMembers(staff, { include: "auth0|ada", exclude: ["auth0|eve"], atLeast: 2, atMost: 2 });
    const message = failure(() => expect(stack).toHaveMembers(staff, { include: "auth0|eve" }));
    expect(message).toContain("auth0|eve");
    expect(message).toContain("Object: edge/staff");
    const other = failure(() => expect(stack).not.toHaveMembers("org_other", { atLeast: 2 }));
    expect(other).toContain("The stack declares no members of the organization org_other.");
  });

  test("recognizes an organization of the stack by the token of its id", () => {
    const organization = (id: string) =>
      new TerraformResource(stack, id, { terraformResourceType: "auth0_organization" });
    const [acme, beta] = ["acme", "beta"].map((id) => organization(id).getStringAttribute("id")) as [string, string];
    new OrganizationMemberSet(stack, "of-acme", { organizationId: acme, members: ["auth0|ada"] });
    new OrganizationMemberSet(stack, "of-beta", { organizationId: beta, members: ["auth0|eve"] });
    expect(stack).toHaveMembers(acme, { include: "auth0|ada", atMost: 1 });
    expect(stack).not.toHaveMembers(beta, { include: "auth0|ada" });
  });
});
