/** A remedy is the smallest change that works, and it breaks no other expectation. */
import { judgeExpectations } from "../../../src/impact/expectation/judge";
import { readExpectations } from "../../../src/impact/expectation/read";
import type { PlannedAcl } from "../../../src/impact/network-acl/acl";
import { acl, allow, block } from "../support/acls";

const everyone = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const partners = acl(10, { action: allow, scope: "tenant", match: { ipv4_cidrs: ["198.51.100.0/24"] } });
const wall = acl(90, { action: block, scope: "tenant", match: { geo_country_codes: ["KP", "IR"] } });
const sanctions = { name: "sanctions", outcome: "blocked", request: { apis: ["sign-in"], countries: ["KP", "IR"] } };

const remedyOf = (acls: readonly PlannedAcl[], ...expectations: object[]) =>
  judgeExpectations(readExpectations(expectations, "test"), { after: { acls } })[0]!.remedy;

test("gives an existing block a priority before the ACL that allows", () => {
  expect(remedyOf([partners, wall], sanctions)).toBe('Change the priority of ACL "ACL 90" from 90 to 9.');
});

test("changes ACLs without an address only if no ACL has one", () => {
  const withoutAddress = ({ address: _address, ...rest }: PlannedAcl): PlannedAcl => rest;
  expect(remedyOf([withoutAddress(partners), withoutAddress(wall)], sanctions)).toMatch(/^Change the priority of/);
  const unmanaged = [withoutAddress(partners), withoutAddress(wall), acl(95, { action: allow, match: everyone })];
  expect(remedyOf(unmanaged, sanctions)).toMatch(/^Add an ACL/);
});

test("uses a free priority only", () => {
  const others = [9, 8].map((priority) =>
    acl(priority, { action: block, scope: "tenant", match: { ipv4_cidrs: ["192.0.2.1"] } }),
  );
  expect(remedyOf([partners, wall, ...others], sanctions)).toBe('Change the priority of ACL "ACL 90" from 90 to 7.');
});

test("moves the ACL that allows if nothing is free before it", () => {
  const first = acl(1, { action: allow, scope: "tenant", match: { ipv4_cidrs: ["198.51.100.0/24"] } });
  expect(remedyOf([first, wall], sanctions)).toBe('Change the priority of ACL "ACL 1" from 1 to 91.');
});

test("switches on an inactive block", () => {
  const off = acl(5, { action: block, scope: "tenant", match: { geo_country_codes: ["KP", "IR"] } }, { active: false });
  expect(remedyOf([partners, off], sanctions)).toBe('Set active = true for ACL "ACL 5" with priority 5.');
});

test("adds an ACL if no other one blocks", () => {
  expect(remedyOf([], { ...sanctions, except: { ip_cidrs: ["192.0.2.0/24"] } })).toBe(
    "Add an ACL with the action block, the priority 100, the scope authentication, " +
      'match.geo_country_codes = ["KP", "IR"] and not_match.ipv4_cidrs = ["192.0.2.0/24"].',
  );
});

test("allows protected requests before a block", () => {
  const ours = { name: "ci", outcome: "reached", request: { ip_cidrs: ["203.0.113.7"] } };
  const all = acl(1, { action: block, scope: "tenant", match: everyone });
  expect(remedyOf([all], ours)).toBe('Add not_match.ipv4_cidrs = ["203.0.113.7"] to ACL "ACL 1" with priority 1.');
});

test("never moves or activates an ACL that allows everyone", () => {
  const all = acl(50, { action: block, scope: "management", match: everyone });
  const open = acl(60, { action: { allow: true }, scope: "management", match: everyone });
  const reached = { name: "api", outcome: "reached", request: { apis: ["management"] } };
  for (const active of [true, false]) {
    expect(remedyOf([all, { ...open, active }], reached)).toMatch(/^Narrow the rule of ACL "ACL 50"/);
  }
});

test("adds the requests to an ACL that blocks others of the kind", () => {
  const some = acl(90, { action: block, scope: "tenant", match: { geo_country_codes: ["KP"] } });
  expect(remedyOf([some], sanctions)).toBe('Add match.geo_country_codes = ["IR"] to ACL "ACL 90" with priority 90.');
  // Both facts must match, and another scope leaves sign-in open.
  const both = acl(90, { action: block, scope: "tenant", match: { geo_country_codes: ["KP"], asns: [1] } });
  const elsewhere = acl(90, { action: block, scope: "management", match: { geo_country_codes: ["KP"] } });
  for (const one of [both, elsewhere]) expect(remedyOf([one], sanctions)).toMatch(/^Add an ACL/);
  const secret = { ...some, secret: new Set(["geo_country_codes"]) };
  expect(remedyOf([secret], sanctions)).toMatch(/^Add an ACL/);
});

test("narrows a block, but never allows everyone", () => {
  const all = acl(50, { action: block, scope: "management", match: everyone });
  const reached = { name: "api", outcome: "reached", request: { apis: ["management"] } };
  const narrow =
    'Narrow the rule of ACL "ACL 50" with priority 50 so that it matches no such request, or remove this ACL.';
  expect(remedyOf([all], reached)).toBe(narrow);
  expect(remedyOf([all], { ...reached, request: { ...reached.request, ip_cidrs: ["0.0.0.0/0"] } })).toBe(narrow);
  // Another block stays.
  const { address: _address, ...unmanaged } = acl(60, { action: block, scope: "management", match: everyone });
  expect(remedyOf([all, unmanaged], reached)).toBeUndefined();
});

test("breaks no other expectation of the list", () => {
  const partner = { name: "partner", outcome: "reached", request: { ip_cidrs: ["198.51.100.7"] } };
  expect(remedyOf([partners, wall], sanctions, partner)).toBeUndefined();
  const exact = { ...sanctions, request: { countries: ["KP", "IR"], ip_cidrs: ["198.51.100.9"] } };
  expect(remedyOf([partners, wall], exact, partner)).toBe(
    "Add an ACL with the action block, the priority 9, the scope tenant, " +
      'match.ipv4_cidrs = ["198.51.100.9"] and match.geo_country_codes = ["KP", "IR"].',
  );
});

test("shows no sensitive value", () => {
  const [expectation] = readExpectations([sanctions], "test");
  const [judged] = judgeExpectations([{ ...expectation!, isSecret: true }], { after: { acls: [partners, wall] } });
  expect(judged).toMatchObject({ verdict: "broken" });
  expect(JSON.stringify([judged!.text, judged!.remedy, judged!.counterexample])).not.toMatch(/KP|IR|198\.51/);
});

test("writes AS numbers as numbers, and user agents as they are", () => {
  const request = { apis: ["sign-in"], asns: [64500, 64501], user_agents: ["Mozilla/5.0 (X11,U)"] };
  expect(remedyOf([], { name: "bots", outcome: "blocked", request })).toContain(
    'match.asns = [64500, 64501] and match.user_agents = ["Mozilla/5.0 (X11,U)"]',
  );
});
