/** Compares CIDR blocks with strings of bits, and with Node for the same texts. */
import { isIP } from "node:net";
import fc from "../../support/random";
import {
  canonicalBlock,
  contains,
  countAddresses,
  covers,
  formatBlock,
  isAddress,
  isBlockOf,
  overlaps,
  parseBlock,
  unmapped,
} from "../../../src/judge/access/cidr";

test.each([
  ["10.0.0.1/8", "10.0.0.0/8"],
  ["1.2.3.4/32", "1.2.3.4"],
  ["1.2.3.4", "1.2.3.4"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["203.0.113.255/31", "203.0.113.254/31"],
  ["2001:0DB8::/32", "2001:db8::/32"],
  ["2001:db8:0:0:0:0:0:1/128", "2001:db8::1"],
  ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
  ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
  ["10:0:1:0:0:2:3:4", "10:0:1::2:3:4"],
  ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ["::", "::"],
  ["0:0::0/0", "::/0"],
  ["fe80::ffff/10", "fe80::/10"],
  ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
  ["::FFFF:1.2.3.4", "::ffff:1.2.3.4"],
  ["::ffff:102:304/120", "::ffff:1.2.3.0/120"],
])("formats %s as %s", (text, canonical) => expect(canonicalBlock(text)).toBe(canonical));

const malformed = `
  /8 1.2.3 1.2.3.4.5 1.2.3.256 010.0.0.1 0x0a.0.0.1 1.2.3.4/33 1.2.3.4/ 1.2.3.4/08 1.2.3.4/-1 1.2.3.4/8/8
  : ::: 1::2::3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4::5:6:7:8 ::12345 ::g ::1.2.3.4:1 1.2.3.4:: ::1.2.3 ::/129
  fe80::1%eth0 [::1] example.com`;

test.each(["", " 1.2.3.4", ...malformed.trim().split(/\s+/)])("refuses %j", (text) => {
  expect(parseBlock(text)).toBeUndefined();
  expect(canonicalBlock(text)).toBeUndefined();
});

test("keeps a mapped address apart from its IPv4 address", () => {
  const inside = parseBlock("::ffff:192.0.2.0/120")!;
  expect(overlaps(inside, parseBlock("192.0.2.0/24")!)).toBe(false);
  expect(formatBlock(unmapped(inside))).toBe("192.0.2.0/24");
  for (const other of ["::/0", "::ffff:0:0/95", "2001:db8::1", "192.0.2.1"]) {
    expect(formatBlock(unmapped(parseBlock(other)!))).toBe(other === "::ffff:0:0/95" ? "::fffe:0:0/95" : other);
  }
});

/** A block as the leading bits of its addresses. */
interface Bits {
  readonly family: 4 | 6;
  readonly prefix: string;
}

const width = { 4: 32, 6: 128 };
const bitString = (max: number) => fc.array(fc.constantFrom("0", "1"), { maxLength: max }).map((bits) => bits.join(""));
const anyBits: fc.Arbitrary<Bits> = fc.oneof(
  fc.record({ family: fc.constant(4 as const), prefix: bitString(32) }),
  fc.record({ family: fc.constant(6 as const), prefix: bitString(128) }),
);
/** Blocks below one short prefix, because they often overlap. */
const nearBits: fc.Arbitrary<Bits> = fc.oneof(
  fc.record({ family: fc.constant(4 as const), prefix: bitString(4) }),
  fc.record({ family: fc.constant(6 as const), prefix: bitString(4) }),
);

/** Spellings of people and programs: long zero runs, host bits, upper case, leading zeros, dotted ends. */
const spelling = fc.record({
  host: fc.constantFrom("0", "1"),
  upper: fc.boolean(),
  zeros: fc.boolean(),
  dotted: fc.boolean(),
  /** Which run of zero groups becomes `::`. */
  run: fc.nat(3),
  bare: fc.boolean(),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer S> ? S : never;

const slices = (size: number, text: string) => text.match(new RegExp(`.{${size}}`, "g")) ?? [];

function spell({ family, prefix }: Bits, how: Spelling): string {
  const bits = prefix.padEnd(width[family], how.host);
  const suffix = how.bare && prefix.length === width[family] ? "" : `/${prefix.length}`;
  const dotted = (text: string) =>
    slices(8, text)
      .map((byte) => parseInt(byte, 2))
      .join(".");
  if (family === 4) return dotted(bits) + suffix;
  const groups = slices(16, how.dotted ? bits.slice(0, 96) : bits).map((group) => {
    const digits = parseInt(group, 2)
      .toString(16)
      .padStart(how.zeros ? 4 : 1, "0");
    return how.upper ? digits.toUpperCase() : digits;
  });
  const written = [...groups, ...(how.dotted ? [dotted(bits.slice(96))] : [])];
  const runs = [...written.keys()].filter((index) => /^0+$/.test(written[index]!));
  const from = runs[how.run % Math.max(runs.length, 1)];
  if (from === undefined) return written.join(":") + suffix;
  let to = from;
  while (to < written.length && /^0+$/.test(written[to]!)) to++;
  return `${written.slice(0, from).join(":")}::${written.slice(to).join(":")}${suffix}`;
}

const within = (inner: Bits, outer: Bits) => inner.family === outer.family && inner.prefix.startsWith(outer.prefix);
const spelled = (bits: fc.Arbitrary<Bits>) =>
  fc.tuple(bits, spelling).map(([model, how]) => ({ model, text: spell(model, how) }));

test("parses every spelling to its original bits", () => {
  fc.assert(
    fc.property(spelled(anyBits), ({ model, text }) => {
      const { family, first, length } = parseBlock(text)!;
      expect(isIP(text.split("/")[0]!)).toBe(family);
      const bits = first.toString(2).padStart(width[family], "0");
      expect([family, bits]).toEqual([model.family, model.prefix.padEnd(width[family], "0")]);
      expect(length).toBe(model.prefix.length);
    }),
    { numRuns: 500 },
  );
});

test("formats two blocks alike exactly if they have the same addresses", () => {
  const pair = fc.oneof(
    fc.tuple(spelled(nearBits), spelled(nearBits)),
    fc
      .tuple(anyBits, spelling, spelling)
      .map(([model, one, two]) => [one, two].map((how) => ({ model, text: spell(model, how) }))),
  );
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const same = within(a!.model, b!.model) && within(b!.model, a!.model);
      expect(canonicalBlock(a!.text) === canonicalBlock(b!.text)).toBe(same);
    }),
    { numRuns: 500 },
  );
});

test("keeps a canonical text, which is also the form in URLs", () => {
  fc.assert(
    fc.property(spelled(anyBits), ({ text }) => {
      const canonical = canonicalBlock(text)!;
      expect(canonicalBlock(canonical)).toBe(canonical);
      const [address] = canonical.split("/");
      if (address!.includes(":") && !address!.includes(".")) {
        expect(new URL(`http://[${address}]`).hostname).toBe(`[${address}]`);
      }
    }),
  );
});

test("accepts exactly the addresses that Node accepts", () => {
  const piece = fc.constantFrom("0", "1", "00", "255", "256", "a", "F0", "12345", ".", ":", "::", "1.2.3.4");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
      const text = pieces.join("");
      expect(parseBlock(text)?.family ?? 0).toBe(isIP(text));
    }),
    { numRuns: 3000 },
  );
});

test("assigns a block to one family, and accepts an address only without a prefix length", () => {
  fc.assert(
    fc.property(spelled(anyBits), ({ model, text }) => {
      expect([isBlockOf(4, text), isBlockOf(6, text)]).toEqual([model.family === 4, model.family === 6]);
      expect(isAddress(text)).toBe(!text.includes("/"));
    }),
  );
  expect([isBlockOf(4, "10.0.0.256"), isBlockOf(6, "::g"), isAddress("localhost")]).toEqual([false, false, false]);
});

test("decides contains and overlaps as the bits do", () => {
  fc.assert(
    fc.property(spelled(nearBits), spelled(nearBits), (a, b) => {
      const [left, right] = [parseBlock(a.text)!, parseBlock(b.text)!];
      expect(contains(left, right)).toBe(within(b.model, a.model));
      expect(overlaps(left, right)).toBe(within(a.model, b.model) || within(b.model, a.model));
    }),
  );
});

test("covers a block exactly if each of its addresses is in one of the blocks", () => {
  const ends = Array.from({ length: 16 }, (_, index) => index.toString(2).padStart(4, "0"));
  fc.assert(
    fc.property(fc.array(spelled(nearBits), { maxLength: 12 }), spelled(nearBits), (list, one) => {
      const inside = ends
        .map((prefix) => ({ family: one.model.family, prefix }))
        .filter((address) => within(address, one.model));
      const all = inside.every((address) => list.some(({ model }) => within(address, model)));
      expect(
        covers(
          list.map(({ text }) => parseBlock(text)!),
          parseBlock(one.text)!,
        ),
      ).toBe(all);
    }),
    { numRuns: 1000 },
  );
});

test("counts an address in several blocks once, and only addresses of the family", () => {
  const part = { 4: 1n << 28n, 6: 1n << 124n };
  const ends = Array.from({ length: 16 }, (_, index) => index.toString(2).padStart(4, "0"));
  fc.assert(
    fc.property(
      fc.array(spelled(nearBits), { maxLength: 8 }),
      fc.constantFrom(4 as const, 6 as const),
      (list, family) => {
        const held = ends.filter((prefix) => list.some(({ model }) => within({ family, prefix }, model)));
        const blocks = list.map(({ text }) => parseBlock(text)!);
        expect(countAddresses(blocks, family)).toBe(BigInt(held.length) * part[family]);
      },
    ),
  );
});
