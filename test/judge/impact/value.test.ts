/** Values of plans: unknown parts, blocks, blank values, marks, and the plan model. */
import { acts, apart, unknownName, type PlannedObject } from "../../../src/judge/impact/model";
import { block, isMarked, meant, withName, withUnknown, written } from "../../../src/judge/impact/value";

const unknown = Symbol("unknown");
const shown = (value: unknown) =>
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
  expect(shown(withUnknown(value, marks as never, "x"))).toBe(expected);
});

test("renames symbols at any depth, and keeps lists, texts and null", () => {
  const value = { a: [unknown, 1, "t", null], b: { c: unknown }, d: true };
  expect(shown(withName(value, "y"))).toBe('{"a":["<y>",1,"t",null],"b":{"c":"<y>"},"d":true}');
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
  expect(written({ a: null, b: undefined, c: "", d: false, e: [], ...kept })).toStrictEqual(kept);
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
])("the meaning of %j is %s", (value, expected) => {
  expect(JSON.stringify(meant(value))).toBe(expected);
});

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
  const object: PlannedObject = { ...shared, ...sides, actions: ["forget", "create"], leaves: true };
  const kept = { before, after: before, beforeSensitive, afterSensitive: beforeSensitive };
  expect(apart(object)).toEqual([
    { ...shared, after, afterSensitive, actions: ["create"] },
    { ...shared, ...kept, address: "acl.x (forgotten)", actions: ["forget"] },
  ]);
  const { leaves: _leaves, ...replaced } = object;
  const { before: _before, ...created } = object;
  for (const one of [replaced, created]) expect(apart(one)).toEqual([one]);
  const { plan: _plan, ...unnamed } = object;
  expect([unnamed, object].map(unknownName)).toEqual([
    "the unknown part of acl.x",
    "the unknown part of acl.x in edge",
  ]);
});
