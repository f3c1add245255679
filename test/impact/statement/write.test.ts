/** One write of a network ACL, judged by the ACLs right before and right after it. */
import { aclFrom, type PlannedAcl } from "../../../src/impact/network-acl/acl";
import type { ProtectedRequest } from "../../../src/impact/statement/protected-request";
import { mayRestrict, writeLockouts } from "../../../src/impact/statement/write";

type Match = Record<string, unknown>;

const acl = (
  priority: number,
  action: string,
  match: Match = { ipv4_cidrs: ["203.0.113.0/24"] },
  more: Match = {},
): PlannedAcl => {
  const rule = { action: { [action]: true }, match, scope: "tenant", ...more };
  return aclFrom({ priority, active: true, rule }, undefined, undefined, String(priority))[0]!;
};
const off = (one: PlannedAcl): PlannedAcl => ({ ...one, active: false });
const lists = (...asns: number[]) => ({ asns });

test.each<[string, PlannedAcl | undefined, PlannedAcl | undefined, boolean]>([
  ["a new block", undefined, acl(5, "block"), true],
  ["a new redirect", undefined, acl(5, "redirect"), true],
  ["a new allow", undefined, acl(5, "allow"), false],
  ["a new log", undefined, acl(5, "log"), false],
  ["a new inactive block", undefined, off(acl(5, "block")), false],
  ["a deleted block", acl(5, "block"), undefined, false],
  ["a deleted allow", acl(5, "allow"), undefined, true],
  ["a deactivated allow", acl(5, "allow"), off(acl(5, "allow")), true],
  ["an activated block", off(acl(5, "block")), acl(5, "block"), true],
  ["a block with a lower priority number", acl(5, "block"), acl(4, "block"), true],
  ["a block with a higher priority number", acl(5, "block"), acl(6, "block"), false],
  ["an allow with a lower priority number", acl(5, "allow"), acl(4, "allow"), false],
  ["an allow with a higher priority number", acl(5, "allow"), acl(6, "allow"), true],
  ["a block that becomes a redirect", acl(5, "block"), acl(5, "redirect"), false],
  ["a log that becomes a block", acl(5, "log"), acl(5, "block"), true],
  ["an allow that becomes a log", acl(5, "allow"), acl(5, "log"), true],
  ["a block with fewer entries", acl(5, "block", lists(1, 2)), acl(5, "block", lists(2)), false],
  ["a block with another entry", acl(5, "block", lists(1, 2)), acl(5, "block", lists(2, 3)), true],
  ["an allow with more entries", acl(5, "allow", lists(1)), acl(5, "allow", lists(2, 1)), false],
  ["an allow with fewer entries", acl(5, "allow", lists(1, 2)), acl(5, "allow", lists(1)), true],
  [
    "a block without one of two criteria",
    acl(5, "block", { ...lists(1), ja3_fingerprints: ["a"] }),
    acl(5, "block", lists(1)),
    true,
  ],
  [
    "a block with fewer exceptions",
    acl(5, "block", {}, { not_match: lists(1, 2) }),
    acl(5, "block", {}, { not_match: lists(1) }),
    true,
  ],
  [
    "a block with more exceptions",
    acl(5, "block", {}, { not_match: lists(1) }),
    acl(5, "block", {}, { not_match: lists(1, 2) }),
    false,
  ],
  [
    "a block with another kind of exception",
    acl(5, "block", {}, { not_match: lists(1) }),
    acl(5, "block", {}, { not_match: { ...lists(1), ja3_fingerprints: ["a"] } }),
    true,
  ],
  ["a block of a wider scope", acl(5, "block", lists(1), { scope: "management" }), acl(5, "block", lists(1)), true],
  ["a block of a narrower scope", acl(5, "block", lists(1)), acl(5, "block", lists(1), { scope: "management" }), false],
  [
    "a block of all requests",
    acl(5, "block", lists(1)),
    acl(5, "block", {}, { match: undefined, match_all: true }),
    true,
  ],
  [
    "a block that no longer matches all requests",
    acl(5, "block", {}, { match: undefined, match_all: true }),
    acl(5, "block", lists(1)),
    false,
  ],
  [
    "a block with a property that is not known",
    acl(5, "block", { news: ["a", "b"] }),
    acl(5, "block", { news: ["a"] }),
    true,
  ],
  [
    "a block with fewer entries in the same scope",
    acl(5, "block", lists(1, 2), { scope: "management" }),
    acl(5, "block", lists(1), { scope: "management" }),
    false,
  ],
  [
    "a block with fewer entries next to an equal property that is not known",
    acl(5, "block", { ...lists(1, 2), news: ["a"] }),
    acl(5, "block", { ...lists(1), news: ["a"] }),
    false,
  ],
  [
    "a block with a part of the entries, one of which is not an address",
    acl(5, "block", { ipv4_cidrs: ["10.0.0.0/8", "x"] }),
    acl(5, "block", { ipv4_cidrs: ["x"] }),
    true,
  ],
  [
    "a block of entries that are not known addresses",
    acl(5, "block", { ipv4_cidrs: ["10.0.0.0/8", "x"] }),
    acl(5, "block", { ipv4_cidrs: ["10.0.0.0/8"] }),
    true,
  ],
  [
    "a block without a condition that is not known",
    acl(5, "block", lists(1), { news: "a" }),
    acl(5, "block", lists(1)),
    true,
  ],
  [
    "a block with fewer entries and a condition that is not known",
    acl(5, "block", lists(1, 2), { news: "a" }),
    acl(5, "block", lists(1), { news: "a" }),
    true,
  ],
  [
    "a block of all requests with a condition that is not known, and then of some",
    acl(5, "block", {}, { match: undefined, match_all: true, news: "a" }),
    acl(5, "block", lists(1)),
    true,
  ],
  [
    "a block with an equal condition that is not known",
    acl(5, "block", lists(1), { news: "a" }),
    acl(6, "block", lists(1), { news: "a" }),
    false,
  ],
])("knows whether %s can restrict", (_name, before, after, expected) => {
  expect(mayRestrict(before, after)).toBe(expected);
});

const request: ProtectedRequest = { called: "our CI", facts: { ip: "203.0.113.7" } };
const terraform = { hostname: "acme.example", userAgents: ["tenantform"], asksToken: true, countries: ["DE", "FR"] };
const lockouts = (before: PlannedAcl[], after: PlannedAcl[], requests = [request]) =>
  writeLockouts({ before, after }, requests, terraform).map(({ kind, by }) => [kind, by.map(({ key }) => key)]);

test("finds a protected request that the write blocks, and the ACL that blocks it", () => {
  const [allow, wall] = [acl(10, "allow"), acl(90, "block")];
  expect(lockouts([allow, wall], [wall])).toEqual([["protected request", ["90"]]]);
  expect(lockouts([allow], [allow, wall])).toEqual([]);
});

test("finds no lock-out if another ACL blocked the request before, and judges each API by itself", () => {
  const token = acl(90, "block", undefined, { scope: "authentication" });
  expect(lockouts([token], [token, acl(1, "block", undefined, { scope: "authentication" })])).toEqual([]);
  expect(lockouts([token], [token, acl(1, "block")])).toEqual([["protected request", ["1"]]]);
});

test("finds no lock-out if the request is only perhaps blocked", () => {
  expect(lockouts([], [acl(1, "block", { geo_country_codes: ["DE"] })])).toEqual([]);
});

test("finds a block of most of the Management API without protected requests", () => {
  const wall = acl(90, "block", { ipv4_cidrs: ["0.0.0.0/0"] });
  expect(lockouts([], [wall], [])).toEqual([["breadth", ["90"]]]);
  expect(lockouts([wall], [wall, acl(91, "block")], [])).toEqual([]);
});

test("finds no lock-out if most of the Management API is only possibly blocked", () => {
  const possible = acl(1, "block", { ipv4_cidrs: ["0.0.0.0/1", "128.0.0.0/2"], hostnames: ["a"] });
  expect(lockouts([], [possible], [])).toEqual([]);
});

test("judges a request with a path for the API of the path alone", () => {
  const token = acl(90, "block", undefined, { scope: "authentication" });
  const api = { ...request, path: "/api/v2/clients" };
  expect(lockouts([], [token], [api])).toEqual([]);
  expect(lockouts([], [acl(90, "block", undefined, { scope: "management" })], [api])).toEqual([
    ["protected request", ["90"]],
  ]);
});
