/** Lock-outs of Terraform and of protected requests: which ACLs, how sure, their codes and words, and their effects in a verdict. */
import { worded } from "../support/worded";
import { countries } from "../../../../src/judge/access/access";
import { lockoutEffects } from "../../../../src/judge/impact/statement/effects";
import { ofLockout } from "../../../../src/judge/impact/refusals";
import {
  blocksMuch,
  lockoutsOf,
  percentOf,
  type Lockout,
  type Terraform,
} from "../../../../src/judge/impact/statement/lockout";
import { builtIn, protectedRequest, type Strength } from "../../../../src/judge/impact/statement/built-in";
import type { LockoutFacts } from "../../../../src/judge/impact/statement/facts";
import type { ProtectedRequest } from "../../../../src/judge/impact/statement/statement";
import type { AclVersions, PlannedAcl } from "../../../../src/judge/impact/network-acl/acl";
import { builtInOf } from "../../../../src/review/judge/guard";
import type { PlanInput } from "../../../../src/review/input/plan-input";
import { analyseAcls } from "../../../../src/judge/impact/network-acl/analysis";
import type { Marks, Values } from "../../../../src/judge/impact/model";
import { acl, allow, everywhere, log } from "../support/acls";

const terraform: Terraform = { userAgents: ["A"], asksToken: true };
const change = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) => ({ before, after });
const ofTerraform = (requests: readonly ProtectedRequest[]) => builtIn("error", requests).at(-2)!;
const blockMuch = (acls: readonly PlannedAcl[], requests: readonly ProtectedRequest[] = []) =>
  blocksMuch(acls, { kind: "terraform", requests }, terraform);
const ownLockouts = (versions: AclVersions, requests: readonly ProtectedRequest[], facts: Terraform) =>
  lockoutsOf(ofTerraform(requests), versions, facts);
/** `changesAcls`: whether an object of the plan is an ACL. */
const effectsIn = (
  versions: AclVersions,
  own: readonly ProtectedRequest[],
  facts: Terraform,
  {
    base = [],
    changesAcls = true,
  }: { readonly base?: readonly ProtectedRequest[]; readonly changesAcls?: boolean } = {},
) => {
  const plans = [{ blocks: [{ builtIn: builtIn("error", own) }], objects: [] }] as unknown as readonly PlanInput[];
  const objects = changesAcls ? [{ address: "acl", type: "tenant_network_acl", actions: ["create"] }] : [];
  const stated = builtInOf(plans, [{ builtIn: builtIn("error", base) }]);
  return lockoutEffects({ objects, versions, acls: analyseAcls(versions) }, stated, facts);
};
const management = { scope: "management" };
const half = { ipv4_cidrs: ["0.0.0.0/1"] };
const most = { ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/2"] };
const ci = protectedRequest({ name: "our CI", ip: "203.0.113.7" });
const ciAt = (path: string) => protectedRequest({ name: "our CI", ip: "203.0.113.7", path });
const api = ciAt("/api/v2/clients");
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

const told = ({ kind, certainty, outcome, called: name, by, already, byOther }: Lockout) =>
  [
    ...(kind === "protected request" ? [] : [kind]),
    certainty,
    ...(outcome === "blocked" ? [] : [outcome]),
    ...(kind === "protected request" || name === undefined ? [] : [name]),
    `by ${by.map(({ key }) => key.replace("acl.", "")).join(" and ")}`,
    ...(already ? ["already"] : []),
    ...(byOther ? ["by another"] : []),
  ].join(" ");

test("a protected request", () => {
  const certain = blocks(1, office);
  const possible = blocks(1, { ...office, asns: [1] });
  const cases: [what: string, told: string, PlannedAcl[], ProtectedRequest?, PlannedAcl[]?][] = [
    ["blocked by an address", "certain by 1", [certain]],
    ["blocked in the Management API alone", "certain by 1", [certain], api],
    ["blocked for the token alone", "certain by 1", [acl(1, { match: office })]],
    ["blocked for the token, of another path", "", [acl(1, { match: office })], api],
    ["blocked for the whole tenant", "certain by 1", [acl(1, { scope: "tenant", match: office })]],
    ["redirected", "certain redirected by 1", [acl(1, { scope: "tenant", action: away, match: everywhere })]],
    ["with a fact that is not given", "possible by 1", [acl(1, { scope: "tenant", match: { asns: [1] } })]],
    ["certain in one API, possible in the other", "certain by 1", [certain, acl(2, { match: { asns: [1] } })]],
    ["possible in one API", "possible by 2", [acl(2, { match: { asns: [1] } })]],
    ["blocked by an ACL of each API", "certain by 1 | certain by 2", [certain, acl(2, { match: office })]],
    ["of a country that no request has", "", [certain], protectedRequest({ country: "UK" })],
    ["of a state in another country", "", [certain], protectedRequest({ country: "DE", subdivision: "US-CA" })],
    ["blocked in one API before", "certain by 1", [acl(1, { scope: "tenant", match: office })], ci, [certain]],
    ["blocked by ACLs that each block a part", "certain by 1 and 3", parts, api],
    ["blocked by the same parts before", "certain by 1 and 3 already", parts, api, parts],
    ["blocked by one of the parts", "possible by 1", [parts[0]!], api],
    ["certain before", "certain by 1 already", [certain], api, [certain]],
    ["certain by another before", "certain by 1 already by another", [certain], api, [called("other", certain)]],
    ["possible before", "certain by 1", [certain], api, [possible]],
    ["possible before and after", "possible by 1 already", [possible], api, [possible]],
    ["possible by another before", "possible by 1", [possible], api, [called("other", possible)]],
    ["certain before, possible after", "possible by 1 already", [possible], api, [certain]],
  ];
  for (const [what, expected, after, request = ci, before = []] of cases)
    expect([what, lockoutsOf(request, change(before, after), terraform).map(told).join(" | ")]).toEqual([
      what,
      expected,
    ]);
});

test("Terraform's own requests", () => {
  type Given = Partial<Terraform> & { requests?: ProtectedRequest[]; before?: PlannedAcl[] };
  const agent = (priority: number, ...user_agents: string[]) => blocks(priority, { ...most, user_agents });
  const host = [blocks(1, { ...most, hostnames: ["a.example"] })];
  const noHost = (name: string) => protectedRequest({ name: "our CI", asn: 64_500, hostname: name });
  const asAgent = protectedRequest({ name: "our CI", asn: 64_500, user_agent: "given" });
  const germany = protectedRequest({ name: "our CI", country: "DE" });
  const others = [acl(1, { ...management, not_match: { user_agents: ["A"] } })];
  const possible = blocks(1, { ...most, user_agents: ["A"], hostnames: ["a.example"] });
  const signIn = [acl(1, { match: everywhere })];
  const both = { userAgents: ["A", "B"] };
  const token = [acl(1, { match: { hostnames: ["a.example"] } })];
  const redirected = acl(1, { ...management, action: away, match: most });
  const cases: [what: string, told: string, PlannedAcl[], Given?][] = [
    ["half of the addresses", "", [blocks(1, half)]],
    ["one address more", "breadth certain by 1", [blocks(1, { ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/32"] })]],
    ["both families", "breadth certain by 1", [blocks(1, { ...most, ipv6_cidrs: ["::/0"] })]],
    ["IPv4", "breadth certain by 1", [blocks(1, most)]],
    ["IPv6", "breadth certain by 1", [blocks(1, { ipv6_cidrs: ["::/0"] })]],
    ["other countries", "breadth certain by 1", [acl(1, { ...management, not_match: { geo_country_codes: ["DE"] } })]],
    ["most before", "breadth certain by 1 already", [blocks(1, most)], { before: [blocks(1, most)] }],
    ["a family", "breadth certain by 1", [blocks(1, { ...most, ipv6_cidrs: ["::/0"] })], { before: [blocks(1, most)] }],
    ["an allow", "", [passes(1, everywhere)]],
    ["a log", "", [acl(1, { ...management, action: log, match: everywhere })]],
    ["an inactive block", "", [blocks(1, everywhere, { active: false })]],
    ["a redirect", "breadth certain redirected by 1", [redirected]],
    ["redirect and block", "breadth certain by 1 and 2", [redirected, blocks(2, { ipv4_cidrs: ["192.0.0.0/4"] })]],
    ["a possible and a certain user agent", "breadth certain by 2", [possible, agent(2, "B")], both],
    ["a possible user agent", "breadth possible by 1", [possible], both],
    ["one of two agents", "breadth certain by 2", [agent(1, "A"), agent(2, "B")], { ...both, before: [agent(1, "A")] }],
    ["the host of the provider", "breadth certain by 1", host, { hostname: "a.example" }],
    ["another host", "", host, { hostname: "b.example" }],
    ["an unknown host", "breadth possible by 1", host],
    ["the host of the protected request", "breadth certain our CI by 1", host, { requests: [noHost("a.example")] }],
    ["another host than the provider's", "", host, { hostname: "b.example", requests: [noHost("a.example")] }],
    ["other user agents, because it may hide its own", "breadth certain by 1", others],
    ["other user agents than that of the request", "", others, { requests: [asAgent] }],
    ["the provider's user agent", "breadth certain our CI by 1", [agent(1, "A")], { requests: [asAgent] }],
    ["its own agent", "breadth certain our CI by 1", [agent(1, "given")], { userAgents: [], requests: [asAgent] }],
    ["the user agent of the request alone", "", [agent(1, "given")], { requests: [asAgent] }],
    ["all requests, for a request that is blocked", "", [blocks(1, everywhere)], { requests: [germany] }],
    ["most requests, for a country", "breadth certain our CI by 1", [blocks(1, most)], { requests: [germany] }],
    ["all but a protected request", "breadth certain by 2", openOffice],
    ["all but the protected request", "", openOffice, { requests: [ci] }],
    ["all but one for another path", "breadth certain by 2", openOffice, { requests: [ciAt("/authorize")] }],
    ["the token", "token certain by 1", signIn, { asksToken: true }],
    ["the token, with access_token", "", signIn],
    ["most tokens", "", [acl(1, { action: allow, match: { asns: [1] } }), ...signIn], { asksToken: true }],
    ["the token of the host", "token certain by 1", token, { asksToken: true, hostname: "a.example" }],
    ["the token of another host", "", token, { asksToken: true, hostname: "b.example" }],
    ["the token of an unknown host", "", token, { asksToken: true }],
  ];
  for (const [what, expected, after, { requests = [], before = [], ...more } = {}] of cases) {
    const found = ownLockouts(change(before, after), requests, { ...terraform, asksToken: false, ...more });
    expect([what, found.map(told).join(" | ")]).toEqual([what, expected]);
  }
});

test("an ACL blocks much if it blocks more than one percent of the addresses for one user agent", () => {
  const share = (match: Values) => blockMuch([blocks(1, match)]);
  expect(share({ ipv4_cidrs: ["0.0.0.0/6"] })).toBe(true);
  expect(share({ ipv4_cidrs: ["0.0.0.0/7"] })).toBe(false);
  expect(share({ user_agents: ["B"] })).toBe(false);
  const others = [acl(1, { ...management, not_match: { user_agents: ["A"] } })];
  const given = protectedRequest({ name: "our CI", asn: 64_500, user_agent: "given" });
  expect([blockMuch(others), blockMuch(others, [given])]).toEqual([true, false]);
  expect([percentOf(1n, 3n), percentOf(99_999n, 100_000n), percentOf(2n, 2n)]).toEqual([33.33, 99.99, 100]);
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

  const ja3 = ["e7d705a3286e19ea42f587b344ee6865"];
  const fewClients = [pass(1, { user_agents: ["?"] }), pass(2, { ja4_fingerprints: ["?"] }), blockedAt(3)];
  test.each<[string, boolean, PlannedAcl[]]>([
    ["all but one AS number that is allowed before", true, [pass(1, { asns: [1] }), blockedAt(2)]],
    ["all but unusual clients", true, fewClients],
    ["126 countries", true, countriesBlocked(126)],
    ["all but one connecting address", true, [block(1, { not_match: { connecting_ipv4_cidrs: ["198.51.100.7"] } })]],
    ["every address on no curated list", true, [block(1, { not_match: { auth0_managed: ["auth0.tor"] } })]],
    ["most of the Authentication API", false, [acl(1, { scope: "authentication", ...abroad })]],
    ["124 countries", false, countriesBlocked(124)],
  ])("blocked: %s is a lock-out: %p", (_what, isLockout, acls) => {
    const found = ownLockouts(change([], acls), [], { ...terraform, ...of });
    expect(found.map(({ kind, certainty }) => `${kind} ${certainty}`)).toEqual(isLockout ? ["breadth certain"] : []);
  });

  test("are counted exactly", () => {
    const [found] = ownLockouts(change([], [block(1, abroad)]), [], { ...terraform, ...of });
    expect(found!.shares![0]).toEqual({ family: "IPv4", percent: 99.6, byCountry: true });
  });

  const closedButOne = [pass(1, { ipv4_cidrs: ["203.0.113.7"] }), blockedAt(2)];
  const country = [block(1, abroad)];
  const address = { ip: "203.0.113.7" };
  const both = [...country, block(2, { not_match: { ipv4_cidrs: ["203.0.113.7"] } })];
  test.each<[string, boolean, PlannedAcl[], Readonly<Record<string, unknown>>[]]>([
    ["an address", false, closedButOne, [address]],
    ["a country", false, country, [{ country: "DE" }]],
    ["an address with its country", false, both, [{ ...address, country: "DE" }]],
    ["an AS number", false, [block(1, { not_match: { asns: [64_500] } })], [{ asn: 64_500 }]],
    ["an address for another path", true, closedButOne, [{ path: "/nothing", ...address }]],
    ["an address for a token alone", true, closedButOne, [{ path: "/oauth/token", ...address }]],
    ["only a user agent", true, [block(1, { not_match: { user_agents: ["x"] } })], [{ user_agent: "x" }]],
    ["a fingerprint alone", true, [block(1, { not_match: { ja3_fingerprints: ja3 } })], [{ ja3: ja3[0]! }]],
    ["another host", true, [block(1, { match: { hostnames: ["127.0.0.1"] } })], [{ ip: "192.0.2.1", hostname: "x.y" }]],
    ["a reserved address", true, [block(1, { not_match: { ipv4_cidrs: ["240.0.0.1"] } })], [{ ip: "240.0.0.1" }]],
    ["no country", true, [block(1, { not_match: { geo_country_codes: ["ZZ"] } })], [{ country: "ZZ" }]],
    ["an address while all countries but one are blocked", true, country, [{ ip: "192.0.2.1" }]],
  ])("with the protected request of %s are a lock-out: %p", (_what, isLockout, acls, requests) => {
    const own = requests.map((facts) => protectedRequest({ name: "x", ...facts }));
    const versions = { before: [], after: acls };
    const found = effectsIn(versions, own, { ...terraform, ...of });
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
  const effectsOf = (before: PlannedAcl[], after: PlannedAcl[], given: Given = {}) => {
    const { own = [], base = [], changesAcls = true, asksToken = false } = given;
    return effectsIn({ before, after }, own, { ...terraform, asksToken }, { base, changesAcls }).map(worded);
  };
  const rule = blocks(1, office);
  const doubtful = acl(1, { scope: "tenant", match: { asns: [1] } });
  const wide = blocks(1, most);
  const signIn = acl(1, { match: everywhere });
  const narrower = (one: PlannedAcl) => ({ ...one, rule: { ...one.rule, not_match: { asns: [1] } } });
  const hides = (match: Values, priority = 1) => blocks(priority, match, {}, { rule: { match: { ipv4_cidrs: true } } });
  const halves = [blocks(1, half), hides({ ipv4_cidrs: ["128.0.0.0/2"] }, 2)];
  const older = [{ ...parts[0]!, rule: { ...parts[0]!.rule, match: { asns: [5, 6] } } }, ...parts.slice(1)];
  const byNumber = [blocks(1, { ...most, asns: [1, 2] })];
  const [one, two] = [1, 2].map((asn) => protectedRequest({ name: `AS ${asn}`, asn }));
  const web = protectedRequest({ name: "web", path: "/login" });
  const secret = protectedRequest({ name: "secret", ip: "203.0.113.7" }, new Set(["ip"]));
  const elsewhere = protectedRequest({ name: "old CI", ip: "192.0.2.1" });
  const open = protectedRequest({ name: "x", ip: Symbol("unknown") });
  const pair = "LOCKOUT-POSSIBLE medium 1 | LOCKOUT critical 1";
  const grown = "LOCKOUT critical 1 | LOCKOUT-POSSIBLE medium 1 already";
  const both = `${pair} | ${pair}`;
  const cases: [what: string, told: string, PlannedAcl[], PlannedAcl[], Given?][] = [
    ["a blocked request, once for each text", "LOCKOUT critical 1", [], [rule], { own: [ci, ci] }],
    ["was blocked before", "LOCKOUT critical 1 already", [rule], [rule], { own: [ci] }],
    ["was blocked by another", "LOCKOUT critical 2 already", [called("old", rule)], [blocks(2, office)], { own: [ci] }],
    ["was blocked by an ACL that changes", grown, [narrower(closed)], [closed], { own: [ciAt("/login")] }],
    ["was blocked, and another ACL goes", "LOCKOUT critical 1 already", [rule, acl(9, {})], [rule], { own: [ci] }],
    ["was blocked by parts", "LOCKOUT critical 1 already", parts, parts, { own: [api] }],
    ["was blocked by parts that change", "LOCKOUT critical 1 already", older, parts, { own: [api] }],
    ["and no ACL changes", "LOCKOUT critical 1 already", [rule], [rule], { own: [ci], changesAcls: false }],
    ["is perhaps blocked", "LOCKOUT-POSSIBLE medium 1", [], [doubtful], { own: [ci] }],
    ["was perhaps blocked before", "", [doubtful], [doubtful], { own: [ci] }],
    ["unknown facts", "LOCKOUT-POSSIBLE medium 1", [], [rule], { own: [open] }],
    ["a sensitive request, and another", "LOCKOUT critical 1 | LOCKOUT critical 1", [], [rule], { own: [secret, ci] }],
    ["a sensitive ACL", "LOCKOUT critical 1", [], [hides(office)], { own: [ci] }],
    ["most addresses", "LOCKOUT critical 1", [], [wide]],
    ["most addresses before", "LOCKOUT-POSSIBLE medium 1 already", [wide], [wide]],
    ["most addresses before, by an ACL that changes", "LOCKOUT-POSSIBLE medium 1 already", [narrower(wide)], [wide]],
    ["most addresses before, and no ACL changes", "", [wide], [wide], { changesAcls: false }],
    ["most addresses, partly sensitive", "LOCKOUT critical 1", [], halves],
    ["the token before", "LOCKOUT critical 1 already", [signIn], [signIn], { asksToken: true }],
    ["the token before, and no ACL changes", "", [signIn], [signIn], { asksToken: true, changesAcls: false }],
    ["only the office may come", "", [], openOffice, { own: [ci] }],
    ["the office, but not the old request", "LOCKOUT critical 2", [], openOffice, { own: [ci], base: [elsewhere] }],
    ["Terraform as one request", pair, [], byNumber, { own: [one!] }],
    ["Terraform as a request of the base branch too", both, [], byNumber, { own: [one!], base: [two!] }],
    ["Terraform as the second request", both, [], byNumber, { own: [web, one!], base: [two!] }],
    ["Terraform as one of the base", pair, [], byNumber, { own: [web], base: [two!] }],
  ];
  for (const [what, expected, ...given] of cases) {
    const lines = effectsOf(...given).map(({ code, level, address, already }) =>
      [code.slice("TNF-ACL-".length), level, address!.slice("acl.".length), ...(already ? ["already"] : [])].join(" "),
    );
    expect([what, lines.join(" | ")]).toEqual([what, expected]);
  }
  const texts = [
    effectsOf([], [hides(office)], { own: [ci] }),
    effectsOf([], [rule], { own: [secret] }),
    effectsOf([], halves),
  ].flatMap((found) => found.map(({ text }) => text));
  expect(texts).toHaveLength(3);
  expect(texts.join()).not.toMatch(/203\.0\.113|%/);
});

test("refuses a lock-out that is certain, whatever else the guard does not show", () => {
  const open = protectedRequest({ name: "x", ip: Symbol("unknown") });
  const versions = change([], [acl(1, { scope: "tenant", match: everywhere })]);
  const refused = (strength: Strength | symbol, requests: readonly (ProtectedRequest | symbol)[]) =>
    lockoutEffects(
      { objects: [], versions, acls: analyseAcls(versions) },
      builtIn(strength, requests).map((stated) => ({ stated, isEnforced: true })),
      terraform,
    ).map(({ facts, refuses = null }) => `${(facts as LockoutFacts).request} ${refuses}`);
  expect(refused("error", [ci])).toEqual(["protected request true", "token true"]);
  expect(refused("error", [ci, open])).toEqual(["protected request true", "protected request null", "token null"]);
  expect(refused(Symbol("unknown"), [ci])).toEqual(["protected request null", "token null"]);
  expect(refused("warn", [ci, open])).toEqual(["protected request false", "protected request false", "token false"]);
});

test("the effect names the ACL that the plan changes, or the change that makes requests reach another one", () => {
  const [open, wall] = [passes(1, office), blocks(2, everywhere)];
  const others = [acl(3, { match: everywhere, scope: "management" }), acl(4, { action: allow, match: { asns: [1] } })];
  const causes = (before: PlannedAcl[], after: PlannedAcl[]) =>
    effectsIn({ before, after }, [api], terraform)
      .map(worded)
      .map(({ who, causes: cause }) => [who, cause.map(({ address, words }) => `${address} ${words}`)]);
  const who = "Terraform or a protected request";
  expect(causes([], [wall])).toEqual([[who, ["acl.2 is created"]]]);
  expect(causes([], [wall, ...others])).toEqual([[who, ["acl.2 is created"]]]);
  expect(causes([open, wall], [wall])).toEqual([[who, ["acl.1 is destroyed"]]]);
  expect(causes([wall], [wall])).toEqual([[undefined, []]]);
});
