/** Reads URLs in untrusted text. */
import { isConfidential, urlIn } from "../../src/text/url";

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
