/** Checks which facts of a request are refused, and which values the message offers. */
import { problemIn, problemOf } from "../../src/access/fact";
import type { FactName } from "../../src/access/facts";

test.each<[FactName, string | number, string]>([
  ["ip", "300.1.1.1", '"300.1.1.1" is not an IP address: give an IPv4 or IPv6 address'],
  ["ip", "nonsense", '"nonsense" is not an IP address'],
  ["ip", "203.0.113.7\u200d", '"203.0.113.7\\u{200d}" is not an IP address: "203.0.113.7" is probably meant.'],
  ["ip", "2001:\u200ddb8::7", '"2001:db8::7" is probably meant'],
  ["ip", "203.0.113", "is not an IP address"],
  ["ip", "203.0.113.07", "is not an IP address"],
  ["ip", "203.0.113.0/33", "is not an IP address"],
  ["ip", "2001:db8::1::2", "is not an IP address"],
  ["ip", "fe80::1%eth0", "is not an IP address"],
  ["ip", "203.0.113.7:443", "is not an IP address"],
  ["ip", "", '"" is not an IP address'],
  ["connecting_ip", " 203.0.113.7", '"203.0.113.7" is probably meant'],
  ["country", "Germany", '"DE" is probably meant'],
  ["country", "UK", '"GB" is probably meant'],
  ["country", "D\u200dE", '"DE" is probably meant'],
  ["country", "DEU", "give two letters, such as DE"],
  ["subdivision", "UK-ENG", '"GB-ENG" is probably meant'],
  ["subdivision", "California", "give country, hyphen and region, such as US-CA"],
  ["asn", -1, "give a whole number from 0 to 4294967295"],
  ["asn", 4294967296, "give a whole number"],
  ["asn", NaN, "give a whole number"],
  ["hostname", "https://login.example.com:443/x", '"login.example.com" is probably meant'],
  ["hostname", "a..example", "is not a host name"],
  ["user_agent", "curl\n", '"curl" is probably meant'],
  ["ja3", "zz", "give 32 hexadecimal digits"],
  ["ja4", "nonsense", "is not a JA4 fingerprint"],
  ["managed", "auth0 tor", "is not the name of a curated list"],
  ["signature_key", "key\u200d_1", '"key_1" is probably meant'],
  ["path", "/api/%zz", "is not a path"],
  ["path", "/api\u200d/v2", '"/api/v2" is probably meant'],
])("refuses the %s %j", (name, value, words) => {
  expect(problemOf(name, value)).toContain(words);
  expect(problemOf(name, value)).not.toMatch(/\p{Cf}/u);
});

test.each<[FactName, readonly (string | number)[]]>([
  ["ip", ["203.0.113.7", "203.0.113.0/24", "2001:db8::7", "2001:DB8:0::1", "::ffff:203.0.113.7", "::/0"]],
  ["country", ["DE", "de", "XK", "XX", "T1", ""]],
  ["subdivision", ["US-CA", "us-ca", "GB-ENG", "FR-75", ""]],
  ["asn", [0, 64500, 4294967295]],
  ["hostname", ["login.example.com", "Login.Example.com.", "localhost", "xn--bcher-kva.example", "a_b.example", ""]],
  ["user_agent", ["Mozilla/5.0 (X11; Linux) Gecko", "ü", "*", ""]],
  ["ja3", ["e7d705a3286e19ea42f587b344ee6865", "E7D705A3286E19EA42F587B344EE6865", ""]],
  ["ja4", ["t13d1516h2_8daaf6152771_02713d6af862", "q13i0310h3_55b375c5d22e_cd85d2d88918", "t13d", ""]],
  ["managed", ["auth0.tor", "another.list-of_2027"]],
  ["signature_key", ["key_8mJ2rTqZsWv5nYxB4cKdEf", ""]],
  ["path", ["/authorize", "api/v2", "/users/auth0%7Cada", "/a?b=%20", "https://acme.example/api/v2"]],
])("accepts every %s that a request can have", (name, values) => {
  expect(values.map((value) => problemOf(name, value))).toEqual(values.map(() => undefined));
});

test("names an unreadable fact, also in a list", () => {
  expect(problemIn({ name: "x", ip: "203.0.113.7", country: "Germany" })).toMatch(/^country: "Germany"/);
  expect(problemIn({ managed: ["auth0.tor", "a b"] })).toMatch(/^managed: "a b"/);
  expect(problemIn({ managed: [{}] })).toMatch(/^managed: "{}" is not/);
  expect(problemIn({ ip: "203.0.113.7", managed: [] })).toBeUndefined();
});
