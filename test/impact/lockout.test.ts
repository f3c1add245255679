/** Lock-outs, their codes, and the boundary of one half. */
import { countries } from "../../src/access/access";
import { codeOf, isRefused, lockoutFindings } from "../../src/impact/lockout/findings";
import { blocksMuch, ownLockouts, percent, requestLockouts, type Terraform } from "../../src/impact/lockout/lockout";
import type { ProtectedRequest } from "../../src/impact/lockout/protected-request";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { acl, allow, everywhere } from "./support/acls";

const terraform: Terraform = { userAgents: ["tenantform/1.0.0"], asksToken: true, countries };
const management = { scope: "management" };
const half = { ...management, match: { ipv4_cidrs: ["0.0.0.0/1"] } };
const more = { ...management, match: { ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/32"] } };

const change = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) => ({
  before,
  after,
  isSame: (one: PlannedAcl, other: PlannedAcl) => one.key === other.key,
});
const own = (
  after: readonly PlannedAcl[],
  requests: readonly ProtectedRequest[] = [],
  before: readonly PlannedAcl[] = [],
) => ownLockouts(change(before, after), requests, terraform);
const ci: ProtectedRequest = { called: "our CI", facts: { ip: "203.0.113.7" } };

test("reports no lock-out for half of the addresses, and a lock-out for one address more", () => {
  expect(own([acl(1, half)])).toEqual([]);
  expect(own([acl(1, more)])).toMatchObject([{ kind: "breadth", certainty: "certain", already: false }]);
});

test("most addresses are redirected only if no ACL blocks some of them", () => {
  const redirect = { redirect: true, redirect_uri: "https://example.org" };
  const away = acl(1, { ...more, action: redirect });
  const other = acl(2, { ...management, match: { ipv4_cidrs: ["192.0.0.0/4"] } });
  expect(own([away])).toMatchObject([{ kind: "breadth", outcome: "redirected" }]);
  expect(own([away, other])).toMatchObject([{ kind: "breadth", outcome: "blocked" }]);
});

test("counts an ACL as blocking much if it blocks more than one percent of the addresses", () => {
  const share = (cidr: string) => blocksMuch([acl(1, { ...management, match: { ipv4_cidrs: [cidr] } })], [], terraform);
  expect(share("0.0.0.0/6")).toBe(true);
  expect(share("0.0.0.0/7")).toBe(false);
});

test("marks a lock-out as known if it existed before the change", () => {
  expect(own([acl(1, more)], [], [acl(1, more)])).toMatchObject([{ already: true }]);
});

test("a blocked token request is a lock-out unless access_token is set", () => {
  const closed = [acl(1, { match: everywhere })];
  expect(own(closed)).toMatchObject([{ kind: "token", certainty: "certain", outcome: "blocked" }]);
  expect(ownLockouts(change([], closed), [], { ...terraform, asksToken: false })).toEqual([]);
  expect(own([acl(1, { action: allow, match: { asns: [1] } }), acl(2, { match: everywhere })])).toEqual([]);
});

test("a protected request of the Management API replaces the check of all addresses", () => {
  const open = [
    acl(1, { ...management, action: allow, match: { ipv4_cidrs: ["203.0.113.0/24"] } }),
    acl(2, { ...management, match: everywhere }),
  ];
  expect(own(open)).toMatchObject([{ kind: "breadth" }]);
  expect(own(open, [ci])).toEqual([]);
  expect(own(open, [{ ...ci, path: "/authorize" }])).toMatchObject([{ kind: "breadth" }]);
});

test("a protected request without a path means the Management API and the token request", () => {
  const blocked = (scope: string, path?: string) =>
    requestLockouts(change([], [acl(1, { scope, match: { ipv4_cidrs: ["203.0.113.0/24"] } })]), [
      { ...ci, ...(path && { path }) },
    ]);
  for (const scope of ["management", "authentication", "tenant"]) {
    expect(blocked(scope)).toMatchObject([{ called: "our CI", certainty: "certain", already: false }]);
  }
  expect(blocked("authentication", "/api/v2/clients")).toEqual([]);
  expect(blocked("management", "/api/v2/clients")).toHaveLength(1);
});

test("a request is possibly blocked if a rule uses a fact that is not given", () => {
  const found = requestLockouts(change([], [acl(1, { scope: "tenant", match: { asns: [1] } })]), [ci]);
  expect(found).toMatchObject([{ certainty: "possible", outcome: "blocked" }]);
});

test("a redirect is a lock-out too", () => {
  const away = { scope: "tenant", action: { redirect: true, redirect_uri: "https://a.example" }, match: everywhere };
  expect(requestLockouts(change([], [acl(1, away)]), [ci])).toMatchObject([{ outcome: "redirected" }]);
});

const kinds = ["protected request", "token", "breadth"] as const;
test.each(kinds)("codes and refusals of kind %s", (kind) => {
  const judged = (certainty: "certain" | "possible", already: boolean) => [
    codeOf({ kind, certainty, already }),
    isRefused({ kind, certainty, already }),
  ];
  const [lockout, possible] = ["TF-ACL-LOCKOUT", "TF-ACL-LOCKOUT-POSSIBLE"];
  expect(judged("certain", false)).toEqual([lockout, kind !== "token"]);
  expect(judged("possible", false)).toEqual([possible, false]);
  expect(judged("certain", true)).toEqual([kind === "breadth" ? possible : lockout, false]);
});

describe("findings", () => {
  const found = (
    before: readonly PlannedAcl[],
    after: readonly PlannedAcl[],
    requests: readonly ProtectedRequest[] = [],
    changesAcls = true,
    base: readonly ProtectedRequest[] = [],
  ) =>
    lockoutFindings({ before, after }, { own: requests, base }, terraform, changesAcls).map(
      ({ code, level, address, text }) => ({ code, level, address, text }),
    );
  const closed = [acl(1, { scope: "tenant", match: everywhere })];

  test("a lock-out is critical, once for each text", () => {
    const lockouts = found([], closed, [ci, ci]);
    expect(lockouts.filter(({ text }) => text.includes("our CI"))).toEqual([
      {
        code: "TF-ACL-LOCKOUT",
        level: "critical",
        address: "acl.1",
        text: expect.stringContaining('would block the request "our CI"'),
      },
    ]);
  });

  test("lowers the level for requests that were blocked before, and reports nothing new if no ACL changes", () => {
    const wide = [acl(1, more)];
    expect(found(wide, wide)).toMatchObject([
      {
        code: "TF-ACL-LOCKOUT-POSSIBLE",
        level: "medium",
        text: expect.stringContaining("already so before the change"),
      },
    ]);
    expect(found(wide, wide, [], false)).toEqual([]);
    expect(found(closed, closed, [ci], false)).toMatchObject([{ text: expect.stringContaining('request "our CI"') }]);
  });

  test("marks a blocked protected request as older only if the plan changes none of the ACLs that block it", () => {
    const judged = (before: readonly PlannedAcl[], requests: readonly ProtectedRequest[]) =>
      lockoutFindings({ before, after: closed }, { own: requests, base: [] }, terraform, true)
        .filter(({ text }) => text.includes("protected_requests"))
        .map(({ already }) => already ?? false);
    const [wall] = closed;
    const later = acl(9, {});
    const changed = { ...wall!, rule: { ...wall!.rule, not_match: { asns: [1] } } };
    expect(new Set(judged([...closed, later], [ci]))).toEqual(new Set([true]));
    expect(new Set(judged([changed], [{ ...ci, path: "/login" }]))).toEqual(new Set([false]));
    expect(new Set(judged([], [ci]))).toEqual(new Set([false]));
  });

  test("reports a token request that was blocked before only if the plan changes ACLs", () => {
    const signIn = [acl(1, { scope: "authentication", match: everywhere })];
    expect(found(signIn, signIn)).toMatchObject([{ code: "TF-ACL-LOCKOUT" }]);
    expect(found(signIn, signIn, [], false)).toEqual([]);
  });

  test("does not report a possible block again if it was possible before the change", () => {
    const doubtful = [acl(1, { scope: "tenant", match: { asns: [1] } })];
    expect(found([], doubtful, [ci])).toMatchObject([{ code: "TF-ACL-LOCKOUT-POSSIBLE", level: "medium" }]);
    expect(found(doubtful, doubtful, [ci])).toEqual([]);
  });

  test("does not check a request with unknown facts, and does not explain a sensitive request", () => {
    expect(
      found([], closed, [{ called: "x", facts: { ip: Symbol("unknown") } }]).filter(({ text }) => text.includes('"x"')),
    ).toEqual([]);
    const [secret] = found([], closed, [{ ...ci, isSecret: true }]);
    expect(secret!.text).not.toContain("203.0.113.7");
    expect(secret!.text).not.toContain("holds");
  });

  test("still checks the requests of the base branch when the change adds a request", () => {
    const open = [
      acl(1, { ...management, action: allow, match: { ipv4_cidrs: ["203.0.113.0/24"] } }),
      acl(2, { ...management, match: everywhere }),
    ];
    const elsewhere: ProtectedRequest = { called: "old CI", facts: { ip: "192.0.2.1" } };
    expect(found([], open, [ci])).toEqual([]);
    expect(found([], open, [ci], true, [elsewhere]).map(({ text }) => text)).toEqual([
      expect.stringContaining("old CI"),
    ]);
  });
});

test("percentages are rounded down to two digits", () => {
  expect([percent(1n, 3n), percent(99_999n, 100_000n), percent(2n, 2n)]).toEqual(["33.33 %", "99.99 %", "100 %"]);
});
