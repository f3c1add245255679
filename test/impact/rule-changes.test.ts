/** Words for changes of rules. */
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { countWords } from "../../src/impact/network-acl/words";
import { entryChanges } from "../../src/impact/network-acl/entries";
import { ruleChanges } from "../../src/impact/network-acl/rule-changes";
import type { Marks, Values } from "../../src/impact/model";
import { acl, allow } from "./support/acls";
import { table } from "./support/table";

const unknown = Symbol("unknown");
const other = Symbol("other");
const asn = { match: { asns: [1] } };
const one = (rule: Values = asn, more: Values = {}, marks?: Marks): PlannedAcl => ({
  ...acl(1, rule, more, marks),
  key: "x",
});
const asns = (...entries: unknown[]) => one({ match: { asns: entries } });
const v4 = (...ipv4_cidrs: unknown[]) => ({ ipv4_cidrs });
const addresses = (...entries: unknown[]) => one({ match: v4(...entries) });

test("the words of a change", () => {
  const changed = (rule: Values, more: Values = {}): [PlannedAcl, PlannedAcl] => [
    one(),
    one({ ...asn, ...rule }, more),
  ];
  const office = v4("198.51.100.0/24");
  const except = (match: Values | undefined, not_match: Values) => one({ ...(match && { match }), not_match });
  const families = (ipv6_cidrs: unknown) => one({ match: { ...v4("10.0.0.0/8"), ipv6_cidrs } });
  const connecting = (length: number, ipv4: string) =>
    one({ match: { ...v4(ipv4), connecting_ipv4_cidrs: [`10.0.0.0/${length}`] } });
  const secretFamily = (ipv4: string, ipv6: string) =>
    one({ match: { ...v4(ipv4), ipv6_cidrs: [ipv6] } }, {}, { rule: { match: { ipv4_cidrs: true } } });
  const redirect = { action: { redirect: true, redirect_uri: "https://a.example" } };
  const two = { action: { block: true, allow: true, redirect_uri: "https://a.example" } };
  const cases: [string, PlannedAcl, PlannedAcl][] = [
    ["nothing changes", one(), one()],
    ["the priority", ...changed({}, { priority: 2 })],
    ["an unknown priority", ...changed({}, { priority: unknown })],
    ["switched off", ...changed({}, { active: false })],
    ["switched on", one(asn, { active: false }), one()],
    ["an unknown active", ...changed({}, { active: unknown })],
    ["active was not known", one(asn, { active: unknown }), one(asn, { active: false })],
    ["the description", ...changed({}, { description: "new" })],
    ["the scope", ...changed({ scope: "tenant" })],
    ["the action", ...changed({ action: allow })],
    ["an unknown action", ...changed({ action: unknown })],
    ["two actions", ...changed(two)],
    ["a redirect", ...changed(redirect)],
    ["match_all", one(), one({ match_all: true })],
    ["entries", one(), asns(2, 3)],
    ["five new entries", one(), asns(1, 2, 3, 4, 5, 6)],
    ["six new entries", one(), asns(1, 2, 3, 4, 5, 6, 7)],
    ["an unknown entry", one(), asns(1, unknown)],
    ["an unknown entry goes", asns(1, unknown), one()],
    ["an unknown entry stays", asns(1, unknown), asns(1, unknown)],
    ["an entry that cannot be read", one(), asns(1, "later")],
    ["an exception", ...changed({ not_match: { geo_country_codes: ["DE"] } })],
    ["an unknown property", ...changed({ later: 1 })],
    ["one of two unknown properties", one({ ...asn, first: 1, second: 2 }), one({ ...asn, first: 3, second: 2 })],
    ["a property with an unknown value", ...changed({ later: unknown })],
    [
      "sensitive parts",
      one(),
      one(
        { match: { asns: [2] }, scope: "tenant" },
        { priority: 2, description: "ACL 2" },
        {
          priority: true,
          rule: { scope: true, match: { asns: true } },
        },
      ),
    ],
    ["more addresses", addresses("10.0.0.0/16"), addresses("10.0.0.0/15")],
    ["more and fewer addresses", addresses("10.0.0.0/31"), addresses("10.0.0.2")],
    ["the same addresses", addresses("10.0.0.0/8"), addresses("10.0.0.0/9", "10.128.0.0/9")],
    ["one address", addresses("10.0.0.1"), addresses("10.0.0.1", "10.0.0.2")],
    ["unknown addresses", addresses("10.0.0.0/8"), addresses(unknown)],
    ["an unknown side", addresses("10.0.0.0/8"), one({ match: unknown })],
    ["an unknown list of the other family", families(["::1"]), families(unknown)],
    ["a sensitive list of the other family", secretFamily("10.0.0.0/8", "::1"), secretFamily("10.0.0.0/9", "::2")],
    [
      "fewer exceptions",
      except(undefined, v4("192.0.2.0/24", "198.51.100.0/24")),
      except(undefined, v4("192.0.2.0/24")),
    ],
    ["more exceptions", addresses("198.51.100.128/25"), except(v4("198.51.100.128/25"), office)],
    ["an exception that match does not contain", addresses("10.0.0.0/8"), except(v4("10.0.0.0/8"), office)],
    ["a first list leaves out every other address", one(), one({ match: { asns: [1], ...office } })],
    [
      "both sides are counted together, once",
      except(v4("10.0.0.0/24"), v4("10.0.1.0/32")),
      except(v4("10.0.0.0/23"), v4("10.0.1.0/31")),
    ],
    [
      "connecting addresses apart from client addresses",
      connecting(31, "198.51.100.0/24"),
      connecting(30, "198.51.100.0/25"),
    ],
    ["an unknown exception", one({ match: office }), except(office, v4(unknown))],
    [
      "exceptions beside an unknown list of the other family",
      except(undefined, { ...office, ipv6_cidrs: unknown }),
      except(undefined, { ...v4("198.51.100.0/25"), ipv6_cidrs: unknown }),
    ],
  ];
  const found = table(cases, (before, after) => ruleChanges({ before: [before], after: [after] })[0]?.words ?? []);
  expect(found).toMatchInlineSnapshot(`
    "
    the priority: priority 1 -> 2
    an unknown priority: priority 1 -> (known after apply)
    switched off: switched off
    switched on: switched on
    an unknown active: switched on or off (known after apply)
    active was not known: switched off (not known before)
    the description: called "ACL 1" before
    the scope: scope authentication -> tenant
    the action: action block -> allow
    an unknown action: action block -> (known after apply)
    two actions: action block -> block and allow | redirect_uri none -> https://a.example
    a redirect: action block -> redirect | redirect_uri none -> https://a.example
    match_all: match_all none -> true | match.asns - 1
    entries: match.asns + 2, 3 - 1
    five new entries: match.asns + 2, 3, 4, 5, 6
    six new entries: match.asns + 2, 3, 4, 5, 6, 7
    an unknown entry: match.asns + (known after apply)
    an unknown entry goes: match.asns - (known after apply)
    an entry that cannot be read: match.asns + later
    an exception: not_match.geo_country_codes + DE
    an unknown property: later, which this version does not know, changes
    one of two unknown properties: first, which this version does not know, changes
    a property with an unknown value: later (known after apply)
    sensitive parts: priority (sensitive) | called "ACL 1" before | scope (sensitive) | match.asns (sensitive)
    more addresses: match.ipv4_cidrs + 10.0.0.0/15 - 10.0.0.0/16: 65,536 more IPv4 addresses match
    more and fewer addresses: match.ipv4_cidrs + 10.0.0.2 - 10.0.0.0/31: 1 more IPv4 address and 2 fewer IPv4 addresses match
    the same addresses: match.ipv4_cidrs + 10.0.0.0/9, 10.128.0.0/9 - 10.0.0.0/8: the same addresses match
    one address: match.ipv4_cidrs + 10.0.0.2: 1 more IPv4 address matches
    unknown addresses: match.ipv4_cidrs + (known after apply) - 10.0.0.0/8: how many addresses match is not known
    an unknown side: match.ipv4_cidrs - 10.0.0.0/8: how many addresses match is not known | match + (known after apply)
    an unknown list of the other family: match.ipv6_cidrs + (known after apply) - ::1: how many addresses match is not known
    a sensitive list of the other family: match.ipv4_cidrs (sensitive) | match.ipv6_cidrs + ::2 - ::1
    fewer exceptions: not_match.ipv4_cidrs - 198.51.100.0/24: 256 more IPv4 addresses match
    more exceptions: not_match.ipv4_cidrs + 198.51.100.0/24: 128 fewer IPv4 addresses match
    an exception that match does not contain: not_match.ipv4_cidrs + 198.51.100.0/24: the same addresses match
    a first list leaves out every other address: match.ipv4_cidrs + 198.51.100.0/24: 4,294,967,040 fewer IPv4 addresses and 2^128 fewer IPv6 addresses match
    both sides are counted together, once: match.ipv4_cidrs + 10.0.0.0/23 - 10.0.0.0/24 | not_match.ipv4_cidrs + 10.0.1.0/31 - 10.0.1.0/32: 254 more IPv4 addresses match
    connecting addresses apart from client addresses: match.ipv4_cidrs + 198.51.100.0/25 - 198.51.100.0/24: 128 fewer IPv4 addresses match | match.connecting_ipv4_cidrs + 10.0.0.0/30 - 10.0.0.0/31: 2 more connecting IPv4 addresses match
    an unknown exception: not_match.ipv4_cidrs + (known after apply): how many addresses match is not known
    exceptions beside an unknown list of the other family: not_match.ipv4_cidrs + 198.51.100.0/25 - 198.51.100.0/24: 128 more IPv4 addresses match
    nothing: nothing changes; an unknown entry stays
    "
  `);
});

test("says what is added and removed, and leaves out ACLs without a change", () => {
  const [off, open] = [acl(3, asn, { active: false }), acl(4, asn, { active: unknown })];
  const found = ruleChanges({ before: [acl(1, asn), acl(9, asn)], after: [acl(2, asn), off, open, acl(9, asn)] });
  expect(found.map(({ words }) => words)).toEqual([
    ["removed"],
    ["added, action block"],
    ["added, action block, switched off"],
    ["added, action block, switched on or off (known after apply)"],
  ]);
});

test("entries are compared by property, with counts where all entries are known", () => {
  const changes = (before: PlannedAcl, after: PlannedAcl) => entryChanges(before.rule, after.rule);
  const added = { side: "match", property: "asns", added: ["1"], removed: [], counts: { more: 1n, fewer: 0n } };
  expect(changes(one({}), one())).toEqual([{ ...added, after: { texts: ["1"] } }]);
  expect(changes(asns(1, 2), asns(2, 3, 4))).toMatchObject([
    { added: ["3", "4"], removed: ["1"], counts: { more: 2n, fewer: 1n } },
  ]);
  const [gone, open] = [changes(one(), one({})), changes(one(), asns(unknown))];
  expect([gone, open]).toMatchObject([
    [{ before: { texts: ["1"] }, removed: ["1"] }],
    [{ removed: ["1"], after: { isUnknown: true } }],
  ]);
  expect(gone[0]).not.toHaveProperty("after");
  expect(open[0]).not.toHaveProperty("counts");
  expect(changes(asns(1, unknown), asns(1, unknown))).toEqual([]);
  expect(changes(asns(1, unknown), asns(1, other))).toHaveLength(1);
});

test.each<[string, string, string]>([
  ["asns", "AS number", "AS numbers"],
  ["geo_country_codes", "country", "countries"],
  ["geo_subdivision_codes", "region", "regions"],
  ["ja3_fingerprints", "fingerprint", "fingerprints"],
  ["ja4_fingerprints", "fingerprint", "fingerprints"],
  ["user_agents", "user agent", "user agents"],
  ["hostnames", "host name", "host names"],
  ["auth0_managed", "curated list", "curated lists"],
  ["http_message_signature", "key", "keys"],
  ["ipv4_cidrs", "IPv4 address", "IPv4 addresses"],
  ["ipv6_cidrs", "IPv6 address", "IPv6 addresses"],
  ["connecting_ipv4_cidrs", "connecting IPv4 address", "connecting IPv4 addresses"],
  ["connecting_ipv6_cidrs", "connecting IPv6 address", "connecting IPv6 addresses"],
  ["later", "entry", "entries"],
])("counts %s", (property, single, many) => {
  expect(countWords(property, { more: 1n, fewer: 2n })).toEqual([`1 more ${single}`, `2 fewer ${many}`]);
});
