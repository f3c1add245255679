/** One write of a network ACL, judged by the ACLs right before and right after it. */
import { aclFrom, type PlannedAcl } from "../../../../src/judge/impact/network-acl/acl";
import { builtIn, protectedRequest } from "../../../../src/judge/impact/statement/built-in";
import { mayRestrict, writeLockouts } from "../../../../src/judge/impact/statement/write";

type Match = Record<string, unknown>;

const office = { ipv4_cidrs: ["203.0.113.0/24"] };
const acl = (priority: number, action: string, match: Match = office, more: Match = {}): PlannedAcl => {
  const rule = { action: { [action]: true }, match, scope: "tenant", ...more };
  return aclFrom({ priority, active: true, rule }, undefined, undefined, String(priority))[0]!;
};
const off = (one: PlannedAcl): PlannedAcl => ({ ...one, active: false });
const [block, allow, log, redirect] = [acl(5, "block"), acl(5, "allow"), acl(5, "log"), acl(5, "redirect")];
const at = (one: PlannedAcl, priority: number) => ({ ...one, priority });
const numbers = (...asns: number[]) => acl(5, "block", { asns });
const lets = (...asns: number[]) => acl(5, "allow", { asns });
const but = (...asns: number[]) => acl(5, "block", office, { not_match: { asns } });
const blocks = (match: Match, more: Match = {}) => acl(5, "block", match, more);
const all = (more: Match = {}) => blocks({}, { match: undefined, match_all: true, ...more });
const [one, two] = [{ asns: [1] }, { asns: [1, 2] }];
const management = { scope: "management" };

test.each<[string, PlannedAcl | undefined, PlannedAcl | undefined, boolean]>([
  ["a new block", undefined, block, true],
  ["a new redirect", undefined, redirect, true],
  ["a new allow", undefined, allow, false],
  ["a new log", undefined, log, false],
  ["a new inactive block", undefined, off(block), false],
  ["a deleted block", block, undefined, false],
  ["a deleted allow", allow, undefined, true],
  ["a deactivated allow", allow, off(allow), true],
  ["an activated block", off(block), block, true],
  ["a block with a lower priority number", block, at(block, 4), true],
  ["a block with a higher priority number", block, at(block, 6), false],
  ["an allow with a lower priority number", allow, at(allow, 4), false],
  ["an allow with a higher priority number", allow, at(allow, 6), true],
  ["a block that becomes a redirect", block, redirect, false],
  ["a log that becomes a block", log, block, true],
  ["an allow that becomes a log", allow, log, true],
  ["a block with fewer entries", numbers(1, 2), numbers(2), false],
  ["a block with another entry", numbers(1, 2), numbers(2, 3), true],
  ["an allow with more entries", lets(1), lets(2, 1), false],
  ["an allow with fewer entries", lets(1, 2), lets(1), true],
  ["a block without one of two criteria", blocks({ ...one, ja3_fingerprints: ["a"] }), numbers(1), true],
  ["a block with fewer exceptions", but(1, 2), but(1), true],
  ["a block with more exceptions", but(1), but(1, 2), false],
  ["another kind of exception", but(1), blocks(office, { not_match: { ...one, ja3_fingerprints: ["a"] } }), true],
  ["a block of a wider scope", blocks(one, management), blocks(one), true],
  ["a block of a narrower scope", blocks(one), blocks(one, management), false],
  ["a block of fewer entries in the same scope", blocks(two, management), blocks(one, management), false],
  ["a block of all requests", blocks(one), all(), true],
  ["a block that no longer matches all requests", all(), blocks(one), false],
  ["a property that is not known", blocks({ news: ["a", "b"] }), blocks({ news: ["a"] }), true],
  ["an equal property that is not known", blocks({ ...two, news: ["a"] }), blocks({ ...one, news: ["a"] }), false],
  ["an entry that is no address", blocks({ ipv4_cidrs: ["10.0.0.0/8", "x"] }), blocks({ ipv4_cidrs: ["x"] }), true],
  ["the others", blocks({ ipv4_cidrs: ["10.0.0.0/8", "x"] }), blocks({ ipv4_cidrs: ["10.0.0.0/8"] }), true],
  ["a condition that is not known goes", blocks(one, { news: "a" }), blocks(one), true],
  ["fewer entries beside such a condition", blocks(two, { news: "a" }), blocks(one, { news: "a" }), true],
  ["all requests with such a condition", all({ news: "a" }), blocks(one), true],
  ["an equal condition", blocks(one, { news: "a" }), at(blocks(one, { news: "a" }), 6), false],
])("knows whether %s can restrict", (_name, before, after, expected) => {
  expect(mayRestrict(before, after)).toBe(expected);
});

const [wall, token] = [acl(90, "block"), acl(90, "block", office, { scope: "authentication" })];
const everywhere = acl(90, "block", { ipv4_cidrs: ["0.0.0.0/0"] });
const api = { path: "/api/v2/clients" };
const runner = { hostname: "acme.example", userAgents: ["tenantform"], asksToken: true };

test.each<[string, PlannedAcl[], PlannedAcl[], object | undefined, string[]]>([
  ["an allow that goes", [at(allow, 10), wall], [wall], {}, ["protected request by 90"]],
  ["a wall behind an allow", [at(allow, 10)], [at(allow, 10), wall], {}, []],
  ["another ACL before one that blocked already", [token], [token, at(token, 1)], {}, []],
  ["one more API", [token], [token, { ...acl(1, "block"), key: "1" }], {}, ["protected request by 1"]],
  ["a request that is perhaps blocked", [], [acl(1, "block", { geo_country_codes: ["DE"] })], {}, []],
  ["a wall without protected requests", [], [everywhere], undefined, ["breadth by 90"]],
  ["a wall that was there", [everywhere], [everywhere, acl(91, "block")], undefined, []],
  ["a possible wall", [], [blocks({ ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/2"], hostnames: ["a"] })], undefined, []],
  ["another API than that of the path", [], [token], api, []],
  ["the API of the path", [], [acl(90, "block", office, management)], api, ["protected request by 90"]],
])("the lock-outs of %s", (_what, before, after, request, expected) => {
  const requests = request ? [protectedRequest({ name: "our CI", ip: "203.0.113.7", ...request })] : [];
  const found = writeLockouts({ before, after }, builtIn("error", requests), runner);
  expect(found.map(({ kind, by }) => `${kind} by ${by.map(({ key }) => key).join()}`)).toEqual(expected);
});
