/** Checks the blocks that expectations in CDK programs write, and what synth says about them. */
import { App, Testing, TerraformStack, TerraformVariable } from "cdktf";
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
import { outdir } from "../support/outdir";

let stack: TerraformStack;
beforeEach(() => {
  stack = new TerraformStack(Testing.app({ outdir: outdir() }), "edge");
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

describe("refuses", () => {
  test.each<[string, () => unknown, RegExp]>([
    ["a missing value", () => expectation("a").that({ countries: undefined } as object), /`countries` .* is undefined/],
    [
      "a name of a fact",
      () =>
        expecting(
          expectation("a")
            .that({ country: "KP" } as object)
            .isBlocked(),
        ),
      /`expectation\[0\]\.request\[0\]\.country` is unknown/,
    ],
    [
      "a name that is taken",
      () => expecting(expectation("a").that(korea).isBlocked(), expectation("a").that(korea).isReached()),
      /the name of an earlier expectation/,
    ],
  ])("%s", (_, declare, message) => {
    expect(() => {
      declare();
      Testing.synth(stack);
    }).toThrow(message);
  });
});

describe("requests", () => {
  test("says nothing if the ACLs of the stack keep the expectation", () => {
    expecting(expectation("sanctions").that(korea).isBlocked());
    add(10, { action: Action.block(), match: Match.countries("KP"), ...tenant });
    expect(warnings()).toEqual([]);
  });

  test("says nothing if the stack has no ACL, because the ACLs are elsewhere", () => {
    expecting(expectation("sanctions").that(korea).isBlocked());
    expect(warnings()).toEqual([]);
  });

  test("warns if the stack alone breaks it, because an ACL outside the stack may come first", () => {
    expecting(expectation("sanctions").that(korea).isBlocked());
    add(10, { action: Action.allow(), match: Match.addresses("203.0.113.0/24"), ...tenant });
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^This stack alone breaks the expectation "sanctions": A request to sign-in from .*allowed/,
      ),
    ]);
  });

  test("fails if ACLs of the stack have all lower priorities", () => {
    expecting(expectation("sanctions").that(korea).isBlocked());
    add(1, { action: Action.log(), ...everyone });
    add(2, { action: Action.allow(), match: Match.addresses("203.0.113.0/24"), ...tenant });
    add(3, { action: Action.block(), ...everyone });
    expect(warnings).toThrow(
      /The expectation "sanctions" is broken: A request to sign-in from 203\.0\.113\.\d+, country KP, is allowed by ACL "ACL 2" with priority 2\. .*The cause is edge\/acl-2\. \[TNF-EXPECTATION-BROKEN\]/,
    );
  });

  test.each(["isBlocked", "isReached", "isRedirected"] as const)(
    "%s: fails if an ACL with priority 1 decides",
    (is) => {
      expecting(expectation("a").that(korea)[is]());
      const action = is === "isReached" ? Action.block() : Action.allow();
      add(1, { action, ...everyone });
      expect(warnings).toThrow(/is broken/);
    },
  );

  test("warns in place of the error if the severity is warning", () => {
    expecting(expectation("sanctions", { severity: "warning" }).that(korea).isBlocked());
    add(1, { action: Action.allow(), ...everyone });
    expect(warnings()).toEqual([expect.stringContaining("is broken")]);
  });

  test("warns if another ACL of lower priority could still block, log or redirect", () => {
    expecting(
      expectation("watch").that(korea).isLogged(),
      expectation("a").that(korea).isOneOf("blocked", "redirected"),
    );
    add(2, { action: Action.allow(), ...everyone });
    expect(warnings()).toHaveLength(2);
  });

  test("leaves unknown values and counted ACLs to the plan", () => {
    const variable = new TerraformVariable(stack, "country", { type: "string" });
    expecting(
      expectation("a").that({ countries: variable.stringValue }).isBlocked(),
      expectation("b").that(korea).isBlocked(),
    );
    add(1, { action: Action.allow(), match: { geoCountryCodes: [variable.stringValue] }, ...tenant });
    add(2, { action: Action.block(), ...everyone }, { count: 1 });
    expect(warnings()).toEqual([]);
  });

  test("counts only the ACLs of its tenant", () => {
    const [eu, us] = ["eu", "us"].map(
      (alias) =>
        new TenantProvider(stack, alias, {
          alias,
          domain: `${alias}.example.com`,
          expectations: [expectation(alias).that(korea).isReached()],
        }),
    );
    add(1, { action: Action.block(), ...everyone }, { provider: us });
    add(2, { action: Action.allow(), ...everyone }, { provider: eu });
    expect(warnings).toThrow(/"us" is broken/);
    expect(warnings).not.toThrow(/"eu"/);
  });
});

test("fails for members that the stack declares", () => {
  expecting(
    expectation("staff").hasMembers("org_1", { include: "auth0|ada" }),
    expectation("b").hasMembers("org_2", { atLeast: 2 }),
  );
  new OrganizationMemberSet(stack, "set", { organizationId: "org_1", members: ["auth0|eve"] });
  expect(warnings).toThrow(
    /The expectation "staff" is broken: auth0\|ada is not in the organization\. The cause is edge\/set/,
  );
});

test("fails for the limit of a policy that the stack declares", () => {
  expecting(expectation("third").limits({ consumer: "third_party_clients", atMost: 50 }));
  const configuration = { action: "block", limit: 60 };
  new RateLimitPolicy(stack, "third", { consumerSelector: "third_party_clients", configuration });
  expect(warnings).toThrow(/"third" is broken: The rate limit policy for third_party_clients allows 60 requests/);
});

test("warns for a limit that only the default policy of the stack decides", () => {
  expecting(
    expectation("third").limits({ consumer: "third_party_clients", atMost: 50 }),
    expectation("client").limits({ consumer: "client", consumerSelector: "client_id:a", atMost: 50 }),
  );
  const configuration = { action: "block", limit: 60 };
  new RateLimitPolicy(stack, "default", { consumerSelector: "default", configuration });
  expect(warnings()).toHaveLength(2);
});

test("an app fails too, with all errors", () => {
  const app = new App({ outdir: outdir() });
  const real = new TerraformStack(app, "real");
  const expectations = [expectation("a").that(korea).isBlocked(), expectation("b").that({ asns: 1 }).isBlocked()];
  new TenantProvider(real, "tenant", { expectations });
  const rule = { action: Action.allow(), ...everyone };
  new NetworkAcl(real, "open", { description: "Open", priority: 1, rule });
  expect(() => app.synth()).toThrow(/"a" is broken[^]*"b" is broken/);
});
