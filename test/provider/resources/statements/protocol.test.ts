/** What breaks a statement, shown to the provider: what a plan says, and what an apply writes that plans one object at a time. */
import { organizationMemberSet } from "../../../../src/judge/kinds/organization-member-set";
import { openReview, type Planned, type Reviewing, type Said } from "../support/reviewing";

let reviewing: Reviewing;
beforeAll(async () => void (reviewing = await openReview()));
afterAll(() => reviewing.close());

type Content = { readonly [name: string]: unknown };

const organization = "org_abcdefghijklmnop";
const other = "org_ponmlkjihgfedcba";
const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
const id = (prefix: string, letter: string) => `${prefix}_${"a".repeat(21)}${letter}`;
const acl = (priority: number, action: string, match: Content): Content => ({
  description: `acl ${priority}`,
  active: true,
  priority,
  rule: { action: { [action]: true }, match, scope: "tenant" },
});
const wall = acl(20, "block", { geo_country_codes: ["IR", "KP"] });
const partner = acl(10, "allow", { ipv4_cidrs: ["203.0.113.0/24"] });
const letIn = acl(5, "allow", { ipv4_cidrs: ["198.51.100.7"] });
const shut = acl(50, "block", { ipv4_cidrs: ["198.51.100.0/24"] });
const bots = acl(20, "block", { user_agents: ["bot"] });
const only = (country: string, priority: number) => acl(priority, "block", { geo_country_codes: [country] });
const policy = (limit: number, consumer_selector = "third_party_clients"): Content => ({
  consumer_selector,
  configuration: { action: "block", limit },
});
const set = (members: readonly string[], rest: Content = {}): Content => ({
  organization_id: organization,
  members,
  exclusive: true,
  remove_existing: false,
  on_destroy: "remove",
  ...rest,
});
const [ada, bob, eve] = ["auth0|ada", "auth0|bob", "auth0|eve"];

/** One object, as it is on the tenant and as it should be. */
type Change = readonly [kind: string, before: Content | undefined, after?: Content | undefined];
const acls = (before?: Content, after?: Content): Change => ["network_acl", before, after];
const limits = (before?: Content, after?: Content): Change => ["rate_limit_policy", before, after];
const members = (before?: Content, after?: Content): Change => ["organization_member_set", before, after];

const expecting = (more: Content): Content => ({ expectation: [{ name: "e", ...more }] });
const embargo = (more: Content = {}) =>
  expecting({ outcome: "blocked", request: [{ scopes: ["authentication"], countries: ["KP", "IR"] }], ...more });
const third = (more: Content = {}) => expecting({ policy: { consumer: "third_party_clients", at_most: 50 }, ...more });
const staff = (more: Content = {}, of: Content = { include: [ada] }) =>
  expecting({ members: { organization_id: organization, ...of }, ...more });
const ci: Content = { protected_request: [{ name: "our CI", ip: "198.51.100.7" }] };
const warning = { severity: "warning" };

/** What the plan says | what the apply says | what it writes. */
const rows: Readonly<Record<string, readonly [what: string, block: Content, ...changes: Change[]][]>> = {
  "✖ protected-request | ✖ protected-request": [["a protected request", ci, acls(undefined, shut)]],
  "fine | ✖ protected-request": [
    ["a protected request, which another ACL lets in", ci, acls(undefined, shut), acls(undefined, letIn)],
  ],
  "fine | fine | POST": [
    ["a request, behind the wall", embargo(), acls(wall, wall), acls(undefined, { ...partner, priority: 30 })],
  ],
  "fine | fine | PUT": [
    [
      "a request that is as undecided as before",
      expecting({ outcome: "blocked", request: [{ user_agents: ["a bot"] }] }),
      acls(bots, { ...bots, priority: 21 }),
    ],
  ],
  "● protected-request | fine | PUT": [
    ["a protected request that was blocked before", ci, acls(shut, { ...shut, priority: 49 })],
  ],
  "✖ expectation-broken | ✖ expectation-broken": [
    ["a request", embargo(), acls(wall, wall), acls(undefined, partner)],
    ["the end of the wall", embargo(), acls(wall)],
    ["the ends of two walls that share it", embargo(), acls(only("KP", 20)), acls(only("IR", 21))],
    [
      "the end of a wall while another is narrowed",
      embargo(),
      acls(only("KP", 20)),
      acls(only("IR", 21), only("SY", 21)),
    ],
    ["a higher limit", third(), limits(policy(50), policy(51))],
    ["the end of the policy", third(), limits(policy(50))],
    ["a member who goes", staff(), members(set([ada!, bob!]), set([bob!, eve!]))],
  ],
  "● expectation-broken | fine | POST": [
    ["a request, with severity warning", embargo(warning), acls(wall, wall), acls(undefined, partner)],
  ],
  "● expectation-broken-before | fine | PUT": [
    ["a request that was so before", embargo(), acls(wall, { ...wall, priority: 21 }), acls(partner, partner)],
  ],
  "fine | ✖ expectation-broken": [
    ["the end of the wall, with another wall", embargo(), acls(wall), acls(undefined, { ...wall, priority: 21 })],
  ],
  "✖ plan-lockout | ✖ plan-lockout": [
    [
      "no request for Terraform's own client, after another policy",
      {},
      limits(policy(50), policy(40)),
      limits(policy(50, "default"), policy(0, "default")),
    ],
  ],
  "fine | fine | POST DELETE": [
    ["a member who stays", staff(), members(set([ada!, bob!]), set([ada!, eve!]))],
    ["too many members for a moment", staff({}, { at_most: 2 }), members(set([ada!, bob!]), set([ada!, eve!]))],
  ],
  "✖ expectation-broken, ● members-lost | ✖ expectation-broken, ● members-lost": [
    [
      "a set that moves",
      staff(),
      members(set([ada!, bob!], { allow_empty: true }), set([ada!], { organization_id: other, allow_empty: true })),
    ],
  ],
};

function seed(changes: readonly Change[]): Planned[] {
  const { emulator } = reviewing;
  emulator.reset();
  for (const one of [organization, other]) emulator.store.addOrganization({ id: one, name: one.toLowerCase() });
  return changes.map(([kind, before, config], index) => {
    const letter = "bcdef"[index]!;
    const stored = before && { ...before, ...times };
    const own = {
      network_acl: { ...stored, id: id("acl", letter) },
      rate_limit_policy: { resource: "oauth_authentication_api", consumer: "client", ...stored, id: id("rlp", letter) },
      organization_member_set: { ...before, id: organization },
    }[kind] as Content;
    if (before && kind === "network_acl") emulator.store.networkAcls.put(own as never);
    if (before && kind === "rate_limit_policy") emulator.store.rateLimitPolicies.put(own as never);
    if (before && kind === organizationMemberSet.name)
      emulator.store.addMembers(organization, before["members"] as string[]);
    return { kind, ...(before && { prior: own }), ...(config && { config }) };
  });
}

const settings = { plan_warnings: "off", hide_early_access_warning: true };
const codeOf = ({ detail }: { readonly detail?: string }) => /#tnf-([\w-]+)$/.exec(detail!)![1]!;
const told = ({ errors, warnings }: Said) =>
  [...new Set([...errors.map((one) => `✖ ${codeOf(one)}`), ...warnings.map((one) => `● ${codeOf(one)}`)])].join(", ") ||
  "fine";

test.each(Object.entries(rows))("%s", async (expected, group) => {
  for (const [what, block, ...changes] of group) {
    const objects = seed(changes);
    const plan = told(await reviewing.planAll(objects, { ...settings, ...block }));
    // Another call is the newest one.
    const reversed = told(await reviewing.planAll(objects.toReversed(), { ...settings, ...block }));
    expect([what, reversed]).toEqual([what, plan]);
    const before = reviewing.emulator.requests.length;
    const apply = told(await reviewing.applyAll(objects, { ...settings, ...block }, 1));
    const writes = reviewing.emulator.requests
      .slice(before)
      .filter(({ method, path }) => method !== "GET" && path !== "/oauth/token")
      .map(({ method }) => method);
    expect([what, [plan, apply, writes.join(" ")].filter(Boolean).join(" | ")]).toEqual([what, expected]);
  }
});
