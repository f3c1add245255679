/** Compares the fast readers of addresses with the exact parser. */
import { formatBlock, parseBlock, unmapped } from "../../src/access/access";
import { ipv6In, orderedIpv6 } from "../../src/traffic/addresses";
import { networkOf } from "../../src/traffic/group";
import { createRandom } from "./support/random";
import { expectSeen, seed } from "../support/seed";

const random = createRandom(5 + seed);
const groups = ["0", "0", "0", "1", "ab", "FFFF", "00f0", "2001", "fffff", "", ":", "g", "1.2.3.4"];
/** Valid addresses and texts that look like addresses. */
const texts = Array.from({ length: 20_000 }, () => {
  const count = random.one([2, 3, 5, 6, 7, 8, 8, 8, 9]);
  const parts = Array.from({ length: count }, () => random.one(groups.slice(0, random.one([8, 8, 8, 10, 13]))));
  if (random.one([true, false])) parts.splice(random.one([0, 1, 2, 4, 7]), 0, "");
  return parts.join(":");
});

const exact = (text: string) => (text.includes("/") ? undefined : parseBlock(text));

test("reads an IPv6 address as the exact parser does", () => {
  const read = texts.filter((text) => ipv6In(text) !== undefined);
  expectSeen(read.length, 500);
  expect(read.filter((text) => ipv6In(text) !== orderedIpv6(exact(text)!.first))).toEqual([]);
  const missed = texts.filter((text) => ipv6In(text) === undefined && (exact(text)?.first ?? 0n) >> 112n !== 0n);
  expect(missed.filter((text) => !text.includes("."))).toEqual([]);
});

test("shortens an IPv6 address to the same /48 as the exact parser", () => {
  const shortened = (text: string) => {
    const block = exact(text);
    const own = block && unmapped(block);
    return own && formatBlock(parseBlock(`${formatBlock(own)}/${own.family === 4 ? 24 : 48}`)!);
  };
  expect(texts.filter((text) => networkOf(text) !== shortened(text))).toEqual([]);
});

test("orders IPv6 addresses like their numbers", () => {
  const read = texts.filter((text) => ipv6In(text) !== undefined).slice(0, 2_000);
  const byText = read.map((text) => ipv6In(text)!).toSorted((a, b) => (a < b ? -1 : 1));
  const byNumber = read.map((text) => exact(text)!.first).toSorted((a, b) => (a < b ? -1 : 1));
  expect(byText).toEqual(byNumber.map(orderedIpv6));
});
