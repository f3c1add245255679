/** Checks the blocks that expectations in CDK programs write, and what synth says about them. */
import { Testing, TerraformStack, TerraformVariable } from "cdktf";
import {
  Action,
  expectation,
  Match,
  NetworkAcl,
  OrganizationMemberSet,
  RateLimitPolicy,
  TenantProvider,
  type NetworkAclConfig,
  type TenantProviderConfig,
} from "../../src/constructs";
import { newFolder } from "../support/folder";

let stack: TerraformStack;
beforeEach(() => {
  stack = new TerraformStack(Testing.app({ outdir: newFolder() }), "edge");
});

type Expectations = NonNullable<TenantProviderConfig["expectations"]>;

const expecting = (...expectations: Expectations) => new TenantProvider(stack, "tenant", { expectations });
const add = (priority: number, rule: NetworkAclConfig["rule"], config: Partial<NetworkAclConfig> = {}) =>
  new NetworkAcl(stack, `acl-${priority}`, { description: `ACL ${priority}`, priority, rule, ...config });

const written = () => JSON.parse(Testing.synth(stack)).provider.tenant[0].expectation;

/** The warnings of synth; an error of synth is thrown. */
function warnings(): string[] {
  Testing.synth(stack);
  return stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata.filter(({ type }) => type.endsWith("warn")).map(({ data }) => String(data)))
    .map((text) => text.replace(/^\([^)]*:\d+\) /, ""));
}

const korea = { scopes: "authentication", countries: "KP" } as const;
const tenant = { scope: "tenant" } as const;
const everyone = { matchAll: true, ...tenant };

test("writes the blocks of the provider", () => {
  expecting(
    expectation("sanctions", { severity: "warning" })
      .that({ scopes: "authentication", countries: ["KP", "IR"] }, { asns: 64496 })
      .except({ ipCidrs: "203.0.113.0/24" })
      .except({ hostnames: "login.example.com" })
      .isBlocked(),
    expectation("all").that().isReached(),
    expectation("some").that({ managed: "auth0.tor" }).isOneOf("blocked", "redirected"),
    expectation("old").that({ hostnames: "old.example.com" }).isRedirected(),
    expectation("watch").that({ countries: "FR" }).isLogged(),
    expectation("limit").limits({ consumer: "third_party_clients", atMost: 50 }),
    expectation("staff").hasMembers("org_1", { include: "auth0|ada", atLeast: 2 }),
  );
  expect(written()).toEqual([
    {
      name: "sanctions",
      severity: "warning",
      outcome: "blocked",
      request: [{ scopes: ["authentication"], countries: ["KP", "IR"] }, { asns: [64496] }],
      except: [{ ip_cidrs: ["203.0.113.0/24"] }, { hostnames: ["login.example.com"] }],
    },
    { name: "all", outcome: "reached" },
    { name: "some", one_of: ["blocked", "redirected"], request: [{ managed: ["auth0.tor"] }] },
    { name: "old", outcome: "redirected", request: [{ hostnames: ["old.example.com"] }] },
    { name: "watch", outcome: "logged", request: [{ countries: ["FR"] }] },
    { name: "limit", policy: { consumer: "third_party_clients", at_most: 50 } },
    { name: "staff", members: { organization_id: "org_1", include: ["auth0|ada"], at_least: 2 } },
  ]);
});

test("an exception does not change the expectation that it was added to", () => {
  const base = expectation("a").that(korea);
  base.except({ asns: 1 });
  expect(base.isBlocked()).not.toHaveProperty("except");
});

const block = { action: Action.block(), ...everyone };
const allow = { action: Action.allow(), ...everyone };
const partner = { action: Action.allow(), match: Match.addresses("203.0.113.0/24"), ...tenant };
const blocked = expectation("a").that(korea).isBlocked();
const mild = expectation("a", { severity: "warning" });
const limited = expectation("third").limits({ consumer: "third_party_clients", atMost: 50 });
const policy = (consumerSelector: string) => () =>
  new RateLimitPolicy(stack, "policy", { consumerSelector, configuration: { action: "block", limit: 60 } });
const members = () => new OrganizationMemberSet(stack, "set", { organizationId: "org_1", members: ["auth0|eve"] });

/** A message in a list is a warning, and one alone an error. */
type Said = RegExp | readonly RegExp[];
type Declared = Parameters<typeof add> | (() => unknown);

test.each<[string, Expectations, readonly Declared[], Said]>([
  ["no ACL, because the ACLs are elsewhere", [blocked], [], []],
  ["an ACL behind others outside the stack", [blocked], [[10, partner]], [/ "a" is broken: .* with this stack alone/]],
  [
    "ACLs of all lower priorities",
    [blocked],
    [
      [1, { action: Action.log(), ...everyone }],
      [2, partner],
      [3, block],
    ],
    /The expectation "a" is broken: A request .* is allowed by ACL "ACL 2" \(priority 2\)\. .*The cause is edge\/acl-2 .*\. \[TNF-EXPECTATION-BROKEN\]/,
  ],
  ["the severity warning", [mild.that(korea).isBlocked()], [[1, allow]], [/is broken/]],
  [
    "another ACL of lower priority that could still block, log or redirect",
    [expectation("watch").that(korea).isLogged(), expectation("a").that(korea).isOneOf("blocked", "redirected")],
    [[2, allow]],
    [/"watch"/, /"a"/],
  ],
  [
    "members that the stack declares",
    [expectation("staff").hasMembers("org_1", { include: "auth0|ada" })],
    [members],
    /"staff" is broken: auth0\|ada is not in the organization\. The cause is edge\/set/,
  ],
  [
    "a policy that the stack declares",
    [limited],
    [policy("third_party_clients")],
    /"third" is broken: The rate limit policy for third_party_clients allows 60 requests/,
  ],
  [
    "the default policy of the stack",
    [limited, expectation("client").limits({ consumer: "client", consumerSelector: "client_id:a", atMost: 50 })],
    [policy("default")],
    [/"third"/, /"client"/],
  ],
])("judges an expectation by %s", (_what, expectations, declared, said) => {
  expecting(...expectations);
  for (const one of declared) {
    if (typeof one === "function") one();
    else add(...one);
  }
  if (said instanceof RegExp) expect(warnings).toThrow(said);
  else expect(warnings()).toEqual(said.map((one) => expect.stringMatching(one) as string));
});

const management = { action: Action.block(), match: Match.addresses("0.0.0.0/0", "::/0"), scope: "management" };
const lockout =
  /Lock-out: .* from the Management API\. The cause is edge\/acl-\d \(.*:\d+\)\. Narrow .*`lockoutGuard: "warn"`.* \[TNF-ACL-LOCKOUT\]/;

test.each<[string, Partial<TenantProviderConfig>, Parameters<typeof add>, Said]>([
  ["a block of the Management API that no ACL can stand before", {}, [1, management], lockout],
  ["one that another ACL may stand before", {}, [10, management], [/^Lock-out: .* with this stack alone.*LOCKOUT\]$/]],
  ["a guard that only warns", { lockoutGuard: "warn" }, [1, management], []],
  [
    "a protected request",
    { protectedRequest: [{ name: "our CI", ip: "203.0.113.7", path: "/api/v2/" }] },
    [1, { ...management, match: Match.addresses("203.0.113.0/24") }],
    /our CI/,
  ],
])("judges a lock-out by %s", (_what, config, acl, expected) => {
  new TenantProvider(stack, "tenant", config);
  add(...acl);
  if (expected instanceof RegExp) expect(warnings).toThrow(expected);
  else expect(warnings()).toEqual(expected.map((one) => expect.stringMatching(one) as string));
});

test("leaves unknown values and counted ACLs to the plan", () => {
  const { stringValue } = new TerraformVariable(stack, "country", { type: "string" });
  expecting(expectation("unknown").that({ countries: stringValue }).isBlocked(), blocked);
  add(1, { action: Action.allow(), match: { geoCountryCodes: [stringValue] }, ...tenant });
  add(2, block, { count: 1 });
  expect(warnings()).toEqual([]);
});

test("counts only the ACLs of its tenant", () => {
  const [eu, us] = ["eu", "us"].map((alias) => {
    const expectations = [expectation(alias).that(korea).isReached()];
    return new TenantProvider(stack, alias, { alias, domain: `${alias}.example.com`, expectations });
  });
  add(1, block, { provider: us });
  add(2, allow, { provider: eu });
  expect(warnings).toThrow(/"us" is broken/);
  expect(warnings).not.toThrow(/"eu"/);
});
