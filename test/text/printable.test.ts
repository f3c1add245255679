/** Checks untrusted text in terminals, logs and pages. */
import fc from "../support/random";
import { blanked, isPrintable, oneLine, print, printable, printableLines } from "../../src/text/printable";

const any = fc.string({ unit: "binary" });
const hostile = "\u001b[2J\u009b1m\u202eev\u{e0041}\u061cil\ud800\r\n\ttab \\u001b";

test("escapes unprintable characters as JSON does, and JSON reads them back", () => {
  expect(printable(hostile)).toBe(
    "\\u001b[2J\\u009b1m\\u202eev\\udb40\\udc41\\u061cil\\ud800\\u000d\\n\\u0009tab \\u001b",
  );
  fc.assert(fc.property(any, (text) => isPrintable(printable(text)) && isPrintable(oneLine(text))));
  fc.assert(fc.property(any, (text) => JSON.parse(printableLines(JSON.stringify(text))) === text));
});

test("keeps words of every script, emoji and their joiners", () => {
  const text = "Zürich, 東京, می‌خواهم, 👩‍💻 ❤️ 𝒜";
  expect([printable(text), oneLine(text), printableLines(text), blanked(text)]).toEqual([text, text, text, text]);
});

test("keeps line ends in text of several lines, and replaces them with blanks in a single line", () => {
  expect(printableLines("a\r\nb\n\tc\rd")).toBe("a\nb\n\tc\\u000dd");
  expect(oneLine("a\r\nb\nc")).toBe("a b c");
  expect(blanked("a\u001bb\ud800")).toBe("a b\ufffd");
});

test("prints no line that a workflow runner obeys", () => {
  const commands = [
    "::error::x",
    "  ::set-env name=PATH::/evil",
    "ok\n::add-mask::e",
    "::stop-commands::token",
    "text ##[error]x",
    "##vso[task.setvariable variable=x]y",
    "##teamcity[setParameter name='x' value='y']",
  ];
  for (const command of commands) expect(printableLines(command)).not.toMatch(/^\s*::|##/m);
  expect(printableLines(commands[0]!)).toBe("\\u003a\\u003aerror::x");
  const harmless = ["::1 and ::/0", "a::b", "# heading", "## two", "10::20::30"];
  expect(harmless.map(printableLines)).toEqual(harmless);
});

test("prints no control character", () => {
  fc.assert(
    fc.property(any, (text) => {
      let written = "";
      print({ write: (part) => (written += part) }, text);
      return isPrintable(written.replace(/[\n\t]/g, ""));
    }),
  );
});
