/** Splits logs of every form into values, in parts of every size. */
import { readValues } from "../../../src/review/traffic/values";

async function read(text: string, size: number, most?: number) {
  const found = { values: [] as unknown[], broken: 0, torn: 0 };
  const parts = async function* () {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  };
  const sink = {
    value: (one: unknown) => found.values.push(one),
    broken: () => found.broken++,
    torn: () => found.torn++,
  };
  await readValues(parts(), sink, most);
  return found;
}

const one = { a: 'x"}]\\', b: { c: [1, { d: "[{" }] }, e: "é\u2028" };
const two = { logs: [one, one], f: null };
const [line, lines] = [JSON.stringify(one), [one, two].map((value) => JSON.stringify(value)).join("\n")];
const wide = (value: unknown) => JSON.stringify(value, undefined, 2);

test.each<[string, string, readonly unknown[], object?]>([
  ["lines", lines, [one, two]],
  ["lines with blanks and returns", `\r\n ${lines.replaceAll("\n", "\r\n\r\n")}\r\n`, [one, two]],
  ["joined files with a mark in the middle", `${line}\n\ufeff${line}\n`, [one, one]],
  ["lines with zeros at the end", `${lines}\n${"\0".repeat(9)}`, [one, two]],
  ["lines with a time", `2026-11-28T05:31:26.000Z ${line}\n2026-11-28T05:31:27.000Z stream ${line}\n`, [one, one]],
  ["an array", JSON.stringify([one, two]), [[one, two]]],
  ["an array over lines", wide([one, two]), [[one, two]]],
  ["an object over lines", `${wide(two)}\n`, [two]],
  ["arrays on lines", `${JSON.stringify([one])}\n${JSON.stringify([two])}\n`, [[one], [two]]],
  ["an empty file", "", []],
  ["blanks", " \n\t\r\n", []],
  ["broken lines", `${line}\nwords\n{"a":\n${line}\n`, [one, one], { broken: 2 }],
  ["lines of which the first is broken", `{"a":\n${line}\n${line}`, [one, one], { broken: 1 }],
  ["a torn last line", `${line}\n{"a":`, [one], { torn: 1 }],
  ["a torn array", `[${line},{"a":`, [], { torn: 1 }],
  ["a torn array over lines", `[\n${line},\n{"a":`, [], { broken: 3 }],
])("reads %s", async (_what, text, values, troubles = {}) => {
  for (const size of [1, 3, 7, 100_000])
    expect(await read(text, size)).toEqual({ values, broken: 0, torn: 0, ...troubles });
});

test("leaves out a value that is too large, and goes on behind it", async () => {
  const large = JSON.stringify({ a: "x".repeat(1_000) });
  for (const size of [1, 7, 10_000]) {
    expect(await read(`${line}\n${large}\n${line}\n`, size, 500)).toEqual({ values: [one, one], broken: 1, torn: 0 });
    expect(await read(large, size, 500)).toEqual({ values: [], broken: 0, torn: 1 });
  }
  const late = `{"a":\n${`${line}\n`.repeat(20)}`;
  for (const size of [1, 7]) expect((await read(late, size, 500)).values).toHaveLength(20);
});
