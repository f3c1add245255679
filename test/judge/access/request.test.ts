/** Facts of a request: which are refused, which values the message offers, and the request that has them. */
import { problemIn, problemOf } from "../../../src/judge/access/fact";
import type { FactName } from "../../../src/judge/access/facts";
import { apiOf, requestOf } from "../../../src/judge/access/request";

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

test("uses the address as connecting address if none is given", () => {
  const ip = "203.0.113.7";
  expect(requestOf("/api/v2/", { ip })).toEqual({ api: "management", ip, connecting_ip: ip });
  const connecting_ip = "198.51.100.7";
  expect(requestOf("/authorize", { ip, connecting_ip })).toEqual({ api: "authentication", ip, connecting_ip });
  expect(requestOf("/authorize", { ip, connecting_ip: undefined })).toMatchObject({ connecting_ip: ip });
});

test("leaves out unknown facts without a replacement", () => {
  const facts = { ip: "203.0.113.7", connecting_ip: Symbol(), country: Symbol(), managed: ["auth0.tor", Symbol()] };
  expect(requestOf("/api/v2/", facts)).toEqual({ api: "management", ip: "203.0.113.7" });
});

test("assigns every spelling of a path to the same API", () => {
  const management = `
    /api/v2 /api/v2/ api/v2/users /api/v2/users?x=/authorize /scim/v2 /%61pi/v2 /%61%70%69/%762/x /./api/v2
    /x/../api/v2 /x/%2e%2E/api/v2 /x/.%2e/api/v2 \\api\\v2 /api\\v2 /../api/v2
    https://acme.example/api/v2/x HTTP://acme.example:1/%61pi/v2 https://acme.example\\api/v2`;
  const authentication = `
    /authorize / /api /API/v2 /api/v3 /apiv2 //api/v2 /api//v2 /%2561pi/v2 /api%2Fv2 /api/v2/.. /api/v2/%2e%2e/x
    /authorize?x=/api/v2 /authorize#/api/v2 /api;x/v2 /api/v2;x /%zz https://acme.example/?/api/v2 https://acme.example`;
  const paths = (text: string) => text.trim().split(/\s+/);
  for (const path of paths(management)) expect([path, apiOf(path)]).toEqual([path, "management"]);
  for (const path of ["", ...paths(authentication)]) expect([path, apiOf(path)]).toEqual([path, "authentication"]);
  for (const path of ["/oidc/register", "/oidc/%72egister/", "/x/../oidc/register?y"]) {
    expect([path, apiOf(path)]).toEqual([path, "dynamic_client_registration"]);
  }
});
