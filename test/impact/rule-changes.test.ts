/** Words for changes of rules. */
import { amountWords } from "../../src/impact/amount";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { entryChanges } from "../../src/impact/network-acl/entries";
import { countWords } from "../../src/impact/network-acl/count-words";
import { ruleChanges } from "../../src/impact/network-acl/rule-changes";
import { acl, allow } from "./support/acls";

const words = (before: PlannedAcl, after: PlannedAcl) =>
  ruleChanges({ before: [before], after: [after] })[0]?.words ?? [];
const asn = { match: { asns: [1] } };
const same = { ...acl(1, asn), key: "x" };
const changed = (rule: object, more: object = {}) => ({ ...acl(1, { ...asn, ...rule }, { ...more }), key: "x" });
const cidrs = (...ipv4_cidrs: unknown[]) => ({ ...acl(1, { match: { ipv4_cidrs } }), key: "x" });

test.each<[string, PlannedAcl, string[]]>([
  ["nothing", same, []],
  ["the priority", changed({}, { priority: 2 }), ["priority 1 -> 2"]],
  ["an unknown priority", changed({}, { priority: Symbol("unknown") }), ["priority 1 -> (known after apply)"]],
  ["active", changed({}, { active: false }), ["switched off"]],
  ["an unknown active", changed({}, { active: Symbol("unknown") }), ["switched on or off (known after apply)"]],
  ["the description", changed({}, { description: "new" }), ['called "ACL 1" before']],
  ["the scope", changed({ scope: "tenant" }), ["scope authentication -> tenant"]],
  ["the action", changed({ action: allow }), ["action block -> allow"]],
  ["an unknown action", changed({ action: Symbol("unknown") }), ["action block -> (known after apply)"]],
  ["two actions", changed({ action: { block: true, allow: true } }), ["action block -> block and allow"]],
  [
    "a redirect",
    changed({ action: { redirect: true, redirect_uri: "https://a.example" } }),
    ["action block -> redirect", "redirect_uri none -> https://a.example"],
  ],
  ["match_all", { ...acl(1, { match_all: true }), key: "x" }, ["match_all none -> true", "match.asns - 1"]],
  ["entries", changed({ match: { asns: [2, 3] } }), ["match.asns + 2, 3 - 1"]],
  ["many entries", changed({ match: { asns: [1, 2, 3, 4, 5, 6, 7] } }), ["match.asns + 2, 3, 4, 5, 6 and 1 more"]],
  ["an exception", changed({ not_match: { geo_country_codes: ["DE"] } }), ["not_match.geo_country_codes + DE"]],
  ["an unknown property", changed({ later: 1 }), ["later, which this version does not know, changes"]],
  ["a property with an unknown value", changed({ later: Symbol("unknown") }), ["later (known after apply)"]],
])("%s", (_what, after, expected) => {
  expect(words(same, after)).toEqual(expected);
});

test.each<[PlannedAcl, PlannedAcl, string]>([
  [
    cidrs("10.0.0.0/16"),
    cidrs("10.0.0.0/15"),
    "match.ipv4_cidrs + 10.0.0.0/15 - 10.0.0.0/16: 65,536 more IPv4 addresses match",
  ],
  [
    cidrs("10.0.0.0/31"),
    cidrs("10.0.0.2"),
    "match.ipv4_cidrs + 10.0.0.2 - 10.0.0.0/31: 1 more IPv4 address and 2 fewer IPv4 addresses match",
  ],
  [
    cidrs("10.0.0.0/8"),
    cidrs("10.0.0.0/9", "10.128.0.0/9"),
    "match.ipv4_cidrs + 10.0.0.0/9, 10.128.0.0/9 - 10.0.0.0/8: the same addresses match",
  ],
  [
    cidrs("10.0.0.0/8"),
    cidrs(Symbol("unknown")),
    "match.ipv4_cidrs + (known after apply) - 10.0.0.0/8: how many addresses match is not known",
  ],
])("counts addresses exactly", (before, after, expected) => {
  expect(words(before, after)).toEqual([expected]);
});

const rule = (match: object | undefined, not_match?: object) => ({
  ...acl(1, { ...(match && { match }), ...(not_match && { not_match }) }),
  key: "x",
});
const office = { ipv4_cidrs: ["198.51.100.0/24"] };

test.each<[string, PlannedAcl, PlannedAcl, string[]]>([
  [
    "fewer exceptions match more",
    rule(undefined, { ipv4_cidrs: ["192.0.2.0/24", "198.51.100.0/24"] }),
    rule(undefined, { ipv4_cidrs: ["192.0.2.0/24"] }),
    ["not_match.ipv4_cidrs - 198.51.100.0/24: 256 more IPv4 addresses match"],
  ],
  [
    "more exceptions match fewer",
    rule({ ipv4_cidrs: ["198.51.100.128/25"] }),
    rule({ ipv4_cidrs: ["198.51.100.128/25"] }, office),
    ["not_match.ipv4_cidrs + 198.51.100.0/24: 128 fewer IPv4 addresses match"],
  ],
  [
    "an exception that match does not contain changes nothing",
    rule({ ipv4_cidrs: ["10.0.0.0/8"] }),
    rule({ ipv4_cidrs: ["10.0.0.0/8"] }, office),
    ["not_match.ipv4_cidrs + 198.51.100.0/24: the same addresses match"],
  ],
  [
    "a first list leaves out every other address",
    rule({ asns: [1] }),
    rule({ asns: [1], ...office }),
    ["match.ipv4_cidrs + 198.51.100.0/24: 4,294,967,040 fewer IPv4 addresses and 2^128 fewer IPv6 addresses match"],
  ],
  [
    "both sides are counted together, once",
    rule({ ipv4_cidrs: ["10.0.0.0/24"] }, { ipv4_cidrs: ["10.0.1.0/32"] }),
    rule({ ipv4_cidrs: ["10.0.0.0/23"] }, { ipv4_cidrs: ["10.0.1.0/31"] }),
    [
      "match.ipv4_cidrs + 10.0.0.0/23 - 10.0.0.0/24",
      "not_match.ipv4_cidrs + 10.0.1.0/31 - 10.0.1.0/32: 254 more IPv4 addresses match",
    ],
  ],
  [
    "one address",
    rule({ ipv4_cidrs: ["10.0.0.1"] }),
    rule({ ipv4_cidrs: ["10.0.0.1", "10.0.0.2"] }),
    ["match.ipv4_cidrs + 10.0.0.2: 1 more IPv4 address matches"],
  ],
  [
    "connecting addresses apart from client addresses",
    rule({ ...office, connecting_ipv4_cidrs: ["10.0.0.0/31"] }),
    rule({ ipv4_cidrs: ["198.51.100.0/25"], connecting_ipv4_cidrs: ["10.0.0.0/30"] }),
    [
      "match.ipv4_cidrs + 198.51.100.0/25 - 198.51.100.0/24: 128 fewer IPv4 addresses match",
      "match.connecting_ipv4_cidrs + 10.0.0.0/30 - 10.0.0.0/31: 2 more connecting IPv4 addresses match",
    ],
  ],
  [
    "an unknown exception",
    rule(office),
    rule(office, { ipv4_cidrs: Symbol("unknown") }),
    ["not_match.ipv4_cidrs + (known after apply): how many addresses match is not known"],
  ],
  [
    "known exceptions beside an unknown list of the other family",
    rule(undefined, { ...office, ipv6_cidrs: Symbol("unknown") }),
    rule(undefined, { ipv4_cidrs: ["198.51.100.0/25"], ipv6_cidrs: Symbol("unknown") }),
    ["not_match.ipv4_cidrs + 198.51.100.0/25 - 198.51.100.0/24: 128 more IPv4 addresses match"],
  ],
])("counts the addresses that the rule matches: %s", (_what, before, after, expected) => {
  expect(words(before, after)).toEqual(expected);
});

test("does not count what a sensitive list of the other family hides", () => {
  const secret = (ipv4: string, ipv6: string) => ({
    ...acl(1, { match: { ipv4_cidrs: [ipv4], ipv6_cidrs: [ipv6] } }, {}, { rule: { match: { ipv4_cidrs: true } } }),
    key: "x",
  });
  expect(words(secret("10.0.0.0/8", "::1"), secret("10.0.0.0/9", "::2"))).toEqual([
    "match.ipv4_cidrs (sensitive)",
    "match.ipv6_cidrs + ::2 - ::1",
  ]);
});

test("hides sensitive values", () => {
  const secret = { rule: { scope: true, match: { asns: true } }, priority: true };
  const after = { ...acl(2, { match: { asns: [2] }, scope: "tenant" }, {}, secret), key: "x" };
  expect(words(same, after)).toEqual([
    "priority (sensitive)",
    'called "ACL 1" before',
    "scope (sensitive)",
    "match.asns (sensitive)",
  ]);
});

test("says what is added and removed", () => {
  const found = ruleChanges({ before: [acl(1, asn)], after: [acl(2, asn), acl(3, asn, { active: false })] });
  expect(found.map(({ words: [text] }) => text)).toEqual([
    "removed",
    "added, action block",
    "added, action block, switched off",
  ]);
  const open = acl(2, asn, { active: Symbol("unknown") });
  expect(ruleChanges({ before: [], after: [open] })[0]!.words).toEqual([
    "added, action block, switched on or off (known after apply)",
  ]);
  expect(words({ ...open, key: "x" }, { ...acl(2, asn, { active: false }), key: "x" })).toEqual([
    "switched off (not known before)",
  ]);
});

test("entries are compared by property, with counts where all entries are known", () => {
  const [change, ...others] = entryChanges(
    acl(1, { match: { asns: [1, 2] } }).rule,
    acl(1, { match: { asns: [2, 3, 4] } }).rule,
  );
  expect(others).toEqual([]);
  expect(change).toMatchObject({
    side: "match",
    property: "asns",
    added: ["3", "4"],
    removed: ["1"],
    counts: { more: 2n, fewer: 1n },
  });
  expect(entryChanges(acl(1, asn).rule, acl(1, asn).rule)).toEqual([]);
  const [pending] = entryChanges(acl(1, asn).rule, acl(1, { match: { asns: [Symbol("unknown")] } }).rule);
  expect(pending).toMatchObject({ removed: ["1"], after: { isUnknown: true } });
  expect(pending).not.toHaveProperty("counts");
});

test("does not count addresses of a side or a family that is not known", () => {
  const both = (ipv6: unknown) => ({
    ...acl(1, { match: { ipv4_cidrs: ["10.0.0.0/8"], ipv6_cidrs: ipv6 } }),
    key: "x",
  });
  expect(words(both(["::1"]), both(Symbol("unknown")))).toEqual([
    "match.ipv6_cidrs + (known after apply) - ::1: how many addresses match is not known",
  ]);
  const side = { ...acl(1, { match: Symbol("unknown") }), key: "x" };
  expect(words(cidrs("10.0.0.0/8"), side)[0]).toBe(
    "match.ipv4_cidrs - 10.0.0.0/8: how many addresses match is not known",
  );
});

test("amounts have a noun, and large ones are powers of two", () => {
  const noun = ["address", "addresses"] as const;
  expect(amountWords(0, noun)).toEqual([]);
  expect(amountWords(1, noun, "more")).toEqual(["1 more address"]);
  expect(amountWords(1n << 40n, noun, "fewer")).toEqual(["1,099,511,627,776 fewer addresses"]);
  expect(amountWords(1n << 41n, noun)).toEqual(["2^41 addresses"]);
  expect(amountWords((1n << 41n) + 1n, noun)).toEqual(["about 2^41 addresses"]);
  expect(amountWords((1n << 64n) - 1n, noun)).toEqual(["about 2^64 addresses"]);
  expect(amountWords((1n << 128n) - (1n << 32n), noun)).toEqual(["about 2^128 addresses"]);
  expect(amountWords(999_999, noun)).toEqual(["999,999 addresses"]);
  expect(countWords("connecting_ipv6_cidrs", { more: 2n, fewer: 0n })).toEqual(["2 more connecting IPv6 addresses"]);
  expect(countWords("later", { more: 1n, fewer: 2n })).toEqual(["1 more entry", "2 fewer entries"]);
});
