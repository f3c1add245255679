/** The sentences about weakened guards, and the facts that two guards compare. */
import { guardFindings, type PlanGuards } from "../../src/impact/lockout/guard-findings";
import { weaknesses, type Guard } from "../../src/impact/lockout/guard";
import type { ProtectedRequest } from "../../src/impact/lockout/protected-request";

const ci: ProtectedRequest = { called: "our CI", facts: { ip: "203.0.113.7" } };
const guard = (strength: Guard["strength"], ...requests: ProtectedRequest[]): Guard => ({ strength, requests });
const base = (...args: Parameters<typeof guard>) => ({ ...guard(...args), file: "base.json" });
const plan = (own: Guard, more: Partial<PlanGuards> = {}): PlanGuards => ({
  guards: [own],
  acting: [own],
  changesAcls: true,
  ...more,
});
const textsOf = (...args: Parameters<typeof guardFindings>) => guardFindings(...args).map(({ text }) => text);
const mayApply =
  'Terraform may then apply a plan that locks Terraform out. Remove `lockout_guard`, or set it to "error".';
const notRefused = "The provider no longer refuses a plan that blocks the request in base.json.";

describe("the strength", () => {
  test.each<[Guard["strength"], string]>([
    ["warn", '`lockout_guard` is "warn".'],
    ["off", '`lockout_guard` is "off".'],
    [undefined, "`lockout_guard` is not a constant, so it may be off."],
  ])("%s without a base branch is worded", (strength, words) => {
    expect(guardFindings([plan(guard(strength))])).toMatchObject([
      { code: "TF-GUARD-WEAKENED", level: "info", text: `${words} ${mayApply}` },
    ]);
    expect(textsOf([plan(guard(strength), { changesAcls: false })])).toEqual([]);
    expect(guardFindings([plan(guard(strength))])[0]).not.toHaveProperty("plan");
  });

  test("is compared with every guard of the base branch", () => {
    expect(textsOf([plan(guard("warn"))], [base("warn"), base("error")])).toEqual([
      `\`lockout_guard\` is "warn" (base.json has "error"). ${mayApply}`,
    ]);
    expect(textsOf([plan(guard(undefined))], [base("error")])).toEqual([
      `\`lockout_guard\` is not a constant, so it may be off (base.json has "error"). ${mayApply}`,
    ]);
    expect(textsOf([plan(guard("off"))], [base(undefined)])).toEqual([]);
  });

  test("is compared with the guard of the base branch that requires more", () => {
    expect(textsOf([plan(guard("off"))], [base(undefined), base("error")])[0]).toContain('(base.json has "error")');
  });

  test("is reported once for each plan", () => {
    const two = { guards: [guard("off"), guard("off"), guard("error")] };
    expect(guardFindings([plan(guard("off"), { ...two, plan: "edge" })])).toMatchObject([{ plan: "edge" }]);
  });
});

describe("a lost request", () => {
  test("is worded", () => {
    expect(textsOf([plan(guard("error"))], [base("error", ci)])).toEqual([
      'The plan does not show the request "our CI" (ip 203.0.113.7) of base.json: the configuration does not have this request, ' +
        "or has it in a dynamic block, which plans leave out. Without this request, the provider no longer refuses a plan that " +
        "blocks it.",
    ]);
    const other = { called: "x", facts: { asn: 1 } };
    const now = { ...ci, path: "/api/v2/", facts: { ip: Symbol("unknown"), asn: undefined } };
    expect(textsOf([plan(guard("error", other, now))], [base("error", ci)])[0]).toBe(
      'The request "our CI" (ip 203.0.113.7) of base.json is no longer protected as before: it is now path /api/v2/, ip not known. ' +
        notRefused,
    );
  });

  test("is reported if a plan that manages ACLs lacks it", () => {
    const idle = { acting: [] };
    expect(textsOf([plan(guard("error")), plan(guard("error", ci), idle)], [base("error", ci)])).toHaveLength(1);
    expect(textsOf([plan(guard("error", ci)), plan(guard("error"), idle)], [base("error", ci)])).toEqual([]);
    expect(textsOf([plan(guard("error"), idle)], [base("error", ci)])).toHaveLength(1);
    expect(textsOf([], [base("error", ci)])).toHaveLength(1);
  });

  test("is lost only if every plan lacks the same request", () => {
    const other = { called: "other", facts: { asn: 1 } };
    const plans = [plan(guard("error", ci)), plan(guard("error", other))];
    expect(textsOf(plans, [base("error", ci, other)])).toEqual([]);
  });
});

test("unknown facts are reported with the plan", () => {
  const open = { called: "x", facts: { asn: Symbol("unknown") } };
  const [found] = guardFindings([plan(guard("error", open), { plan: "edge" })]);
  expect(found).toEqual({
    code: "TF-GUARD-UNKNOWN",
    level: "medium",
    plan: "edge",
    text:
      'The plan does not show `asn` of the protected request "x", so the review cannot check this request. Write the value as a ' +
      "constant or as a variable of the root module, or give `--protect FILE`.",
  });
  expect(guardFindings([plan(guard("error", open))])[0]).not.toHaveProperty("plan");
});

test("dynamic blocks are reported with the plan, unless the base branch lists the requests", () => {
  const dynamic = { dynamic: ["auth0.edge"] };
  const [found] = guardFindings([plan(guard("error"), { ...dynamic, plan: "edge" })]);
  expect(found).toEqual({
    code: "TF-GUARD-UNKNOWN",
    level: "medium",
    plan: "edge",
    text:
      "The provider configuration auth0.edge has a dynamic block for `protected_requests`. Plans leave out dynamic blocks, so the " +
      "review does not know these requests and cannot check them. Write them as plain blocks, or give `--protect FILE`.",
  });
  expect(guardFindings([plan(guard("error"), dynamic)])[0]).not.toHaveProperty("plan");
  expect(guardFindings([plan(guard("error"), dynamic)], [base("error")])).toEqual([]);
  expect(guardFindings([plan(guard("error"))])).toEqual([]);
});

describe("two requests", () => {
  const lost = (one: ProtectedRequest["facts"], other: ProtectedRequest["facts"]) =>
    weaknesses(guard("error", { called: "x", facts: one }), guard("error", { called: "x", facts: other })).length > 0;

  test.each<[ProtectedRequest["facts"], ProtectedRequest["facts"], boolean]>([
    [{ ip: "203.0.113.7", asn: 1 }, { asn: 1, ip: "203.0.113.7" }, false],
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
  ])("protect the same: %#", (one, other, isLost) => {
    expect(lost(one, other)).toBe(isLost);
  });

  test("with one name belong together", () => {
    const other = { called: "other", facts: { asn: 1 } };
    const now = { called: "our CI", facts: { asn: 2 } };
    expect(weaknesses(guard("error", ci), guard("error", other, now))).toEqual([{ request: ci, now }]);
    expect(weaknesses(guard("error", ci), guard("error", other))).toEqual([{ request: ci }]);
  });

  test("need no strength of the base branch", () => {
    expect(weaknesses(guard(undefined), guard("off"))).toEqual([]);
  });
});
