/** What changes of network ACLs do to requests, as data (the difference of the two versions, never a rule), and the words of each: to which API, for whom, how sure. */
import { countries, type RequestCase } from "../../../src/judge/access/access";
import type { Values } from "../../../src/judge/impact/model";
import type { PlannedAcl } from "../../../src/judge/impact/network-acl/acl";
import { analyseAcls } from "../../../src/judge/impact/network-acl/analysis";
import { judgeAcls } from "../../../src/judge/impact/network-acl/changes";
import { aclEffects } from "../../../src/judge/impact/network-acl/effects";
import { acl, allow as allowing, everywhere as anyAddress } from "./support/acls";
import { table } from "./support/table";
import { worded } from "./support/worded";

type Rule = Readonly<Record<string, unknown>>;
const block = (priority: number, rule: Rule, more: Rule = {}) => acl(priority, { scope: "tenant", ...rule }, more);
const allow = (priority: number, rule: Rule) => acl(priority, { action: { allow: true }, scope: "tenant", ...rule });
const log = (priority: number, rule: Rule) => acl(priority, { action: { log: true }, scope: "tenant", ...rule });
const redirect = (priority: number, rule: Rule, redirect_uri = "https://a.example/x") =>
  acl(priority, { action: { redirect: true, redirect_uri }, scope: "tenant", ...rule });
const from = (...geo_country_codes: string[]) => ({ match: { geo_country_codes } });
const keys = (...ids: string[]) => ({ http_message_signature: { keys: ids.map((id) => ({ id })) } });

const words = (given: { readonly in: readonly string[] } | { readonly outside: readonly string[] }) =>
  "in" in given ? given.in.join(" ") : given.outside.length === 0 ? "all" : `not ${given.outside.join(" ")}`;
const caseText = ({ criteria, areas }: RequestCase) => ({
  facts: criteria.map(({ fact, values, isOther }) => `${fact}${isOther ? " not" : ""} ${values.join(" ")}`),
  ...(areas && { areas: areas.map((one) => [words(one.countries), words(one.addresses)]) }),
});

/** The facts of each effect on requests. Left out: all APIs, no cases, no exceptions. */
function factsOf(before: readonly PlannedAcl[], after: readonly PlannedAcl[]): object[] {
  const versions = { before, after };
  return judgeAcls(analyseAcls(versions), versions, new Set()).flatMap(
    ({ facts, cause, code, level, already }): object[] => {
      if (facts.kind !== "outcome" && facts.kind !== "logging") {
        return [{ code, level, ...(already && { already }) }];
      }
      const { apis, extent, cases, exceptions } = facts;
      return [
        {
          what: facts.kind === "outcome" ? `${facts.before} -> ${facts.after}` : facts.direction,
          level,
          ...(apis.length < 3 && { apis }),
          ...(extent && { areas: extent.areas.map((one) => [words(one.countries), words(one.addresses)]) }),
          ...(cases.length > 0 && { cases: cases.map(caseText) }),
          ...(exceptions.length > 0 && { exceptions: exceptions.map(caseText) }),
          ...(facts.kind === "outcome" && facts.allowed && { allowed: facts.allowed.length }),
          ...(facts.kind === "outcome" && facts.hosts.after.length > 0 && { hosts: facts.hosts }),
          cause: cause.map(({ address }) => address).join(" "),
        },
      ];
    },
  );
}

const list = countries.slice(0, 44);
const four = ["CU", "IR", "KP", "SY"];
const signIn = ["authentication", "dynamic_client_registration"];
const offices = { ipv4_cidrs: ["10.0.0.0/8", "192.0.2.0/24"] };
const office = allow(1, { scope: "management", match: { ipv4_cidrs: ["203.0.113.0/24"] } });
const wall = block(9, { match_all: true });
const noCurl = { match: { user_agents: ["curl/8.5.0"] } };
const host = (...ipv4_cidrs: string[]) => ({ match: { hostnames: ["x.example"] }, not_match: { ipv4_cidrs } });

const tells = (what: string, level: string, cause: string, more: object = {}) => ({ what, level, cause, ...more });
const shadowed = { code: "TNF-ACL-SHADOWED", level: "medium" };
const by = (...facts: string[]) => [{ facts }];
const everywhere = { areas: [["all", "all"]] };
const v4 = (...ipv4_cidrs: string[]) => ({ match: { ipv4_cidrs } });

test.each<[string, readonly PlannedAcl[], readonly PlannedAcl[], object[]]>([
  [
    "a country joins a list above a redirect: the list before is no part of it",
    [block(1, from(...four)), redirect(2, { match: { geo_subdivision_codes: ["US-CA"] } })],
    [block(1, from(...four, "US")), redirect(2, { match: { geo_subdivision_codes: ["US-CA"] } })],
    [
      tells("allowed -> blocked", "high", "acl.1", { areas: [["US", "all"]], exceptions: by("subdivision US-CA") }),
      tells("redirected -> blocked", "low", "acl.1", { cases: by("subdivision US-CA") }),
      shadowed,
    ],
  ],
  [
    "no exception is named of which the country has no request",
    [allow(1, { match: { geo_subdivision_codes: ["US-CA"] } })],
    [allow(1, { match: { geo_subdivision_codes: ["US-CA"] } }), block(2, from("KP"))],
    [tells("allowed -> blocked", "high", "acl.2", { areas: [["KP", "all"]] })],
  ],
  [
    "a list of countries counts those that other ACLs block",
    [block(1, from(...four))],
    [block(1, from(...four)), block(2, { not_match: { geo_country_codes: [...list, ...four] } })],
    [
      tells("allowed -> blocked", "critical", "acl.2", {
        areas: [[`not ${[...list, ...four].toSorted().join(" ")}`, "all"]],
        allowed: 44,
      }),
    ],
  ],
  [
    "a change by a host name is not swallowed by a change by address",
    [allow(1, { match: offices, not_match: { hostnames: ["x.example"] } }), wall],
    [allow(1, { match: { ipv4_cidrs: ["10.0.0.0/8"] }, not_match: { hostnames: ["x.example", "y.example"] } }), wall],
    [
      tells("allowed -> blocked", "high", "acl.1", {
        areas: [["all", "192.0.2.0/24"]],
        exceptions: by("hostname x.example"),
      }),
      tells("allowed -> blocked", "high", "acl.1", {
        cases: [{ facts: ["hostname y.example"], areas: [["all", "10.0.0.0/8 192.0.2.0/24"]] }],
      }),
    ],
  ],
  [
    "every API is told, also the one where another rule catches some requests",
    [office, block(2, noCurl)],
    [office],
    // The second time about agents of which the entry is a part: possible.
    ["user_agent curl/8.5.0", "user_agent ...curl/8.5.0..."].flatMap((agent) => [
      tells("blocked -> allowed", "high", "acl.2", { apis: signIn, cases: by(agent) }),
      tells("blocked -> allowed", "high", "acl.2", {
        apis: ["management"],
        cases: [{ facts: [agent], areas: [["all", "not 203.0.113.0/24"]] }],
      }),
    ]),
  ],
  [
    "one more excluded address of a host",
    [block(1, host("198.51.100.7"))],
    [block(1, host("198.51.100.7", "198.51.100.8"))],
    [
      tells("blocked -> allowed", "high", "acl.1", {
        cases: [{ facts: ["hostname x.example"], areas: [["all", "198.51.100.8"]] }],
      }),
    ],
  ],
  [
    "one key fewer that a wall excludes",
    [block(1, { not_match: keys("k1", "k2") })],
    [block(1, { not_match: keys("k1") })],
    [tells("allowed -> blocked", "medium", "acl.1", { cases: by("signature_key k2") })],
  ],
  [
    "an allow for another API is no exception",
    [office],
    [office, block(2, { scope: "authentication", match_all: true })],
    [tells("allowed -> blocked", "critical", "acl.2", { apis: signIn, areas: [["all", "all"]] })],
  ],
  [
    "the facts that a standing wall excludes are an exception",
    [allow(1, { match_all: true }), block(2, { not_match: { auth0_managed: ["auth0.tor"] } })],
    [block(2, { not_match: { auth0_managed: ["auth0.tor"] } })],
    [tells("allowed -> blocked", "critical", "acl.1", { ...everywhere, exceptions: by("managed auth0.tor") })],
  ],
  [
    "a log that matches more says only what is new",
    [log(1, v4("0.0.0.0/0"))],
    [log(1, { match: { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["2001:db8::1"] } })],
    [tells("gained", "info", "acl.1", { areas: [["all", "2001:db8::1"]] })],
  ],
  [
    "a log that matches half says only what is lost",
    [log(1, v4("0.0.0.0/0"))],
    [log(1, v4("0.0.0.0/1"))],
    [tells("lost", "medium", "acl.1", { areas: [["all", "128.0.0.0/1"]] })],
  ],
  [
    "a log that another ACL hides has that ACL as its cause",
    [log(2, from("KP"))],
    [allow(1, from("KP")), log(2, from("KP"))],
    [tells("lost", "medium", "acl.1", { areas: [["KP", "all"]] }), shadowed],
  ],
  [
    "a redirect to another path of one host is no redirect to another host",
    [redirect(1, from("KP"))],
    [redirect(1, from("KP"), "https://a.example/y")],
    [
      tells("redirected -> redirected", "low", "acl.1", {
        areas: [["KP", "all"]],
        hosts: { before: ["a.example"], after: ["a.example"] },
      }),
    ],
  ],
  [
    "a rule that was hidden and stays hidden is no news, whatever hides it",
    [block(1, from("KP")), block(5, from("KP"))],
    [block(2, from("KP", "IR"), { id: "other" }), block(5, from("KP"))],
    [tells("allowed -> blocked", "high", "acl.2", { areas: [["IR", "all"]] }), { ...shadowed, already: true }],
  ],
])("%s", (_, before, after, facts) => expect(factsOf(before, after)).toEqual(facts));

const open = Symbol("acl.1");
test.each([
  ["an unknown list", { match: { ipv4_cidrs: [open] } }, "match.ipv4_cidrs", "not known"],
  ["an unknown scope", { match: { ipv4_cidrs: ["0.0.0.0/1"] }, scope: open }, "scope", "not known"],
  ["a scope of a later version", { match: { ipv4_cidrs: ["0.0.0.0/1"] }, scope: "edge" }, "scope", "not readable"],
])("a block with %s is possible, and says which value decides", (_, rule, path, why) => {
  const after = [block(1, rule)];
  const versions = { before: [], after };
  const [one] = judgeAcls(analyseAcls(versions), versions, new Set());
  expect([one!.certainty, one!.assumptions]).toEqual([
    "possible",
    [{ is: "ACL", acl: "acl.1", path, why, address: "acl.1" }],
  ]);
});

const effects = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) =>
  aclEffects(analyseAcls({ before, after }));

const redirectTo = (redirect_uri: unknown) => ({ redirect: true, redirect_uri });

const tenant = (priority: number, rule: Values) => acl(priority, { scope: "tenant", ...rule });

const away = redirectTo("https://status.example/?secret");

test("effects", () => {
  const iran = { geo_country_codes: ["IR", "SY"] };
  const branch = { ipv4_cidrs: ["198.51.100.0/24"] };
  const germany = { geo_country_codes: ["DE"] };
  const tor = { auth0_managed: ["auth0.tor"] };
  const old = tenant(1, { match: { hostnames: ["old.example"] } });
  const curl = tenant(2, { match: { user_agents: ["curl/8.5.0"] } });
  const bots = acl(1, { action: allowing, match: { user_agents: ["bot"] } });
  const agents = acl(1, { action: { log: true }, match: { user_agents: ["curl"] } });
  const partner = tenant(1, { action: allowing, match: { asns: [64500] } });
  const maintenance = tenant(1, { action: away, match: { geo_country_codes: ["US"] } });
  const us = { ...tenant(5, { action: allowing, match: { geo_country_codes: ["US"] } }), key: "acl.us" };
  const every = { ...tenant(5, { match_all: true }), key: "acl.wall" };
  const geo = (...geo_country_codes: string[]) => acl(2, { match: { geo_country_codes }, not_match: branch });
  const assumed = [
    tenant(5, { action: allowing, not_match: germany }),
    tenant(10, { action: away, match: { geo_country_codes: ["de"] } }),
    tenant(20, { match: germany }),
  ];
  const cases: [string, PlannedAcl[], PlannedAcl[]][] = [
    ["everyone", [], [acl(1, { match: anyAddress })]],
    ["one family of addresses", [], [acl(1, { match: { ipv4_cidrs: ["0.0.0.0/0"] } })]],
    ["everyone outside one network", [], [acl(1, { not_match: { ipv4_cidrs: ["192.0.2.0/24"] } })]],
    ["a part and the other family", [], [acl(1, { match: { ipv4_cidrs: ["0.0.0.0/1"], ipv6_cidrs: ["::/0"] } })]],
    ["countries without an office", [], [acl(1, { match: iran, not_match: branch })]],
    ["agents with an entry, and with another one too", [bots, agents], [bots, agents, geo("IR")]],
    ["one of two named facts opens", [old, curl], [old]],
    ["facts of both rules that decide", [maintenance, tenant(2, { match: tor })], [tenant(2, { match: tor })]],
    ["an allow goes before a wall", [partner, tenant(2, { match: anyAddress })], [tenant(2, { match: anyAddress })]],
    ["a wall of the same priority", [us], [us, every]],
    ["an assumption of several APIs", [], assumed],
    ["an assumption about one example", [geo("AT", "de")], [geo("AT")]],
    ["an IPv6 network", [], [tenant(1, { match: { ipv6_cidrs: ["2001:db8::/64"] } })]],
    ["a connecting network", [], [tenant(1, { match: { connecting_ipv4_cidrs: ["198.51.100.0/24"] } })]],
  ];
  const found = table(cases, (before, after) =>
    effects(before, after)
      .map(worded)
      .map(({ certainty, level, code, apis, text, brief, examples }) => {
        const shown = examples.map(({ path, ip, connecting_ip: connecting }) =>
          [path, ip, ...(connecting === ip ? [] : ["through", connecting])].join(" "),
        );
        return `${certainty} ${level} ${code} ${apis.join("+")}: ${text} ${brief} ${shown.join(", ")}`;
      }),
  );
  expect(found).toMatchInlineSnapshot(`
    "
    everyone: certain critical TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for everyone. Blocks sign-in, tokens and client registration for everyone. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    one family of addresses: certain critical TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for all IPv4 addresses. Blocks sign-in, tokens and client registration for all IPv4 addresses. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    everyone outside one network: certain critical TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for almost everyone: everyone outside 192.0.2.0/24. Blocks sign-in, tokens and client registration for almost everyone. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    a part and the other family: certain critical TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for everyone outside 128.0.0.0/1. Blocks sign-in, tokens and client registration for about 50 % of IPv4 and all IPv6 addresses. /authorize 2001:db8::7, /oidc/register 2001:db8::7
    countries without an office: certain high TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for about 1.6 % of the world: everyone in Iran (IR) and Syria (SY), but not 198.51.100.0/24. Blocks sign-in, tokens and client registration for about 1.6 % of the world. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    agents with an entry, and with another one too: certain high TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for about 1.4 % of the world: everyone in Iran (IR), but not 198.51.100.0/24, except requests with a user agent that has bot in it. Blocks sign-in, tokens and client registration for about 1.4 % of the world, except requests with certain user agents. /authorize 203.0.113.7, /oidc/register 203.0.113.7 | possible medium TNF-ACL-TIGHTENED authentication+dynamic_client_registration: May block sign-in, tokens and client registration for requests with another user agent that has bot in it from everyone in Iran (IR), but not 198.51.100.0/24. Not certain, because match.user_agents of acl.1 has a user agent, which Auth0 may compare with the whole header or a part of it, in any letter case, and for 1 more reason. May block sign-in, tokens and client registration for requests that rules name by user agent. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    one of two named facts opens: certain high TNF-ACL-OPENED authentication+management+dynamic_client_registration: Allows sign-in, tokens, the Management API and client registration for requests with user agent curl/8.5.0 and with host name other than old.example. Allows sign-in, tokens, the Management API and client registration for requests that rules name by user agent or host name. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7 | possible high TNF-ACL-OPENED authentication+management+dynamic_client_registration: May allow sign-in, tokens, the Management API and client registration for requests with another user agent that has curl/8.5.0 in it and with host name other than old.example. Not certain, because match.user_agents of acl.2 has a user agent, which Auth0 may compare with the whole header or a part of it, in any letter case. May allow sign-in, tokens, the Management API and client registration for requests that rules name by user agent or host name. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    facts of both rules that decide: certain high TNF-ACL-OPENED authentication+management+dynamic_client_registration: Allows sign-in, tokens, the Management API and client registration for about 6.4 % of the world: everyone in United States (US), except requests on curated list auth0.tor. Allows sign-in, tokens, the Management API and client registration for about 6.4 % of the world, except requests with certain curated lists. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7 | certain low TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for requests on curated list auth0.tor from everyone in United States (US), no longer redirected. Blocks sign-in, tokens, the Management API and client registration for requests that rules name by curated list, no longer redirected. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    an allow goes before a wall: certain medium TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for requests with AS number 64500. Blocks sign-in, tokens, the Management API and client registration for requests that rules name by AS number. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    a wall of the same priority: certain critical TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for about 94 % of the world: everyone outside United States (US). Blocks sign-in, tokens, the Management API and client registration for about 94 % of the world. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7 | possible high TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: May block sign-in, tokens, the Management API and client registration for about 6.4 % of the world: everyone in United States (US). Not certain, because priority of acl.5 is that of another ACL, and for 1 more reason. May block sign-in, tokens, the Management API and client registration for about 6.4 % of the world. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    an assumption of several APIs: possible high TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: May redirect sign-in, tokens, the Management API and client registration to status.example for about 1.6 % of the world: everyone in Germany (DE). Not certain, because match.geo_country_codes of acl.10 has a code in another letter case, which Auth0 may compare exactly or not. May redirect sign-in, tokens, the Management API and client registration for about 1.6 % of the world. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7 | possible high TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: May block sign-in, tokens, the Management API and client registration for about 1.6 % of the world: everyone in Germany (DE). Not certain, because match.geo_country_codes of acl.10 has a code in another letter case, which Auth0 may compare exactly or not. May block sign-in, tokens, the Management API and client registration for about 1.6 % of the world. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    an assumption about one example: possible high TNF-ACL-OPENED authentication+dynamic_client_registration: May allow sign-in, tokens and client registration for about 1.6 % of the world: everyone in Germany (DE), but not 198.51.100.0/24. Not certain, because match.geo_country_codes of acl.2 has a code in another letter case, which Auth0 may compare exactly or not. May allow sign-in, tokens and client registration for about 1.6 % of the world. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    an IPv6 network: certain low TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for 2001:db8::/64 (2^64 IPv6 addresses). Blocks sign-in, tokens, the Management API and client registration for some addresses. /authorize 2001:db8::7, /api/v2/ 2001:db8::7, /oidc/register 2001:db8::7
    a connecting network: certain low TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for connecting address 198.51.100.0/24 (256 addresses). Blocks sign-in, tokens, the Management API and client registration for some addresses. /authorize 198.51.100.7, /api/v2/ 198.51.100.7, /oidc/register 198.51.100.7
    "
  `);
});
