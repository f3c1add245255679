/** Words of extents: true for every address and country, in the constants of the configuration. */
import fc from "../support/random";
import { countAddresses, contains, outcomeShifts, parseBlock, type Block } from "../../src/access/access";
import { blockWords, extentWords, shareWords } from "../../src/impact/network-acl/extent-words";
import type { Values } from "../../src/impact/model";
import { acl } from "./support/acls";

const wordsOf = (rule: Values, constants: readonly string[] = []) => {
  const { all, extent } = outcomeShifts([], [acl(1, { scope: "tenant", ...rule })], () => true);
  return extentWords(extent(all), constants);
};

test.each<[string, Values]>([
  ["everyone", { match_all: true }],
  ["everyone in Iran (IR)", { match: { geo_country_codes: ["IR"] } }],
  ["everyone outside Germany (DE) and France (FR)", { not_match: { geo_country_codes: ["DE", "FR"] } }],
  [
    "everyone in 6 European countries (AT, BE, DE, …)",
    { match: { geo_country_codes: ["AT", "BE", "DE", "FR", "IT", "NL"] } },
  ],
  ["everyone in 6 countries (AT, BE, DE, …)", { match: { geo_country_codes: ["AT", "BE", "DE", "FR", "IT", "US"] } }],
  ["198.51.100.0/24 (256 addresses)", { match: { ipv4_cidrs: ["198.51.100.0/24"] } }],
  ["198.51.100.7 (1 address)", { match: { ipv4_cidrs: ["198.51.100.7"] } }],
  ["all IPv4 addresses", { match: { ipv4_cidrs: ["0.0.0.0/0"] } }],
  ["everyone outside 198.51.100.0/24", { not_match: { ipv4_cidrs: ["198.51.100.0/24"] } }],
  [
    "198.51.100.0/24 (256 addresses) in Germany (DE)",
    { match: { ipv4_cidrs: ["198.51.100.0/24"], geo_country_codes: ["DE"] } },
  ],
  [
    "everyone in Iran (IR), but not 198.51.100.0/24",
    { match: { geo_country_codes: ["IR"] }, not_match: { ipv4_cidrs: ["198.51.100.0/24"] } },
  ],
  [
    "everyone outside Germany (DE), but not 198.51.100.0/24",
    { not_match: { geo_country_codes: ["DE"], ipv4_cidrs: ["198.51.100.0/24"] } },
  ],
  [
    "everyone outside 1.0.0.0/16, 2.0.0.0/16, 3.0.0.0/16 and 4 more blocks",
    { not_match: { ipv4_cidrs: [1, 2, 3, 5, 7, 9, 11].map((first) => `${first}.0.0.0/16`) } },
  ],
])("says %s", (words, rule) => {
  expect(wordsOf(rule)).toBe(words);
});

test("tells whole countries from countries with some addresses", () => {
  const block = { action: { block: true }, scope: "tenant" };
  const ranges = { ipv4_cidrs: ["198.51.100.0/24"] };
  const wordsWith = (match: Values) => {
    const acls = [acl(1, { ...block, match: { geo_country_codes: ["DE"] } }), acl(2, { ...block, match })];
    const { all, extent } = outcomeShifts([], acls, () => true);
    return extentWords(extent(all), []);
  };
  expect(wordsWith(ranges)).toBe("everyone in Germany (DE), and some addresses in all other countries");
  expect(wordsWith({ ...ranges, geo_country_codes: ["FR"] })).toBe(
    "everyone in Germany (DE), and some addresses in France (FR)",
  );
});

test("describes many blocks by the constants of rules, and only if they are the same addresses", () => {
  const most = { match: { ipv4_cidrs: ["198.51.0.0/16"] }, not_match: { ipv4_cidrs: ["198.51.100.0/24"] } };
  const constants = ["198.51.0.0/16", "198.51.100.0/24"];
  expect(wordsOf(most, constants)).toBe("198.51.0.0/16 without 198.51.100.0/24 (65,280 addresses)");
  expect(wordsOf(most, ["198.51.0.0/16"])).toMatch(/^198\.51\.0\.0\/18, .* and 5 more blocks \(65,280 addresses\)$/);
});

test("never words a set by constants with other addresses", () => {
  const block = fc
    .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 28, max: 32 }))
    .map(([last, length]) => `10.0.0.${(last >> (32 - length)) << (32 - length)}/${length}`);
  const size = (blocks: readonly Block[]) => countAddresses(blocks, 4);
  fc.assert(
    fc.property(
      fc.uniqueArray(block, { minLength: 4, maxLength: 8 }),
      fc.array(block, { maxLength: 6 }),
      (set, named) => {
        const parsed = set.map((text) => parseBlock(text)!);
        const apart = parsed.filter((one, index) => !parsed.some((other, at) => at !== index && contains(other, one)));
        const texts = set.filter((_, index) => apart.includes(parsed[index]!));
        const words = blockWords(texts, named);
        fc.pre(!words.includes("more blocks") && !words.includes("all "));
        const [own, except = ""] = words.split(" without ");
        const blocksIn = (part: string) => (part.match(/\d[\d./]+/g) ?? []).map((text) => parseBlock(text)!);
        expect(size(blocksIn(own!)) - size(blocksIn(except))).toBe(size(apart));
        for (const one of apart) expect(blocksIn(own!).some((other) => contains(other, one))).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

test("says all only for a whole, and about otherwise", () => {
  expect([1, 1 - 1e-12, 0.694, 0.0612, 0.02, 0.0004].map(shareWords)).toEqual([
    "all",
    "about 99 %",
    "about 69 %",
    "about 6.1 %",
    "about 2 %",
    "less than 0.1 %",
  ]);
});
