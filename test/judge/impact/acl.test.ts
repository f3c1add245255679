/** Values of plans (unknown parts, blocks, marks), network ACLs as plans, states and tenants show them, and notes on those that are adopted. */
import {
  acts,
  block,
  isMarked,
  type Marks,
  type PlannedObject,
  splitKept,
  unknownName,
  type Values,
  withName,
  withoutAbsent,
  withoutBlanks,
  withUnknown,
} from "../../../src/judge/impact/model";
import { aclFrom, aclVersions, type PlannedAcl } from "../../../src/judge/impact/network-acl/acl";
import { adoptionNotes } from "../../../src/commands/adopt/notes";
import { everywhere, planned, values } from "./support/acls";
import { policyValues as policy } from "./support/policies";
import { table } from "./support/table";

const unknown = Symbol("unknown");
const asn = (...asns: unknown[]) => ({ match: { asns } });

const named = (_name: string, part: unknown) => (typeof part === "symbol" ? `<${part.description}>` : part);
const shown = (value: unknown) => String(JSON.stringify(value, named)).replaceAll('"', "");
/** All that an ACL has, without the parts of an ordinary one. */
function told({ rule, ...acl }: PlannedAcl): string {
  const { action, scope, ...criteria } = rule as unknown as Values;
  const ordinary = { id: "acl_1", address: undefined, description: "ACL 1", key: "acl_1", active: true, priority: 1 };
  const own = Object.entries({ ...acl, secret: [...acl.secret].toSorted() }).filter(
    ([name, value]) => shown(value) !== shown((ordinary as Values)[name]) && shown(value) !== "[]",
  );
  const parts = own.map(([name, value]) => `${name} ${shown(value)}`);
  const does = shown(action) === "{block:true}" && scope === "authentication" ? [] : [shown({ action, scope })];
  return [...parts, ...does, shown(criteria)].join(", ");
}

test("an ACL", () => {
  const rule = (more: Values) => ({ rule: { action: { block: true }, scope: "authentication", ...more } });
  const secretRule = {
    action: { redirect: true, redirect_uri: "https://a.example" },
    match: { asns: [1, 2], later: "x", empty: unknown },
    not_match: { geo_country_codes: ["DE"] },
    scope: "tenant",
  };
  const lists = { action: [{ block: true, allow: false }], match: [{ asns: [1], hostnames: [] }], not_match: [{}] };
  const cases: [string, Values, Marks?, string?][] = [
    ["an ordinary one", {}],
    ["with an address", {}, undefined, "acl.x"],
    ["without an id", { id: null }],
    ["without a description", { description: null }],
    ["with an unknown description", { description: unknown }],
    ...[false, "true", "false", null, undefined, unknown, "perhaps"].map(
      (active) => [`active ${String(active)}`, { active }] as [string, Values],
    ),
    ...[7, "7", null, undefined, "", unknown].map(
      (priority) => [`priority ${String(priority)}`, { priority }] as [string, Values],
    ),
    ["without a rule", { rule: null }],
    ["with an empty rule", { rule: [] }],
    ["with an unknown rule", { rule: unknown }],
    ["with blocks as lists, and blank values", { rule: [{ ...rule(lists).rule, match_all: null }] }],
    ["with a list in a list", rule({ match: { http_message_signature: [{ keys: [{ id: "k1" }] }] } })],
    ["with a sensitive description", {}, { description: true }],
    ["with sensitive parts", rule(secretRule), { rule: { scope: true, action: { redirect_uri: true } } }],
    ["with sensitive criteria", rule(secretRule), { rule: { match: { asns: true, later: true, empty: true } } }],
    ["with a sensitive exception", rule(secretRule), { rule: { not_match: { geo_country_codes: true } } }],
    ["with an unknown sensitive rule", { rule: unknown }, { rule: { match: true } }],
  ];
  const found = table(cases, (more, marks, address) =>
    aclFrom(values(1, asn(1), more), marks, address).map((one) => told(one)),
  );
  expect(found).toMatchInlineSnapshot(`
    "
    an ordinary one: {match:{asns:[1]}}
    with an address: address acl.x, key acl.x, {match:{asns:[1]}}
    without an id: key ACL 1, {match:{asns:[1]}}
    without a description: description , {match:{asns:[1]}}
    with an unknown description: description (known after apply), {match:{asns:[1]}}
    active false: active false, {match:{asns:[1]}}
    active true: {match:{asns:[1]}}
    active false: active false, {match:{asns:[1]}}
    active null: {match:{asns:[1]}}
    active undefined: {match:{asns:[1]}}
    active Symbol(unknown): {match:{asns:[1]},active:<unknown>}
    active perhaps: {match:{asns:[1]},active:<active \\perhaps\\>}
    priority 7: priority 7, {match:{asns:[1]}}
    priority 7: priority 7, {match:{asns:[1]}}
    priority null: priority 50, {match:{asns:[1]}}
    priority undefined: priority 50, {match:{asns:[1]}}
    priority : priority <priority \\\\>, {match:{asns:[1]}}
    priority Symbol(unknown): priority <unknown>, {match:{asns:[1]}}
    with an unknown rule: {action:<unknown>,scope:<unknown>}, {match:<unknown>}
    with blocks as lists, and blank values: {match:{asns:[1]}}
    with a list in a list: {match:{http_message_signature:{keys:[{id:k1}]}}}
    with a sensitive description: description (sensitive), secret [description], {match:{asns:[1]}}
    with sensitive parts: secret [redirect_uri,scope], {action:{redirect:true,redirect_uri:https://a.example},scope:tenant}, {match:{asns:[1,2],later:x,empty:<unknown>},not_match:{geo_country_codes:[DE]}}
    with sensitive criteria: secret [asns,empty,later], {action:{redirect:true,redirect_uri:https://a.example},scope:tenant}, {match:{asns:[1,2],later:x,empty:<unknown>},not_match:{geo_country_codes:[DE]}}
    with a sensitive exception: secret [geo_country_codes], {action:{redirect:true,redirect_uri:https://a.example},scope:tenant}, {match:{asns:[1,2],later:x,empty:<unknown>},not_match:{geo_country_codes:[DE]}}
    with an unknown sensitive rule: secret [asns,auth0_managed,connecting_ipv4_cidrs,connecting_ipv6_cidrs,geo_country_codes,geo_subdivision_codes,hostnames,http_message_signature,ipv4_cidrs,ipv6_cidrs,ja3_fingerprints,ja4_fingerprints,user_agents], {action:<unknown>,scope:<unknown>}, {match:<unknown>}
    nothing: without a rule; with an empty rule
    "
  `);
});

test("versions", () => {
  const [old, now, other] = [asn(1), asn(2), asn(9)].map((rule) => values(1, rule));
  const by = (name: string, before?: Values, after?: Values, more: Partial<PlannedObject> = {}) =>
    planned(before, after, { address: `acl.${name}`, ...more });
  const imported = { isImported: true as const, importId: "acl_1" };
  const open = (name: string) => values(1, asn(Symbol(name)));
  const cases: [string, PlannedObject[][], Values[]?][] = [
    ["of a changed ACL", [[planned(old, now)]]],
    ["of a new ACL", [[planned(undefined, now)]]],
    ["with unmanaged ACLs, each once", [[planned(old, now)]], [old!, values(2, {}), values(2, {})]],
    ["of an imported ACL whose values are not shown", [[planned(undefined, now, imported)]], [old!]],
    [
      "of one address in two plans, beside others",
      [[planned(undefined, now)], [by("z", undefined, values(3, {})), planned(undefined, values(2, {}))]],
    ],
    ["of a forgotten ACL", [[by("old", old, old, { actions: ["forget"] })], [by("new", undefined, now, imported)]]],
    ["of two results", [[planned(old, now)], [by("y", old, other)]]],
    ["of one result in two plans", [[planned(old, now)], [by("y", old, now)]]],
    ["of two unknown results", [[planned(old, open("unknown"))], [by("y", old, open("other"))]]],
    ["of an unknown and a known result", [[planned(old, open("unknown"))], [by("y", old, old)]]],
    ["of an unknown and a bare result", [[planned(old, open("unknown"))], [by("y", old, values(1, asn(null)))]]],
    ["of an ACL that may be of another tenant", [[planned(old, now, { tenantUnknown: true, plan: "edge" })]]],
  ];
  const found = table(cases, (stacks, remote) => {
    const { before, after } = aclVersions(stacks, remote);
    return [...before.map((one) => `before ${told(one)}`), ...after.map((one) => `after ${told(one)}`)];
  });
  expect(found).toMatchInlineSnapshot(`
    "
    of a changed ACL: before address acl.x, key acl.x, {match:{asns:[1]}} | after address acl.x, key acl.x, {match:{asns:[2]}}
    of a new ACL: after address acl.x, key acl.x, {match:{asns:[2]}}
    with unmanaged ACLs, each once: before address acl.x, key acl.x, {match:{asns:[1]}} | before id acl_2, description ACL 2, key acl_2, priority 2, {} | after address acl.x, key acl.x, {match:{asns:[2]}} | after id acl_2, description ACL 2, key acl_2, priority 2, {}
    of an imported ACL whose values are not shown: before address acl.x, description (known after apply), key acl.x, priority <the unknown part of acl.x before>, {action:<the unknown part of acl.x before>,scope:<the unknown part of acl.x before>}, {match:<the unknown part of acl.x before>,active:<the unknown part of acl.x before>} | after address acl.x, key acl.x, {match:{asns:[2]}}
    of one address in two plans, beside others: after address acl.x, key acl.x of plan 1, {match:{asns:[2]}} | after address acl.z, id acl_3, description ACL 3, key acl.z, priority 3, {} | after address acl.x, id acl_2, description ACL 2, key acl.x of plan 2, priority 2, {}
    of a forgotten ACL: before address acl.new, description (known after apply), key acl.new, priority <the unknown part of acl.new before>, {action:<the unknown part of acl.new before>,scope:<the unknown part of acl.new before>}, {match:<the unknown part of acl.new before>,active:<the unknown part of acl.new before>} | after address acl.new, key acl.new, {match:{asns:[2]}}
    of two results: before address acl.x, key acl.x, {match:{asns:[1]}} | after address acl.x, key acl.x, {match:{asns:[2]},order:<the order in which acl.x is applied>} | after address acl.y, key acl.y, {match:{asns:[9]},order:<the order in which acl.y is applied>}
    of one result in two plans: before address acl.x, key acl.x, {match:{asns:[1]}} | after address acl.x, key acl.x, {match:{asns:[2]}}
    of two unknown results: before address acl.x, key acl.x, {match:{asns:[1]}} | after address acl.x, key acl.x, {match:{asns:[<unknown>]}}
    of an unknown and a known result: before address acl.x, key acl.x, {match:{asns:[1]}} | after address acl.x, key acl.x, {match:{asns:[<unknown>]},order:<the order in which acl.x is applied>} | after address acl.y, key acl.y, {match:{asns:[1]},order:<the order in which acl.y is applied>}
    of an unknown and a bare result: before address acl.x, key acl.x, {match:{asns:[1]}} | after address acl.x, key acl.x, {match:{asns:[<unknown>]},order:<the order in which acl.x is applied>} | after address acl.y, key acl.y, {match:{asns:[null]},order:<the order in which acl.y is applied>}
    of an ACL that may be of another tenant: before address acl.x, key acl.x, plan edge, tenantUnknown true, {match:{asns:[1]},tenant:<the tenant of acl.x>} | after address acl.x, key acl.x, plan edge, tenantUnknown true, {match:{asns:[2]},tenant:<the tenant of acl.x>}
    "
  `);
  expect(aclVersions([[planned(old, now)]]).after[0]).not.toHaveProperty("plan");
});

describe("notes on adoption", () => {
  const signed = (...ids: string[]) => ({ http_message_signature: { keys: ids.map((id) => ({ id })) } });
  const above = (limit: number) => ({ action: "block", limit });

  test("the notes on each object", () => {
    const same = [1, 2].map((number) => values(7, asn(number), { id: `acl_${number}` }));
    const shadowing = values(1, { match: everywhere }, { description: 'a "b"' });
    const policies = [
      policy("default", above(5), { id: "d" }),
      policy("client_id:a", above(5), { id: "a" }),
      policy("client_id:b", above(6), { id: "b" }),
      policy("client_id:c", above(5), { id: "c", resource: "management_api" }),
    ];
    const cases: [string, Record<string, Values[]>][] = [
      ["ordinary ACLs", { network_acl: [values(1, asn(1)), values(2, asn(2))] }],
      ["no description", { network_acl: [values(1, asn(1), { description: undefined })] }],
      ["shadowed", { network_acl: [shadowing, values(2, asn(1))] }],
      ["contradicting criteria", { network_acl: [values(1, { ...asn(1), not_match: { asns: [1] } })] }],
      ["one priority", { network_acl: same }],
      ["an Early Access feature", { network_acl: [values(1, { match_all: true })] }],
      ["two, and a key", { network_acl: [values(1, { match: { auth0_managed: ["auth0.tor"], ...signed("k1") } })] }],
      [
        "keys, one of which has a name",
        {
          network_acl: [values(1, { match: signed("k1"), not_match: signed("k2") })],
          network_acl_key: [{ id: "k1", name: "edge" }],
        },
      ],
      ["policies", { rate_limit_policy: policies }],
    ];
    const notesOf = (objects: Record<string, Values[]>) =>
      [...adoptionNotes(({ name }) => objects[name] ?? [])].flatMap(([id, notes]) =>
        notes.map((note) => `${String(id)}: ${note}`),
      );
    expect(table(cases, notesOf)).toMatchInlineSnapshot(`
    "
    shadowed: acl_2: It can never match: shadowed by "a \\"b\\"" (priority 1). Give it a lower priority number, or remove it.
    contradicting criteria: acl_1: It can never match: match.asns 1 is excluded by not_match.asns 1: no AS number is left to match. Narrow not_match, or remove this network ACL.
    one priority: acl_1: Another network ACL also has priority 7. Change one of the two. | acl_2: Another network ACL also has priority 7. Change one of the two.
    an Early Access feature: acl_1: match_all is an Early Access feature, which Auth0 may change.
    two, and a key: acl_1: auth0_managed and http_message_signature are Early Access features, which Auth0 may change. | acl_1: It names the key k1 by its id, because Auth0 does not show the secret of a key. You can refer to a tenant_network_acl_key resource instead.
    keys, one of which has a name: acl_1: http_message_signature is an Early Access feature, which Auth0 may change. | acl_1: It names the keys "edge" (k1) and k2 by their ids, because Auth0 does not show the secret of a key. You can refer to a tenant_network_acl_key resource instead.
    policies: a: It is the same as the default policy. Keep it only if it must stay when the default changes.
    nothing: ordinary ACLs; no description
    "
  `);
  });
});

const jsonOf = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "symbol" ? `<${part.description}>` : part));

test.each<[unknown, unknown, string]>([
  [{ a: 1 }, true, '"<x>"'],
  [{ a: 1 }, null, '{"a":1}'],
  [{ a: 1 }, false, '{"a":1}'],
  [{ a: 1 }, { b: true }, '{"a":1,"b":"<x>"}'],
  [null, { b: true }, '{"b":"<x>"}'],
  [[1], [false, true], '[1,"<x>"]'],
  [[1, 2], [true], '["<x>",2]'],
  [null, [false, true], '[null,"<x>"]'],
  [[{ a: 1, b: 2 }], [{ b: true }], '[{"a":1,"b":"<x>"}]'],
])("%j with the unknown parts %j is %s", (value, marks, expected) => {
  expect(jsonOf(withUnknown(value, marks as never, "x"))).toBe(expected);
});

test("renames symbols at any depth, and keeps lists, texts and null", () => {
  const value = { a: [unknown, 1, "t", null], b: { c: unknown }, d: true };
  expect(jsonOf(withName(value, "y"))).toBe('{"a":["<y>",1,"t",null],"b":{"c":"<y>"},"d":true}');
});

test.each<[unknown, unknown]>([
  [{ a: 1 }, { a: 1 }],
  [[{ a: 1 }], { a: 1 }],
  [[], undefined],
  [null, undefined],
  ["text", undefined],
  [[null], undefined],
  [unknown, unknown],
  [[unknown], unknown],
])("the block of %p is %p, and several blocks are not known", (value, expected) => {
  expect(block(value)).toEqual(expected);
  expect((block([value, {}]) as symbol).description).toBe("several blocks in place of one");
});

test("leaves blank values out, and keeps 0, true and symbols", () => {
  const kept = { f: 0, g: true, h: unknown, i: [0], j: {} };
  expect(withoutAbsent({ a: null, b: undefined, c: "", d: false, e: [], ...kept })).toStrictEqual(kept);
});

test.each<[unknown, unknown]>([
  [{ b: 1, a: 2, c: 3 }, '{"a":2,"b":1,"c":3}'],
  [{ a: null, b: "", c: [], d: false }, undefined],
  [{ a: { b: { c: null } }, d: 1 }, '{"d":1}'],
  [[{ a: 1 }], '{"a":1}'],
  [["a"], '["a"]'],
  [["a", "", null, "b"], '["a","b"]'],
  [[1, 2], "[1,2]"],
  [[1], "1"],
  [[null], undefined],
  [0, "0"],
])("the meaning of %j is %s", (value, expected) => expect(JSON.stringify(withoutBlanks(value))).toBe(expected));

test.each<[unknown, string, boolean]>([
  [true, "a", true],
  [false, "a", false],
  [null, "a", false],
  [{ a: true }, "a", true],
  [{ a: true }, "b", false],
  [{ a: { b: false, c: true } }, "a", true],
  [{ a: { b: false } }, "a", false],
  [{ a: { b: true } }, "a c", false],
  [{ a: [{ b: false }, { b: true }] }, "a b", true],
  [{ a: [{ b: false }] }, "a b", false],
  [{ a: true }, "a b c", true],
])("in marks %j the path %j is marked: %p", (marks, path, expected) => {
  expect(isMarked(marks as never, ...path.split(" "))).toBe(expected);
});

test("actions that change something", () => {
  const all = [["no-op"], ["read"], ["forget"], ["create"], ["no-op", "update"], ["later"], []];
  expect(all.filter((actions) => acts({ actions }))).toEqual(all.slice(3));
});

test("splits a replaced object that stays on the tenant into the new and the old one", () => {
  const [before, after] = [{ id: "old" }, { id: "new" }];
  const [beforeSensitive, afterSensitive] = [{ description: true }, { id: true }];
  const shared = { address: "acl.x", type: "tenant_network_acl", plan: "edge" };
  const sides = { before, after, beforeSensitive, afterSensitive };
  const object: PlannedObject = { ...shared, ...sides, actions: ["forget", "create"], keepsOld: true };
  const kept = { before, after: before, beforeSensitive, afterSensitive: beforeSensitive };
  expect(splitKept(object)).toEqual([
    { ...shared, after, afterSensitive, actions: ["create"] },
    { ...shared, ...kept, address: "acl.x (forgotten)", actions: ["forget"] },
  ]);
  const { keepsOld: _leaves, ...replaced } = object;
  const { before: _before, ...created } = object;
  for (const one of [replaced, created]) expect(splitKept(one)).toEqual([one]);
  const { plan: _plan, ...unnamed } = object;
  expect([unnamed, object].map(unknownName)).toEqual([
    "the unknown part of acl.x",
    "the unknown part of acl.x in edge",
  ]);
});
