/** Lock-outs by so many network ACLs that counting the blocked addresses would take too long. */
import { blocksMuch, ownLockouts, type Terraform } from "../../src/impact/lockout/lockout";
import { writeLockouts } from "../../src/impact/lockout/write";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { acl, allow, block, log } from "./support/acls";

const terraform: Terraform = { userAgents: [], asksToken: false, countries: ["DE"] };
const change = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) => ({
  before,
  after,
  isSame: (one: PlannedAcl, other: PlannedAcl) => one.key === other.key,
});
/** 24,000 ACLs, of which 500 list 60 addresses each. */
const many = (action: object, active = true) => {
  const matching = (match: object) => acl(1, { action, scope: "management", match }, { active });
  const listing = Array.from({ length: 500 }, (_, one) =>
    matching({ ipv4_cidrs: Array.from({ length: 60 }, (_entry, at) => `10.${one >> 8}.${one & 255}.${at * 2}`) }),
  );
  return [...Array.from<PlannedAcl>({ length: 23_500 }).fill(matching({ asns: [1] })), ...listing];
};
const blocking = many(block);
const few = [acl(3, { scope: "management", match: { asns: [1] } })];
const undecided = { kind: "breadth", outcome: "blocked", certainty: "not decided", already: false, by: [] };

test("count as a lock-out", () => {
  expect(ownLockouts(change(few, blocking), [], terraform)).toEqual([undecided]);
  expect(blocksMuch(blocking, [], terraform)).toBe(true);
});

test.each([
  ["allow", many(allow)],
  ["log", many(log)],
  ["are inactive", many(block, false)],
])("are none if all ACLs %s", (_what, after) => {
  expect(ownLockouts(change([], after), [], terraform)).toEqual([]);
});

test("are caused by a write only if the ACLs before it could be counted", () => {
  expect(writeLockouts(change(few, blocking), [], terraform)).toEqual([undecided]);
  expect(writeLockouts(change(blocking, blocking), [], terraform)).toEqual([]);
  expect(writeLockouts(change(few, few), [], terraform)).toEqual([]);
});

test("a lock-out that is only possible is not caused by a write", () => {
  const possible = acl(1, {
    scope: "management",
    match: { ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/2"], hostnames: ["a"] },
  });
  expect(ownLockouts(change([], [possible]), [], terraform)).toMatchObject([{ certainty: "possible" }]);
  expect(writeLockouts(change([], [possible]), [], terraform)).toEqual([]);
});
