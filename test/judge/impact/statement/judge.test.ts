/** Judges expectations about requests on small tenants, and values that are not known yet: what is certain stays so with any value. */
import fc from "fast-check";
import { notKnown } from "../../../../src/judge/access/access";
import { aclVersions } from "../../../../src/judge/impact/network-acl/acl";
import type { TenantState } from "../../../../src/judge/impact/state";
import { type Values, withName } from "../../../../src/judge/impact/model";
import { remedyOf } from "../../../../src/provider/resources/statements/words";
import { expectationEffects } from "../../../../src/judge/impact/statement/effects";
import { judgeExpectations } from "../../../../src/judge/impact/statement/judge";
import { lockoutsOf } from "../../../../src/judge/impact/statement/lockout";
import { builtIn, protectedRequest } from "../../../../src/judge/impact/statement/built-in";
import { acl, allow, block } from "../support/acls";
import { readExpectations } from "../support/expectations";

const office = acl(10, { action: allow, scope: "tenant", match: { ipv4_cidrs: ["198.51.100.0/24"] } });
const wider = acl(10, { action: allow, scope: "tenant", match: { ipv4_cidrs: ["198.51.0.0/16"] } });
const wall = acl(90, { action: block, scope: "tenant", match: { geo_country_codes: ["KP", "IR"] } });
const sanctions = { outcome: "blocked", request: { scopes: ["authentication"], countries: ["KP", "IR"] } };
const except = (cidr: string) => ({ ...sanctions, except: { ip_cidrs: [cidr] } });
const both = { acls: [office, wall] };

const none = { acls: [] };
const north = { geo_country_codes: ["KP"] };
const news = { verdict: "broken", already: undefined };
const byOffice = { ...news, reason: { outcome: "allowed", by: 'ACL "ACL 10" (priority 10)' } };
const about = (request: object) => ({ outcome: "blocked", request });
const nobody = { verdict: "undecided", reason: { kind: "nobody" }, already: undefined };
const inactive = { ...office, active: false };
const later = Symbol("open");
const staff = { memberships: [{ values: { organization_id: "org_1", members: ["a"] } }] };
const limited = (limit: number) => ({
  policies: [
    {
      address: "tenant_rate_limit_policy.a",
      values: {
        resource: "oauth_authentication_api",
        consumer: "client",
        consumer_selector: "default",
        configuration: { action: "block", limit },
      },
    },
  ],
});
const limits = { policy: { consumer: "default", at_most: 50, at_least: later } };

test.each<[string, object, TenantState, TenantState | undefined, object, string?]>([
  [
    "an allow that comes first",
    sanctions,
    both,
    undefined,
    {
      verdict: "broken",
      reason: {
        kind: "counterexample",
        request: { ip: expect.stringMatching(/^198\.51\.100\.\d+$/), country: expect.stringMatching(/^(KP|IR)$/) },
        outcome: "allowed",
        by: 'ACL "ACL 10" (priority 10)',
        demanded: ["blocked"],
      },
      cause: [{ address: "acl.10", words: 'ACL "ACL 10" (priority 10)' }],
      counterexample: { path: "/authorize" },
    },
  ],
  [
    "no ACL",
    { outcome: "blocked" },
    { acls: [] },
    undefined,
    { reason: { kind: "counterexample", outcome: "allowed", demanded: ["blocked"] } },
  ],
  ["the exception", except("198.51.100.0/24"), both, undefined, { verdict: "held" }],
  [
    "half of the exception",
    except("198.51.100.0/25"),
    both,
    undefined,
    { verdict: "broken", counterexample: { ip: expect.stringMatching(/^198\.51\.100\.(12[89]|1[3-9]\d|2\d\d)$/) } },
  ],
  ["a country of another state", about({ countries: ["DE"], subdivisions: ["US-CA"] }), both, both, nobody],
  [
    "a part of the requests, whatever the others are",
    { ...sanctions, request: [sanctions.request, { ip_cidrs: later }] },
    both,
    undefined,
    { ...byOffice, verdict: "broken" },
  ],
  [
    "not the part of the requests that is known",
    { ...sanctions, request: [sanctions.request, { ip_cidrs: later }] },
    { acls: [wall] },
    undefined,
    { verdict: "undecided", reason: { kind: "value", name: "request.ip_cidrs" } },
  ],
  ["a higher limit, whatever the lowest is", limits, limited(60), undefined, { verdict: "broken" }],
  [
    "a limit below the bound that is known",
    limits,
    limited(40),
    limited(40),
    { verdict: "undecided", already: undefined },
  ],
  [
    "a member who is missing, whoever else is demanded",
    { members: { organization_id: "org_1", include: ["b", later], at_most: later } },
    staff,
    undefined,
    { verdict: "broken" },
  ],
  [
    "members of an organization that is not known",
    { members: { organization_id: later, include: ["b"] } },
    staff,
    undefined,
    { verdict: "undecided" },
  ],
  ["all of it is excepted", { ...sanctions, except: { countries: ["KP", "IR"] } }, { acls: [] }, undefined, nobody],
  ["ACLs that nobody read", sanctions, {}, undefined, { verdict: "undecided" }],
  ["the same before", sanctions, both, both, { verdict: "broken", already: true }],
  ["less before", sanctions, { acls: [wider, wall] }, both, news],
  ["more before", sanctions, both, { acls: [wider, wall] }, { already: true }],
  [
    "other requests before",
    sanctions,
    both,
    { acls: [acl(20, { action: allow, scope: "tenant", match: office.rule.match }), wall] },
    { already: true },
  ],
  ["an allow where nothing decided, beside older requests", sanctions, { acls: [office] }, none, byOffice],
  ["an allow that becomes active", sanctions, both, { acls: [inactive, wall] }, byOffice],
  ["a step of an apply, which adds the allow first", sanctions, { acls: [office] }, none, { already: true }, "step"],
  ["a part of the block", sanctions, { acls: [acl(90, { ...wall.rule, match: north })] }, none, { already: true }],
])("%s", (_what, expectation, after, before, expected, step = "plan") => {
  const list = readExpectations([{ name: "x", ...expectation }], "test");
  const [judged] = judgeExpectations(list, { after, ...(before && { before }) }, step === "step");
  expect({ already: undefined, ...judged }).toMatchObject(expected);
});

test.each<[string, boolean | undefined, RegExp]>([
  ["error", true, /set its `severity` to "warning"/],
  ["warning", false, /is "warning", so this plan is not refused/],
  ["not known", undefined, /not known yet, so the apply decides/],
])("a broken expectation whose severity is %s", (severity, refuses, remedy) => {
  const [expectation] = readExpectations([{ name: "x", ...sanctions }], "test");
  const stated = { ...expectation!, severity: severity === "not known" ? later : severity } as typeof expectation &
    object;
  const judged = judgeExpectations([stated], { after: both }).map((one) => ({ ...one, isEnforced: true }));
  const [found] = expectationEffects(judged);
  expect(found!.refuses).toBe(refuses);
  expect(remedyOf(found!).join(" ")).toMatch(remedy);
});

const criteria = fc.constantFrom(
  { ipv4_cidrs: ["203.0.113.0/24"] },
  { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] },
  { ipv4_cidrs: ["0.0.0.0/1"] },
  { geo_country_codes: ["DE"] },
  { asns: [1] },
);
const action = fc.constantFrom({ block: true }, { allow: true }, { log: true });
const scope = fc.constantFrom("tenant", "management", "authentication");
const rule = fc.oneof(fc.record({ action, match: criteria, scope }), fc.record({ action, not_match: criteria, scope }));
/** The attributes that the plan does not show. */
const hidden = fc.subarray(["description", "active", "rule", "priority"] as const, { maxLength: 2 });
const drawn = fc.array(fc.record({ active: fc.boolean(), rule, hidden }), { minLength: 1, maxLength: 4 });

const guard = builtIn("error", [protectedRequest({ name: "our CI", ip: "203.0.113.7" })]);
const terraform = { userAgents: ["A"], asksToken: true };

function certain(changes: readonly { readonly name: string; readonly values: object }[]): string[] {
  const created = { type: "tenant_network_acl", actions: ["create"] };
  const objects = changes.map(({ name, values }) => ({
    ...created,
    address: name,
    after: withName(values, name) as Values,
  }));
  const found = guard.flatMap((one) => lockoutsOf(one, aclVersions([objects]), terraform));
  return found.filter(({ certainty }) => certainty === "certain").map(({ kind, called }) => `${kind} ${called}`);
}

test("a lock-out that is certain while values are not known is certain with the values", () => {
  let counted = 0;
  fc.assert(
    fc.property(drawn, (acls) => {
      const whole = acls.map(({ hidden: _hidden, ...one }, index) => ({
        name: `change ${index + 1}`,
        values: { ...one, description: "d", priority: 10 * (index + 1) },
      }));
      const open = whole.map(({ name, values }, index) => ({
        name,
        values: {
          ...values,
          ...Object.fromEntries(acls[index]!.hidden.map((attribute) => [attribute, notKnown("later")])),
        },
      }));
      const [known, sure] = [certain(whole), certain(open)];
      expect(known).toEqual(expect.arrayContaining(sure.filter((one) => one.startsWith("protected request"))));
      if (sure.length > 0) expect(known).not.toEqual([]);
      counted += Number(sure.length > 0 && acls.some((one) => one.hidden.length > 0));
    }),
    { numRuns: 300, seed: 47 },
  );
  expect(counted).toBeGreaterThan(10);
});
