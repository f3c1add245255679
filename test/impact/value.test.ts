/** Values of plans: unknown parts, blocks, blank values, marks, and the plan model. */
import { acts, apart, unknownName, type PlannedObject } from "../../src/impact/model";
import { block, comparable, isMarked, meant, withName, withUnknown, written } from "../../src/impact/value";

const unknown = Symbol("unknown");
const named = (value: unknown, marks: never) =>
  JSON.stringify(withUnknown(value, marks, "x"), (_, part: unknown) =>
    typeof part === "symbol" ? `<${part.description}>` : part,
  );

test.each<[string, unknown, unknown, string]>([
  ["the whole value", { a: 1 }, true, '"<x>"'],
  ["nothing, by null", { a: 1 }, null, '{"a":1}'],
  ["nothing, by false", { a: 1 }, false, '{"a":1}'],
  ["an attribute that the value lacks", { a: 1 }, { b: true }, '{"a":1,"b":"<x>"}'],
  ["an attribute of null", null, { b: true }, '{"b":"<x>"}'],
  ["an element after the last one", [1], [false, true], '[1,"<x>"]'],
  ["an element, and keeps those after the marks", [1, 2], [true], '["<x>",2]'],
  ["an element of null", null, [true], '["<x>"]'],
  ["the second element of null, and leaves the first absent", null, [false, true], '[null,"<x>"]'],
  ["an attribute of an element", [{ a: 1, b: 2 }], [{ b: true }], '[{"a":1,"b":"<x>"}]'],
])("marks as unknown %s", (_what, value, marks, expected) => {
  expect(named(value, marks as never)).toBe(expected);
});

test("renames symbols at any depth, and keeps lists, texts and null", () => {
  const value = { a: [unknown, 1, "t", null], b: { c: unknown }, d: true };
  const names = JSON.stringify(withName(value, "y"), (_, part: unknown) =>
    typeof part === "symbol" ? `<${part.description}>` : part,
  );
  expect(names).toBe('{"a":["<y>",1,"t",null],"b":{"c":"<y>"},"d":true}');
});

describe("a block", () => {
  test.each<[unknown, unknown]>([
    [{ a: 1 }, { a: 1 }],
    [[{ a: 1 }], { a: 1 }],
    [[], undefined],
    [null, undefined],
    [undefined, undefined],
    ["text", undefined],
    [[null], undefined],
    [unknown, unknown],
    [[unknown], unknown],
  ])("is read from %p", (value, expected) => {
    expect(block(value)).toEqual(expected);
  });

  test("is not known if there are several", () => {
    expect((block([{}, {}]) as symbol).description).toBe("several blocks in place of one");
  });
});

test("leaves blank values out, and keeps 0, true and symbols", () => {
  const blank = { a: null, b: undefined, c: "", d: false, e: [] };
  expect(written({ ...blank, f: 0, g: true, h: unknown, i: [0], j: {} })).toStrictEqual({
    f: 0,
    g: true,
    h: unknown,
    i: [0],
    j: {},
  });
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
  ["", undefined],
  [null, undefined],
])("the meaning of %j is %s", (value, expected) => {
  expect(JSON.stringify(meant(value))).toBe(expected);
});

test.each<[unknown, string[], boolean]>([
  [true, ["a"], true],
  [false, ["a"], false],
  [null, ["a"], false],
  [undefined, [], false],
  [{ a: true }, ["a"], true],
  [{ a: true }, ["b"], false],
  [{ a: { b: true } }, ["a"], true],
  [{ a: { b: false } }, ["a"], false],
  [{ a: { b: false, c: true } }, ["a"], true],
  [{ a: { b: true } }, ["a", "c"], false],
  [{ a: [{ b: false }, { b: true }] }, ["a", "b"], true],
  [{ a: [{ b: false }] }, ["a", "b"], false],
  [{ a: true }, ["a", "b", "c"], true],
])("in marks %j the path %j is marked: %p", (marks, path, expected) => {
  expect(isMarked(marks as never, ...path)).toBe(expected);
});

test("compares unknown values by their names", () => {
  const of = (name: string) => comparable({ a: 1, b: [Symbol(name), "t"] });
  expect(of("x")).toBe(of("x"));
  expect(of("x")).not.toBe(of("y"));
  expect(of("x")).not.toBe(comparable({ a: 2, b: [Symbol("x"), "t"] }));
});

describe("the plan model", () => {
  const object: PlannedObject = {
    address: "acl.x",
    type: "tenant_network_acl",
    actions: ["forget", "create"],
    before: { id: "old" },
    after: { id: "new" },
    beforeSensitive: { description: true },
    afterSensitive: { id: true },
    leaves: true,
    plan: "edge",
  };

  test.each([
    [["no-op"], false],
    [["read"], false],
    [["forget"], false],
    [["create"], true],
    [["no-op", "update"], true],
    [["later"], true],
    [[], true],
  ])("the actions %j change something: %p", (actions, expected) => {
    expect(acts({ actions })).toBe(expected);
  });

  test("names unknown parts by address and plan", () => {
    expect(unknownName({ address: "acl.x" })).toBe("the unknown part of acl.x");
    expect(unknownName(object)).toBe("the unknown part of acl.x in edge");
  });

  test("splits a replaced object that stays on the tenant into the new and the old one", () => {
    const { type, plan, before, after } = object;
    const [beforeSensitive, afterSensitive] = [object.beforeSensitive, object.afterSensitive];
    expect(apart(object)).toEqual([
      { address: "acl.x", type, plan, after, afterSensitive, actions: ["create"] },
      {
        address: "acl.x (forgotten)",
        type,
        plan,
        before,
        after: before,
        beforeSensitive,
        afterSensitive: beforeSensitive,
        actions: ["forget"],
      },
    ]);
  });

  test("does not split an object that leaves nothing on the tenant", () => {
    const { leaves: _leaves, ...replaced } = object;
    const { before: _before, ...created } = object;
    expect(apart(replaced)).toEqual([replaced]);
    expect(apart(created)).toEqual([created]);
  });
});
