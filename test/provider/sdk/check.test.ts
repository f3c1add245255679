import { titleOf } from "../../../src/judge/codes/codes";
import fc from "../../support/random";
import { z } from "zod";
import { attributePath, formatPath } from "../../../src/formats/cty/path";
import { unknown } from "../../../src/formats/cty/value";
import { networkAcl } from "../../../src/provider/resources/network-acl/definition";
import { attribute, listOf, rule, setOf } from "../../../src/provider/sdk/attribute";
import { check, show } from "../../../src/provider/sdk/check";
import { attributesOf } from "../../../src/provider/sdk/schema";

const range = z.object({
  from: attribute(z.int("use a whole number").min(1, "start at 1"), "From."),
  to: attribute(z.int(), "To."),
});
const ordered = rule(range, ({ from, to }, report) => {
  if (typeof from !== "number" || typeof to !== "number" || from <= to) return;
  report(`\`range.from\` is ${from}, after \`range.to\`, ${to}: swap them.`, attributePath("from"));
});
const config = z.object({
  secret: attribute(z.string().max(3, "use 3 characters"), "Secret.", { sensitive: true }),
  names: attribute(setOf(z.string().min(1, "give a name"), { min: 1, of: "names" }), "Names."),
  range: attribute(range, "Range.", { rules: [ordered] }),
});
const found = (plain: unknown) => check({ config, attributes: attributesOf(config) }, plain);
const right = { secret: "abc", names: ["a"], range: { from: 1, to: 2 } };

test("names the attribute, the value and the remedy in a diagnostic", () => {
  expect(found({ ...right, range: { from: 0, to: 2 } })).toEqual([
    {
      path: attributePath("range", "from"),
      severity: "error",
      code: ["TNF-INVALID-VALUE", "range.from"],
      detail: "`range.from` is 0: start at 1.",
    },
  ]);
});

test("reports only the first limit when a value breaks several", () => {
  const code = z.string().min(2, "use 2 characters").regex(/^x/, "begin with x");
  const limited = z.object({ code: attribute(code, "Code.") });
  const diagnostics = check({ config: limited, attributes: attributesOf(limited) }, { code: "1" });
  expect(diagnostics.map(({ detail }) => detail)).toEqual(['`code` is "1": use 2 characters.']);
});

test("reports a missing attribute as missing, and names the type that an attribute needs", () => {
  // Terraform prints the line of the path.
  const missing = { code: ["TNF-MISSING-VALUE", "secret"], path: [] };
  const detail = "`secret` is missing: give a string.";
  expect(found({ ...right, secret: undefined })).toMatchObject([{ ...missing, detail }]);
  expect(found({ ...right, range: undefined })[0]!.detail).toBe("`range` is missing: give an object.");
  expect(found({ ...right, names: "a" })[0]!.detail).toBe('`names` is "a": give a list.');
});

test("shows an invalid element of a set, and points to the set", () => {
  const diagnostic = { path: attributePath("names"), detail: '`names` is "": give a name.' };
  expect(found({ ...right, names: ["a", ""] })).toMatchObject([diagnostic]);
});

test("calls a null entry what it is", () => {
  const remedy = "give a string in its place, or leave it out.";
  expect(found({ ...right, names: ["a", undefined] })[0]!.detail).toBe(
    `\`names\` has an entry that is null: ${remedy}`,
  );
  const listed = z.object({ names: attribute(listOf(z.string()), "Names.") });
  const [diagnostic] = check({ config: listed, attributes: attributesOf(listed) }, { names: ["a", undefined] });
  expect(diagnostic!.detail).toBe(`\`names[1]\` is null: ${remedy}`);
});

test("runs a rule on known values although other attributes are invalid or unknown", () => {
  const diagnostics = found({ secret: "too long", names: unknown, range: { from: 3, to: 2 } });
  expect(diagnostics.map(({ path }) => formatPath(path))).toEqual(["", "range.from"]);
  expect(diagnostics.map(({ code }) => titleOf(code))).toEqual(["Invalid secret", "Invalid range.from"]);
  expect(found({ ...right, range: { from: 3, to: unknown } })).toEqual([]);
});

describe("a rule", () => {
  const asked: unknown[] = [];
  const noted = { rules: [(value: unknown) => void asked.push(value)] };
  const ruled = z.object({
    text: attribute(z.string().optional(), "Text.", noted),
    list: attribute(listOf(z.string()).optional(), "List.", noted),
    map: attribute(z.record(z.string(), z.string()).optional(), "Map.", noted),
  });
  const askedAbout = (plain: object) => {
    check({ config: ruled, attributes: attributesOf(ruled) }, plain);
    return asked.splice(0);
  };

  test.each([{ text: "a" }, { list: ["a", unknown] }, { map: { a: "b", c: unknown } }])(
    "runs on a value that is known at least in part: %j",
    (plain) => expect(askedAbout(plain)).toEqual(Object.values(plain)),
  );

  test.each([{ text: 1 }, { list: "a" }, { list: ["a", 1] }, { map: ["a"] }, { map: { a: 1 } }, { text: unknown }])(
    "does not run on an unknown value, or on a value of the wrong type: %j",
    (plain) => expect(askedAbout(plain)).toEqual([]),
  );
});

test("reports no error for an unknown part, and still reports an error in another attribute", () => {
  const acl = { config: networkAcl.config, attributes: attributesOf(networkAcl.config), rules: networkAcl.rules };
  const valid = {
    description: "d",
    active: true,
    priority: 5,
    rule: {
      action: { redirect: true, redirect_uri: "https://a.example" },
      match: { asns: [1], hostnames: ["a.b"] },
      scope: "tenant",
    },
  };
  const action = ["action", "action redirect", "action redirect_uri"];
  const inRule = [...action, "match", "match asns", "match asns 0", "scope"].map((place) => `rule ${place}`);
  const places = ["priority", "active", "rule", ...inRule].map((place) => place.split(" "));
  fc.assert(
    fc.property(fc.subarray(places), fc.boolean(), (unknowns, wrong) => {
      const plain = structuredClone({ ...valid, description: wrong ? "x".repeat(256) : "d" });
      for (const path of unknowns) punch(plain, path);
      expect(check(acl, plain).map(({ code }) => titleOf(code))).toEqual(wrong ? ["Invalid description"] : []);
    }),
  );
});

function punch(value: any, [key, ...rest]: string[]): void {
  if (value === unknown) return;
  if (rest.length === 0) value[key!] = unknown;
  else punch(value[key!], rest);
}

test("checks the keys and the values of a map, and names the key of each error", () => {
  const notes = z.record(z.string().min(2, "use 2 characters"), z.string().max(3, "use 3 characters"));
  const noted = z.object({ notes: attribute(notes, "Notes.") });
  const judge = (given: object) => check({ config: noted, attributes: attributesOf(noted) }, { notes: given });
  expect(judge({ ab: "abc", cd: unknown })).toEqual([]);
  expect(judge({ a: unknown, cd: "long" })).toEqual([
    {
      path: [{ attribute: "notes" }, { key: "a" }],
      severity: "error",
      code: ["TNF-INVALID-VALUE", "notes"],
      detail: '`notes` has the key "a": use 2 characters.',
    },
    {
      path: [{ attribute: "notes" }, { key: "cd" }],
      severity: "error",
      code: ["TNF-INVALID-VALUE", 'notes["cd"]'],
      detail: '`notes["cd"]` is "long": use 3 characters.',
    },
  ]);
});

describe("the path of an error in a list or set", () => {
  const port = z.object({
    from: attribute(z.int().min(1, "start at 1"), "From."),
    tags: attribute(setOf(z.string()), "Tags.", {
      rules: [rule(z.array(z.string()), (tags, report) => tags.includes("bad") && report("not so", [{ index: 0 }]))],
    }),
  });
  const judge = (kind: "list" | "set", value: object) => {
    const ports = attribute(kind === "list" ? listOf(port) : setOf(port), "Ports.");
    const many = z.object({ ports });
    return check({ config: many, attributes: attributesOf(many) }, { ports: [{ from: 1, tags: [] }, value] });
  };

  test("has the index of the list element, and the attribute inside the element", () => {
    const port1 = [...attributePath("ports"), { index: 1 }];
    expect(judge("list", { from: 0, tags: ["bad"] })).toMatchObject([
      { code: ["TNF-INVALID-VALUE", "ports[1].from"], path: [...port1, ...attributePath("from")] },
      { code: ["TNF-INVALID-VALUE", "ports[1].tags[0]"], path: [...port1, ...attributePath("tags"), { index: 0 }] },
    ]);
  });

  test("ends at the set, because set elements have no index", () => {
    expect(judge("set", { from: 0, tags: ["bad"] })).toMatchObject([
      { code: ["TNF-INVALID-VALUE", "ports"], path: attributePath("ports") },
      { code: ["TNF-INVALID-VALUE", "ports"], path: attributePath("ports") },
    ]);
  });
});

test.each([
  ["a".repeat(118), `"${"a".repeat(118)}"`],
  ["a".repeat(119), `"${"a".repeat(119)}… (119 characters)`],
  [Array.from({ length: 99 }, () => 1), `[${"1,".repeat(59)}1…`],
  [[unknown, 1], '["(known after apply)",1]'],
  [NaN, "NaN"],
  [undefined, "undefined"],
])("shows a value, and shortens a long one: %#", (value, shown) => expect(show(value)).toBe(shown));

test.each([
  [{ min: 1 }, [], "list at least one of the names, or leave the attribute out."],
  [{ min: 2 }, ["a"], "list at least 2 names, or leave the attribute out."],
  [{ max: 2 }, ["a", "b", "c"], "list at most 2 names."],
])("reports how many elements a set needs when it has too few or too many: %j", (limits, names, remedy) => {
  const limited = z.object({ names: attribute(setOf(z.string(), { ...limits, of: "names" }), "Names.") });
  const [diagnostic] = check({ config: limited, attributes: attributesOf(limited) }, { names });
  expect(diagnostic!.detail).toBe(`\`names\` is ${JSON.stringify(names)}: ${remedy}`);
});
