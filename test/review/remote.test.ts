/** Reviews plans with `--tenant`, which reads unmanaged objects and names from an embedded tenant. */
import { sentence } from "../../src/judge/impact/words/words";
import type { Values } from "../../src/judge/impact/model";
import type { Emulator } from "../../src/emulator/emulator";
import { remoteStateOf, remoteStates } from "../../src/review/input/read-tenant";
import { toJson } from "../../src/review/report/json";
import type { Plan } from "../../src/review/input/plan";
import { blindSpot } from "../../src/review/report/sections";
import { tenantsIn } from "../../src/review/input/tenants";
import { listeningTenant } from "../support/tenant";
import { acl, allow, block, kept, members, policy } from "./support/objects";
import {
  change,
  codesOf,
  configured,
  constant,
  inState,
  inputsOf,
  plan,
  prior,
  reviewPlans,
  reviewTenant,
} from "./support/plan";
import { faultOf } from "./support/schema";

const [acme, large, quiet] = ["org_0123456789abcdef", "org_fedcba9876543210", "org_00000000000quiet"] as const;
const people = Array.from({ length: 250 }, (_, index) => ({
  user_id: `auth0|${index}`,
  name: `User ${index}`,
  email: `user${index}@acme.example`,
}));
const ids = people.map(({ user_id: id }) => id);
const net = (name: string) => `tenant_network_acl.${name}`;
const set = (name: string) => `tenant_organization_member_set.${name}`;
const byHand = {
  description: "By hand",
  active: true,
  priority: 1,
  rule: { action: { block: true }, match: { ipv4_cidrs: ["192.0.2.0/24"] }, scope: "tenant" as const },
};
const ownLimit = policy("client_id:abc", { action: "block", limit: 50 });
const endpoint = () => environment["TENANT_ENDPOINT"]!;
const usual = policy("default", { action: "block", limit: 7 });

let emulator: Emulator;
let close: () => Promise<void>;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  ({
    emulator,
    close,
    env: environment,
  } = await listeningTenant({
    flags: ["tenant_acl_hmac_signature"],
    seed: {
      users: people,
      organizations: [
        { id: acme, name: "acme", members: ["auth0|a", "auth0|b", "auth0|hand"] },
        { id: large, name: "large", display_name: "Large", members: ids },
        { id: quiet, name: "quiet", members: ids.slice(0, 3) },
      ],
      network_acls: [byHand],
      rate_limit_policies: [usual as never],
      clients: [
        {
          client_id: "narrow",
          client_secret: "s",
          global: true,
          scopes: ["read:network_acls", "read:rate_limit_policies", "read:organization_members"],
        },
      ],
    },
  }));
});
afterAll(() => close());

const prefixed = (prefix: string, env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [`${prefix}_${name}`, value]));
const asked = async (plans: readonly Plan[], from = environment) =>
  reviewPlans("plan", plans, { remote: await remoteStateOf(from, inputsOf(plans)) });

const signedBy = (id: string) => ({ http_message_signature: { keys: [{ id }] } });
const changes = [
  change(net("open"), null, acl(2, { action: allow, match: { ipv4_cidrs: ["192.0.2.0/25"] } }, { id: null })),
  change(net("signed"), null, acl(3, { action: block, match: signedBy("key_gone") }, { id: null })),
  change("tenant_rate_limit_policy.own", { id: "rlp_x", ...ownLimit }, null),
  change(set("staff"), members(acme, ["auth0|a", "auth0|b"]), members(acme, ["auth0|a"])),
];
const data = (type: string, values: Values) => inState(`data.${type}.x`, values);

test.each<[string, () => Promise<ReturnType<typeof reviewPlans>>]>([
  ["the tenant", () => asked([plan(changes)])],
  [
    "data sources of the plan",
    async () => {
      const read = prior(
        data("tenant_network_acls", { network_acls: [{ id: "acl_hand", ...byHand }] }),
        data("tenant_network_acl_keys", { network_acl_keys: [{ id: "key_a", name: "edge" }] }),
        data("tenant_rate_limit_policies", { rate_limit_policies: [{ id: "rlp_d", ...usual }] }),
        data("tenant_organization_members", { organization_id: acme, members: ["auth0|a", "auth0|b", "auth0|hand"] }),
      );
      return reviewPlans("plan", [plan(changes, read)]);
    },
  ],
])("includes unmanaged objects from %s, and lists nothing as unseen", async (_source, reviewed) => {
  const review = await reviewed();
  expect([review.unseen, blindSpot([review])]).toEqual([[], undefined]);
  expect(review.acls).toMatchObject({
    before: [{ description: "By hand" }],
    unreachable: [{ acl: { address: net("open") }, shadowedBy: [{ description: "By hand" }] }],
  });
  expect(review.policies).toMatchObject([{ consumer_selector: "client_id:abc", after: { limit: 7, by: "default" } }]);
  expect(review.members).toMatchObject([{ loses: ["auth0|b"] }]);
  expect(review.scopes).toContain("read:organization_members");
  expect(review.effects.map(({ code }) => code)).toContain("TNF-UNKNOWN-KEY");
});

test("names once the kinds of unseen objects of which the plan changes one", () => {
  const review = reviewPlans("plan", [plan(changes)]);
  const all = ["network_acls", "rate_limit_policies", "organization_members"];
  expect([review.unseen, review.blind]).toEqual([all, all]);
  expect(review.effects.map(({ code }) => code)).not.toContain("TNF-UNKNOWN-KEY");
  expect(blindSpot([review, review])).toMatch(
    /^Not read: network ACLs, rate limit policies and organization members outside the plan,.* --tenant includes them\.$/,
  );
  const without = [change("auth0_connection.c", { id: "con_1", strategy: "auth0" }, null)];
  expect(
    reviewPlans("plan", [plan([...without, kept(net("a"), acl(1, { action: block, match: { asns: [1] } }))])]),
  ).toMatchObject({ unseen: all, blind: [] });
});

describe("names", () => {
  const staff = change(set("staff"), members(large, ids), members(large, ids.slice(2)));
  const changed = [plan([staff, kept(set("same"), members(quiet, ids.slice(0, 3)))])];
  /** The requests about organizations. */
  const requests = async (read: () => Promise<unknown>) => {
    const from = emulator.requests.length;
    await read();
    const paths = emulator.requests.slice(from).map(({ path }) => path.replace(/\?.*/, ""));
    return paths.filter((path) => path.includes("/organizations")).toSorted();
  };
  const loss = (whose: string) =>
    `2 of 250 members lose access to ${whose}: User 0 (acme.example), User 1 (acme.example).`;

  test("of people and the organization are shown, and ids stay in the JSON", async () => {
    const review = await asked(changed);
    expect(review.effects.map(sentence)).toContain(loss(`"Large" (${large})`));
    const [{ loses, people: names }] = review.members as [(typeof review.members)[number]];
    expect([loses, names!["auth0|0"]]).toEqual([["auth0|0", "auth0|1"], "User 0 (acme.example)"]);
    expect(JSON.stringify(review.members)).not.toContain("@");
    expect(faultOf(toJson(review))).toBeUndefined();
  });

  test("are read only for organizations that change, with one request for each", async () => {
    const page = `/api/v2/organizations/${large}/members`;
    expect(await requests(() => asked(changed))).toEqual([`/api/v2/organizations/${large}`, page, page, page]);
    expect(await requests(() => asked([]))).toEqual([]);
  });

  test("of an organization are not asked for without the scope", async () => {
    const narrow = { ...environment, TENANT_CLIENT_ID: "narrow", TENANT_CLIENT_SECRET: "s" };
    let texts: string[] = [];
    const paths = await requests(async () => {
      texts = (await asked(changed, narrow)).effects.map(sentence);
    });
    expect(paths.filter((path) => !path.includes("/members"))).toEqual([]);
    expect(texts).toContain(loss(large));
  });

  test("an organization that does not exist is empty if its set changes, and no organization otherwise", async () => {
    const [gone, misspelt] = ["org_gone000000000000", "org_misspelt00000000"];
    const remote = await remoteStateOf(
      environment,
      inputsOf([plan([change(set("x"), members(gone, ["auth0|1"]), null)])]),
      { organizations: [misspelt] },
    );
    const read = new Map([
      [gone, []],
      [misspelt, undefined],
    ] as const);
    expect(remote).toMatchObject({ organization_members: read, organization_names: new Map() });
  });
});

test("reports a tenant that cannot be read", async () => {
  const remote = (given: NodeJS.ProcessEnv) => remoteStateOf(given, [], { families: new Set(["network_acls"]) });
  expect((await remote(environment)).network_acls).toHaveLength(1);
  await expect(remote({ ...environment, TENANT_CLIENT_SECRET: "wrong" })).rejects.toMatchObject({
    of: "input",
    message: expect.stringMatching(/^--tenant: the tenant could not be read: /),
  });
  await expect(remote({})).rejects.toMatchObject({ of: "usage" });
});

const staying = (name: string, id: string) => kept(net(name), acl(7, { action: block, match: { asns: [7] } }, { id }));

test.each<[string, string, () => Values, boolean]>([
  ["names another host", "acl_other", () => constant("other.example"), false],
  ["does not show the host", "acl_other", () => ({ references: ["var.unknown"] }), false],
  ["has an object of the tenant", "", () => constant("other.example"), true],
  ["names it in another way", "acl_other", () => constant(endpoint().replace(/127.*:/, "LOCALHOST:")), true],
])("a plan whose provider block %s", async (_what, id, domain, proven) => {
  const own = id || emulator.snapshot().network_acls![0]!.id;
  const [tenant] = tenantsIn([
    { name: "a", plan: plan([staying("a", own)], configured({ tenant: { domain: domain() } })) },
  ]);
  const remote = (await remoteStates(environment, [tenant!])).get(tenant!);
  const { whole } = reviewTenant(tenant!, { remote });
  expect([whole.acls.proven, codesOf(whole)]).toEqual([proven, proven ? [] : ["TNF-TENANT-UNKNOWN"]]);
});

describe("provider blocks with prefixes", () => {
  const read = (prefix: string) => ({ environment_prefix: constant(prefix) });
  const homes = { [net("a")]: "tenant.a", [net("b")]: "tenant.b" };
  const blocks = configured({ "tenant.a": read("A"), "tenant.b": read("B") }, homes);
  const tenants = tenantsIn([{ name: "x", plan: plan([staying("a", "acl_a"), staying("b", "acl_b")], blocks) }]);

  test("are read with the variables of each block, and of no other one", async () => {
    const other = await listeningTenant();
    try {
      const [a, b] = [prefixed("A", environment), prefixed("B", other.env)];
      const both = await remoteStates({ ...a, ...b }, tenants);
      expect(tenants.map((tenant) => [both.get(tenant)!.network_acls!.length, both.get(tenant)!.uncertainty])).toEqual([
        [1, undefined],
        [0, undefined],
      ]);
      const one = await remoteStates(b, tenants);
      expect(tenants.map((tenant) => one.get(tenant)?.network_acls)).toEqual([undefined, []]);
      await expect(remoteStates(environment, tenants)).rejects.toThrow("A_TENANT_DOMAIN");
    } finally {
      await other.close();
    }
  });

  test("of another tenant than that of the environment are refused", async () => {
    const planOf = (domain: string) => plan([], configured({ tenant: { domain: constant(domain) } }));
    const two = tenantsIn(["eu.example", "us.example"].map((name) => ({ name, plan: planOf(name) })));
    await expect(remoteStates(environment, two)).rejects.toThrow(
      /^--tenant: the environment names .*, and no provider/,
    );
  });
});

describe("a tenant that lacks a feature", () => {
  const aclPlan = [plan([change(net("open"), null, acl(2, { action: allow, match: { asns: [7] } }, { id: null }))])];
  const policyPlan = [plan([change("tenant_rate_limit_policy.own", null, ownLimit)])];

  test.each<[string, Plan[], "network_acls" | "rate_limit_policies", string?]>([
    ["rate limit policies, and only ACLs change", aclPlan, "rate_limit_policies"],
    ["network ACLs, and only policies change", policyPlan, "network_acls"],
    ["network ACLs, which change", aclPlan, "network_acls", "network ACLs"],
    ["rate limit policies, which change", policyPlan, "rate_limit_policies", "rate limit policies"],
  ])("is reviewed, without a proof only if it matters: %s", async (_, own, lacking, said = "") => {
    emulator.faults.add({ path: `/api/v2/${lacking.replaceAll("_", "-")}`, status: 403 });
    try {
      const { effects, isUncertain, unseen } = await asked(own);
      const gaps = effects.filter(({ code }) => code === "TNF-INCOMPLETE").map(sentence);
      const wanted = said === "" ? [] : [expect.stringContaining(`the tenant refuses to list its ${said}`)];
      expect([gaps, isUncertain, unseen]).toEqual([wanted, said !== "", said === "" ? [] : [lacking]]);
    } finally {
      emulator.faults.clear();
    }
  });
});
