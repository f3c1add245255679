/** URLs in text from elsewhere. */
import { urlIn } from "../../src/text/url";

test("reads a URL with letters beyond ASCII, however often it was asked before", () => {
  const hosts = new Set<string | undefined>();
  // Node compiles URL.canParse after some thousand calls, and the compiled one refuses this URL.
  for (let time = 0; time < 50_000; time++) hosts.add(urlIn("https://bücher.example/ü")?.host);
  expect([...hosts]).toEqual(["xn--bcher-kva.example"]);
});

test("reads a relative URL beside its base, and nothing of what is no URL", () => {
  expect(urlIn("../b", new URL("https://a.example/x/y"))?.href).toBe("https://a.example/b");
  for (const text of ["", "a", "https://", "https://a b", "https://[::1", "//a.example"])
    expect(urlIn(text)).toBeUndefined();
});
