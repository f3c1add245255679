/** Plans refuse ACLs that lock out Terraform when no protected request is configured. */
import { networkAcl } from "../../src/resources/network-acl/definition";
import type { Config } from "../../src/sdk/definition";
import { countries } from "../../src/resources/country";
import { requestToken } from "../emulator/client";
import { openReview, type Planned, type Reviewing } from "./support/reviewing";

let review: Reviewing;
beforeEach(async () => {
  review = await openReview();
});
afterEach(() => review.close());

type Acl = Config<typeof networkAcl>;
const acl = (priority: number, action: Acl["rule"]["action"], rule: object, scope = "management"): Acl =>
  ({ description: `acl ${priority}`, active: true, priority, rule: { action, scope, ...rule } }) as Acl;
const block = { block: true };
const everywhere = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const planned = (...configs: Acl[]): Planned[] => configs.map((config) => ({ kind: "network_acl", config }));

function stand(index: number, config: Acl): object {
  const time = "2026-01-01T00:00:00.000Z";
  const standing = { ...config, id: `acl_${"a".repeat(20)}${index}${index}`, created_at: time, updated_at: time };
  review.emulator.store.networkAcls.put(standing as never);
  return standing;
}

const allowing = (priority: number, match: object) => acl(priority, { allow: true }, { match });
const all = (priority: number) => acl(priority, block, { match_all: true });

/** Allows single addresses and blocks all others. A check that tries only sample addresses would find none blocked. */
function allButSamples(): Acl[] {
  const samples = Array.from({ length: 64 }, (_, index) => {
    const at = (((index * 37) % 64) + 0.5) / 64;
    return {
      four: `${Math.floor(at * 224)}.${(index * 89 + 71) % 256}.${(index * 53 + 29) % 256}.${(index * 31 + 101) % 254}`,
      six: `${(0x2000 + Math.floor(at * 0x2000)).toString(16)}:${(index * 947 + 71).toString(16)}::${index}`,
    };
  });
  const parts = [0, 20, 40, 60].map((from, index) => {
    const some = samples.slice(from, from + 20);
    return allowing(index + 1, { ipv4_cidrs: some.map(({ four }) => four), ipv6_cidrs: some.map(({ six }) => six) });
  });
  return [...parts, all(5)];
}

function countriesBlocked(count: number): Acl[] {
  const lists = Math.ceil(count / 20);
  return Array.from({ length: lists }, (_, index) =>
    acl(index + 1, block, {
      match: { geo_country_codes: countries.slice(index * 20, Math.min(count, index * 20 + 20)) },
    }),
  );
}

const refusal = { summary: "This plan may lock out Terraform itself" };

test.each<[string, Acl[]]>([
  ["every address", [acl(1, block, { match: everywhere }, "tenant")]],
  ["every request", [acl(1, block, { match_all: true })]],
  ["all but a small network", [acl(1, block, { not_match: { ipv4_cidrs: ["203.0.113.0/24"] } })]],
  [
    "all but one AS number that is allowed before",
    [acl(1, { allow: true }, { match: { asns: [1] } }), acl(2, block, { match: everywhere })],
  ],
  ["all countries but a few", [acl(1, block, { not_match: { geo_country_codes: ["DE", "FR", "AT"] } })]],
  [
    "both halves of IPv4 with two ACLs",
    [
      acl(1, block, { match: { ipv4_cidrs: ["0.0.0.0/1"], ipv6_cidrs: ["::/0"] } }),
      acl(2, block, { match: { ipv4_cidrs: ["128.0.0.0/1"] } }),
    ],
  ],
  ["every unsigned request", [acl(1, block, { not_match: { http_message_signature: { keys: [{ id: "k" }] } } })]],
  [
    "every address by a redirect",
    [acl(1, { redirect: true, redirect_uri: "https://example.com" } as never, { match: everywhere })],
  ],
  ["the host name of the tenant", [acl(1, block, { match: { hostnames: ["127.0.0.1"] } })]],
  ["all host names but another one", [acl(1, block, { not_match: { hostnames: ["login.example.com"] } })]],
  ["all but one address", [acl(1, block, { not_match: { ipv4_cidrs: ["198.18.0.1"], ipv6_cidrs: ["2001:db8::1"] } })]],
  ["all but single addresses all over the world", allButSamples()],
  ["all but AS numbers that nobody has", [allowing(1, { asns: [4_294_967_294] }), acl(2, block, { match_all: true })]],
  ["all but unusual clients", [allowing(1, { user_agents: ["?"] }), allowing(2, { ja4_fingerprints: ["?"] }), all(3)]],
  ["126 countries", countriesBlocked(126)],
  ["IPv4 alone", [acl(1, block, { match: { ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/4"] } })]],
  ["IPv6 alone", [acl(1, block, { match: { ipv6_cidrs: ["2000::/3"] } })]],
  ["all but one connecting address", [acl(1, block, { not_match: { connecting_ipv4_cidrs: ["198.51.100.7"] } })]],
  [
    "the user agent of Terraform",
    [acl(1, block, { match: { user_agents: ["tenantform/0.0.0-test terraform/1.11.4"] } })],
  ],
  ["all other user agents", [acl(1, block, { not_match: { user_agents: ["curl/8.5.0"] } }, "tenant")]],
  ["all other AS numbers", [acl(1, block, { not_match: { asns: [64_500] } })]],
  ["all other TLS clients", [acl(1, block, { not_match: { ja3_fingerprints: ["e7d705a3286e19ea42f587b344ee6865"] } })]],
  ["every address on no curated list", [acl(1, block, { not_match: { auth0_managed: ["auth0.tor"] } })]],
])("refuses to block %s, unless lockout_guard is warn or off", async (_who, acls) => {
  expect((await review.planAll(planned(...acls))).errors).toMatchObject([refusal]);
  const warned = await review.planAll(planned(...acls), { lockout_guard: "warn" });
  expect(warned.errors).toEqual([]);
  expect(warned.warnings).toContainEqual(expect.objectContaining(refusal));
  const off = await review.planAll(planned(...acls), { lockout_guard: "off" });
  expect(off.errors).toEqual([]);
  expect(off.warnings.filter(({ summary }) => summary !== "Early Access")).toMatchObject([
    { summary: "The lock-out guard is off", detail: expect.stringContaining("would ") },
  ]);
});

test.each<[string, Acl[]]>([
  ["a few countries", [acl(1, block, { match: { geo_country_codes: ["RU", "KP"] } }, "tenant")]],
  ["some networks", [acl(1, block, { match: { ipv4_cidrs: ["0.0.0.0/2"], asns: [1] } })]],
  ["curated lists", [acl(1, block, { match: { auth0_managed: ["auth0.tor"] } }, "tenant")]],
  ["every address by an inactive ACL", [{ ...acl(1, block, { match: everywhere }), active: false }]],
  [
    "every address that another ACL allows before",
    [acl(2, block, { match: everywhere }), acl(1, { allow: true }, { match: everywhere })],
  ],
  [
    "most of the authentication API, where people sign in",
    [acl(1, block, { not_match: { geo_country_codes: ["DE"] } }, "authentication")],
  ],
  ["half of the IPv4 addresses", [acl(1, block, { match: { ipv4_cidrs: ["0.0.0.0/1"] } })]],
  ["addresses that no host has", [acl(1, block, { match: { ipv6_cidrs: ["8000::/1", "::/3"] } })]],
  ["124 countries", countriesBlocked(124)],
  ["only other host names", [acl(1, block, { not_match: { hostnames: ["127.0.0.1"] } })]],
])("accepts blocking %s", async (_who, acls) => {
  const { errors, warnings } = await review.planAll(planned(...acls), { plan_notes: "off" });
  expect(errors).toEqual([]);
  expect(warnings.filter(({ summary }) => summary !== "Early Access")).toEqual([]);
});

test("reports the exact share of blocked addresses", async () => {
  const { errors } = await review.planAll(planned(...allButSamples()));
  expect(errors[0]!.detail).toContain(
    'network ACL "acl 5" (priority 5) would block 99.99 % of IPv4 addresses and 99.99 % of IPv6 addresses from the Management API',
  );
  const byCountry = await review.planAll(planned(acl(1, block, { not_match: { geo_country_codes: ["DE"] } })));
  expect(byCountry.errors[0]!.detail).toContain("99.6 % of requests over IPv4, counted by address and country");
});

test("warns of a user agent with * that may block every request", async () => {
  const said = await review.planAll(planned(acl(1, block, { match: { user_agents: ["tenantform/*"] } })));
  expect(said).toMatchObject({
    errors: [],
    warnings: [{ ...refusal, detail: expect.stringContaining("may block 100 %") }],
  });
});

test("warns when an ACL blocks Terraform's request for a token, unless access_token is set", async () => {
  const signIn = planned(acl(1, block, { match: everywhere }, "authentication"));
  const said = await review.planAll(signIn, { plan_notes: "off" });
  expect(said).toMatchObject({ errors: [], warnings: [refusal] });
  expect(said.warnings[0]!.detail).toContain("would block Terraform's request for a token");
  const { access_token } = (await requestToken(review.emulator)).body;
  expect(await review.planAll(signIn, { access_token, plan_notes: "off" })).toMatchObject({
    errors: [],
    warnings: [],
  });
});

test("refuses a plan whose ACL blocks most addresses together with an unmanaged ACL", async () => {
  stand(1, acl(1, block, { match: { ipv4_cidrs: ["0.0.0.0/1"], ipv6_cidrs: ["::/0"] } }));
  const acls = planned(acl(2, block, { match: { ipv4_cidrs: ["128.0.0.0/1"] } }));
  const { errors } = await review.planAll(acls);
  expect(errors).toMatchObject([refusal]);
  expect(errors[0]!.detail).toContain('network ACL "acl 1" (priority 1, acl_');
  expect(review.emulator.store.networkAcls.size).toBe(1);
});

test("an apply writes a blocking ACL after another change of the plan allows every address", async () => {
  const acls = planned(acl(50, block, { match: everywhere }), acl(5, { allow: true }, { match: everywhere }));
  expect((await review.applyAll(acls)).errors).toEqual([]);
  expect(review.emulator.store.networkAcls.size).toBe(2);
});

test("refuses to destroy the ACL that allows every address, and only reports addresses that were blocked before", async () => {
  stand(2, acl(2, block, { match: everywhere }));
  const open = stand(1, acl(1, { allow: true }, { match: everywhere }));
  const destroyed = [{ kind: "network_acl", prior: open }];
  expect((await review.planAll(destroyed)).errors).toMatchObject([refusal]);
  stand(1, acl(1, { log: true }, { match: everywhere }));
  const more = await review.planAll(planned(acl(3, block, { match: { asns: [1] } })));
  expect(more).toMatchObject({ errors: [], warnings: [{ summary: "This plan leaves Terraform locked out" }] });
});

const protecting = (...requests: object[]) => ({ protected_requests: requests, plan_notes: "off" });
const closedButOne = [allowing(1, { ipv4_cidrs: ["203.0.113.7"] }), acl(2, block, { match: everywhere })];

test.each<[string, Acl[], object[]]>([
  ["an address", closedButOne, [{ ip: "203.0.113.7" }]],
  ["an address and a token", closedButOne, [{ ip: "203.0.113.7" }, { path: "/oauth/token", ip: "192.0.2.1" }]],
  ["a country", [acl(1, block, { not_match: { geo_country_codes: ["DE"] } })], [{ country: "DE" }]],
  [
    "an address with its country",
    [
      acl(1, block, { not_match: { geo_country_codes: ["DE"] } }),
      acl(2, block, { not_match: { ipv4_cidrs: ["203.0.113.7"] } }),
    ],
    [{ ip: "203.0.113.7", country: "DE" }],
  ],
  ["an AS number", [acl(1, block, { not_match: { asns: [64_500] } })], [{ asn: 64_500 }]],
])("a protected request with %s replaces the review of all addresses", async (_what, acls, requests) => {
  expect(await review.planAll(planned(...acls), protecting(...requests))).toMatchObject({ errors: [], warnings: [] });
});

test.each<[string, Acl[], object[]]>([
  ["for another path", closedButOne, [{ path: "/nothing", ip: "203.0.113.7" }]],
  ["for a token alone", closedButOne, [{ path: "/oauth/token", ip: "203.0.113.7" }]],
  ["without facts", [...closedButOne, allowing(3, { asns: [1] })], [{ path: "/authorize", name: "nobody" }]],
  ["with only a user agent", [acl(1, block, { not_match: { user_agents: ["x"] } })], [{ user_agent: "x" }]],
  [
    "with a fingerprint alone",
    [acl(1, block, { not_match: { ja3_fingerprints: ["e7d705a3286e19ea42f587b344ee6865"] } })],
    [{ ja3: "e7d705a3286e19ea42f587b344ee6865" }],
  ],
  [
    "to another host",
    [acl(1, block, { match: { hostnames: ["127.0.0.1"] } })],
    [{ ip: "192.0.2.1", hostname: "other.example" }],
  ],
  ["from a reserved address", [acl(1, block, { not_match: { ipv4_cidrs: ["240.0.0.1"] } })], [{ ip: "240.0.0.1" }]],
  [
    "from a country that does not exist",
    [acl(1, block, { not_match: { geo_country_codes: ["ZZ"] } })],
    [{ country: "ZZ" }],
  ],
  ["from a country whose addresses are all blocked but one", closedButOne, [{ country: "DE" }]],
  [
    "from an address while all countries but one are blocked",
    [acl(1, block, { not_match: { geo_country_codes: ["DE"] } })],
    [{ ip: "192.0.2.1" }],
  ],
])("a protected request %s does not replace the review of all addresses", async (_what, acls, requests) => {
  const { errors } = await review.planAll(planned(...acls), protecting(...requests));
  expect(errors).toMatchObject([refusal]);
});

test("protects Terraform's token with a request that names no path", async () => {
  const signIn = [acl(1, block, { match: { ipv4_cidrs: ["203.0.113.0/24"] } }, "authentication")];
  const { errors } = await review.planAll(planned(...signIn), protecting({ name: "our CI", ip: "203.0.113.7" }));
  expect(errors).toMatchObject([{ summary: "A protected request is blocked" }]);
  const api = protecting({ name: "our CI", path: "/api/v2/", ip: "203.0.113.7" });
  expect(await review.planAll(planned(...signIn), api)).toMatchObject({ errors: [], warnings: [] });
});
