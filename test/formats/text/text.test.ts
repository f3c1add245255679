/** Text from other sources: printable, cut, quoted, masked; and what is read from it. */
import fc from "../../support/random";
import { spawnSync } from "node:child_process";
import {
  blanked,
  excerpt,
  firstLines,
  isPrintable,
  oneLine,
  print,
  printable,
  printableLines,
  shellWord,
  wrap,
} from "../../../src/formats/text/printable";
import { maskedUrl, withoutPasswords, withoutTokenParts } from "../../../src/formats/text/masked";
import { nearest } from "../../../src/formats/text/nearest";
import { isConfidential, urlIn } from "../../../src/formats/text/url";
import { bounded } from "../../support/bounded";

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

test("keeps a text of usual length whole, on one line", () => {
  expect(excerpt("No such organization.\n")).toBe("No such organization.\\n");
  expect(excerpt("x".repeat(2_000))).toBe("x".repeat(2_000));
});

test("cuts a longer text at 2,000 characters, and counts the rest", () => {
  expect(excerpt("x".repeat(30 * 1024 * 1024))).toBe(`${"x".repeat(2_000)}… (31,455,280 more characters)`);
  // An escaped character counts with all of its characters.
  expect(excerpt("\u0007".repeat(10_000))).toBe(`${"\\u0007".repeat(333)}… (9,667 more characters)`);
});

test("does not cut inside a character", () => {
  expect(excerpt("🚀".repeat(4), 5)).toBe("🚀🚀… (4 more characters)");
  expect(firstLines("🚀".repeat(4), 5)).toBe("🚀🚀… (4 more characters)");
  expect(firstLines("one\ntwo", 5)).toBe("one\nt… (2 more characters)");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, most) => {
      const [shown = "", rest] = excerpt(text, most).split("… (");
      return (
        shown.length <= most &&
        printable(text).startsWith(shown) &&
        (rest !== undefined) === printable(text).length > most
      );
    }),
  );
});

test("breaks text at blanks, and keeps its lines with their indentation", () => {
  const lines = wrap("moved {\n  from = a\n}\n\nunbreakable", 9);
  expect(lines).toEqual(["moved {", "  from =", "  a", "}", "", "unbreakable"]);
});

test("quotes a word so that a shell reads it back and runs none of it", () => {
  const words = ["acl_8mJ2", "", "a b", "$(touch x)", "`id`", "'; id; '", '"; id; "', "a\\'b\nc", "*~!#&|<>", "é"];
  const { stdout } = spawnSync("sh", ["-c", `printf '%s\\0' ${words.map(shellWord).join(" ")}`], { encoding: "utf8" });
  expect(stdout.split("\0").slice(0, -1)).toEqual(words);
  expect(shellWord("acl_8mJ2")).toBe("acl_8mJ2");
});

test.each([
  ["ada:pw@acme.example", "…@acme.example"],
  ["https://ada:pw@acme.example/x", "https://…@acme.example/x"],
  ["https://ada@acme.example", "https://…@acme.example"],
  ["https:/ada:pw@acme.example", "https:/…@acme.example"],
  ["https:ada:pw@acme.example", "https:…@acme.example"],
  ["//ada:pw@acme.example", "//…@acme.example"],
  ["/ada:pw@acme.example", "/…@acme.example"],
  ["https:\\\\ada:pw@acme.example", "https:\\\\…@acme.example"],
  ["  HTTPS://ada:pw@acme.example", "  HTTPS://…@acme.example"],
  ["htps://ada:pw@acme.example", "…@acme.example"],
  ["ada:p@w:@acme.example", "…@acme.example"],
  ["https://ada:p/w?x#y@acme.example", "https://…@acme.example"],
  ["https://ada:p\nw @acme.example", "https://…@acme.example"],
  ["https://ada%3Apw%40acme.example", "https://…@acme.example"],
  ["https://ada:pw%2540acme.example", "https://…@acme.example"],
  ["ada:pw＠acme.example", "…@acme.example"],
  ["https://ada:pw", "https://ada:…"],
  ["ada:pw/x", "ada:…"],
  ["https://acme.example/cb?token=pw", "https://acme.example/cb?…"],
  ["https://ada:pw@acme.example?token=pw#pw", "https://…@acme.example?…"],
])("shows %j as %j", (written, shown) => {
  expect(maskedUrl(written)).toBe(shown);
  expect(maskedUrl(written)).not.toContain("pw");
});

test.each([
  "acme.eu.auth0.com",
  "https://acme.example",
  "localhost:8080",
  "https://[::1]:8080/x",
  "2001:db8::1",
  "a b",
])("leaves %j unchanged", (written) => expect(maskedUrl(written)).toBe(written));

test("masks passwords of URLs in a sentence, and changes nothing else", () => {
  expect(withoutPasswords("cannot fetch https://ada:pw@a.example/x, nor http:/ada:p@w@b.example.")).toBe(
    "cannot fetch https://…@a.example/x, nor http:/…@b.example.",
  );
  expect(withoutPasswords("proxy http://t0ken@a.example:80, socks5h://ada:pw@b, ftp://ada:pw@c.example")).toBe(
    "proxy http://…@a.example:80, socks5h://…@b, ftp://…@c.example",
  );
  expect(
    withoutPasswords("https://a.example/cb?x=1&access_token=t0ken&y=2#id_token=t0ken, code=1?X-Amz-Signature=s"),
  ).toBe("https://a.example/cb?x=1&access_token=…&y=2#id_token=… code=1?X-Amz-Signature=…");
  expect(withoutPasswords("https://u:pa'ss@a.example, https://a.example?t%6Fken=t0'ken")).toBe(
    "https://…@a.example, https://a.example?t%6Fken=…",
  );
  const plain =
    "ask ada@example.com about https://a.example/users/a@b, http://a.example:80/a@b, https://a.example?a@b, at 10:30";
  expect(withoutPasswords(plain)).toBe(plain);
});

const token = "a1B2c3D4e5F6g7H8i9J0k1L2";
const uuid = "11111111-2222-3333-4444-555555555555";
test.each([
  [`https://hooks.example/services/T0/B0/${token}`, "https://hooks.example/services/T0/B0/…"],
  [`to https://a.example/in/x_${token}-y?k=${token}&b=2, then`, "to https://a.example/in/…?k=…&b=2, then"],
  ...[
    `https://login.example/${uuid}/v2.0`,
    "https://okta.example/oauth2/aus1a2b3c4d5e6f7g8h9/v1",
    `https://${token}.example/abcdefghijklmnopqrstuvwxyzabc/123456789012345678901234567890`,
    `auth0|${token}, /${token}`,
  ].map((plain): [string, string] => [plain, plain]),
])("masks what gives access in the URL of a plan: %s", (written, shown) =>
  expect(withoutTokenParts(written)).toBe(shown),
);

test.each("http: http:// http://a: http://a:1/ a:/ http:1? a. @ http:@ %25 : ? ?a= ?token".split(" "))(
  "masks a million characters in linear time: %j",
  (part) => {
    const text = part.repeat(1_000_000 / part.length);
    for (const one of [text, `${text}@a.example`]) {
      expect(() => bounded(() => [withoutTokenParts(one), maskedUrl(one)])).not.toThrow();
    }
  },
);

test("reads a URL with letters beyond ASCII, also after thousands of calls", () => {
  const hosts = new Set<string | undefined>();
  // Node compiles URL.canParse after some thousand calls, and the compiled one refuses this URL.
  for (let time = 0; time < 50_000; time++) hosts.add(urlIn("https://bücher.example/ü")?.host);
  expect([...hosts]).toEqual(["xn--bcher-kva.example"]);
});

test("reads a relative URL with its base, and no text that is not a URL", () => {
  expect(urlIn("../b", new URL("https://a.example/x/y"))?.href).toBe("https://a.example/b");
  for (const text of ["", "a", "https://", "https://a b", "https://[::1", "//a.example"])
    expect(urlIn(text)).toBeUndefined();
});

test.each([
  ["https://a.example", true],
  ["http://localhost:1", true],
  ["http://127.0.0.1", true],
  ["http://127.1", true],
  ["http://[::1]", true],
  ["http://a.example", false],
  ["http://localhost.a.example", false],
  ["http://127.0.0.1.a.example", false],
  ["http://128.0.0.1", false],
  ["http://[::2]", false],
  ["ftp://localhost", false],
  ["file:///etc/passwd", false],
])("detects whether others on the network can read: %s", (text, isSafe) => {
  expect(isConfidential(urlIn(text)!)).toBe(isSafe);
});

const names = ["match", "notMatch", "matchAll", "scope", "geoCountryCodes"];

test.each([
  ["matches", undefined],
  ["NotMatch", "notMatch"],
  ["geoCountryCode", "geoCountryCodes"],
  ["geo-country", "geoCountryCodes"],
  ["geo", undefined],
  ["matc", "match"],
  ["rule", undefined],
  ["asn", undefined],
])("the name nearest to %s is %s", (name, near) => expect(nearest(name, names)).toBe(near));
