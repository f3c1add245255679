/** Words for changes of rules. */
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
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
  const families = (ipv6_cidrs: unknown) => one({ match: { ...v4("10.0.0.0/8"), ipv6_cidrs } });
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
    ["an unknown list", addresses("10.0.0.0/8"), addresses(unknown)],
    ["another unknown entry", asns(1, unknown), asns(1, other)],
    ["an unknown side", addresses("10.0.0.0/8"), one({ match: unknown })],
    ["an unknown list of the other family", families(["::1"]), families(unknown)],
    ["a sensitive list of the other family", secretFamily("10.0.0.0/8", "::1"), secretFamily("10.0.0.0/9", "::2")],
    ["a list goes", one(), one({})],
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
    an unknown list: match.ipv4_cidrs + (known after apply) - 10.0.0.0/8
    another unknown entry: match.asns + (known after apply) - (known after apply)
    an unknown side: match.ipv4_cidrs - 10.0.0.0/8 | match + (known after apply)
    an unknown list of the other family: match.ipv6_cidrs + (known after apply) - ::1
    a sensitive list of the other family: match.ipv4_cidrs (sensitive) | match.ipv6_cidrs + ::2 - ::1
    a list goes: match.asns - 1
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
