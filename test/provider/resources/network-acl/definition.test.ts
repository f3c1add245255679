/** The definition of a network ACL accepts valid ACLs and reports each mistake once. */
import fc from "../../../support/random";
import { unknown } from "../../../../src/formats/cty/value";
import { networkAcl } from "../../../../src/provider/resources/network-acl/definition";
import { judged } from "../support/judged";

const acl = (rule: object = {}, rest: object = {}) => ({
  description: "d",
  active: true,
  priority: 5,
  rule: { action: { block: true }, match: { asns: [1] }, scope: "tenant", ...rule },
  ...rest,
});
const said = (...args: Parameters<typeof acl>) => judged(networkAcl, acl(...args));

test("accepts each action with match, not_match and match_all", () => {
  const actions = [
    { block: true },
    { allow: true },
    { log: true },
    { redirect: true, redirect_uri: "https://a.example" },
  ];
  const sides = [
    { match: { asns: [1] } },
    { match: undefined, not_match: { ipv6_cidrs: ["::/0"] } },
    { match: undefined, match_all: true },
  ];
  for (const action of actions) for (const side of sides) expect(said({ action, ...side })).toEqual([]);
});

test.each<[name: string, rule: object]>([
  ["actions that are false", { action: { block: true, allow: false, log: false, redirect: false } }],
  ["an empty redirect_uri", { action: { block: true, redirect_uri: "" } }],
  ["match_all that is false", { match_all: false }],
  ["a not_match of empty lists", { not_match: { ipv4_cidrs: [], asns: [] } }],
  ["empty lists beside others", { match: { ipv4_cidrs: ["203.0.113.7"], ipv6_cidrs: [], asns: [] } }],
  [
    "no curated list in not_match",
    { match: { auth0_managed: ["auth0.tor"] }, not_match: { auth0_managed: [], asns: [1] } },
  ],
  [
    "another curated list in not_match",
    { match: { auth0_managed: ["auth0.icloud_relay_proxy"] }, not_match: { auth0_managed: ["auth0.low_reputation"] } },
  ],
])("accepts %s as absent", (_name, rule) => expect(said(rule)).toEqual([]));

test.each<[name: string, detail: string, rule: object, rest?: object]>([
  [
    "priority 0",
    "`priority` is 0: use a whole number from 1 to 100; the lowest is evaluated first.",
    {},
    { priority: 0 },
  ],
  ["priority 101", "`priority` is 101: use a whole number from 1 to 100", {}, { priority: 101 }],
  ["half a priority", "`priority` is 1.5: use a whole number from 1 to 100.", {}, { priority: 1.5 }],
  ["a long description", "use at most 255 characters.", {}, { description: "x".repeat(256) }],
  ["no description", "`description` is missing", {}, { description: undefined }],
  ["no action", "`rule.action` sets no action: set exactly one of", { action: {} }],
  ["two actions", "`rule.action` sets block and log together", { action: { block: true, log: true } }],
  ["actions that are all false", "`rule.action` sets no action", { action: { block: false, log: false } }],
  ["redirect without URI", "`rule.action.redirect_uri` is missing", { action: { redirect: true } }],
  [
    "URI without redirect",
    "`rule.action.redirect_uri` is set, but the action is block: remove it, or set `redirect = true` instead.",
    { action: { block: true, redirect_uri: "https://a.example" } },
  ],
  ["no criteria", "`rule` has none of `match`, `not_match` and `match_all`", { match: undefined }],
  ["match_all with match", "excludes other criteria: remove it, or remove `rule.match`.", { match_all: true }],
  [
    "match_all together with match and not_match",
    "excludes other criteria: remove it, or remove `rule.match` and `rule.not_match`.",
    { match_all: true, not_match: { ipv6_cidrs: ["::1"] } },
  ],
  ["match_all with an unknown match", "remove it, or remove `rule.match`.", { match_all: true, match: unknown }],
  ["match_all that is false", "`rule` has none of `match`", { match: undefined, match_all: false }],
  [
    "11 keys",
    "list at most 10 keys",
    { match: { http_message_signature: { keys: Array.from({ length: 11 }, (_, index) => ({ id: `k${index}` })) } } },
  ],
  ["a misspelt scope", '"authentification": "authentication" is probably meant.', { scope: "authentification" }],
  [
    "an empty match",
    "`rule.match` is empty (an empty list counts as left out): give at least one signal",
    { match: {} },
  ],
  [
    "a match of empty lists",
    "`rule.match` is empty (an empty list counts as left out): give at least one signal",
    { match: { asns: [], hostnames: [] } },
  ],
  ["a not_match of empty lists alone", "`rule` has none of `match`", { match: undefined, not_match: { asns: [] } }],
  ["a bad CIDR", '`rule.match.ipv4_cidrs` is "10.0.0.0/33"', { match: { ipv4_cidrs: ["10.0.0.0/33"] } }],
  ["IPv6 among IPv4", "give an IPv4 address or CIDR block", { match: { ipv4_cidrs: ["::1"] } }],
  ["an IPv6 address with a zone", "give an IPv6 address or CIDR block", { match: { ipv6_cidrs: ["fe80::1%eth0"] } }],
  ["a URL as host name", "give a host name without scheme", { match: { hostnames: ["https://a.example"] } }],
  ["21 entries", "list at most 20 AS numbers", { match: { asns: Array.from({ length: 21 }, (_, index) => index) } }],
  ["an AS number too high", "AS numbers end at 4294967295", { match: { asns: [4294967296] } }],
  ["a signature without keys", "http_message_signature.keys` is missing", { match: { http_message_signature: {} } }],
  ["an entry that is listed twice", "`rule.match.asns` lists 1 twice: remove one.", { match: { asns: [1, 1] } }],
  [
    "an entry in both match and not_match",
    "both list 2, which therefore never matches",
    { match: { asns: [1, 2] }, not_match: { asns: [2] } },
  ],
  [
    "a curated list in both match and not_match",
    "both list auth0.tor, which therefore never matches",
    { match: { auth0_managed: ["auth0.tor"] }, not_match: { auth0_managed: ["auth0.tor"] } },
  ],
])("reports %s as one error", (_name, detail, rule, rest = {}) => {
  expect(said(rule, rest)).toEqual([expect.stringContaining(detail)]);
  expect(said(rule, rest)[0]).toMatch(/^error: /);
});

test.each<[name: string, detail: string, rule: object]>([
  [
    "an address in two spellings",
    "lists 2001:db8::/32 and 2001:0DB8:0::/32, which mean the same: remove one.",
    { match: { ipv6_cidrs: ["2001:db8::/32", "2001:0DB8:0::/32"] } },
  ],
  ["an unknown scope", 'This version does not know the `rule.scope` "everything"', { scope: "everything" }],
  ["an unknown curated list", 'not know the curated list "auth0.new"', { match: { auth0_managed: ["auth0.new"] } }],
])("reports %s as one warning", (_name, detail, rule) => {
  expect(said(rule)).toEqual([expect.stringContaining(detail)]);
  expect(said(rule)[0]).toMatch(/^warning: /);
});

test("warns of two CIDR blocks with different host bits that mean the same addresses", () => {
  const twice = said({ match: { ipv4_cidrs: ["10.0.0.0/8", "10.1.0.0/8"] } });
  expect(twice).toContainEqual(expect.stringContaining("which mean the same"));
});

test("does not report a subdivision without a country part as excluded by the country with the same text", () => {
  const excluded = (region: string, country: string) =>
    said({ match: { geo_subdivision_codes: [region] }, not_match: { geo_country_codes: [country] } });
  expect(excluded("US-CA", "US")).toEqual([expect.stringMatching(/^error: `rule` can never match/)]);
  expect(excluded("KP", "KP").filter((text) => text.startsWith("error"))).toEqual([]);
});

test("accepts an unknown match_all with and without other criteria", () => {
  for (const match of [{ asns: [1] }, undefined, unknown]) expect(said({ match, match_all: unknown })).toEqual([]);
});

test("reports at most one problem of the action for every combination of flags", () => {
  const flag = fc.constantFrom(true, false, undefined, unknown);
  const action = fc.record({ block: flag, allow: flag, log: flag, redirect: flag });
  fc.assert(
    fc.property(action, (flags) => {
      const given = Object.fromEntries(Object.entries(flags).filter(([, set]) => set !== undefined));
      const right = Object.values(given).filter((set) => set === true).length === 1 && !flags.redirect;
      const found = said({ action: given });
      expect(found.length).toBeLessThanOrEqual(1);
      if (right && !Object.values(given).includes(false)) expect(found).toEqual([]);
    }),
  );
});
