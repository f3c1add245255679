/** Splits logs of every form into values, in chunks of every size. */
import { createValueReader, mostBytes } from "../../src/traffic/values";

function read(text: string | Buffer, size: number, isTorn = false) {
  const bytes = Buffer.from(text);
  const found = { values: [] as unknown[], broken: 0, torn: 0 };
  const reader = createValueReader({
    value: (one) => found.values.push(one),
    broken: () => found.broken++,
    torn: () => found.torn++,
  });
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end(isTorn);
  return found;
}

const one = { a: 'x"}]\\', b: { c: [1, { d: "[{" }] }, e: "é\u2028" };
const two = { logs: [one, one], f: null };
const [line, lines] = [JSON.stringify(one), [one, two].map((value) => JSON.stringify(value)).join("\n")];
const wide = (value: unknown) => JSON.stringify(value, undefined, 2);

test.each<[string, string, readonly unknown[], object?]>([
  ["lines", lines, [one, two]],
  [
    "lines with blanks, returns and a byte order mark",
    `\ufeff\r\n ${lines.replaceAll("\n", "\r\n\r\n")}\r\n`,
    [one, two],
  ],
  ["joined files with a mark in the middle", `${line}\n\ufeff${line}\n`, [one, one]],
  ["lines with zeros at the end", `${lines}\n${"\0".repeat(9)}`, [one, two]],
  ["lines with a time", `2026-11-28T05:31:26.000Z ${line}\n2026-11-28T05:31:27.000Z stream ${line}\n`, [one, one]],
  ["an array", JSON.stringify([one, two]), [one, two]],
  ["an array over lines", wide([one, two]), [one, two]],
  ["arrays on lines", `${JSON.stringify([one])}\n${JSON.stringify([two])}\n`, [one, two]],
  ["objects over lines", `${wide(one)}\n${wide(two)}\n`, [one, two]],
  ["an empty file", "", []],
  ["blanks", " \n\t\r\n", []],
  ["broken lines", `${line}\nwords\n{"a":\n${line}\n`, [one, one], { broken: 2 }],
  ["a torn last line", `${line}\n{"a":`, [one], { torn: 1 }],
  ["a torn array", `[${line},{"a":`, [one], { torn: 1 }],
  ["a broken object in an array", `[${line},{a},${line}]`, [one, one], { broken: 1 }],
])("reads %s", (_what, text, values, troubles = {}) => {
  for (const size of [1, 3, 7, 100_000]) expect(read(text, size)).toEqual({ values, broken: 0, torn: 0, ...troubles });
});

test("says that a stream is torn whose compressed data end too early, and keeps its last line", () => {
  expect(read(`${line}\n${line}`, 10, true).values).toEqual([one, one]);
  expect(read(`${line}\n`, 10, true)).toMatchObject({ values: [one], torn: 1 });
  expect(read(`[${line}`, 10, true)).toMatchObject({ values: [one], torn: 1 });
});

test("refuses a value that is too large, and goes on behind it", () => {
  const large = JSON.stringify({ a: "x".repeat(mostBytes) });
  expect(read(`${line}\n${large}\n${line}\n`, 1 << 16)).toEqual({ values: [one, one], broken: 1, torn: 0 });
  expect(read(`[${line},${large},${line}]`, 1 << 16)).toEqual({ values: [one, one], broken: 1, torn: 0 });
});
