/** Splits streams of every form into values, in chunks of every size. */
import { createValueReader } from "../../src/traffic/values";

function read(text: string, size = text.length, isTorn = false) {
  const found = { values: [] as unknown[], broken: 0, torn: 0 };
  const reader = createValueReader({
    value: (value) => found.values.push(value),
    broken: () => (found.broken += 1),
    torn: () => (found.torn += 1),
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end(isTorn);
  return found;
}

const events = [{ a: 'x"\\}{[', b: { c: [1, { d: 2 }] } }, { a: "é ü" }, { a: "" }];
const lines = events.map((event) => JSON.stringify(event)).join("\n");
const forms: [string, string][] = [
  ["JSON lines", lines],
  ["JSON lines with a last line end", `${lines}\n`],
  ["JSON lines with CRLF and blank lines", lines.replaceAll("\n", "\r\n\r\n")],
  ["JSON lines after a byte order mark", `\ufeff${lines}`],
  ["an array on one line", JSON.stringify(events)],
  ["an indented array", JSON.stringify(events, undefined, 2)],
  ["indented objects one after the other", events.map((event) => JSON.stringify(event, undefined, 4)).join("\n")],
  ["objects without separators", events.map((event) => JSON.stringify(event)).join("")],
  ["an array with one line for each object", `[\n${events.map((event) => JSON.stringify(event)).join(",\n")}\n]`],
  ["an indented object around a list", JSON.stringify({ start: 0, logs: events, total: 3 }, undefined, 2)],
  ["several arrays", events.map((event) => JSON.stringify([event])).join("\n")],
];

test.each(forms)("reads %s", (_, text) => {
  for (const size of [1, 2, 3, 7, 16, 1000]) {
    expect(read(text, size)).toEqual({ values: events, broken: 0, torn: 0 });
  }
});

test("keeps no blanks before the first value, and reads it", () => {
  const found: unknown[] = [];
  const reader = createValueReader({ value: (value) => found.push(value), broken() {}, torn() {} });
  const zeros = Buffer.alloc(64 * 1024);
  for (let count = 0; count < 4_000; count++) reader.push(zeros);
  reader.push(Buffer.from(lines));
  reader.end();
  expect(found).toEqual(events);
});

test("reads nothing from an empty stream", () => {
  for (const text of ["", "  \n\n", "[]"]) expect(read(text)).toEqual({ values: [], broken: 0, torn: 0 });
});

test("counts a broken line once, and reads the lines around it", () => {
  const text = `{"a":1}\n{"a":"tor\n{"a":2}\nwords\n{"a":3}\n`;
  for (const size of [1, 5, 100])
    expect(read(text, size)).toEqual({ values: [{ a: 1 }, { a: 2 }, { a: 3 }], broken: 2, torn: 0 });
});

test("counts a torn first line, and reads the lines after it", () => {
  expect(read(`{"a":"tor\n{"a":2}\n{"a":3}\n`)).toEqual({ values: [{ a: 2 }, { a: 3 }], broken: 1, torn: 0 });
  expect(read(`r","b":1}\n{"a":2}\n`)).toEqual({ values: [{ a: 2 }], broken: 1, torn: 0 });
});

test("counts a torn end", () => {
  expect(read(`{"a":1}\n{"a":`)).toEqual({ values: [{ a: 1 }], broken: 0, torn: 1 });
  expect(read(`[{"a":1},{"a":`)).toEqual({ values: [{ a: 1 }], broken: 0, torn: 1 });
  expect(read(`{"a":1}\n`, 100, true)).toEqual({ values: [{ a: 1 }], broken: 0, torn: 1 });
});

test("finds the next object after a torn one in an indented array", () => {
  const [first, second, third] = events.map((event) => JSON.stringify(event, undefined, 2).replaceAll("\n", "\n  "));
  const torn = second!.slice(0, -6);
  const { values, broken } = read(`[\n  ${first},\n  ${torn}\n  ${third}\n]`);
  expect([values, broken]).toEqual([[events[0], events[2]], 1]);
});

test("leaves out a value that is too large, and reads the next ones", () => {
  const large = JSON.stringify({ a: "x".repeat(9 * 1024 * 1024) });
  for (const text of [`{"a":1}\n${large}\n{"a":2}`, `[{"a":1},${large},{"a":2}]`]) {
    expect(read(text, 65_536)).toEqual({ values: [{ a: 1 }, { a: 2 }], broken: 1, torn: 0 });
  }
});

test("takes a whole last line of compressed data that end too early, and says that they do", () => {
  expect(read(lines, 5, true)).toEqual({ values: events, broken: 0, torn: 1 });
  expect(read(lines.slice(0, -1), 5, true)).toEqual({ values: events.slice(0, -1), broken: 0, torn: 1 });
});

test("skips the zeros with which some programs fill a file", () => {
  const filled = `\0\0${lines.replaceAll("\n", "\n\0\n")}\0\0`;
  for (const size of [1, 3, 1000]) expect(read(filled, size)).toEqual({ values: events, broken: 0, torn: 0 });
});

test("reads on after a torn object in an array on one line", () => {
  const event = { a: { b: "x".repeat(1_000) } };
  const count = 12_000;
  const { values, broken } = read(
    `[{"a":{"b":"tor,${Array.from({ length: count }, () => JSON.stringify(event)).join(",")}]`,
    65_536,
  );
  const whole = values.filter((value) => JSON.stringify(value) === JSON.stringify(event));
  expect(broken).toBeGreaterThan(0);
  // At most 8 MB are lost.
  expect(whole.length).toBeGreaterThan(count / 4);
});

test("reads joined files that each begin with a byte order mark", () => {
  const joined = `\ufeff${lines}\n\ufeff${lines}`;
  for (const size of [1, 3, 1000])
    expect(read(joined, size)).toEqual({ values: [...events, ...events], broken: 0, torn: 0 });
});
