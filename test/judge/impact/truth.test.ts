/** Changes that the provider plans and that the review reads from the same plan: both give one answer, a row for each kind of answer. */
import { unknown } from "../../../src/formats/cty/value";
import { toJson } from "../../../src/review/report/json";
import { openReview, type Reviewing } from "../../provider/resources/support/reviewing";
import * as plans from "../../review/support/plan";
import { planAndReview } from "./support/channels";
import type { Change, Content, Resource } from "./support/changes";

let reviewing: Reviewing;
beforeAll(async () => {
  reviewing = await openReview({ flags: ["tenant_acl_hmac_signature", "tenant_acl_match_all"] });
});
afterAll(() => reviewing.close());

const prefix = { network_acl: "acl", network_acl_key: "key", rate_limit_policy: "rlp", organization_member_set: "org" };
const idOf = (kind: Resource["kind"], number: number) => `${prefix[kind]}_${"a".repeat(21)}${"bcdefghijk"[number]}`;
const resource = (kind: Resource["kind"], number: number, before?: Content, config?: Content): Resource => ({
  kind,
  name: `one_${number}`,
  ...(before && { id: idOf(kind, number), before }),
  ...(config && { config }),
});

type Plan = "accepted" | "warned" | "refused";
/** The level of the review, what Terraform makes of the plan, and a code of the review with "already" if it was so before. */
type Told = readonly [level: string, plan: Plan, code: string];

async function expectTold(given: Partial<Change>, [level, plan, told]: Told, not?: string): Promise<void> {
  const change: Change = { resources: [], unmanaged: [], members: new Map(), protectedRequest: [], ...given };
  const { said, review } = await planAndReview(reviewing, change);
  const { verdict, effects } = toJson(review) as {
    readonly verdict: { readonly level: string };
    readonly effects: readonly { readonly code: string; readonly already?: true; readonly refuses?: boolean }[];
  };
  const warns = said.warnings.some(({ summary, detail }) => /\[TNF-\w+-LOCKOUT/.test(`${summary} ${detail}`));
  const [code, already] = told.split(" ");
  const own = effects.filter((one) => one.code === `TNF-${code}`);
  expect({
    level: verdict.level,
    plan: said.errors.length > 0 ? "refused" : warns ? "warned" : "accepted",
    has: own.length > 0,
    already: own.every((one) => one.already),
    refuses: own.some((one) => one.refuses),
  }).toEqual({ level, plan, has: true, already: already !== undefined, refuses: plan === "refused" });
  expect(effects.map((one) => one.code)).not.toContain(`TNF-${not}`);
}

const organization_id = "org_abcdefghijklmnop";
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `auth0|${String(index).padStart(4, "0")}`);
const set = (count: number, more: Content = {}): Content => ({
  organization_id,
  members: people(count),
  exclusive: true,
  remove_existing: false,
  on_destroy: "remove",
  ...more,
});

// A deleted block, `terraform destroy`, an empty list and a list of others are one kind: nobody of today stays.
test.each<[string, number, Content, Content | undefined, Told]>([
  ["an empty list", 40, {}, set(0), ["critical", "refused", "MEMBERS-EMPTIED"]],
  ["a list of others", 40, {}, set(0, { members: ["auth0|new"] }), ["critical", "refused", "MEMBERS-EMPTIED"]],
  ["a deleted block", 40, {}, undefined, ["critical", "refused", "MEMBERS-EMPTIED"]],
  ["one that may empty", 40, { allow_empty: true }, undefined, ["critical", "accepted", "MEMBERS-EMPTIED"]],
  ["one that keeps them", 40, { on_destroy: "keep" }, undefined, ["low", "accepted", "DESTROYED"]],
])("members: %s", (_what, count, more, after, told) => {
  const resources = [resource("organization_member_set", 1, set(count, more), after)];
  return expectTold({ resources, members: new Map([[organization_id, people(count)]]) }, told);
});

test("members: a new set that leaves members of today out", () =>
  expectTold(
    {
      resources: [resource("organization_member_set", 1, undefined, set(1))],
      members: new Map([[organization_id, people(3)]]),
    },
    ["high", "refused", "OTHER-MEMBERS"],
  ));

const allowed = { action: "allow" };
const above = (limit: number) => ({ action: "block", limit });
/** Of Terraform's own application. */
const own = "own";

const onlyWarns: Partial<Change> = { settings: { lockout_guard: "warn" } };

/** Selector, configuration before and after. */
type Policy = readonly [selector: string, before?: Content, after?: Content];
const limitChange = (...policies: readonly Policy[]): Partial<Change> => ({
  resources: policies.map(([selector, before, after], number) => {
    const consumer_selector = selector === own ? `client_id:${reviewing.emulator.clientId}` : selector;
    const [was, is] = [before, after].map((configuration) => configuration && { consumer_selector, configuration });
    return resource("rate_limit_policy", number, was, is);
  }),
});

test.each<[string, readonly Policy[], Told, string?]>([
  ["the default", [["default", above(100), above(0)]], ["critical", "refused", "LIMIT-LOCKOUT"]],
  [
    "the default beside its own",
    [
      ["default", above(100), above(0)],
      [own, undefined, allowed],
    ],
    ["critical", "accepted", "LIMIT-BLOCKED"],
    "LIMIT-LOCKOUT",
  ],
  ["perhaps its group", [["third_party_clients", above(100), above(0)]], ["high", "warned", "LIMIT-LOCKOUT"]],
  ["another group", [["cimd_clients", above(100), above(0)]], ["high", "accepted", "LIMIT-BLOCKED"], "LIMIT-LOCKOUT"],
])("limits: %s", (_what, policies, told, not = "") => expectTold(limitChange(...policies), told, not));

test("a limit of 0 for Terraform's own application is no refusal where the guard only warns", () =>
  expectTold({ ...limitChange([own, above(100), above(0)]), ...onlyWarns }, ["critical", "warned", "LIMIT-LOCKOUT"]));

const everyone = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const acl = (priority: number, rule: Content, more: Content = {}) => ({
  description: `acl-${priority}`,
  active: true,
  priority,
  ...more,
  rule: { action: { block: true }, scope: "authentication", ...rule } as Content,
});
const management = (rule: Content, more?: Content) => acl(9, { scope: "management", ...rule }, more);
const closed = (more?: Content) => management({ match: everyone }, more);
const except = (...ipv4_cidrs: string[]) => management({ match: everyone, not_match: { ipv4_cidrs } });
const wall = acl(50, { scope: "tenant", match: everyone });
const letsIn = (priority: number, ipv4_cidrs: unknown[] = ["203.0.113.0/24"]) =>
  acl(priority, { action: { allow: true }, scope: "tenant", match: { ipv4_cidrs } });
const country = (...codes: string[]) => acl(1, { match: { geo_country_codes: codes } });
const signed = (id: unknown) => ({ http_message_signature: { keys: [{ id }] } });
const signedWith = (id: unknown) => acl(1, { not_match: signed(id) });
const ci: Partial<Change> = { protectedRequest: [{ name: "our CI", ip: "203.0.113.7", country: "DE" }] };
const outside = (before: Content): Partial<Change> => ({
  ...ci,
  unmanaged: [{ kind: "network_acl", id: idOf("network_acl", 9), before }],
});
const behind = (more: Partial<Change>): Partial<Change> => ({ ...outside(wall), ...more });
const [twoHosts, oneHost] = [except("203.0.113.7", "198.51.100.7"), except("198.51.100.7")];
const refused: Told = ["critical", "refused", "ACL-LOCKOUT"];
const blocked: Told = ["critical", "accepted", "ACL-TIGHTENED"];
const possible: Told = ["high", "warned", "ACL-LOCKOUT-POSSIBLE"];
const everyoneAnd = (cidr: unknown) => management({ match: { ...everyone, ipv4_cidrs: ["0.0.0.0/0", cidr] } });
const [lockout, already] = ["ACL-LOCKOUT", "ACL-LOCKOUT already"];

type Pair = readonly [before: Content | undefined, after?: Content];
test.each<[string, readonly Pair[], Told, Partial<Change>?, string?]>([
  ["a code that no request has", [[undefined, country("UK")]], ["medium", "accepted", "ACL-NO-SUCH-CODE"]],
  ["a new allow-list", [[undefined, except("203.0.113.7")]], refused],
  ["an allow-list loses an address", [[twoHosts, oneHost]], ["low", "warned", "ACL-LOCKOUT-POSSIBLE already"]],
  ["an allow-list loses the address of a protected request", [[twoHosts, oneHost]], refused, ci],
  ["an unknown description", [[undefined, closed({ description: unknown })]], refused],
  ["an unknown address", [[undefined, everyoneAnd(unknown)]], refused],
  ["an unknown priority", [[undefined, closed({ priority: unknown })]], refused],
  ["an unknown active", [[undefined, closed({ active: unknown })]], possible],
  ["an unknown rule", [[undefined, { ...closed(), rule: unknown }]], possible],
  ["unknown addresses", [[undefined, management({ match: { ipv4_cidrs: unknown } })]], possible],
  [
    "an allow that gets an unknown address before a wall that stays",
    [
      [wall, wall],
      [letsIn(1), letsIn(1, ["203.0.113.0/24", unknown])],
    ],
    ["high", "accepted", "ACL-WIDENED"],
    ci,
    lockout,
  ],
  ["a replaced key", [[signedWith("key_old"), signedWith(unknown)]], ["medium", "warned", "ACL-OPENED"]],
  ["a key that is not there", [[undefined, acl(1, { match: signed("gone") })]], ["medium", "accepted", "UNKNOWN-KEY"]],
  ["a wall behind an unmanaged allow", [[undefined, wall]], blocked, outside(letsIn(1)), lockout],
  ["another ACL behind an unmanaged wall", [[undefined, letsIn(90)]], ["medium", "warned", already], outside(wall)],
  ["a wall that moves", [[wall], [undefined, { ...wall, priority: 49 }]], ["low", "warned", already], ci],
])("requests: %s", (_what, changes, told, more = {}, not) => {
  const resources = changes.map(([before, after], number) => resource("network_acl", number, before, after));
  return expectTold({ resources, ...more }, told, not);
});

/** Expectation: countries are blocked, or third-party applications have at most 100 requests/s. */
const stated = (content: Content, severity = "error") => ({
  settings: { expectation: [{ name: "kept", severity, ...content }] },
});
const fromAntarctica = { geo_country_codes: ["AQ"] };
const keptOut = stated({ outcome: "blocked", request: [{ scopes: ["authentication"], countries: ["AQ"] }] });
const keptLow = (severity?: string) => stated({ policy: { consumer: "third_party_clients", at_most: 100 } }, severity);
const low = { consumer_selector: "third_party_clients", configuration: above(100) };
const antarctica = acl(1, { match: fromAntarctica });
const broken = (level: string, plan: Plan): Told => [level, plan, "EXPECTATION-BROKEN"];
const warned: Told = ["critical", "warned", "ACL-LOCKOUT"];
const replaced: Told = ["low", "accepted", "REPLACED"];

// The new object needs the key of the old one, so Terraform deletes the old one first.
test.each<[string, Resource["kind"], Content, Content, Told, Partial<Change>, string?]>([
  ["an ACL that lets a protected request in", "network_acl", letsIn(1), letsIn(1), refused, behind(ci)],
  ["the same, and the guard warns", "network_acl", letsIn(1), letsIn(1), warned, behind({ ...ci, ...onlyWarns })],
  ["one that another ACL lets in", "network_acl", letsIn(1), letsIn(1), replaced, ci, lockout],
  ["one that moves, so the new one may come first", "network_acl", letsIn(1), letsIn(2), replaced, behind(ci), lockout],
  ["an ACL that keeps an expectation", "network_acl", antarctica, antarctica, broken("high", "refused"), keptOut],
  ["a policy that keeps an expectation", "rate_limit_policy", low, low, broken("high", "refused"), keptLow()],
  ["the same with a warning", "rate_limit_policy", low, low, broken("medium", "accepted"), keptLow("warning")],
])("a replacement of %s", (_what, kind, before, after, told, more, not = "") =>
  expectTold({ resources: [{ ...resource(kind, 1, before, after), isTainted: true }], ...more }, told, not),
);

test("a replacement of an ACL of the auth0 provider, which our provider does not plan: the review sees the lock-out", () => {
  const asGo = ({ rule: { action, ...rule }, ...one }: ReturnType<typeof acl>) => ({
    ...one,
    id: `acl_${String(one["priority"])}`,
    rule: [{ ...rule, action: [action], match: [rule["match"]] }],
  });
  const [before, stays] = [asGo(letsIn(1)), asGo(wall)];
  const request = Object.entries(ci.protectedRequest![0]!).map(([name, value]) => [name, { constant_value: value }]);
  const tenant = { name: "tenant", expressions: { protected_request: [Object.fromEntries(request)] } };
  const changes = [
    plans.change("auth0_network_acl.ci", before, before, { actions: ["delete", "create"] }),
    plans.change("auth0_network_acl.wall", stays, stays),
  ];
  const { verdict, effects } = plans.reviewPlans("plan", [
    plans.plan(changes, { configuration: { provider_config: { tenant } } }),
  ]);
  expect(verdict.level).toBe("critical");
  expect(effects[0]).toMatchObject({ code: "TNF-ACL-LOCKOUT", subject: { address: "auth0_network_acl.ci" } });
});

const named = { name: "edge", alg: "hmac-sha256", value: "A".repeat(43) };
const forAll = (limit: number) => ({ consumer_selector: "default", configuration: above(limit) });

test.each<[Resource["kind"], Content, Content, Told]>([
  ["network_acl", country("DE"), country("FR"), ["high", "refused", "ACL-SAME-PRIORITY"]],
  ["rate_limit_policy", forAll(10), forAll(50), ["high", "refused", "POLICY-SAME-CALLERS"]],
  ["network_acl_key", named, { ...named, value: "B".repeat(43) }, ["high", "refused", "KEY-SAME-NAME"]],
  ["organization_member_set", set(5), set(4), ["critical", "refused", "DUPLICATE"]],
])("two objects that need one key: %s", (kind, one, other, told) =>
  expectTold(
    {
      resources: [resource(kind, 1, undefined, one), resource(kind, 2, undefined, other)],
      members: new Map([[organization_id, people(5)]]),
    },
    told,
  ),
);
