/** Judges expectations about requests on small tenants: the counterexample, the ACL that decides, and what was so before. */
import { judgeExpectations } from "../../../../src/judge/impact/statement/judge";
import { readExpectations } from "../support/expectations";
import type { TenantState } from "../../../../src/judge/impact/state";
import { acl, allow, block } from "../support/acls";

const office = acl(10, { action: allow, scope: "tenant", match: { ipv4_cidrs: ["198.51.100.0/24"] } });
const wider = acl(10, { action: allow, scope: "tenant", match: { ipv4_cidrs: ["198.51.0.0/16"] } });
const wall = acl(90, { action: block, scope: "tenant", match: { geo_country_codes: ["KP", "IR"] } });
const sanctions = { outcome: "blocked", request: { scopes: ["authentication"], countries: ["KP", "IR"] } };
const except = (cidr: string) => ({ ...sanctions, except: { ip_cidrs: [cidr] } });
const both = { acls: [office, wall] };

test.each<[string, object, TenantState, TenantState | undefined, object]>([
  [
    "an allow that comes first",
    sanctions,
    both,
    undefined,
    {
      verdict: "broken",
      text: expect.stringMatching(
        /^A request to sign-in from 198\.51\.100\.\d+, country (KP|IR), is allowed by ACL "ACL 10" with priority 10\. It should be blocked\.$/,
      ),
      cause: [{ address: "acl.10", words: 'ACL "ACL 10" with priority 10' }],
      counterexample: { path: "/authorize" },
    },
  ],
  [
    "no ACL",
    { outcome: "blocked" },
    { acls: [] },
    undefined,
    {
      text: expect.stringMatching(/^A request to the Management API from [\d.]+ is allowed, because no ACL matches\. /),
    },
  ],
  ["the exception", except("198.51.100.0/24"), both, undefined, { verdict: "held" }],
  [
    "half of the exception",
    except("198.51.100.0/25"),
    both,
    undefined,
    { verdict: "broken", counterexample: { ip: expect.stringMatching(/^198\.51\.100\.(12[89]|1[3-9]\d|2\d\d)$/) } },
  ],
  ["ACLs that nobody read", sanctions, {}, undefined, { verdict: "undecided" }],
  ["the same before", sanctions, both, both, { verdict: "broken", already: true }],
  ["less before", sanctions, { acls: [wider, wall] }, both, { verdict: "broken" }],
  ["more before", sanctions, both, { acls: [wider, wall] }, { already: true }],
])("%s", (what, expectation, after, before, expected) => {
  const list = readExpectations([{ name: "x", ...expectation }], "test");
  const [judged] = judgeExpectations(list, { after, ...(before && { before }) });
  expect(judged).toMatchObject(expected);
  if (what === "less before") expect(judged).not.toHaveProperty("already");
});
