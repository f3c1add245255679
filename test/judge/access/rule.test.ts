/** Checks which requests one rule matches, by the service's documentation, and the reason that it gives; the criteria of a rule. */
import { type AccessRequest, apiOf, scopeCovers } from "../../../src/judge/access/request";
import { type Criteria, criteriaOf, matches, neverMatches, reasonsOf, type Rule } from "../../../src/judge/access/rule";
import { matchWords, namedWords, neverWords } from "../../../src/judge/impact/words/match";
import { notKnown } from "../../../src/formats/cty/value";
import { block as blocking } from "./support/acl";

const block = { action: { block: true }, scope: "tenant" };
const rule = (match?: Criteria, not_match?: Criteria): Rule => ({
  ...block,
  ...(match && { match }),
  ...(not_match && { not_match }),
});
const sampled: Rule & { sampling: number } = { ...block, sampling: 10 };
const request = (facts: Partial<AccessRequest>): AccessRequest => ({ api: "management", ...facts });

test.each([
  ["/api/v2/clients", "management"],
  ["/api/v2/network-acls?page=0", "management"],
  ["/scim/v2/connections", "management"],
  ["/api/v20/clients", "authentication"],
  ["/scimitar", "authentication"],
  ["/oauth/token", "authentication"],
  ["/", "authentication"],
  ["/oidc/register", "dynamic_client_registration"],
  ["/oidc/register?x=1", "dynamic_client_registration"],
  ["/oidc/logout", "authentication"],
  ["/oidc/register/cid_1", "authentication"],
  ["api/v2/clients", "management"],
  ["oidc/register", "dynamic_client_registration"],
] as const)("%s belongs to %s", (path, api) => {
  expect(apiOf(path)).toBe(api);
});

test.each([
  ["management", ["management"]],
  ["authentication", ["authentication", "dynamic_client_registration"]],
  ["dynamic_client_registration", ["dynamic_client_registration"]],
  ["tenant", ["management", "authentication", "dynamic_client_registration"]],
])("scope %s covers %j", (scope, covered) => {
  for (const api of ["management", "authentication", "dynamic_client_registration"] as const) {
    expect(scopeCovers(scope, api)).toBe(covered.includes(api) ? "yes" : "no");
    expect(matches({ ...block, scope }, { api })).toBe(covered.includes(api) ? "yes" : "no");
  }
  expect(scopeCovers("billing", "management")).toBe("perhaps");
});

const fingerprint = "e7d705a3286e19ea42f587b344ee6865";
const proxied = { connecting_ipv4_cidrs: ["10.0.0.0/8"], connecting_ipv6_cidrs: ["fc00::/7"] };
const german = { asns: [1], geo_country_codes: ["DE"] };

test.each<[string, Criteria, Partial<AccessRequest>, string]>([
  ["an address in a block", { ipv4_cidrs: ["203.0.113.0/24"] }, { ip: "203.0.113.7" }, "yes"],
  ["an address outside", { ipv4_cidrs: ["203.0.113.0/24"] }, { ip: "203.0.114.7" }, "no"],
  ["one entry of several", { ipv4_cidrs: ["10.0.0.0/8", "203.0.113.7"] }, { ip: "203.0.113.7" }, "yes"],
  ["the other family", { ipv6_cidrs: ["::/0"] }, { ip: "203.0.113.7" }, "no"],
  ["both families as one", { ipv4_cidrs: ["10.0.0.0/8"], ipv6_cidrs: ["::/0"] }, { ip: "10.1.1.1" }, "yes"],
  ["no address known", { ipv4_cidrs: ["10.0.0.0/8"] }, {}, "perhaps"],
  ["no address known, every one held", { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/1", "8000::/1"] }, {}, "yes"],
  ["an entry of an unknown form", { ipv4_cidrs: ["10.0.0.1-10.0.0.9"] }, { ip: "203.0.113.7" }, "perhaps"],
  ["a text that is no address", { ipv4_cidrs: ["10.0.0.0/8"] }, { ip: "localhost" }, "perhaps"],
  ["a block of addresses, all held", { ipv4_cidrs: ["10.0.0.0/9", "10.128.0.0/9"] }, { ip: "10.0.0.0/8" }, "yes"],
  ["a block of addresses, some held", { ipv4_cidrs: ["10.0.0.0/9"] }, { ip: "10.0.0.0/8" }, "perhaps"],
  ["a mapped address of a request", { ipv4_cidrs: ["203.0.113.7"] }, { ip: "::ffff:203.0.113.7" }, "yes"],
  ["a mapped entry", { ipv6_cidrs: ["::ffff:203.0.113.0/120"] }, { ip: "203.0.113.7" }, "perhaps"],
  ["a connecting address", { connecting_ipv4_cidrs: ["10.0.0.0/8"] }, { connecting_ip: "10.1.1.1" }, "yes"],
  ["the connecting address is another", { connecting_ipv4_cidrs: ["10.0.0.0/8"] }, { ip: "10.1.1.1" }, "perhaps"],
  ["a network", { asns: [64496, 64497] }, { asn: 64497 }, "yes"],
  ["another network", { asns: [64496] }, { asn: 6449 }, "no"],
  ["a country", { geo_country_codes: ["FR", "DE"] }, { country: "DE" }, "yes"],
  ["a country in small letters, by the request", { geo_country_codes: ["DE"] }, { country: "de" }, "yes"],
  ["a country in small letters, by the rule", { geo_country_codes: ["de"] }, { country: "DE" }, "perhaps"],
  ["another country", { geo_country_codes: ["FR"] }, { country: "DE" }, "no"],
  ["a region", { geo_subdivision_codes: ["US-CA"] }, { subdivision: "US-CA" }, "yes"],
  ["a region of a known country", { geo_subdivision_codes: ["IR-07", "US-CA"] }, { country: "US" }, "perhaps"],
  ["a region of another country", { geo_subdivision_codes: ["US-CA", "us-ny"] }, { country: "IR" }, "no"],
  ["a region of no known form", { geo_subdivision_codes: ["California"] }, { country: "IR" }, "perhaps"],
  ["a region, and a missing country", { geo_subdivision_codes: ["US-CA"] }, { country: "" }, "perhaps"],
  ["a JA3 fingerprint", { ja3_fingerprints: [fingerprint] }, { ja3: fingerprint.toUpperCase() }, "yes"],
  ["a JA4 fingerprint", { ja4_fingerprints: ["t13d1516h2_8daaf6152771_b0da82dd1658"] }, { ja4: "t13d" }, "no"],
  ["a host name in another case", { hostnames: ["Login.example.com"] }, { hostname: "login.EXAMPLE.com." }, "yes"],
  ["a subdomain", { hostnames: ["example.com"] }, { hostname: "login.example.com" }, "no"],
  ["a rule with a JA3 in capitals", { ja3_fingerprints: [fingerprint.toUpperCase()] }, { ja3: fingerprint }, "perhaps"],
  ["a part of a user agent in capitals", { user_agents: ["TERRAFORM"] }, { user_agent: "terraform/1.9" }, "perhaps"],
  ["pieces that would overlap", { user_agents: ["aba*aba"] }, { user_agent: "ababa" }, "no"],
  ["a whole user agent", { user_agents: ["Terraform/1.9"] }, { user_agent: "Terraform/1.9" }, "yes"],
  ["a part of a user agent", { user_agents: ["terraform"] }, { user_agent: "Terraform/1.9 (linux)" }, "perhaps"],
  ["a user agent with a star", { user_agents: ["terra*linux*"] }, { user_agent: "Terraform/1.9 (linux)" }, "perhaps"],
  ["another user agent", { user_agents: ["badbot/*"] }, { user_agent: "Terraform/1.9" }, "no"],
  ["pieces in another order", { user_agents: ["linux*terraform"] }, { user_agent: "Terraform/1.9 (linux)" }, "no"],
  ["no user agent", { user_agents: ["Terraform/1.9"] }, { user_agent: "" }, "no"],
  ["no user agent, and a star", { user_agents: ["*"] }, { user_agent: "" }, "no"],
  ["one curated list of several", { auth0_managed: ["auth0.tor"] }, { managed: ["auth0.vpn", "auth0.tor"] }, "yes"],
  ["no curated list", { auth0_managed: ["auth0.tor"] }, { managed: [] }, "no"],
  ["unknown curated lists", { auth0_managed: ["auth0.tor"] }, {}, "perhaps"],
  ["a signature", { http_message_signature: { keys: [{ id: "a" }, { id: "b" }] } }, { signature_key: "b" }, "yes"],
  ["no signature", { http_message_signature: { keys: [{ id: "a" }] } }, { signature_key: "" }, "no"],
  ["a signal of a later version", { threat_level: ["high"] }, { ip: "203.0.113.7" }, "perhaps"],
  ["a form of a later version", { asns: { from: 1, to: 9 } }, { asn: 2 }, "perhaps"],
  ["a signature in a form of a later version", { http_message_signature: { any: true } }, {}, "perhaps"],
  ["a list whose entry is not known yet", { asns: [Symbol("unknown")] }, { asn: 2 }, "perhaps"],
])("reverses match for not_match: %s", (_, criteria, facts, answer) => {
  const reverse = ({ yes: "no", no: "yes" } as Record<string, string>)[answer] ?? answer;
  expect(matches(rule(criteria), request(facts))).toBe(answer);
  expect(matches(rule(undefined, criteria), request(facts))).toBe(reverse);
});

test.each<[string, Criteria, Partial<AccessRequest>, string]>([
  ["two lists of connecting addresses, one matches", proxied, { connecting_ip: "10.1.1.1" }, "perhaps"],
  ["two lists of connecting addresses, in neither", proxied, { connecting_ip: "203.0.113.7" }, "no"],
  ["one of two signals does not match", german, { asn: 1, country: "FR" }, "no"],
  ["every signal matches", german, { asn: 1, country: "DE" }, "yes"],
  ["one of the signals is not known", german, { asn: 1 }, "perhaps"],
  ["an unknown signal, and one that does not match", { threat_level: ["high"], asns: [1] }, { asn: 2 }, "no"],
  [
    "two lists of addresses, one in a form of a later version",
    { ipv4_cidrs: ["10.0.0.0/8"], ipv6_cidrs: "fc00::/7" },
    { ip: "203.0.113.7" },
    "perhaps",
  ],
  ["a signal without a value", { asns: undefined }, { asn: 2 }, "yes"],
])("combines several properties of match: %s", (_, criteria, facts, answer) => {
  expect(matches(rule(criteria), request(facts))).toBe(answer);
});

test("excludes a request that any signal of not_match matches", () => {
  const other = rule({ geo_country_codes: ["US"] }, { geo_subdivision_codes: ["US-CA"], asns: [1] });
  expect(matches(other, request({ country: "US", subdivision: "US-NY", asn: 2 }))).toBe("yes");
  expect(matches(other, request({ country: "US", subdivision: "US-CA", asn: 2 }))).toBe("no");
  expect(matches(other, request({ country: "US", subdivision: "US-NY", asn: 1 }))).toBe("no");
  expect(matches(other, request({ country: "US", subdivision: "US-NY" }))).toBe("perhaps");

  const proxies = rule(undefined, proxied);
  expect(matches(proxies, request({ connecting_ip: "10.1.1.1" }))).toBe("no");
  expect(matches(proxies, request({ connecting_ip: "203.0.113.7" }))).toBe("yes");
});

test("matches every request of the scope with match_all, and possibly with an unknown property", () => {
  expect(matches({ ...block, match_all: true }, request({}))).toBe("yes");
  expect(matches({ ...block, scope: "authentication", match_all: true }, request({}))).toBe("no");
  expect(matches(sampled, request({}))).toBe("perhaps");
});

test.each<[Rule, Partial<AccessRequest>, string]>([
  [
    rule({ ipv4_cidrs: ["10.0.0.0/8", "203.0.113.0/24"] }),
    { ip: "203.0.113.7" },
    "match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7",
  ],
  [
    rule({ ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/1"], ipv6_cidrs: ["::/0"] }),
    {},
    "match.ipv4_cidrs 0.0.0.0/1, 128.0.0.0/1 and match.ipv6_cidrs ::/0 match the address",
  ],
  [
    rule({ asns: [1, 2, 3, 4, 5] }, { geo_country_codes: ["DE"] }),
    { asn: 4, country: "FR" },
    "match.asns 4 matches the AS number 4, and not_match.geo_country_codes DE does not match the country FR",
  ],
  [rule({ asns: [1, 2, 3, 4, 5] }), {}, "match.asns 1, 2, 3, 2 more may match the AS number, which is not known"],
  [
    rule({ user_agents: ["curl"] }),
    { user_agent: "curl/8" },
    "match.user_agents curl may match the user agent curl/8, if the service compares loosely",
  ],
  [
    rule(undefined, { http_message_signature: { keys: [{ id: "a" }] } }),
    { signature_key: "" },
    "not_match.http_message_signature a does not match the signature's key, which is missing",
  ],
  [rule(german), { asn: 1, country: "FR" }, "match.geo_country_codes DE does not match the country FR"],
  [{ ...block, scope: Symbol("x") as never }, {}, "this version does not know the scope that is not known yet"],
  [rule({ threat: 1 }), {}, "match.threat may match: this version does not know the signal"],
  [rule({ asns: 1 }), {}, "match.asns may match: this version cannot read its value"],
  [sampled, {}, "sampling may match: this version does not know it"],
  [{ ...block, scope: "billing" }, {}, "this version does not know the scope billing"],
  [{ ...block, scope: "authentication" }, {}, "scope authentication does not cover management"],
  [{ ...block, match_all: true }, {}, "match_all matches every request"],
  [rule(), {}, "the rule has no criteria"],
  [
    rule({ connecting_ipv4_cidrs: ["10.0.0.0/8"], connecting_ipv6_cidrs: ["::1"] }),
    { connecting_ip: "10.0.0.1" },
    "match.connecting_ipv4_cidrs 10.0.0.0/8 matches the connecting address 10.0.0.1, " +
      "but maybe connecting_ipv4_cidrs and connecting_ipv6_cidrs must both match",
  ],
])("names the criterion: %j %j", (one, facts, words) => expect(matchWords(reasonsOf(one, request(facts)))).toBe(words));

test.each<[Rule, string | undefined]>([
  [
    rule({ geo_country_codes: ["DE"] }, { geo_country_codes: ["FR", "DE"] }),
    "match.geo_country_codes DE is excluded by not_match.geo_country_codes FR, DE: no country is left to match",
  ],
  [
    rule({ ipv4_cidrs: ["10.1.0.0/16"] }, { ipv4_cidrs: ["10.0.0.9/8"] }),
    "match.ipv4_cidrs 10.1.0.0/16 is excluded by not_match.ipv4_cidrs 10.0.0.9/8: no address is left to match",
  ],
  [
    rule({ ipv6_cidrs: ["2001:DB8::/32"] }, { ipv6_cidrs: ["2001:db8::/33", "2001:db8:8000::/33"] }),
    "match.ipv6_cidrs 2001:DB8::/32 is excluded by not_match.ipv6_cidrs 2001:db8::/33, 2001:db8:8000::/33: " +
      "no address is left to match",
  ],
  [
    rule({ asns: [1] }, { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] }),
    "not_match.ipv4_cidrs 0.0.0.0/0 and not_match.ipv6_cidrs ::/0 match every address: no request is left to match",
  ],
  [
    rule({ hostnames: ["A.example.com"] }, { hostnames: ["a.example.com"] }),
    "match.hostnames A.example.com is excluded by not_match.hostnames a.example.com: no host name is left to match",
  ],
  [rule({ ipv4_cidrs: ["10.0.0.1-10.0.0.9"] }, { ipv4_cidrs: ["10.0.0.1-10.0.0.9"] }), undefined],
  [
    rule({ ipv6_cidrs: ["::1"] }, { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] }),
    "match.ipv6_cidrs ::1 is excluded by not_match.ipv4_cidrs 0.0.0.0/0 and not_match.ipv6_cidrs ::/0: " +
      "no address is left to match",
  ],
  [rule({ ipv4_cidrs: ["10.0.0.1-10.0.0.9"] }, { ipv4_cidrs: ["10.0.0.0/8"] }), undefined],
  [rule({ ipv4_cidrs: ["10.0.0.0/8"], ipv6_cidrs: ["::1"] }, { ipv4_cidrs: ["10.0.0.0/8"] }), undefined],
  [rule({ ipv4_cidrs: ["10.0.0.0/8"] }, { ipv4_cidrs: ["10.1.0.0/16"] }), undefined],
  [rule({ ipv6_cidrs: ["::ffff:192.0.2.1"] }, { ipv6_cidrs: ["::/0"] }), undefined],
  [rule({ ipv4_cidrs: ["10.0.0.1"] }, { connecting_ipv4_cidrs: ["10.0.0.1"] }), undefined],
  [rule({ geo_country_codes: ["DE"] }, { geo_country_codes: ["de"] }), undefined],
  [rule({ geo_country_codes: ["DE", "FR"] }, { geo_country_codes: ["DE"] }), undefined],
  [rule({ user_agents: ["curl"] }, { user_agents: ["curl/8"] }), undefined],
  [rule({ asns: [1] }, { geo_country_codes: ["DE"] }), undefined],
  [rule({ threat: "high" }, { threat: "high" }), undefined],
  [rule({ asns: {} }, { asns: [1] }), undefined],
  [rule(undefined, { geo_country_codes: ["DE"] }), undefined],
])("finds criteria that can never match: %j", (one, contradiction) => {
  const never = neverMatches(one);
  expect(never && neverWords(never)).toBe(contradiction);
  if (contradiction) expect(matchWords(reasonsOf(one, request({})))).toBe(contradiction);
});

test("reads an unknown `match` as one unknown criterion, because a rule without criteria matches every request", () => {
  const { rule: read } = blocking({ match: notKnown("tenant_network_acl.new") as unknown as Rule["match"] });
  expect(criteriaOf(read, "match")).toEqual([
    {
      side: "match",
      signal: undefined,
      properties: ["match"],
      entries: [],
      texts: [],
      unread: [{ property: "match", name: expect.stringContaining("tenant_network_acl.new"), isUnknown: true }],
    },
  ]);
});

test("reads the criteria of a rule once for many requests", () => {
  const { rule: read } = blocking({ match: { asns: [1] }, not_match: { geo_country_codes: ["DE"] } });
  expect(criteriaOf(read, "match")).toBe(criteriaOf(read, "match"));
  expect(criteriaOf(read, "not_match")).toBe(criteriaOf(read, "not_match"));
});

test.each([
  [[1, 2, 3, 4], "match.asns 1, 2, 3, 4"],
  [[1, 2, 3, 4, 5], "match.asns 1, 2, 3, 2 more"],
])("describes at most four entries: %j", (asns, words) => {
  const [criterion] = criteriaOf(blocking({ match: { asns } }).rule, "match");
  expect(namedWords(criterion!)).toBe(words);
});
