/** Every room escapes unprintable characters of text from other sources in the same way. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isPrintable } from "../../src/formats/text/printable";

const src = path.join(__dirname, "../../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

/** Files that check ids and names, for other purposes. */
const others =
  /^(formats\/cty\/msgpack|commands\/adopt\/escape|tenant\/id|emulator\/schema|provider\/resources\/values|provider\/plugin\/serve)\.ts$/;

const texts = files.map(
  (file) => [file.replaceAll(path.sep, "/"), readFileSync(path.join(src, file), "utf8")] as const,
);

test("only one file lists unprintable characters", () => {
  const knowing = texts.filter(([file, text]) => !others.test(file) && /\\p\{C[cf]\}|\\u202a/i.test(text));
  expect(knowing.map(([file]) => file)).toEqual(["formats/text/printable.ts"]);
});

test("no file uses URL.canParse, which refuses non-ASCII letters in compiled code", () => {
  const asking = texts.filter(([file, text]) => file !== "formats/text/url.ts" && text.includes("URL.canParse"));
  expect(asking.map(([file]) => file)).toEqual([]);
});

/** Output for programs: settings for a shell, the handshake, commands for the runner of a workflow. */
const forPrograms: Record<string, number> = {
  "emulator/background.ts": 1,
  "emulator/command.ts": 1,
  "provider/plugin/serve.ts": 2,
  "review/report/output.ts": 1,
  "provider/plugin/log.ts": 1,
};

test("only one function writes text for people", () => {
  const writing = texts.flatMap(([file, whole]) => {
    const text = whole.replace(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "");
    if (file.startsWith("tools/") || file === "formats/text/printable.ts") return [];
    const count =
      text.match(/\bconsole\.|\b(?:stdout|stderr)\b[^\n]*\.write\(|\bstd(?:out|err)\.write\(/g)?.length ?? 0;
    return count > 0 ? [[file, count]] : [];
  });
  expect(Object.fromEntries(writing)).toEqual(forPrograms);
});

test("escapes all unprintable characters, and keeps joiners of letters and emoji", () => {
  const named: Record<string, readonly [number, number][]> = {
    "C0 and C1 controls": [
      [0, 0x1f],
      [0x7f, 0x9f],
    ],
    "marks and overrides of direction": [
      [0x061c, 0x061c],
      [0x200e, 0x200f],
      [0x202a, 0x202e],
      [0x2066, 0x2069],
    ],
    "characters without width": [
      [0xad, 0xad],
      [0x200b, 0x200b],
      [0x2060, 0x2064],
      [0xfeff, 0xfeff],
    ],
    "separators of lines and paragraphs": [[0x2028, 0x2029]],
    "halves of pairs": [[0xd800, 0xdfff]],
    tags: [
      [0xe0001, 0xe0001],
      [0xe0020, 0xe007f],
    ],
  };
  const through = Object.entries(named).flatMap(([name, ranges]) =>
    ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index)
        .filter((code) => isPrintable(String.fromCodePoint(code)))
        .map((code) => `${name}: ${code.toString(16)}`),
    ),
  );
  expect(through).toEqual([]);
  for (const text of ["👩‍🚒", "❤️", "می‌خواهم", "क्‍ष", "é", "　", "𝒜"]) expect(isPrintable(text)).toBe(true);
});
