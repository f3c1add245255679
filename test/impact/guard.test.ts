/** Weakened guards, protected requests, and witnesses. */
import { countries, factNames } from "../../src/access/access";
import { guardFindings, joined, type PlanGuards } from "../../src/impact/lockout/guard-findings";
import { weaknesses, type Guard } from "../../src/impact/lockout/guard";
import {
  apisOf,
  speaksForTerraform,
  unknownFacts,
  type ProtectedRequest,
} from "../../src/impact/lockout/protected-request";
import { requestWords, shownWitness } from "../../src/impact/network-acl/witness";

const ci: ProtectedRequest = { called: "our CI", facts: { ip: "203.0.113.7" } };
const guard = (strength: Guard["strength"], ...requests: ProtectedRequest[]): Guard => ({ strength, requests });
const plan = (own: Guard, more: Partial<PlanGuards> = {}): PlanGuards => ({
  guards: [own],
  acting: [own],
  changesAcls: true,
  ...more,
});
const told = (...args: Parameters<typeof guardFindings>) =>
  guardFindings(...args).map(({ code, level, plan: of }) => [code, level, of]);

describe("a guard", () => {
  const ranks = ["off", "warn", "error"] as const;
  test.each(ranks.flatMap((base) => [...ranks, undefined].map((now) => [base, now] as const)))(
    "is weakened from %s to %s only if the new strength is lower",
    (base, now) => {
      const isWeaker = ranks.indexOf(now ?? "off") < ranks.indexOf(base);
      expect(weaknesses(guard(base), guard(now))).toHaveLength(isWeaker ? 1 : 0);
    },
  );

  test.each<[string, ProtectedRequest, number]>([
    [
      "the same facts in another spelling",
      { called: "x", facts: { ip: "203.0.113.7", connecting_ip: "203.0.113.7" } },
      0,
    ],
    ["another address", { called: "our CI", facts: { ip: "203.0.113.8" } }, 1],
    ["one more fact", { called: "our CI", facts: { ip: "203.0.113.7", asn: 1 } }, 1],
    ["an unknown fact", { called: "our CI", facts: { ip: Symbol("unknown") } }, 1],
    ["only one of two paths", { ...ci, path: "/api/v2/" }, 1],
  ])("is weakened if a request loses protection, after a change to %s", (_what, now, count) => {
    expect(weaknesses(guard("error", ci), guard("error", now))).toHaveLength(count);
  });
});

describe("findings", () => {
  test("a guard that refuses is not reported", () => {
    expect(told([plan(guard("error", ci))])).toEqual([]);
  });

  test("the base branch sets the strength that is required", () => {
    const base = { ...guard("warn"), file: "base.json" };
    expect(told([plan(guard("warn"))], [base])).toEqual([]);
    expect(guardFindings([plan(guard("off"), { changesAcls: false })], [base])[0]!.text).toContain(
      'is "off" (base.json has "warn")',
    );
  });

  test("a request of the base branch that every plan lacks is reported once", () => {
    const base = { ...guard("error", ci), file: "base.json" };
    expect(told([plan(guard("error")), plan(guard("error"))], [base])).toEqual([
      ["TF-GUARD-WEAKENED", "high", undefined],
    ]);
    expect(told([plan(guard("error")), plan(guard("error", ci))], [base])).toEqual([]);
    const [lost] = guardFindings([plan(guard("error", { ...ci, facts: { ip: "192.0.2.1" } }))], [base]);
    expect(lost!.text).toMatch(/"our CI" \(ip 203\.0\.113\.7\) of base\.json .*: it is now ip 192\.0\.2\.1\./);
    const secret = { ...guard("error", { ...ci, isSecret: true }), file: "base.json" };
    expect(guardFindings([plan(guard("error"))], [secret])[0]!.text).toContain("(its facts are sensitive)");
  });

  test("without a plan that manages ACLs, all guards count together", () => {
    const base = { ...guard("error", ci), file: "base.json" };
    const idle = { acting: [], changesAcls: false };
    expect(told([plan(guard("error"), idle), plan(guard("error", ci), idle)], [base])).toEqual([]);
    expect(joined([guard("off", ci), guard("error", ci)]).requests).toEqual([ci, ci]);
  });

  test("a request with unknown facts is reported with the names of the facts", () => {
    const open = { called: "x", path: Symbol("unknown"), facts: { ip: "192.0.2.1", asn: Symbol("unknown") } };
    const [found] = guardFindings([plan(guard("error", open))]);
    expect(found).toMatchObject({ code: "TF-GUARD-UNKNOWN", level: "medium" });
    expect(found!.text).toContain('does not show `path`, `asn` of the protected request "x"');
    expect(unknownFacts(open)).toEqual(["path", "asn"]);
  });
});

describe("a protected request", () => {
  test("is for the API of its path, or for both of Terraform's requests", () => {
    expect(apisOf(ci)).toEqual(["management", "authentication"]);
    expect(apisOf({ ...ci, path: "/api/v2/clients" })).toEqual(["management"]);
    expect(apisOf({ ...ci, path: "/oidc/register" })).toEqual(["dynamic_client_registration"]);
    expect(apisOf({ ...ci, path: Symbol("unknown") })).toEqual([]);
  });

  test.each<[ProtectedRequest["facts"], boolean]>([
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
    expect(speaksForTerraform({ called: "x", facts }, countries)).toBe(expected);
    expect(speaksForTerraform({ called: "x", facts, path: "/authorize" }, countries)).toBe(false);
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
    expect(requestWords(request, new Set())).toBe(
      "/authorize from 203.0.113.7 through 198.51.100.7, country DE, user agent curl, on list auth0.tor",
    );
    expect(requestWords({ ...request, connecting_ip: request.ip, managed: [] }, new Set())).toBe(
      "/authorize from 203.0.113.7, country DE, user agent curl",
    );
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
