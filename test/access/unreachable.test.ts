/** Finds ACLs that can never match, and the ACLs that shadow them. */
import type { Acl } from "../../src/access/decide";
import { unreachable } from "../../src/access/unreachable";
import { block } from "./support/acl";

const shadowedBy = (...acls: Acl[]) =>
  unreachable(acls).map(({ acl, shadowedBy: others }) => [acl.key, ...others.map(({ key }) => key)]);

const six = block({ match: { ipv6_cidrs: ["::/0"] } }, 1, "six");
const four = block({ match: { ipv4_cidrs: ["0.0.0.0/0"] } }, 2, "four");

test("names ACLs that shadow another one together, in order of evaluation", () => {
  expect(shadowedBy(six, four, block({ match: { asns: [1] } }, 3, "late"))).toEqual([["late", "six", "four"]]);
});

test("names the single ACL that shadows another one, not two that do it together", () => {
  const one = block({ match: { asns: [1] } }, 1, "one");
  const two = block({ match: { asns: [2] } }, 2, "two");
  const both = block({ match: { asns: [1, 2, 3] } }, 3, "both");
  expect(shadowedBy(one, two, both, block({ match: { asns: [1, 2] } }, 4, "late"))).toEqual([["late", "both"]]);
});

test("shadows a logging ACL only by the ACLs before it", () => {
  const log = (priority: number, key: string) => block({ action: { log: true }, match: { asns: [1] } }, priority, key);
  const wall = block({ match_all: true }, 4, "wall");
  expect(shadowedBy(six, four, log(3, "late"), wall, log(5, "later"))).toEqual([
    ["late", "six", "four"],
    ["wall", "six", "four"],
    ["later", "wall"],
  ]);
});

test("names no other ACL if the criteria contradict each other", () => {
  expect(shadowedBy(block({ match: { asns: [1] }, not_match: { asns: [1] } }, 1, "none"))).toEqual([["none"]]);
});
