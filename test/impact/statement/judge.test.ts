/** Judges expectations of each kind on small tenants. */
import type { Expectation } from "../../../src/impact/statement/statement";
import type { TenantState } from "../../../src/impact/state";
import { judgeExpectations } from "../../../src/impact/statement/judge";
import { readExpectations } from "../../../src/impact/statement/read";
import { judgementWords } from "../../../src/impact/statement/words";
import { acl, allow, block } from "../support/acls";

const one = (expectation: object): Expectation => readExpectations([{ name: "x", ...expectation }], "test")[0]!;
const judge = (expectation: object, after: TenantState, before?: TenantState) =>
  judgeExpectations([one(expectation)], { after, ...(before && { before }) })[0]!;

const office = acl(10, { action: allow, scope: "tenant", match: { ipv4_cidrs: ["198.51.100.0/24"] } });
const wall = acl(90, { action: block, scope: "tenant", match: { geo_country_codes: ["KP", "IR"] } });
const sanctions = { outcome: "blocked", request: { scopes: ["authentication"], countries: ["KP", "IR"] } };

describe("requests", () => {
  test("names a counterexample, the ACL that decides it, and the stated outcome", () => {
    const judged = judge(sanctions, { acls: [office, wall] });
    expect(judged.verdict).toBe("broken");
    expect(judgementWords(judged)).toMatch(
      /^Broken: a request to sign-in from 198\.51\.100\.\d+, country (KP|IR), is allowed by ACL "ACL 10" with priority 10\. It should be blocked\./,
    );
    expect(judged.cause).toMatchObject([{ address: "acl.10", words: 'ACL "ACL 10" with priority 10' }]);
    expect(judged.counterexample).toMatchObject({ path: "/authorize" });
  });

  test("puts commas only around further facts of the request", () => {
    const { text } = judge({ outcome: "blocked" }, { acls: [] });
    expect(text).toMatch(
      /^A request to the Management API from [\d.]+ is allowed, because no ACL matches\. It should be blocked\.$/,
    );
  });

  test("holds with the exception", () => {
    const except = { ip_cidrs: ["198.51.100.0/24"] };
    expect(judge({ ...sanctions, except }, { acls: [office, wall] }).verdict).toBe("held");
  });

  test("finds the half of a block that an exception leaves out", () => {
    const except = { ip_cidrs: ["198.51.100.0/25"] };
    expect(judge({ ...sanctions, except }, { acls: [office, wall] })).toMatchObject({
      verdict: "broken",
      counterexample: { ip: expect.stringMatching(/^198\.51\.100\.(12[89]|1[3-9]\d|2\d\d)$/) },
    });
  });

  test("is undecided without the ACLs of the tenant", () => {
    expect(judge(sanctions, {}).verdict).toBe("undecided");
  });

  test("marks what was so before and got no worse", () => {
    const acls = [office, wall];
    expect(judge(sanctions, { acls }, { acls })).toMatchObject({ verdict: "broken", already: true });
    const wider = acl(10, { action: allow, scope: "tenant", match: { ipv4_cidrs: ["198.51.0.0/16"] } });
    expect(judge(sanctions, { acls: [wider, wall] }, { acls }).already).toBeUndefined();
    expect(judge(sanctions, { acls }, { acls: [wider, wall] }).already).toBe(true);
  });
});
