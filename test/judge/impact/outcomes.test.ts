/** What changes of network ACLs do to requests, as data: the difference of the two versions, never a rule. */
import type { RequestCase } from "../../../src/judge/access/access";
import type { PlannedAcl } from "../../../src/judge/impact/network-acl/acl";
import { analyseAcls } from "../../../src/judge/impact/network-acl/analysis";
import { judgeAcls } from "../../../src/judge/impact/network-acl/changes";
import { countries } from "../../../src/judge/access/access";
import { acl } from "./support/acls";

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
const host = (...ipv4_cidrs: string[]) => ({
  match: { hostnames: ["x.example"] },
  not_match: { ipv4_cidrs },
});

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
    [
      allow(1, {
        match: { ipv4_cidrs: ["10.0.0.0/8"] },
        not_match: { hostnames: ["x.example", "y.example"] },
      }),
      wall,
    ],
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
    [
      tells("blocked -> allowed", "high", "acl.2", { apis: signIn, cases: by("user_agent curl/8.5.0") }),
      tells("blocked -> allowed", "high", "acl.2", {
        apis: ["management"],
        cases: [{ facts: ["user_agent curl/8.5.0"], areas: [["all", "not 203.0.113.0/24"]] }],
      }),
    ],
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
])("%s", (_, before, after, facts) => {
  expect(factsOf(before, after)).toEqual(facts);
});

test("a block with an unknown list is possible, and says which value is not known", () => {
  const after = [block(1, { match: { ipv4_cidrs: [Symbol("acl.1")] } })];
  const versions = { before: [], after };
  const [one] = judgeAcls(analyseAcls(versions), versions, new Set());
  expect([one!.certainty, one!.assumptions]).toEqual([
    "possible",
    [{ text: "match.ipv4_cidrs of acl.1 is known only after the apply", path: "match.ipv4_cidrs", address: "acl.1" }],
  ]);
});
