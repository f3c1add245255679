/** Reviews plans with `--tenant`, which reads unmanaged objects from an embedded tenant. */
import type { Values } from "../../src/impact/model";
import { createEmulator, type Emulator } from "../../src/emulator/emulator";
import { remoteAcls, remoteStateOf, remoteStates } from "../../src/review/ask";
import { fromFile } from "../../src/review/expectations/read";
import { reviewPlans } from "../../src/review/review";
import { blindSpot } from "../../src/review/sections";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { acl, allow, block, change, members, plan, policy } from "./support/plan";

const organization = "org_0123456789abcdef";
let emulator: Emulator;
let close: () => Promise<void>;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  emulator = createEmulator({
    seed: {
      organizations: [{ id: organization, name: "acme", members: ["auth0|a", "auth0|b", "auth0|hand"] }],
      network_acls: [
        {
          description: "By hand",
          active: true,
          priority: 1,
          rule: { action: { block: true }, match: { ipv4_cidrs: ["192.0.2.0/24"] }, scope: "tenant" },
        },
      ],
      rate_limit_policies: [
        {
          resource: "oauth_authentication_api",
          consumer: "client",
          consumer_selector: "default",
          configuration: { action: "block", limit: 7 },
        },
      ],
    },
  });
  const tenant = await emulator.listen();
  close = tenant.close;
  environment = {
    TENANT_ENDPOINT: tenant.url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
  };
});
afterAll(() => close());

const plans = [
  plan([
    change(
      "tenant_network_acl.open",
      null,
      acl(2, { action: allow, match: { ipv4_cidrs: ["192.0.2.0/25"] } }, { id: null }),
    ),
    change(
      "tenant_rate_limit_policy.own",
      { id: "rlp_x", ...policy("client_id:abc", { action: "block", limit: 50 }) },
      null,
    ),
    change(
      "tenant_organization_member_set.staff",
      members(organization, ["auth0|a", "auth0|b"]),
      members(organization, ["auth0|a"]),
    ),
  ]),
];

test("includes unmanaged objects, and lists nothing as unseen", async () => {
  const review = reviewPlans("plan", plans, { remote: await remoteStateOf(environment, plans) });
  expect(review.unseen).toEqual([]);
  expect(blindSpot([review])).toBeUndefined();
  expect(review.acls).toMatchObject({
    verdict: "equivalent",
    proven: true,
    before: [{ description: "By hand" }],
    unreachable: [{ acl: { address: "tenant_network_acl.open" }, shadowedBy: [{ description: "By hand" }] }],
  });
  expect(review.policies).toMatchObject([{ consumer_selector: "client_id:abc", after: { limit: 7, by: "default" } }]);
  expect(review.members).toMatchObject([{ loses: ["auth0|b"] }]);
  expect(review.effects.map(({ text }) => text)).toContainEqual(expect.stringContaining("1 of 3 members loses access"));
});

describe("an object that the plan leaves unchanged, as the tenant has it", () => {
  const wall = { id: "acl_1", ...acl(1, { action: block, match: { geo_country_codes: ["KP"] } }) };
  const limit = { id: "rlp_1", ...policy("third_party_clients", { action: "block", limit: 50 }) };
  const raised = { ...limit, configuration: { action: "block", limit: 60 } };
  const same = plan([
    change("tenant_network_acl.wall", wall, wall),
    change("tenant_rate_limit_policy.all", limit, limit),
  ]);
  const wanted = [
    { name: "sanctions", outcome: "blocked", request: { scopes: ["authentication"], countries: ["KP"] } },
    { name: "limit", policy: { consumer: "third_party_clients", at_most: 50 } },
  ];
  test.each([
    ["unchanged", [wall], [limit], ["held", "held"]],
    ["a deleted ACL", [], [limit], ["broken", "held"]],
    ["an ACL that is switched off", [{ ...wall, active: false }], [limit], ["broken", "held"]],
    ["a deleted policy", [wall], [], ["held", "broken"]],
    ["a raised limit", [wall], [raised], ["held", "broken"]],
  ])("%s", (_, acls, policies, found) => {
    const [tenant] = tenantsIn([{ name: "plan", plan: same }]);
    const remote = { network_acls: acls, rate_limit_policies: policies };
    const file = "expect.json";
    const expectations = { file, read: wanted.map((one) => fromFile(one, file, file)), isConfiguration: false };
    const { whole } = reviewTenant(tenant!, { expect: [expectations], remote });
    expect(whole.expectations.map(({ verdict }) => verdict)).toEqual(found);
  });
});

test("names the unseen objects once without --tenant", () => {
  const review = reviewPlans("plan", plans);
  expect(review.unseen).toEqual(["network_acls", "rate_limit_policies", "organization_members"]);
  expect(blindSpot([review, review])).toMatch(
    /^The review covers only objects that a plan manages\. Other network ACLs, rate limit policies and organization members,/,
  );
});

test("names the members that a set removes when it adopts an organization", async () => {
  const adopting = [
    plan([
      change(
        "tenant_organization_member_set.staff",
        null,
        members(organization, ["auth0|a"], { remove_existing: true }),
      ),
    ]),
  ];
  const { members: sets, effects } = reviewPlans("plan", adopting, {
    remote: await remoteStateOf(environment, adopting),
  });
  expect(sets).toMatchObject([{ gains: [], loses: ["auth0|b", "auth0|hand"] }]);
  expect(effects.map(({ code }) => code)).toEqual(["TNF-MEMBERS-MANY"]);
  expect(reviewPlans("plan", adopting).effects.map(({ code }) => code)).toEqual([
    "TNF-MEMBERS-UNKNOWN",
    "TNF-MEMBERS-ADDED",
  ]);
});

test("never reports an emptied organization for a set that is not exclusive", async () => {
  const emptying = [
    plan([
      change(
        "tenant_organization_member_set.staff",
        members(organization, ["auth0|a", "auth0|b"], { exclusive: false }),
        members(organization, [], { exclusive: false }),
      ),
    ]),
  ];
  const codes = async (remote: boolean) => {
    const options = remote ? { remote: await remoteStateOf(environment, emptying) } : {};
    return reviewPlans("plan", emptying, options).effects.map(({ code }) => code);
  };
  expect(await codes(false)).toEqual(["TNF-MEMBERS-REMOVED"]);
  expect(await codes(true)).toEqual(["TNF-MEMBERS-MANY"]);
});

test("reads the same objects from data sources of the plan", () => {
  const data = (type: string, values: object) => ({ address: `data.${type}.x`, mode: "data", type, values });
  const resources = [
    data("tenant_network_acls", {
      network_acls: [{ ...acl(1, { action: block, match: { ipv4_cidrs: ["192.0.2.0/24"] } }), description: "By hand" }],
    }),
    data("tenant_rate_limit_policies", {
      rate_limit_policies: [{ id: "rlp_d", ...policy("default", { action: "block", limit: 7 }) }],
    }),
    data("tenant_organization_members", {
      organization_id: organization,
      members: ["auth0|a", "auth0|b", "auth0|hand"],
    }),
  ];
  const changes = plans[0]!.resource_changes as unknown as Parameters<typeof plan>[0];
  const review = reviewPlans("plan", [plan(changes, { prior_state: { values: { root_module: { resources } } } })]);
  expect(review.unseen).toEqual([]);
  expect(review.acls.verdict).toBe("equivalent");
  expect(review.policies).toMatchObject([{ after: { limit: 7 } }]);
  expect(review.scopes).toContain("read:organization_members");
});

describe("a plan whose provider configuration names another host than the environment", () => {
  const staying = (id: string) => {
    const values = acl(7, { action: block, match: { asns: [7] } }, { id });
    return change("tenant_network_acl.a", values, values);
  };
  const reviewed = async (id: string, domain: Values) => {
    const provider_config = { tenant: { name: "tenant", expressions: { domain } } };
    const tenants = tenantsIn([{ name: "a", plan: plan([staying(id)], { configuration: { provider_config } }) }]);
    const remote = await remoteStates(environment, tenants);
    const { acls, effects } = reviewTenant(tenants[0]!, { remote: remote.get(tenants[0]!) }).whole;
    return [acls.proven, effects.map(({ code }) => code)];
  };

  test("is not proven with the objects of the environment's tenant", async () => {
    const other = { constant_value: "other.example" };
    expect(await reviewed("acl_other", other)).toEqual([false, ["TNF-TENANT-UNKNOWN"]]);
  });

  test("is proven if both have a common object, or name one host in two ways", async () => {
    const [byHand] = emulator.snapshot().network_acls!;
    expect(await reviewed(byHand!.id, { constant_value: "other.example" })).toEqual([true, []]);
    const same = { constant_value: environment.TENANT_ENDPOINT!.replace("127.0.0.1", "LOCALHOST") };
    expect(await reviewed("acl_other", same)).toEqual([true, []]);
  });

  test("is not proven if the plan does not show the host", async () => {
    const unproven = [false, ["TNF-TENANT-UNKNOWN"]];
    expect(await reviewed("acl_other", { references: ["var.unknown"] })).toEqual(unproven);
  });
});

test("finds no members in a deleted organization, and reports an unreadable tenant", async () => {
  const gone = [plan([change("tenant_organization_member_set.x", members("org_gone000000000000", ["auth0|a"]), null)])];
  const { organization_members: found } = await remoteStateOf(environment, gone);
  expect(found!.get("org_gone000000000000")).toEqual([]);
  expect(await remoteAcls(environment)).toHaveLength(1);
  await expect(remoteAcls({ ...environment, TENANT_CLIENT_SECRET: "wrong" })).rejects.toMatchObject({
    of: "input",
    message: expect.stringMatching(/^The tenant could not be read: /),
  });
  await expect(remoteAcls({})).rejects.toMatchObject({ of: "usage" });
});

describe("provider blocks with prefixes", () => {
  const at = (name: string) => `tenant_network_acl.${name}`;
  const staying = (name: string, id: string) => {
    const values = acl(7, { action: block, match: { asns: [7] } }, { id });
    return change(at(name), values, values);
  };
  const prefixed = (prefix: string) => ({
    name: "tenant",
    expressions: { environment_prefix: { constant_value: prefix } },
  });
  const two = plan([staying("a", "acl_a"), staying("b", "acl_b")], {
    configuration: {
      provider_config: { "tenant.a": prefixed("A"), "tenant.b": prefixed("B") },
      root_module: {
        resources: [
          { address: at("a"), provider_config_key: "tenant.a" },
          { address: at("b"), provider_config_key: "tenant.b" },
        ],
      },
    },
  });
  const named = (prefix: string, from: Emulator, url: string) => ({
    [`${prefix}TENANT_ENDPOINT`]: url,
    [`${prefix}TENANT_CLIENT_ID`]: from.clientId,
    [`${prefix}TENANT_CLIENT_SECRET`]: from.clientSecret,
  });

  test("are read with the variables of each block", async () => {
    const other = createEmulator();
    const host = await other.listen();
    try {
      const tenants = tenantsIn([{ name: "x", plan: two }]);
      const both = { ...named("A_", emulator, environment["TENANT_ENDPOINT"]!), ...named("B_", other, host.url) };
      const remote = await remoteStates(both, tenants);
      expect(tenants.map((tenant) => remote.get(tenant)!.network_acls!.length)).toEqual([1, 0]);
      expect(tenants.map((tenant) => remote.get(tenant)!.uncertainty)).toEqual([undefined, undefined]);
      const one = await remoteStates(named("B_", other, host.url), tenants);
      expect(tenants.map((tenant) => one.get(tenant)?.network_acls)).toEqual([undefined, []]);
    } finally {
      await host.close();
    }
  });

  test("are not read with the variables of another block, or of none", async () => {
    const tenants = tenantsIn([{ name: "x", plan: two }]);
    await expect(remoteStates(environment, tenants)).rejects.toThrow("A_TENANT_DOMAIN");
  });
});

describe("a tenant that lacks a feature", () => {
  const [aclPlan, policyPlan] = [
    [plan([change("tenant_network_acl.open", null, acl(2, { action: allow, match: { asns: [7] } }, { id: null }))])],
    [plan([change("tenant_rate_limit_policy.own", null, policy("client_id:abc", { action: "block", limit: 50 }))])],
  ];
  const paths = { network_acls: "/api/v2/network-acls", rate_limit_policies: "/api/v2/rate-limit-policies" };
  type Lacking = keyof typeof paths;

  const reviewed = async (own: typeof aclPlan, lacking: Lacking) => {
    emulator.faults.add({ path: paths[lacking], status: 403 });
    try {
      return reviewPlans("plan", own!, { remote: await remoteStateOf(environment, own!) });
    } finally {
      emulator.faults.clear();
    }
  };
  const gaps = ({ effects }: ReturnType<typeof reviewPlans>) =>
    effects.filter(({ code }) => code === "TNF-INCOMPLETE").map(({ text }) => text);

  test.each<[string, typeof aclPlan, Lacking]>([
    ["rate limit policies, and only ACLs change", aclPlan, "rate_limit_policies"],
    ["network ACLs, and only policies change", policyPlan, "network_acls"],
  ])("is reviewed as usual: %s", async (_, own, lacking) => {
    const review = await reviewed(own, lacking);
    expect([review.isUncertain, gaps(review), review.unseen]).toEqual([false, [], []]);
  });

  test.each<[string, typeof aclPlan, Lacking]>([
    ["network ACLs", aclPlan, "network_acls"],
    ["rate limit policies", policyPlan, "rate_limit_policies"],
  ])("is reviewed without a proof, and the review says so: %s", async (words, own, lacking) => {
    const review = await reviewed(own, lacking);
    expect(gaps(review)).toEqual([expect.stringContaining(`the tenant refuses to list its ${words}`)]);
    expect([review.isUncertain, review.unseen, review.meaning!.unknown.length]).toEqual([true, [lacking], 1]);
  });
});
