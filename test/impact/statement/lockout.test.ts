/** Lock-outs of Terraform and of protected requests: which ACLs, how sure, their codes and words, and their effects in a verdict. */
import { worded } from "../support/worded";
import { countries } from "../../../src/access/access";
import { lockoutEffects } from "../../../src/impact/statement/effects";
import { ofLockout } from "../../../src/impact/refusals";
import {
  blocksMuch,
  ownLockouts,
  percent,
  requestLockouts,
  type Lockout,
  type Terraform,
} from "../../../src/impact/statement/lockout";
import type { ProtectedRequest } from "../../../src/impact/statement/protected-request";
import { lockoutWords } from "../../../src/impact/statement/words";
import type { PlannedAcl } from "../../../src/impact/network-acl/acl";
import { analyseAcls } from "../../../src/impact/network-acl/analysis";
import type { Marks, Values } from "../../../src/impact/model";
import { acl, allow, everywhere, log } from "../support/acls";
import { table } from "../support/table";

const terraform: Terraform = { userAgents: ["A"], asksToken: true, countries };
const change = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) => ({
  before,
  after,
});
const management = { scope: "management" };
const half = { ipv4_cidrs: ["0.0.0.0/1"] };
const most = { ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/2"] };
const ci: ProtectedRequest = { called: "our CI", facts: { ip: "203.0.113.7" } };
const api: ProtectedRequest = { ...ci, path: "/api/v2/clients" };
const office = { ipv4_cidrs: ["203.0.113.0/24"] };
const away = { redirect: true, redirect_uri: "https://a.example" };
const blocks = (priority: number, match: Values, more: Values = {}, marks?: Marks) =>
  acl(priority, { ...management, match }, more, marks);
const passes = (priority: number, match: Values) => acl(priority, { ...management, action: allow, match });
const called = (key: string, one: PlannedAcl) => ({ ...one, key });
const closed = acl(1, { scope: "tenant", match: everywhere });
const openOffice = [passes(1, office), blocks(2, everywhere)];
/** Together they block each request to the Management API. */
const parts = [blocks(1, { asns: [5] }), passes(2, { asns: [5] }), acl(3, { ...management, not_match: { asns: [5] } })];

const told = ({ kind, certainty, outcome, called: name, by, already, byOther, shares = [], because }: Lockout) =>
  [
    kind,
    certainty,
    outcome,
    ...(name === undefined ? [] : [`"${name}"`]),
    `by ${by.map(({ key }) => key).join(" and ")}`,
    ...(already ? ["already"] : []),
    ...(byOther ? ["by another"] : []),
    ...(shares.length > 0 ? [`(${shares.join(", ")})`] : []),
    ...(because ? [`because ${because}`] : []),
  ].join(" ");

test("a protected request", () => {
  const certain = blocks(1, office);
  const possible = blocks(1, { ...office, asns: [1] });
  const cases: [string, PlannedAcl[], ProtectedRequest?, PlannedAcl[]?][] = [
    ["blocked by an address", [certain]],
    ["blocked in the Management API alone", [certain], api],
    ["blocked for the token alone", [acl(1, { match: office })]],
    ["blocked for the token, of another path", [acl(1, { match: office })], api],
    ["blocked for the whole tenant", [acl(1, { scope: "tenant", match: office })]],
    ["redirected", [acl(1, { scope: "tenant", action: away, match: everywhere })]],
    ["with a fact that is not given", [acl(1, { scope: "tenant", match: { asns: [1] } })]],
    ["certain in one API, possible in the other", [certain, acl(2, { match: { asns: [1] } })]],
    ["possible in one API", [acl(2, { match: { asns: [1] } })]],
    ["blocked by an ACL of each API", [certain, acl(2, { match: office })]],
    ["blocked in one API before", [acl(1, { scope: "tenant", match: office })], ci, [certain]],
    ["blocked by ACLs that each block a part", parts, api],
    ["blocked by the same parts before", parts, api, parts],
    ["blocked by one of the parts", [parts[0]!], api],
    ["certain before", [certain], api, [certain]],
    ["certain by another before", [certain], api, [called("other", certain)]],
    ["possible before", [certain], api, [possible]],
    ["possible before and after", [possible], api, [possible]],
    ["possible by another before", [possible], api, [called("other", possible)]],
    ["certain before, possible after", [possible], api, [certain]],
  ];
  const found = table(cases, (after, request = ci, before = []) =>
    requestLockouts(change(before, after), [request]).map(told),
  );
  expect(found).toMatchInlineSnapshot(`
    "
    blocked by an address: protected request certain blocked "our CI" by acl.1 because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7
    blocked in the Management API alone: protected request certain blocked "our CI" by acl.1 because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7
    blocked for the token alone: protected request certain blocked "our CI" by acl.1 because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7
    blocked for the whole tenant: protected request certain blocked "our CI" by acl.1 because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7
    redirected: protected request certain redirected "our CI" by acl.1 because match.ipv4_cidrs 0.0.0.0/0 matches the address 203.0.113.7
    with a fact that is not given: protected request possible blocked "our CI" by acl.1 because match.asns 1 may match the AS number, which is not known
    certain in one API, possible in the other: protected request certain blocked "our CI" by acl.1 because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7
    possible in one API: protected request possible blocked "our CI" by acl.2 because match.asns 1 may match the AS number, which is not known
    blocked by an ACL of each API: protected request certain blocked "our CI" by acl.1 because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7 | protected request certain blocked "our CI" by acl.2 because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7
    blocked in one API before: protected request certain blocked "our CI" by acl.1 because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7
    blocked by ACLs that each block a part: protected request certain blocked "our CI" by acl.1 and acl.3
    blocked by the same parts before: protected request certain blocked "our CI" by acl.1 and acl.3 already
    blocked by one of the parts: protected request possible blocked "our CI" by acl.1 because match.asns 5 may match the AS number, which is not known
    certain before: protected request certain blocked "our CI" by acl.1 already because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7
    certain by another before: protected request certain blocked "our CI" by acl.1 already by another because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7
    possible before: protected request certain blocked "our CI" by acl.1 because match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7
    possible before and after: protected request possible blocked "our CI" by acl.1 already because match.asns 1 may match the AS number, which is not known
    possible by another before: protected request possible blocked "our CI" by acl.1 because match.asns 1 may match the AS number, which is not known
    certain before, possible after: protected request possible blocked "our CI" by acl.1 already because match.asns 1 may match the AS number, which is not known
    nothing: blocked for the token, of another path
    "
  `);
});

test("Terraform's own requests", () => {
  type Given = Partial<Terraform> & { requests?: ProtectedRequest[]; before?: PlannedAcl[] };
  const agent = (priority: number, ...user_agents: string[]) => blocks(priority, { ...most, user_agents });
  const host = [blocks(1, { ...most, hostnames: ["a.example"] })];
  const noHost = (name: string) => ({ called: "our CI", facts: { asn: 64_500, hostname: name } });
  const asAgent = { called: "our CI", facts: { asn: 64_500, user_agent: "given" } };
  const germany = { called: "our CI", facts: { country: "DE" } };
  const others = [acl(1, { ...management, not_match: { user_agents: ["A"] } })];
  const possible = blocks(1, { ...most, user_agents: ["A"], hostnames: ["a.example"] });
  const signIn = [acl(1, { match: everywhere })];
  const both = { userAgents: ["A", "B"] };
  const token = [acl(1, { match: { hostnames: ["a.example"] } })];
  const redirected = acl(1, { ...management, action: away, match: most });
  const cases: [string, PlannedAcl[], Given?][] = [
    ["half of the addresses", [blocks(1, half)]],
    ["one address more", [blocks(1, { ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/32"] })]],
    ["both families", [blocks(1, { ...most, ipv6_cidrs: ["::/0"] })]],
    ["IPv4", [blocks(1, most)]],
    ["IPv6", [blocks(1, { ipv6_cidrs: ["::/0"] })]],
    ["all other countries", [acl(1, { ...management, not_match: { geo_country_codes: ["DE"] } })]],
    ["most before", [blocks(1, most)], { before: [blocks(1, most)] }],
    ["one family newly", [blocks(1, { ...most, ipv6_cidrs: ["::/0"] })], { before: [blocks(1, most)] }],
    ["an allow", [passes(1, everywhere)]],
    ["a log", [acl(1, { ...management, action: log, match: everywhere })]],
    ["an inactive block", [blocks(1, everywhere, { active: false })]],
    ["a redirect", [redirected]],
    ["a redirect beside a block", [redirected, blocks(2, { ipv4_cidrs: ["192.0.0.0/4"] })]],
    ["a possible and a certain user agent", [possible, agent(2, "B")], both],
    ["a possible user agent", [possible], both],
    ["one user agent newly", [agent(1, "A"), agent(2, "B")], { ...both, before: [agent(1, "A")] }],
    ["the host of the provider", host, { hostname: "a.example" }],
    ["another host", host, { hostname: "b.example" }],
    ["an unknown host", host],
    ["the host of the protected request", host, { requests: [noHost("a.example")] }],
    ["another host than the provider's", host, { hostname: "b.example", requests: [noHost("a.example")] }],
    ["other user agents, because it may hide its own", others],
    ["other user agents than that of the request", others, { requests: [asAgent] }],
    ["the provider's user agent", [agent(1, "A")], { requests: [asAgent] }],
    ["the user agent of the request", [agent(1, "given")], { userAgents: [], requests: [asAgent] }],
    ["the user agent of the request alone", [agent(1, "given")], { requests: [asAgent] }],
    ["all requests, for a request that is blocked", [blocks(1, everywhere)], { requests: [germany] }],
    ["most requests, for a request of a country", [blocks(1, most)], { requests: [germany] }],
    ["all but a protected request", openOffice],
    ["all but the protected request", openOffice, { requests: [ci] }],
    ["all but one for another path", openOffice, { requests: [{ ...ci, path: "/authorize" }] }],
    ["the token", signIn, { asksToken: true }],
    ["the token, with access_token", signIn],
    [
      "most tokens",
      [acl(1, { action: allow, match: { asns: [1] } }), acl(2, { match: everywhere })],
      { asksToken: true },
    ],
    ["the token of the host", token, { asksToken: true, hostname: "a.example" }],
    ["the token of another host", token, { asksToken: true, hostname: "b.example" }],
    ["the token of an unknown host", token, { asksToken: true }],
  ];
  const found = table(cases, (after, { requests = [], before = [], ...more } = {}) =>
    ownLockouts(change(before, after), requests, { ...terraform, asksToken: false, ...more }).map(told),
  );
  expect(found).toMatchInlineSnapshot(`
    "
    one address more: breadth certain blocked by acl.1 (50 % of IPv4 addresses)
    both families: breadth certain blocked by acl.1 (75 % of IPv4 addresses, 100 % of IPv6 addresses)
    IPv4: breadth certain blocked by acl.1 (75 % of IPv4 addresses)
    IPv6: breadth certain blocked by acl.1 (100 % of IPv6 addresses)
    all other countries: breadth certain blocked by acl.1 (99.6 % of requests over IPv4, counted by address and country, 99.6 % of requests over IPv6, counted by address and country)
    most before: breadth certain blocked by acl.1 already (75 % of IPv4 addresses)
    one family newly: breadth certain blocked by acl.1 (75 % of IPv4 addresses, 100 % of IPv6 addresses)
    a redirect: breadth certain redirected by acl.1 (75 % of IPv4 addresses)
    a redirect beside a block: breadth certain blocked by acl.1 and acl.2 (81.25 % of IPv4 addresses)
    a possible and a certain user agent: breadth certain blocked by acl.2 (75 % of IPv4 addresses)
    a possible user agent: breadth possible blocked by acl.1 (75 % of IPv4 addresses)
    one user agent newly: breadth certain blocked by acl.2 (75 % of IPv4 addresses)
    the host of the provider: breadth certain blocked by acl.1 (75 % of IPv4 addresses)
    an unknown host: breadth possible blocked by acl.1 (75 % of IPv4 addresses)
    the host of the protected request: breadth certain blocked "our CI" by acl.1 (75 % of IPv4 addresses)
    other user agents, because it may hide its own: breadth certain blocked by acl.1 (100 % of IPv4 addresses, 100 % of IPv6 addresses)
    the provider's user agent: breadth certain blocked "our CI" by acl.1 (75 % of IPv4 addresses)
    the user agent of the request: breadth certain blocked "our CI" by acl.1 (75 % of IPv4 addresses)
    most requests, for a request of a country: breadth certain blocked "our CI" by acl.1 (75 % of IPv4 addresses)
    all but a protected request: breadth certain blocked by acl.2 (99.99 % of IPv4 addresses, 100 % of IPv6 addresses)
    all but one for another path: breadth certain blocked by acl.2 (99.99 % of IPv4 addresses, 100 % of IPv6 addresses)
    the token: token certain blocked by acl.1 because match.ipv4_cidrs 0.0.0.0/0 and match.ipv6_cidrs ::/0 match the address
    the token of the host: token certain blocked by acl.1 because match.hostnames a.example matches the host name a.example
    nothing: half of the addresses; an allow; a log; an inactive block; another host; another host than the provider's; other user agents than that of the request; the user agent of the request alone; all requests, for a request that is blocked; all but the protected request; the token, with access_token; most tokens; the token of another host; the token of an unknown host
    "
  `);
});

test("an ACL blocks much if it blocks more than one percent of the addresses for one user agent", () => {
  const share = (match: Values) => blocksMuch([blocks(1, match)], [], terraform);
  expect(share({ ipv4_cidrs: ["0.0.0.0/6"] })).toBe(true);
  expect(share({ ipv4_cidrs: ["0.0.0.0/7"] })).toBe(false);
  expect(share({ user_agents: ["B"] })).toBe(false);
  const others = [acl(1, { ...management, not_match: { user_agents: ["A"] } })];
  const given = { called: "our CI", facts: { asn: 64_500, user_agent: "given" } };
  expect([blocksMuch(others, [], terraform), blocksMuch(others, [given], terraform)]).toEqual([true, false]);
  expect([percent(1n, 3n), percent(99_999n, 100_000n), percent(2n, 2n)]).toEqual(["33.33 %", "99.99 %", "100 %"]);
});

test.each(["protected request", "token", "breadth"] as const)("codes and refusals of kind %s", (kind) => {
  const judged = (certainty: "certain" | "possible", already: boolean) => {
    const { code, refuses } = ofLockout({ kind, certainty, already, outcome: "blocked", by: [] });
    return [code, refuses];
  };
  const [lockout, possible] = ["TNF-ACL-LOCKOUT", "TNF-ACL-LOCKOUT-POSSIBLE"];
  expect(judged("certain", false)).toEqual([lockout, true]);
  expect(judged("possible", false)).toEqual([possible, false]);
  expect(judged("certain", true)).toEqual([kind === "breadth" ? possible : lockout, false]);
});

describe("most addresses", () => {
  const user = "tenantform/0.0.0-test terraform/1.11.4";
  const of = { hostname: "127.0.0.1", userAgents: [user], asksToken: false };
  const block = (priority: number, rule: object, more: Values = {}) => acl(priority, { ...management, ...rule }, more);
  const pass = (priority: number, match: object) => acl(priority, { ...management, action: allow, match });
  const blockedAt = (priority: number) => block(priority, { match: everywhere });
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
    const allowed = [0, 20, 40, 60].map((from, index) => {
      const some = samples.slice(from, from + 20);
      return pass(index + 1, { ipv4_cidrs: some.map(({ four }) => four), ipv6_cidrs: some.map(({ six }) => six) });
    });
    return [...allowed, block(5, { match_all: true })];
  }

  const ja3 = ["e7d705a3286e19ea42f587b344ee6865"];
  const halves = [
    block(1, { match: { ipv4_cidrs: ["0.0.0.0/1"], ipv6_cidrs: ["::/0"] } }),
    block(2, { match: { ipv4_cidrs: ["128.0.0.0/1"] } }),
  ];
  const other = { ipv4_cidrs: ["198.18.0.1"], ipv6_cidrs: ["2001:db8::1"] };
  const fewClients = [pass(1, { user_agents: ["?"] }), pass(2, { ja4_fingerprints: ["?"] }), blockedAt(3)];
  test.each<[string, boolean, PlannedAcl[]]>([
    ["every request", true, [block(1, { match_all: true })]],
    ["all but a small network", true, [block(1, { not_match: { ipv4_cidrs: ["203.0.113.0/24"] } })]],
    ["all but one AS number that is allowed before", true, [pass(1, { asns: [1] }), blockedAt(2)]],
    ["all countries but a few", true, [block(1, { not_match: { geo_country_codes: ["DE", "FR", "AT"] } })]],
    ["both halves of IPv4 with two ACLs", true, halves],
    ["every unsigned request", true, [block(1, { not_match: { http_message_signature: { keys: [{ id: "k" }] } } })]],
    ["all but one address", true, [block(1, { not_match: other })]],
    ["all but single addresses all over the world", true, allButSamples()],
    ["all but AS numbers that nobody has", true, [pass(1, { asns: [4_294_967_294] }), blockedAt(2)]],
    ["all but unusual clients", true, fewClients],
    ["126 countries", true, countriesBlocked(126)],
    ["all but one connecting address", true, [block(1, { not_match: { connecting_ipv4_cidrs: ["198.51.100.7"] } })]],
    ["all other TLS clients", true, [block(1, { not_match: { ja3_fingerprints: ja3 } })]],
    ["every address on no curated list", true, [block(1, { not_match: { auth0_managed: ["auth0.tor"] } })]],
    ["a few countries", false, [acl(1, { scope: "tenant", match: { geo_country_codes: ["RU", "KP"] } })]],
    ["most of the Authentication API", false, [acl(1, { scope: "authentication", ...abroad })]],
    ["addresses that no host has", false, [block(1, { match: { ipv6_cidrs: ["8000::/1", "::/3"] } })]],
    ["124 countries", false, countriesBlocked(124)],
  ])("blocked: %s is a lock-out: %p", (_what, isLockout, acls) => {
    const found = ownLockouts(change([], acls), [], { ...terraform, ...of });
    expect(found.map(({ kind, certainty }) => `${kind} ${certainty}`)).toEqual(isLockout ? ["breadth certain"] : []);
  });

  test("are counted exactly", () => {
    const shares = (acls: PlannedAcl[]) => ownLockouts(change([], acls), [], { ...terraform, ...of })[0]!.shares;
    expect(shares(allButSamples())).toEqual(["99.99 % of IPv4 addresses", "99.99 % of IPv6 addresses"]);
    expect(shares([block(1, abroad)])![0]).toBe("99.6 % of requests over IPv4, counted by address and country");
  });

  const closedButOne = [pass(1, { ipv4_cidrs: ["203.0.113.7"] }), blockedAt(2)];
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
    const versions = { before: [], after: acls };
    const guarded = { requests: { own, base: [] }, terraform: { ...terraform, ...of } };
    const found = lockoutEffects(versions, guarded, true, analyseAcls(versions));
    expect(found.some(({ code }) => code === "TNF-ACL-LOCKOUT")).toBe(isLockout);
  });
});

test("effects", () => {
  interface Given {
    readonly own?: ProtectedRequest[];
    readonly base?: ProtectedRequest[];
    readonly changesAcls?: false;
    readonly asksToken?: true;
  }
  const rule = blocks(1, office);
  const doubtful = acl(1, { scope: "tenant", match: { asns: [1] } });
  const wide = blocks(1, most);
  const signIn = acl(1, { match: everywhere });
  const narrower = (one: PlannedAcl) => ({ ...one, rule: { ...one.rule, not_match: { asns: [1] } } });
  const hides = (match: Values, priority = 1) => blocks(priority, match, {}, { rule: { match: { ipv4_cidrs: true } } });
  const halves = [blocks(1, half), hides({ ipv4_cidrs: ["128.0.0.0/2"] }, 2)];
  const older = [{ ...parts[0]!, rule: { ...parts[0]!.rule, match: { asns: [5, 6] } } }, ...parts.slice(1)];
  const byNumber = [blocks(1, { ...most, asns: [1, 2] })];
  const [one, two] = [1, 2].map((asn) => ({ called: `AS ${asn}`, facts: { asn } }));
  const web = { called: "web", path: "/login", facts: {} };
  const secret = { ...ci, called: "secret", isSecret: true };
  const elsewhere: ProtectedRequest = { called: "old CI", facts: { ip: "192.0.2.1" } };
  const open = { called: "x", facts: { ip: Symbol("unknown") } };
  const cases: [string, PlannedAcl[], PlannedAcl[], Given?][] = [
    ["a blocked request, once for each text", [], [rule], { own: [ci, ci] }],
    ["was blocked before", [rule], [rule], { own: [ci] }],
    ["was blocked by another", [called("old", rule)], [blocks(2, office)], { own: [ci] }],
    ["was blocked by an ACL that changes", [narrower(closed)], [closed], { own: [{ ...ci, path: "/login" }] }],
    ["was blocked, and another ACL goes", [rule, acl(9, {})], [rule], { own: [ci] }],
    ["was blocked by parts", parts, parts, { own: [api] }],
    ["was blocked by parts that change", older, parts, { own: [api] }],
    ["was blocked, and no ACL changes", [rule], [rule], { own: [ci], changesAcls: false }],
    ["is perhaps blocked", [], [doubtful], { own: [ci] }],
    ["was perhaps blocked before", [doubtful], [doubtful], { own: [ci] }],
    ["unknown facts", [], [rule], { own: [open] }],
    ["a sensitive request, and another", [], [rule], { own: [secret, ci] }],
    ["a sensitive ACL", [], [hides(office)], { own: [ci] }],
    ["most addresses", [], [wide]],
    ["most addresses before", [wide], [wide]],
    ["most addresses before, by an ACL that changes", [narrower(wide)], [wide]],
    ["most addresses before, and no ACL changes", [wide], [wide], { changesAcls: false }],
    ["most addresses, partly sensitive", [], halves],
    ["the token before", [signIn], [signIn], { asksToken: true }],
    ["the token before, and no ACL changes", [signIn], [signIn], { asksToken: true, changesAcls: false }],
    ["only the office may come", [], openOffice, { own: [ci] }],
    ["only the office may come, but not the old request", [], openOffice, { own: [ci], base: [elsewhere] }],
    ["Terraform as one request", [], byNumber, { own: [one!] }],
    ["Terraform as a request of the base branch too", [], byNumber, { own: [one!], base: [two!] }],
    ["Terraform as the second request", [], byNumber, { own: [web, one!], base: [two!] }],
    ["Terraform as a request of the base branch alone", [], byNumber, { own: [web], base: [two!] }],
  ];
  const found = table(cases, (before, after, { own = [], base = [], changesAcls = true, asksToken = false } = {}) =>
    lockoutEffects(
      { before, after },
      { requests: { own, base }, terraform: { ...terraform, asksToken } },
      changesAcls,
      analyseAcls({ before, after }),
    )
      .map(worded)
      .map(
        ({ code, level, address, already, text }) => `${code} ${level} ${address}${already ? " already" : ""}: ${text}`,
      ),
  );
  expect(found).toMatchInlineSnapshot(`
    "
    a blocked request, once for each text: TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block the protected request "our CI": match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7.
    was blocked before: TNF-ACL-LOCKOUT critical acl.1 already: "ACL 1" (priority 1) blocks the protected request "our CI": match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7. This was already so before the change.
    was blocked by another: TNF-ACL-LOCKOUT critical acl.2 already: After this plan, "ACL 2" (priority 2) would block the protected request "our CI": match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7. Another network ACL blocked it before the change.
    was blocked by an ACL that changes: TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block the protected request "our CI": match.ipv4_cidrs 0.0.0.0/0 matches the address 203.0.113.7. | TNF-ACL-LOCKOUT-POSSIBLE medium acl.1 already: "ACL 1" (priority 1) blocks 100 % of IPv4 addresses and 100 % of IPv6 addresses from the Management API. This was already so before the change.
    was blocked, and another ACL goes: TNF-ACL-LOCKOUT critical acl.1 already: "ACL 1" (priority 1) blocks the protected request "our CI": match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7. This was already so before the change.
    was blocked by parts: TNF-ACL-LOCKOUT critical acl.1 already: "ACL 1" (priority 1) and "ACL 3" (priority 3) block the protected request "our CI". This was already so before the change.
    was blocked by parts that change: TNF-ACL-LOCKOUT critical acl.1 already: "ACL 1" (priority 1) and "ACL 3" (priority 3) block the protected request "our CI". This was already so before the change.
    was blocked, and no ACL changes: TNF-ACL-LOCKOUT critical acl.1 already: "ACL 1" (priority 1) blocks the protected request "our CI": match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7. This was already so before the change.
    is perhaps blocked: TNF-ACL-LOCKOUT-POSSIBLE medium acl.1: Lock-out: After this plan, "ACL 1" (priority 1) may block the protected request "our CI": match.asns 1 may match the AS number, which is not known.
    unknown facts: TNF-ACL-LOCKOUT-POSSIBLE medium acl.1: Lock-out: After this plan, "ACL 1" (priority 1) may block the protected request "x": match.ipv4_cidrs 203.0.113.0/24 may match the address, which is not known.
    a sensitive request, and another: TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block the protected request "secret". | TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block the protected request "our CI": match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7.
    a sensitive ACL: TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block the protected request "our CI".
    most addresses: TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block 75 % of IPv4 addresses from the Management API.
    most addresses before: TNF-ACL-LOCKOUT-POSSIBLE medium acl.1 already: "ACL 1" (priority 1) blocks 75 % of IPv4 addresses from the Management API. This was already so before the change.
    most addresses before, by an ACL that changes: TNF-ACL-LOCKOUT-POSSIBLE medium acl.1 already: "ACL 1" (priority 1) blocks 75 % of IPv4 addresses from the Management API. This was already so before the change.
    most addresses, partly sensitive: TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) and "ACL 2" (priority 2) would block most requests from the Management API.
    the token before: TNF-ACL-LOCKOUT critical acl.1 already: "ACL 1" (priority 1) blocks Terraform's request for a token: match.ipv4_cidrs 0.0.0.0/0 and match.ipv6_cidrs ::/0 match the address. This was already so before the change.
    only the office may come, but not the old request: TNF-ACL-LOCKOUT critical acl.2: Lock-out: After this plan, "ACL 2" (priority 2) would block the protected request "old CI": match.ipv4_cidrs 0.0.0.0/0 matches the address 192.0.2.1.
    Terraform as one request: TNF-ACL-LOCKOUT-POSSIBLE medium acl.1: Lock-out: After this plan, "ACL 1" (priority 1) may block the protected request "AS 1": match.ipv4_cidrs 0.0.0.0/1, 128.0.0.0/2 may match the address, which is not known. | TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block 75 % of IPv4 addresses from the Management API for the protected request "AS 1", whose other facts are not known.
    Terraform as a request of the base branch too: TNF-ACL-LOCKOUT-POSSIBLE medium acl.1: Lock-out: After this plan, "ACL 1" (priority 1) may block the protected request "AS 1": match.ipv4_cidrs 0.0.0.0/1, 128.0.0.0/2 may match the address, which is not known. | TNF-ACL-LOCKOUT-POSSIBLE medium acl.1: Lock-out: After this plan, "ACL 1" (priority 1) may block the protected request "AS 2": match.ipv4_cidrs 0.0.0.0/1, 128.0.0.0/2 may match the address, which is not known. | TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block 75 % of IPv4 addresses from the Management API for the protected request "AS 2", whose other facts are not known. | TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block 75 % of IPv4 addresses from the Management API for the protected request "AS 1", whose other facts are not known.
    Terraform as the second request: TNF-ACL-LOCKOUT-POSSIBLE medium acl.1: Lock-out: After this plan, "ACL 1" (priority 1) may block the protected request "AS 1": match.ipv4_cidrs 0.0.0.0/1, 128.0.0.0/2 may match the address, which is not known. | TNF-ACL-LOCKOUT-POSSIBLE medium acl.1: Lock-out: After this plan, "ACL 1" (priority 1) may block the protected request "AS 2": match.ipv4_cidrs 0.0.0.0/1, 128.0.0.0/2 may match the address, which is not known. | TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block 75 % of IPv4 addresses from the Management API for the protected request "AS 2", whose other facts are not known. | TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block 75 % of IPv4 addresses from the Management API for the protected request "AS 1", whose other facts are not known.
    Terraform as a request of the base branch alone: TNF-ACL-LOCKOUT-POSSIBLE medium acl.1: Lock-out: After this plan, "ACL 1" (priority 1) may block the protected request "AS 2": match.ipv4_cidrs 0.0.0.0/1, 128.0.0.0/2 may match the address, which is not known. | TNF-ACL-LOCKOUT critical acl.1: Lock-out: After this plan, "ACL 1" (priority 1) would block 75 % of IPv4 addresses from the Management API for the protected request "AS 2", whose other facts are not known.
    nothing: was perhaps blocked before; most addresses before, and no ACL changes; the token before, and no ACL changes; only the office may come
    "
  `);
});

test("words: several ACLs, a redirect, and another moment", () => {
  const cases: [string, Partial<Lockout>, number?, string?][] = [
    ["possibly redirected", { certainty: "possible", outcome: "redirected" }],
    ["redirected before", { already: true, outcome: "redirected" }],
    ...[2, 3, 5, 6, 8].map((count) => [`${count} ACLs`, {}, count] as [string, object, number]),
    ["another moment", {}, 1, "For a moment"],
  ];
  const plain = { kind: "protected request", called: "our CI", certainty: "certain", already: false } as const;
  const found = table(cases, (more, count = 1, ...when) => {
    const by = [1, 2, 3, 4, 5, 6, 7, 8].slice(0, count).map((one) => acl(one, {}));
    return [lockoutWords({ ...plain, outcome: "blocked", by, ...more }, ...when)];
  });
  expect(found).toMatchInlineSnapshot(`
    "
    possibly redirected: After this plan, "ACL 1" (priority 1) may redirect the protected request "our CI".
    redirected before: "ACL 1" (priority 1) redirects the protected request "our CI".
    2 ACLs: After this plan, "ACL 1" (priority 1) and "ACL 2" (priority 2) would block the protected request "our CI".
    3 ACLs: After this plan, "ACL 1" (priority 1), "ACL 2" (priority 2) and "ACL 3" (priority 3) would block the protected request "our CI".
    5 ACLs: After this plan, "ACL 1" (priority 1), "ACL 2" (priority 2), "ACL 3" (priority 3), "ACL 4" (priority 4) and "ACL 5" (priority 5) would block the protected request "our CI".
    6 ACLs: After this plan, "ACL 1" (priority 1), "ACL 2" (priority 2), "ACL 3" (priority 3), "ACL 4" (priority 4), "ACL 5" (priority 5) and 1 more would block the protected request "our CI".
    8 ACLs: After this plan, "ACL 1" (priority 1), "ACL 2" (priority 2), "ACL 3" (priority 3), "ACL 4" (priority 4), "ACL 5" (priority 5) and 3 more would block the protected request "our CI".
    another moment: For a moment, "ACL 1" (priority 1) would block the protected request "our CI".
    "
  `);
});

test("the effect names the ACL that the plan changes, or the change that makes requests reach another one", () => {
  const [open, wall] = [passes(1, office), blocks(2, everywhere)];
  const others = [acl(3, { match: everywhere, scope: "management" }), acl(4, { action: allow, match: { asns: [1] } })];
  const guarded = { requests: { own: [api], base: [] }, terraform };
  const causes = (before: PlannedAcl[], after: PlannedAcl[]) =>
    lockoutEffects({ before, after }, guarded, true, analyseAcls({ before, after }))
      .map(worded)
      .map(({ who, causes: cause }) => [who, cause.map(({ address, words }) => `${address} ${words}`)]);
  const who = "Terraform or a protected request";
  expect(causes([], [wall])).toEqual([[who, ["acl.2 is created"]]]);
  expect(causes([], [wall, ...others])).toEqual([[who, ["acl.2 is created"]]]);
  expect(causes([open, wall], [wall])).toEqual([[who, ["acl.1 is destroyed"]]]);
  expect(causes([wall], [wall])).toEqual([[undefined, []]]);
});
