/** Readable names from texts of any kind. */
import fc from "../support/random";
import {
  camelCase,
  distinctNames,
  fileName,
  lettered,
  nameOf,
  snakeCase,
  wordsOf,
  type Words,
} from "../../src/adopt/naming";

test.each([
  ["Block Tor & VPN exit nodes", "block_tor_vpn_exit_nodes"],
  ["Don't let  them — in", "dont_let_them_in"],
  ["Größe über alles", "grosse_uber_alles"],
  ["Офис в Москве", "ofis_v_moskve"],
  ["東京オフィス", "dongjingofuisu"],
  ["🚀 launch", "rocket_launch"],
  ["２０２６ plan", "acl_2026_plan"],
  ["!!!", "acl"],
  ["a ".repeat(100), "a_a_a_a_a_a_a"],
  ["x".repeat(300), "x".repeat(48)],
])("%j is called %s", (text, name) => {
  expect(snakeCase(nameOf(text, ["acl"]))).toBe(name);
});

test("names are distinct identifiers", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.constantFrom("block bots", "Block-Bots", "block bots 2"),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      const names = distinctNames(
        texts.map((one) => ({ wanted: nameOf(one, ["acl"]), marks: [] })),
        ["block_bots_3"],
      );
      for (const name of names) {
        expect(snakeCase(name)).toMatch(/^[a-z][a-z0-9_]*$/);
        expect(camelCase(name)).toMatch(/^[a-z][A-Za-z0-9]*$/);
      }
      expect(new Set([...names.map(snakeCase), "block_bots_3"]).size).toBe(texts.length + 1);
      expect(new Set(names.map((name) => camelCase(name).toLowerCase())).size).toBe(texts.length);
    }),
    { numRuns: 200 },
  );
});

test("distinguishes equal names by the first mark that differs for all", () => {
  const named = (...marks: Words[][]) =>
    distinctNames(marks.map((own) => ({ wanted: ["block", "bots"], marks: own }))).map(snakeCase);
  expect(named([["tenant"], ["block"]], [["management"], ["block"]])).toEqual([
    "block_bots_tenant",
    "block_bots_management",
  ]);
  expect(named([["tenant"], ["block"]], [["tenant"], ["log"]])).toEqual(["block_bots_block", "block_bots_log"]);
  expect(named([["tenant"]], [["tenant"]])).toEqual(["block_bots", "block_bots_2"]);
});

test("a name begins with a letter, and in a program with a lower-case letter", () => {
  expect(lettered(wordsOf("_"), ["acl"])).toEqual(["acl"]);
  expect(lettered(wordsOf("2 lists"), ["acl"])).toEqual(["acl", "2", "lists"]);
  expect(lettered(wordsOf("Two lists"), ["acl"])).toEqual(["Two", "lists"]);
  // Otherwise a constant would have the name of its class.
  expect(camelCase(["Network", "acl"])).toBe("networkAcl");
});

test("a file never has the name of a Windows device", () => {
  expect(["con", "NUL", "com1", "lpt9", "console", "staff"].map(fileName)).toEqual([
    "con_",
    "NUL_",
    "com1_",
    "lpt9_",
    "console",
    "staff",
  ]);
});
