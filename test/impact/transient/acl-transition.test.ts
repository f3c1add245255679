/** The change of all network ACLs, and the requests that show its stages. */
import type { AclChange } from "../../../src/impact/transient/acl-change";
import { aclTransition, isOneWrite, requestTo } from "../../../src/impact/transient/acl-transition";
import { acl } from "../support/acls";

const all = { match_all: true };
const update = (from: number, to: number): AclChange => ({
  before: acl(from, all),
  after: acl(to, all),
  how: "update",
  isOwn: true,
});
const transitionOf = (...changes: readonly AclChange[]) => {
  const sides = (["before", "after"] as const).map((side) => changes.flatMap((change) => change[side] ?? []));
  return aclTransition({ before: sides[0]!, after: sides[1]! }, { changes, unchanged: [] }, () => false)!;
};

test("one write has no stage between its ends, and a replacement or a second write has one", () => {
  expect(isOneWrite(transitionOf())).toBe(true);
  expect(isOneWrite(transitionOf(update(1, 2)))).toBe(true);
  expect(isOneWrite(transitionOf({ ...update(1, 1), how: "delete, then create" }))).toBe(false);
  expect(isOneWrite(transitionOf(update(1, 2), update(5, 6)))).toBe(false);
});

test.each(["authentication", "management", "dynamic_client_registration"] as const)("asks the API %s", (api) => {
  const facts = { ip: "203.0.113.7", country: "KP" };
  expect(requestTo(api, facts)).toMatchObject({ api, ...facts });
});
