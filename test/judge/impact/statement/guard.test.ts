/** Weakened guards, protected requests, and witnesses. */
import { table } from "../support/table";
import { worded } from "../support/worded";
import { factNames } from "../../../../src/judge/access/access";
import { guardFindings, joined, type PlanGuards } from "../../../../src/judge/impact/statement/weakened";
import {
  apisOf,
  builtIn,
  protectedRequest,
  requestsOf,
  speaksForTerraform,
  unknownFacts,
  type Guard,
  type Strength,
} from "../../../../src/judge/impact/statement/built-in";
import type { ProtectedRequest } from "../../../../src/judge/impact/statement/statement";
import { shownWitness } from "../../../../src/judge/impact/network-acl/levels";

type Facts = Readonly<Record<string, unknown>>;
const ip = { name: "our CI", ip: "203.0.113.7" };
const ci = protectedRequest(ip);
const other = protectedRequest({ name: "other", asn: 1 });
const unknown = Symbol("unknown");
const guard = (strength: Strength | undefined, ...requests: ProtectedRequest[]): Guard => ({
  builtIn: builtIn(strength ?? unknown, requests),
});
const base = guard;
const plan = (own: Guard, more: Partial<PlanGuards> = {}): PlanGuards => {
  const guards = [own];
  return { guards, acting: guards, changesAcls: true, ...more };
};
const idle = { acting: [], changesAcls: false };

const weaknesses = (from: Guard, now: Guard) => guardFindings([plan(now)], [from]);

const ranks = ["off", "warn", "error"] as const;
test.each(ranks.flatMap((from) => [...ranks, undefined].map((now) => [from, now] as const)))(
  "a guard is weakened from %s to %s only if the new strength is lower",
  (from, now) => {
    const isWeaker = ranks.indexOf(now ?? "off") < ranks.indexOf(from);
    expect(weaknesses(guard(from), guard(now))).toHaveLength(isWeaker ? 1 : 0);
    expect(weaknesses(guard(undefined), guard(now))).toEqual([]);
  },
);

test.each<[Facts, Facts, boolean]>([
  [{ ip: "203.0.113.7" }, { ip: "203.0.113.7", connecting_ip: "203.0.113.7" }, false],
  [{ ip: "203.0.113.7" }, { ip: "203.0.113.8" }, true],
  [{ ip: "203.0.113.7" }, { ip: "203.0.113.7", asn: 1 }, true],
  [{ ip: "203.0.113.7" }, { ip: unknown }, true],
  [{ asn: 1, country: "DE", ip: "203.0.113.7" }, { ip: "203.0.113.7", country: "DE", asn: 1 }, false],
  [{ asn: 1, country: undefined }, { asn: 1 }, false],
  [{ asn: 1 }, { asn: 2 }, true],
  [{ country: "DE" }, { country: "de" }, false],
  [{ country: "ß" }, { country: "SS" }, false],
  [{ hostname: "A.example" }, { hostname: "a.EXAMPLE." }, false],
  [{ hostname: "\u0130" }, { hostname: "i\u0307" }, false],
  [{ hostname: "a..example" }, { hostname: "a.example" }, true],
  [{ ip: "2001:DB8::1" }, { ip: "2001:db8:0::1" }, false],
  [{ subdivision: "de-by" }, { subdivision: "DE-BY" }, false],
  [{ user_agent: "A" }, { user_agent: "a" }, true],
  [{ ip: "no address" }, { ip: "no address" }, false],
  [{ ip: "no address" }, { ip: "another" }, true],
])("a request with %j loses protection if it has %j instead: %p", (one, now, isLost) => {
  const [was, is] = [one, now].map((facts) => guard("error", protectedRequest({ name: "x", ...facts })));
  const lost = weaknesses(was!, is!).filter(({ code }) => code === "TNF-GUARD-WEAKENED");
  expect(lost).toHaveLength(isLost ? 1 : 0);
});

test("effects", () => {
  const open = protectedRequest({ name: "x", path: unknown, ip: "192.0.2.1", asn: unknown });
  const two = { guards: [guard("off"), guard("off"), guard("error")], plan: "edge" };
  const late = protectedRequest({ ...ip, path: "/api/v2/", ip: unknown, asn: undefined });
  const dynamic = { dynamic: ["auth0.edge"] };
  const cases: [string, PlanGuards[], Guard[]?][] = [
    ["a guard that refuses", [plan(guard("error", ci))]],
    ["a guard that warns", [plan(guard("warn"))]],
    ["a guard that is off", [plan(guard("off"))]],
    ["a guard that is not known", [plan(guard(undefined))]],
    ["a guard that is off, without a change of ACLs", [plan(guard("off"), { changesAcls: false })]],
    ["as strong as on the base branch", [plan(guard("warn"))], [base("warn")]],
    ["weaker, without a change of ACLs", [plan(guard("off"), { changesAcls: false })], [base("warn")]],
    ["weaker than one of two", [plan(guard("warn"))], [base("warn"), base("error")]],
    ["weaker than one of two, the other is not known", [plan(guard("off"))], [base(undefined), base("error")]],
    ["not known any more", [plan(guard(undefined))], [base("error")]],
    ["not known before", [plan(guard("off"))], [base(undefined)]],
    ["two guards of one plan", [plan(guard("off"), two)]],
    ["a lost request", [plan(guard("error"))], [base("error", ci)]],
    ["a lost request of two plans", [plan(guard("error")), plan(guard("error"))], [base("error", ci)]],
    ["a request that one plan has", [plan(guard("error")), plan(guard("error", ci))], [base("error", ci)]],
    ["one request in each plan", [plan(guard("error", ci)), plan(guard("error", other))], [base("error", ci, other)]],
    ["lost in the plan of ACLs", [plan(guard("error")), plan(guard("error", ci), idle)], [base("error", ci)]],
    ["lost in a plan without ACLs", [plan(guard("error", ci)), plan(guard("error"), idle)], [base("error", ci)]],
    ["in one of two idle plans", [plan(guard("error"), idle), plan(guard("error", ci), idle)], [base("error", ci)]],
    ["in no idle plan", [plan(guard("error"), idle)], [base("error", ci)]],
    ["without plans", [], [base("error", ci)]],
    ["of another path", [plan(guard("error", protectedRequest({ ...ip, path: "/api/v2/" })))], [base("error", ci)]],
    ["a changed request", [plan(guard("error", protectedRequest({ ...ip, ip: "192.0.2.1" })))], [base("error", ci)]],
    ["a request that is not known", [plan(guard("error", other, late))], [base("error", ci)]],
    ["a lost secret", [plan(guard("error"))], [base("error", protectedRequest(ip, new Set(["ip"])))]],
    ["unknown facts", [plan(guard("error", open), { plan: "edge" })]],
    ["a dynamic block", [plan(guard("error"), { ...dynamic, plan: "edge" })]],
    ["a dynamic block, with a base branch", [plan(guard("error"), dynamic)], [base("error")]],
  ];
  const lines = table(cases, (...given) =>
    guardFindings(...given)
      .map(worded)
      .map(({ code, level, plan: of, text }) => [code.slice(10), level, ...(of ? [`(${of})`] : []), text].join(" ")),
  );
  expect(lines).toMatchInlineSnapshot(`
    "
    a guard that warns: WEAKENED info \`lockout_guard\` is "warn". Terraform may then apply a plan that locks Terraform out. Remove \`lockout_guard\`, or set it to "error".
    a guard that is off: WEAKENED info \`lockout_guard\` is "off". Terraform may then apply a plan that locks Terraform out. Remove \`lockout_guard\`, or set it to "error".
    a guard that is not known: WEAKENED info \`lockout_guard\` is not a constant, so it may be off. Terraform may then apply a plan that locks Terraform out. Remove \`lockout_guard\`, or set it to "error".
    weaker, without a change of ACLs: WEAKENED high \`lockout_guard\` is "off" (the base branch has "warn"). Terraform may then apply a plan that locks Terraform out. Remove \`lockout_guard\`, or set it to "error".
    weaker than one of two: WEAKENED high \`lockout_guard\` is "warn" (the base branch has "error"). Terraform may then apply a plan that locks Terraform out. Remove \`lockout_guard\`, or set it to "error".
    weaker than one of two, the other is not known: WEAKENED high \`lockout_guard\` is "off" (the base branch has "error"). Terraform may then apply a plan that locks Terraform out. Remove \`lockout_guard\`, or set it to "error".
    not known any more: WEAKENED high \`lockout_guard\` is not a constant, so it may be off (the base branch has "error"). Terraform may then apply a plan that locks Terraform out. Remove \`lockout_guard\`, or set it to "error".
    two guards of one plan: WEAKENED info (edge) \`lockout_guard\` is "off". Terraform may then apply a plan that locks Terraform out. Remove \`lockout_guard\`, or set it to "error".
    a lost request: WEAKENED high The change removes the protected request "our CI" of the base branch: reached {"ip_cidrs":["203.0.113.7"]}. The provider no longer refuses a plan that blocks this request.
    a lost request of two plans: WEAKENED high The change removes the protected request "our CI" of the base branch: reached {"ip_cidrs":["203.0.113.7"]}. The provider no longer refuses a plan that blocks this request.
    lost in the plan of ACLs: WEAKENED high The change removes the protected request "our CI" of the base branch: reached {"ip_cidrs":["203.0.113.7"]}. The provider no longer refuses a plan that blocks this request.
    in no idle plan: WEAKENED high The change removes the protected request "our CI" of the base branch: reached {"ip_cidrs":["203.0.113.7"]}. The provider no longer refuses a plan that blocks this request.
    without plans: WEAKENED high The change removes the protected request "our CI" of the base branch: reached {"ip_cidrs":["203.0.113.7"]}. The provider no longer refuses a plan that blocks this request.
    of another path: WEAKENED high The protected request "our CI" of the base branch changes: it was reached {"ip_cidrs":["203.0.113.7"]}, and is reached {"scopes":["management"],"ip_cidrs":["203.0.113.7"]}. The provider no longer refuses a plan that blocks this request.
    a changed request: WEAKENED high The protected request "our CI" of the base branch changes: it was reached {"ip_cidrs":["203.0.113.7"]}, and is reached {"ip_cidrs":["192.0.2.1"]}. The provider no longer refuses a plan that blocks this request.
    a request that is not known: WEAKENED high The protected request "our CI" of the base branch changes: it was reached {"ip_cidrs":["203.0.113.7"]}, and is reached {"scopes":["management"],"ip_cidrs":["(known after apply)"]}. The provider no longer refuses a plan that blocks this request. | UNKNOWN medium The plan does not show \`ip\` of the protected request "our CI", so the review cannot check this request. Write the value as a constant or as a variable of the root module.
    a lost secret: WEAKENED high The change removes the protected request "our CI" of the base branch: (sensitive). The provider no longer refuses a plan that blocks this request.
    unknown facts: UNKNOWN medium (edge) The plan does not show \`path\` and \`asn\` of the protected request "x", so the review cannot check this request. Write the value as a constant or as a variable of the root module.
    a dynamic block: UNKNOWN medium (edge) The provider configuration auth0.edge has a dynamic block for \`protected_request\`. Plans leave out dynamic blocks, so the review does not know what they state and cannot check it. Write plain blocks.
    nothing: a guard that refuses; a guard that is off, without a change of ACLs; as strong as on the base branch; not known before; a request that one plan has; one request in each plan; lost in a plan without ACLs; in one of two idle plans; a dynamic block, with a base branch
    "
  `);
  expect(guardFindings([plan(guard("off"))])[0]).not.toHaveProperty("plan");
  expect(guardFindings([plan(guard("error", open))])[0]).not.toHaveProperty("plan");
  expect(guardFindings([plan(guard("error"), dynamic)])[0]).not.toHaveProperty("plan");
  expect(unknownFacts(open)).toEqual(["path", "asn"]);
  expect(requestsOf(joined([guard("off", ci), guard("error", ci)])).map(({ name }) => name)).toEqual([
    ci.name,
    ci.name,
  ]);
});

describe("a protected request", () => {
  test("is for the API of its path, or for both of Terraform's requests", () => {
    expect(apisOf(ci)).toEqual(["management", "authentication"]);
    expect(apisOf(protectedRequest({ ...ip, path: "/api/v2/clients" }))).toEqual(["management"]);
    expect(apisOf(protectedRequest({ ...ip, path: "/oidc/register" }))).toEqual(["dynamic_client_registration"]);
    expect(apisOf(protectedRequest({ ...ip, path: Symbol("unknown") }))).toEqual([]);
  });

  test.each<[Facts, boolean]>([
    [{ ip: "203.0.113.7" }, true],
    [{ connecting_ip: "2001:db8::1" }, true],
    [{ asn: 64_500 }, true],
    [{ country: "de" }, true],
    [{ subdivision: "US-CA" }, true],
    [{}, false],
    [{ asn: 0 }, false],
    [{ user_agent: "x", ja3: "y", hostname: "z" }, false],
    [{ country: "ZZ" }, false],
    [{ subdivision: "ZZ-AA" }, false],
    [{ ip: "0.0.0.1" }, false],
    [{ ip: "224.0.0.1" }, false],
    [{ ip: "255.255.255.255" }, false],
    [{ ip: "::" }, false],
    [{ ip: "::ffff:240.0.0.1" }, false],
    [{ ip: "ff02::1" }, false],
    [{ ip: "no address" }, false],
    [{ ip: "203.0.113.7", country: "ZZ" }, false],
  ])("with %j counts as Terraform's own: %p", (facts, expected) => {
    expect(speaksForTerraform(protectedRequest({ name: "x", ...facts }))).toBe(expected);
    expect(speaksForTerraform(protectedRequest({ name: "x", ...facts, path: "/authorize" }))).toBe(false);
  });
});

describe("a witness", () => {
  const request = {
    api: "authentication" as const,
    path: "/authorize",
    ip: "203.0.113.7",
    connecting_ip: "198.51.100.7",
    country: "DE",
    managed: ["auth0.tor"],
    user_agent: "curl",
  };

  test("shows every fact, and null for a fact that it does not have", () => {
    const shown = shownWitness(request, new Set());
    expect(Object.keys(shown)).toEqual(factNames);
    expect(shown).toMatchObject({ country: "DE", asn: null, managed: ["auth0.tor"] });
  });

  test.each([
    ["geo_subdivision_codes", { country: "(sensitive)" }],
    ["ipv6_cidrs", { ip: "(sensitive)", connecting_ip: "198.51.100.7" }],
    ["connecting_ipv4_cidrs", { ip: "203.0.113.7", connecting_ip: "(sensitive)" }],
    ["auth0_managed", { managed: ["(sensitive)"] }],
    ["ja3_fingerprints", { ja3: null }],
  ])("hides facts of the sensitive property %s", (property, shown) => {
    expect(shownWitness(request, new Set([property]))).toMatchObject(shown);
  });
});
