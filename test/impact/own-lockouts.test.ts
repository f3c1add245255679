/** Lock-outs of Terraform and of protected requests in detail: which ACLs, how sure, and for which facts. */
import { countries } from "../../src/access/access";
import { lockoutFindings } from "../../src/impact/lockout/findings";
import { blocksMuch, ownLockouts, requestLockouts, type Terraform } from "../../src/impact/lockout/lockout";
import type { ProtectedRequest } from "../../src/impact/lockout/protected-request";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import type { Values } from "../../src/impact/model";
import { acl, allow, everywhere, log } from "./support/acls";

const terraform: Terraform = { userAgents: ["A"], asksToken: true, countries };
const change = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) => ({
  before,
  after,
  isSame: (one: PlannedAcl, other: PlannedAcl) => one.key === other.key,
});
const management = { scope: "management" };
const most = { ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/2"] };
const ci: ProtectedRequest = { called: "our CI", facts: { ip: "203.0.113.7" } };

describe("a protected request", () => {
  const blocked = (after: readonly PlannedAcl[], request = ci, before: readonly PlannedAcl[] = []) =>
    requestLockouts(change(before, after), [request]);
  const certain = acl(1, { ...management, match: { ipv4_cidrs: ["203.0.113.0/24"] } });
  const api: ProtectedRequest = { ...ci, path: "/api/v2/clients" };

  test("is reported with the criteria that match", () => {
    expect(blocked([certain])).toEqual([
      {
        kind: "protected request",
        called: "our CI",
        certainty: "certain",
        already: false,
        outcome: "blocked",
        by: [certain],
        because: expect.stringContaining("203.0.113.0/24"),
      },
    ]);
  });

  test("is reported for the API that certainly blocks it, and not for the API that may block it", () => {
    const possible = acl(2, { match: { asns: [1] } });
    expect(blocked([certain, possible])).toMatchObject([{ certainty: "certain", by: [certain] }]);
    expect(blocked([possible])).toMatchObject([{ certainty: "possible", by: [possible] }]);
  });

  test("is reported once for each ACL that blocks it", () => {
    const other = acl(2, { match: { ipv4_cidrs: ["203.0.113.0/24"] } });
    expect(blocked([certain, other]).map(({ by }) => by)).toEqual([[certain], [other]]);
  });

  test("is blocked for certain by ACLs that each block a part", () => {
    const [one, shadowed, rest] = [
      acl(1, { ...management, match: { asns: [5] } }),
      acl(2, { ...management, action: allow, match: { asns: [5] } }),
      acl(3, { ...management, not_match: { asns: [5] } }),
    ];
    expect(blocked([one, shadowed, rest], api)).toMatchObject([{ certainty: "certain", by: [one, rest] }]);
    expect(blocked([one, rest], api)[0]).not.toHaveProperty("because");
    expect(blocked([one, rest], api, [one, rest])).toMatchObject([{ already: true }]);
    expect(blocked([one, rest], api, [one, rest])[0]).not.toHaveProperty("byOther");
    expect(blocked([one], api)).toMatchObject([{ certainty: "possible", by: [one] }]);
  });

  test("was blocked already if any ACL certainly blocked it, or if the same ACL possibly blocked it", () => {
    const possible = acl(1, { ...management, match: { ipv4_cidrs: ["203.0.113.0/24"], asns: [1] } });
    const other = { ...certain, key: "other" };
    const already = (before: readonly PlannedAcl[], after = certain) =>
      blocked([after], api, before).map((one) => [one.already, one.byOther ?? false]);
    expect(already([certain])).toEqual([[true, false]]);
    expect(already([other])).toEqual([[true, true]]);
    expect(already([possible])).toEqual([[false, false]]);
    expect(already([])).toEqual([[false, false]]);
    expect(already([possible], possible)).toEqual([[true, false]]);
    expect(already([{ ...possible, key: "other" }], possible)).toEqual([[false, false]]);
    expect(already([certain], possible)).toEqual([[true, false]]);
  });
});

describe("Terraform's own requests", () => {
  const own = (
    after: readonly PlannedAcl[],
    more: Partial<Terraform> = {},
    requests: readonly ProtectedRequest[] = [],
    before: readonly PlannedAcl[] = [],
  ) => ownLockouts(change(before, after), requests, { ...terraform, asksToken: false, ...more });

  test("are blocked by addresses of both families, each with its share", () => {
    const both = acl(1, { ...management, match: { ...most, ipv6_cidrs: ["::/0"] } });
    expect(own([both])).toEqual([
      {
        kind: "breadth",
        outcome: "blocked",
        certainty: "certain",
        already: false,
        by: [both],
        shares: ["75 % of IPv4 addresses", "100 % of IPv6 addresses"],
      },
    ]);
    expect(own([acl(1, { ...management, match: most })])[0]!.shares).toEqual(["75 % of IPv4 addresses"]);
    expect(own([acl(1, { ...management, match: { ipv6_cidrs: ["::/0"] } })])[0]!.shares).toEqual([
      "100 % of IPv6 addresses",
    ]);
  });

  test("are counted by country if rules match countries", () => {
    const abroad = acl(1, { ...management, not_match: { geo_country_codes: ["DE"] } });
    expect(own([abroad])[0]!.shares![0]).toMatch(/^9\d[\d.]* % of requests over IPv4, counted by address and country$/);
  });

  test("are newly blocked if one family is newly blocked", () => {
    const before = [acl(1, { ...management, match: most })];
    const after = [acl(1, { ...management, match: { ...most, ipv6_cidrs: ["::/0"] } })];
    expect(own(after, {}, [], before)).toMatchObject([{ already: false }]);
    expect(own(after, {}, [], after)).toMatchObject([{ already: true }]);
  });

  test("are not blocked by ACLs that allow or log, or that are inactive", () => {
    const match = everywhere;
    expect(own([acl(1, { ...management, action: allow, match })])).toEqual([]);
    expect(own([acl(1, { ...management, action: log, match })])).toEqual([]);
    expect(own([acl(1, { ...management, match }, { active: false })])).toEqual([]);
    expect(own([acl(1, { ...management, match })])).toMatchObject([{ kind: "breadth" }]);
  });

  test("are judged by the worst of their user agents", () => {
    const possible = acl(1, { ...management, match: { ...most, user_agents: ["A"], hostnames: ["a.example"] } });
    const certain = acl(2, { ...management, match: { ...most, user_agents: ["B"] } });
    const agents = { userAgents: ["A", "B"] };
    expect(own([possible, certain], agents)).toMatchObject([{ certainty: "certain", by: [certain] }]);
    expect(own([possible], agents)).toMatchObject([{ certainty: "possible" }]);
  });

  test("are newly blocked if one of their user agents is newly blocked", () => {
    const [one, two] = ["A", "B"].map((agent, at) =>
      acl(at + 1, { ...management, match: { ...most, user_agents: [agent] } }),
    );
    expect(own([one!, two!], { userAgents: ["A", "B"] }, [], [one!])).toMatchObject([{ already: false }]);
  });

  test("go to the host of the provider, or else of the protected request", () => {
    const after = [acl(1, { ...management, match: { ...most, hostnames: ["a.example"] } })];
    const request = { called: "our CI", facts: { asn: 64_500, hostname: "a.example" } };
    expect(own(after, { hostname: "a.example" })).toMatchObject([{ certainty: "certain" }]);
    expect(own(after, { hostname: "b.example" })).toEqual([]);
    expect(own(after)).toMatchObject([{ certainty: "possible" }]);
    expect(own(after, {}, [request])).toMatchObject([{ certainty: "certain", called: "our CI" }]);
    expect(own(after, { hostname: "b.example" }, [request])).toEqual([]);
  });

  test("may hide their user agent unless the protected request gives one", () => {
    const byAgent = (agent: string) => [acl(1, { ...management, match: { ...most, user_agents: [agent] } })];
    const request = { called: "our CI", facts: { asn: 64_500, user_agent: "given" } };
    const others = [acl(1, { ...management, not_match: { user_agents: ["A"] } })];
    expect(own(others)).toMatchObject([{ certainty: "certain" }]);
    expect(own(others, {}, [request])).toEqual([]);
    expect(own(byAgent("A"), {}, [request])).toMatchObject([{ certainty: "certain" }]);
    expect(own(byAgent("given"), { userAgents: [] }, [request])).toMatchObject([{ certainty: "certain" }]);
    expect(own(byAgent("given"), {}, [request])).toEqual([]);
  });

  test("have a name only if an unblocked protected request represents them", () => {
    const after = [acl(1, { ...management, match: everywhere })];
    const germany = { called: "our CI", facts: { country: "DE" } };
    expect(own(after)[0]).not.toHaveProperty("called");
    expect(own(after, {}, [germany])).toEqual([]);
    expect(own([acl(1, { ...management, match: most })], {}, [germany])).toMatchObject([{ called: "our CI" }]);
  });

  test("ask for a token from the host of the provider", () => {
    const after = [acl(1, { match: { hostnames: ["a.example"] } })];
    const token = { asksToken: true };
    expect(own(after, { ...token, hostname: "a.example" })).toMatchObject([{ kind: "token", certainty: "certain" }]);
    expect(own(after, { ...token, hostname: "b.example" })).toEqual([]);
    expect(own(after, token)).toEqual([]);
  });

  test("count as widely blocked if one user agent is blocked", () => {
    const other = [acl(1, { ...management, not_match: { user_agents: ["A"] } })];
    expect(blocksMuch(other, [], terraform)).toBe(true);
    expect(blocksMuch([acl(1, { ...management, match: { user_agents: ["B"] } })], [], terraform)).toBe(false);
    const request = { called: "our CI", facts: { asn: 64_500, user_agent: "given" } };
    expect(blocksMuch(other, [request], terraform)).toBe(false);
  });
});

describe("most addresses", () => {
  const user = "tenantform/0.0.0-test terraform/1.11.4";
  const of = { hostname: "127.0.0.1", userAgents: [user], asksToken: false };
  const block = (priority: number, rule: object, more: Values = {}) => acl(priority, { ...management, ...rule }, more);
  const pass = (priority: number, match: object) => acl(priority, { ...management, action: allow, match });
  const closed = (priority: number) => block(priority, { match: everywhere });
  const abroad = { not_match: { geo_country_codes: ["DE"] } };
  const countriesBlocked = (count: number) =>
    Array.from({ length: Math.ceil(count / 20) }, (_, at) =>
      block(at + 1, { match: { geo_country_codes: countries.slice(at * 20, Math.min(count, at * 20 + 20)) } }),
    );

  /** Allows single addresses and blocks all others. A check that tries only sample addresses would find none blocked. */
  function allButSamples(): PlannedAcl[] {
    const samples = Array.from({ length: 64 }, (_, index) => {
      const at = (((index * 37) % 64) + 0.5) / 64;
      return {
        four: `${Math.floor(at * 224)}.${(index * 89 + 71) % 256}.${(index * 53 + 29) % 256}.${(index * 31 + 101) % 254}`,
        six: `${(0x2000 + Math.floor(at * 0x2000)).toString(16)}:${(index * 947 + 71).toString(16)}::${index}`,
      };
    });
    const parts = [0, 20, 40, 60].map((from, index) => {
      const some = samples.slice(from, from + 20);
      return pass(index + 1, { ipv4_cidrs: some.map(({ four }) => four), ipv6_cidrs: some.map(({ six }) => six) });
    });
    return [...parts, block(5, { match_all: true })];
  }

  const redirect = { redirect: true, redirect_uri: "https://example.com" };
  const ja3 = ["e7d705a3286e19ea42f587b344ee6865"];
  const halves = [
    block(1, { match: { ipv4_cidrs: ["0.0.0.0/1"], ipv6_cidrs: ["::/0"] } }),
    block(2, { match: { ipv4_cidrs: ["128.0.0.0/1"] } }),
  ];
  const other = { ipv4_cidrs: ["198.18.0.1"], ipv6_cidrs: ["2001:db8::1"] };
  const fewClients = [pass(1, { user_agents: ["?"] }), pass(2, { ja4_fingerprints: ["?"] }), closed(3)];
  test.each<[string, boolean, PlannedAcl[]]>([
    ["every address", true, [acl(1, { scope: "tenant", match: everywhere })]],
    ["every request", true, [block(1, { match_all: true })]],
    ["all but a small network", true, [block(1, { not_match: { ipv4_cidrs: ["203.0.113.0/24"] } })]],
    ["all but one AS number that is allowed before", true, [pass(1, { asns: [1] }), closed(2)]],
    ["all countries but a few", true, [block(1, { not_match: { geo_country_codes: ["DE", "FR", "AT"] } })]],
    ["both halves of IPv4 with two ACLs", true, halves],
    ["every unsigned request", true, [block(1, { not_match: { http_message_signature: { keys: [{ id: "k" }] } } })]],
    ["every address by a redirect", true, [block(1, { action: redirect, match: everywhere })]],
    ["the host name of the tenant", true, [block(1, { match: { hostnames: ["127.0.0.1"] } })]],
    ["all host names but another one", true, [block(1, { not_match: { hostnames: ["login.example.com"] } })]],
    ["all but one address", true, [block(1, { not_match: other })]],
    ["all but single addresses all over the world", true, allButSamples()],
    ["all but AS numbers that nobody has", true, [pass(1, { asns: [4_294_967_294] }), closed(2)]],
    ["all but unusual clients", true, fewClients],
    ["126 countries", true, countriesBlocked(126)],
    ["IPv4 alone", true, [block(1, { match: { ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/4"] } })]],
    ["IPv6 alone", true, [block(1, { match: { ipv6_cidrs: ["2000::/3"] } })]],
    ["all but one connecting address", true, [block(1, { not_match: { connecting_ipv4_cidrs: ["198.51.100.7"] } })]],
    ["the user agent of Terraform", true, [block(1, { match: { user_agents: [user] } })]],
    ["all other user agents", true, [acl(1, { scope: "tenant", not_match: { user_agents: ["curl/8.5.0"] } })]],
    ["all other AS numbers", true, [block(1, { not_match: { asns: [64_500] } })]],
    ["all other TLS clients", true, [block(1, { not_match: { ja3_fingerprints: ja3 } })]],
    ["every address on no curated list", true, [block(1, { not_match: { auth0_managed: ["auth0.tor"] } })]],
    ["a few countries", false, [acl(1, { scope: "tenant", match: { geo_country_codes: ["RU", "KP"] } })]],
    ["some networks", false, [block(1, { match: { ipv4_cidrs: ["0.0.0.0/2"], asns: [1] } })]],
    ["curated lists", false, [acl(1, { scope: "tenant", match: { auth0_managed: ["auth0.tor"] } })]],
    ["every address by an inactive ACL", false, [block(1, { match: everywhere }, { active: false })]],
    ["every address that another ACL allows before", false, [closed(2), pass(1, everywhere)]],
    ["most of the Authentication API", false, [acl(1, { scope: "authentication", ...abroad })]],
    ["half of the IPv4 addresses", false, [block(1, { match: { ipv4_cidrs: ["0.0.0.0/1"] } })]],
    ["addresses that no host has", false, [block(1, { match: { ipv6_cidrs: ["8000::/1", "::/3"] } })]],
    ["124 countries", false, countriesBlocked(124)],
    ["only other host names", false, [block(1, { not_match: { hostnames: ["127.0.0.1"] } })]],
  ])("blocked: %s is a lock-out: %p", (_what, isLockout, acls) => {
    const found = ownLockouts(change([], acls), [], { ...terraform, ...of });
    expect(found.map(({ kind, certainty }) => `${kind} ${certainty}`)).toEqual(isLockout ? ["breadth certain"] : []);
  });

  test("are counted exactly", () => {
    const shares = (acls: PlannedAcl[]) => ownLockouts(change([], acls), [], { ...terraform, ...of })[0]!.shares;
    expect(shares(allButSamples())).toEqual(["99.99 % of IPv4 addresses", "99.99 % of IPv6 addresses"]);
    expect(shares([block(1, abroad)])![0]).toBe("99.6 % of requests over IPv4, counted by address and country");
  });

  const closedButOne = [pass(1, { ipv4_cidrs: ["203.0.113.7"] }), closed(2)];
  const country = [block(1, abroad)];
  const address = { ip: "203.0.113.7" };
  const both = [...country, block(2, { not_match: { ipv4_cidrs: ["203.0.113.7"] } })];
  test.each<[string, boolean, PlannedAcl[], (ProtectedRequest["facts"] & { path?: string })[]]>([
    ["an address", false, closedButOne, [address]],
    ["an address and a token", false, closedButOne, [address, { path: "/oauth/token", ip: "192.0.2.1" }]],
    ["a country", false, country, [{ country: "DE" }]],
    ["an address with its country", false, both, [{ ...address, country: "DE" }]],
    ["an AS number", false, [block(1, { not_match: { asns: [64_500] } })], [{ asn: 64_500 }]],
    ["an address for another path", true, closedButOne, [{ path: "/nothing", ...address }]],
    ["an address for a token alone", true, closedButOne, [{ path: "/oauth/token", ...address }]],
    ["no facts", true, closedButOne, [{ path: "/authorize" }]],
    ["only a user agent", true, [block(1, { not_match: { user_agents: ["x"] } })], [{ user_agent: "x" }]],
    ["a fingerprint alone", true, [block(1, { not_match: { ja3_fingerprints: ja3 } })], [{ ja3: ja3[0]! }]],
    [
      "another host",
      true,
      [block(1, { match: { hostnames: ["127.0.0.1"] } })],
      [{ ip: "192.0.2.1", hostname: "x.example" }],
    ],
    ["a reserved address", true, [block(1, { not_match: { ipv4_cidrs: ["240.0.0.1"] } })], [{ ip: "240.0.0.1" }]],
    ["no country", true, [block(1, { not_match: { geo_country_codes: ["ZZ"] } })], [{ country: "ZZ" }]],
    ["a country whose addresses are all blocked but one", true, closedButOne, [{ country: "DE" }]],
    ["an address while all countries but one are blocked", true, country, [{ ip: "192.0.2.1" }]],
  ])("with the protected request of %s are a lock-out: %p", (_what, isLockout, acls, requests) => {
    const own = requests.map(({ path, ...facts }) => ({ called: "x", facts, ...(path !== undefined && { path }) }));
    const found = lockoutFindings({ before: [], after: acls }, { own, base: [] }, { ...terraform, ...of }, true);
    expect(found.some(({ code }) => code === "TF-ACL-LOCKOUT")).toBe(isLockout);
  });
});

describe("findings about lock-outs", () => {
  const found = (
    before: readonly PlannedAcl[],
    after: readonly PlannedAcl[],
    own: readonly ProtectedRequest[],
    base: readonly ProtectedRequest[] = [],
  ) => lockoutFindings({ before, after }, { own, base }, { ...terraform, asksToken: false }, true);
  const rule = { ...management, match: { ipv4_cidrs: ["203.0.113.0/24"] } };

  test("give the reason, and say whether the request was blocked before", () => {
    const after = [acl(1, rule)];
    const [fresh] = found([], after, [ci]);
    expect(fresh!.text).toMatch(
      /^After this plan, "ACL 1" \(priority 1\) would block the request "our CI" of protected_requests: .*203\.0\.113\.0\/24.*\.7\.$/,
    );
    const [old] = found(after, after, [ci]);
    expect(old!.text).toMatch(/\. This was already so before the change\.$/);
    expect(
      found(
        [acl(1, rule, { id: "other" })].map((one) => ({ ...one, key: "x" })),
        after,
        [ci],
      )[0]!.text,
    ).not.toContain("already");
  });

  test.each<[string, ProtectedRequest, PlannedAcl[]]>([
    ["the request is sensitive", { ...ci, isSecret: true }, [acl(1, rule)]],
    ["the ACL is sensitive", ci, [acl(1, rule, {}, { rule: { match: { ipv4_cidrs: true } } })]],
  ])("give no reason if %s", (_what, request, after) => {
    expect(found([], after, [request])[0]!.text).toMatch(/of protected_requests\.$/);
  });

  test("give the reason for a request next to a sensitive one", () => {
    const texts = found([], [acl(1, rule)], [{ ...ci, called: "secret", isSecret: true }, ci]).map(({ text }) => text);
    expect(texts.map((text) => text.includes("203.0.113.0/24"))).toEqual([false, true]);
  });

  test("hide the shares of a sensitive ACL, also if another ACL is not sensitive", () => {
    const halves = [
      acl(1, { ...management, match: { ipv4_cidrs: ["0.0.0.0/1"] } }),
      acl(2, { ...management, match: { ipv4_cidrs: ["128.0.0.0/2"] } }, {}, { rule: { match: { ipv4_cidrs: true } } }),
    ];
    expect(found([], halves, []).map(({ text }) => text)).toEqual([
      expect.stringMatching(/ would block most requests from the Management API\.$/),
    ]);
    expect(found([], [acl(1, { ...management, match: most })], [])[0]!.text).toContain("75 % of IPv4 addresses from");
  });

  test("check Terraform with the protected requests of the base branch and of the plan", () => {
    const after = [acl(1, { ...management, match: { ...most, asns: [1, 2] } })];
    const [one, two] = [1, 2].map((asn) => ({ called: `AS ${asn}`, facts: { asn } }));
    const web = { called: "web", path: "/login", facts: {} };
    const judged = (own: ProtectedRequest[], base: ProtectedRequest[]) =>
      found([], after, own, base)
        .flatMap(({ text }) => /Management API( for the request "AS \d")?/.exec(text) ?? [])
        .filter((text) => text?.startsWith("Management"));
    const named = (asn: number) => `Management API for the request "AS ${asn}"`;
    expect(judged([one!], [])).toEqual([named(1)]);
    expect(judged([one!], [two!])).toEqual([named(2), named(1)]);
    expect(judged([web, one!], [two!])).toEqual([named(2), named(1)]);
    expect(judged([web], [two!])).toEqual([named(2)]);
  });
});
