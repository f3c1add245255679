/** Masks secrets in URLs and host names of messages. */
import { masked, withoutPasswords } from "../../src/text/masked";
import { bounded } from "../support/bounded";

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
  expect(masked(written)).toBe(shown);
  expect(masked(written)).not.toContain("pw");
});

test.each([
  "acme.eu.auth0.com",
  "https://acme.example",
  "localhost:8080",
  "https://[::1]:8080/x",
  "2001:db8::1",
  "a b",
])("leaves %j unchanged", (written) => expect(masked(written)).toBe(written));

test("masks passwords of URLs in a sentence, and changes nothing else", () => {
  expect(withoutPasswords("cannot fetch https://ada:pw@a.example/x, nor http:/ada:p@w@b.example.")).toBe(
    "cannot fetch https://…@a.example/x, nor http:/…@b.example.",
  );
  expect(withoutPasswords("proxy http://t0ken@a.example:80, socks5h://ada:pw@b, ftp://ada:pw@c.example")).toBe(
    "proxy http://…@a.example:80, socks5h://…@b, ftp://…@c.example",
  );
  const plain =
    "ask ada@example.com about https://a.example/users/a@b, http://a.example:80/a@b, https://a.example?a@b, at 10:30";
  expect(withoutPasswords(plain)).toBe(plain);
});

test.each(["http:", "http://", "http://a:", "http://a:1/", "a:/", "http:1?", "a.", "@", "http:@", "%25", ":"])(
  "masks a million characters in linear time: %j",
  (part) => {
    const text = part.repeat(1_000_000 / part.length);
    for (const one of [text, `${text}@a.example`]) {
      expect(() => bounded(() => [withoutPasswords(one), masked(one)])).not.toThrow();
    }
  },
);
