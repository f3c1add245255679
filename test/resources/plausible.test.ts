/** The definitions warn of implausible values that the service would accept. */
import { networkAcl } from "../../src/resources/network-acl/definition";
import { block } from "../../src/resources/provider-block/definition";
import { countries, countryNames } from "../../src/access/access";
import { check } from "../../src/sdk/check";
import { attributesOf } from "../../src/sdk/schema";

type Checked = Pick<Parameters<typeof check>[0], "config" | "rules">;
const said = (definition: Checked, plain: object, severity: "error" | "warning" = "warning") =>
  check({ ...definition, attributes: attributesOf(definition.config) }, plain)
    .filter((each) => each.severity === severity)
    .map(({ detail }) => detail);

const acl = (match: object, rest: object = {}) => ({
  description: "a",
  rule: { action: { log: true }, match, scope: "tenant", ...rest },
});

test("the runtime knows 249 countries and Kosovo", () => {
  expect(countryNames().size).toBe(250);
  expect(countryNames().get("DE")).toBe("Germany");
});

describe("an ACL", () => {
  test.each([
    ["Germany", '"DE" (Germany) is probably meant'],
    ["UK", '"GB" (United Kingdom) is probably meant'],
    ["de", '"DE" (Germany) is probably meant'],
    ["USA", '"US" (United States) is probably meant'],
    [" FR", '"FR" (France) is probably meant'],
    ["XX", "give two capital letters, such as DE"],
    ["EU", "give two capital letters"],
  ])("with the country %p gets a warning: %s", (code, words) => {
    expect(said(networkAcl, acl({ geo_country_codes: [code] }))).toEqual([expect.stringContaining(words)]);
  });

  test.each([
    ["us-ca", '"US-CA" is probably meant'],
    ["US_CA", '"US-CA" is probably meant'],
    ["UK-ENG", '"GB-ENG" is probably meant'],
    ["California", "give country, hyphen and region"],
    ["CA", "give country, hyphen and region"],
  ])("with the subdivision %p gets a warning: %s", (code, words) => {
    expect(said(networkAcl, acl({ geo_subdivision_codes: [code] }))).toEqual([expect.stringContaining(words)]);
  });

  test("with a * in a user agent gets a warning, and with plausible values none", () => {
    expect(said(networkAcl, acl({ user_agents: ["curl/*"] }))).toEqual([expect.stringContaining("contains *")]);
    const right = { user_agents: ["curl/8"], geo_country_codes: countries.slice(0, 20) };
    expect(said(networkAcl, acl({ ...right, geo_subdivision_codes: ["US-CA", "GB-ENG", "FR-75"] }))).toEqual([]);
  });

  test("whose not_match excludes its whole match gets an error", () => {
    const inside = (match: object, not_match: object) => said(networkAcl, acl(match, { not_match }), "error");
    expect(inside({ ipv4_cidrs: ["10.1.0.0/16"] }, { ipv4_cidrs: ["10.0.0.0/8"] })).toEqual([
      expect.stringContaining(
        "can never match: match.ipv4_cidrs 10.1.0.0/16 is excluded by not_match.ipv4_cidrs 10.0.0.0/8",
      ),
    ]);
    expect(inside({ ipv4_cidrs: ["10.0.0.0/8"] }, { ipv4_cidrs: ["10.1.0.0/16"] })).toEqual([]);
    expect(inside({ asns: [1] }, { asns: [1] })).toHaveLength(1);
  });
});

describe("a block of addresses", () => {
  const of = (property: string, text: string) => said(networkAcl, acl({ [property]: [text] }));

  test.each([
    [
      "ipv4_cidrs",
      "203.0.113.7/2",
      "means all 1,073,741,824 addresses of 192.0.0.0/2. Write 192.0.0.0/2, or 203.0.113.7",
    ],
    ["connecting_ipv4_cidrs", "10.0.0.1/24", "means all 256 addresses of 10.0.0.0/24"],
    ["ipv6_cidrs", "2001:db8::1/32", "means all 2^96 addresses of 2001:db8::/32"],
    ["connecting_ipv6_cidrs", "2001:db8::1/64", "2001:db8::/64"],
  ])("in %s with host bits gets a warning: %s", (property, text, words) => {
    expect(of(property, text)).toEqual([expect.stringContaining(words)]);
  });

  test.each([
    ["ipv4_cidrs", "10.0.0.0/8"],
    ["ipv4_cidrs", "10.0.0.7"],
    ["ipv4_cidrs", "10.0.0.7/32"],
    ["ipv6_cidrs", "2001:0DB8:0::/32"],
    ["ipv6_cidrs", "::/0"],
  ])("in %s without host bits passes: %s", (property, text) => {
    expect(of(property, text)).toEqual([]);
  });
});

test("warns of a redirect to an incomplete URL", () => {
  const to = (redirect_uri: string) =>
    said(networkAcl, acl({ asns: [1] }, { action: { redirect: true, redirect_uri } }));
  expect(to("/blocked")).toEqual([expect.stringContaining("not a whole URL")]);
  expect(to("example.com/blocked")).toHaveLength(1);
  expect(to("https://example.com/blocked")).toEqual([]);
});

test("warns of a protected request with a path without a slash or an implausible country", () => {
  const of = (request: object) => said({ config: block }, { protected_request: [request] });
  expect(of({ path: "api/v2/clients" })).toEqual([expect.stringContaining('assumes "/api/v2/clients"')]);
  expect(of({ country: "UK", subdivision: "uk-eng" })).toHaveLength(2);
  expect(of({ path: "/api/v2/clients", country: "DE", subdivision: "DE-BE" })).toEqual([]);
});

test.each([
  [{ ip: "300.1.1.1" }, "give an IPv4 or IPv6 address"],
  [{ country: "Germany" }, '`country`: "Germany" is not the ISO 3166-1 alpha-2 code of a country: "DE" is probably'],
  [{ asn: 4294967296 }, "is not an AS number"],
  [{ hostname: "https://a.example" }, '"a.example" is probably meant'],
  [{ user_agent: "x\u200d" }, '"x\\u{200d}" is not a user agent: "x" is probably meant'],
  [{ path: "/%zz" }, "is not a path"],
])("refuses the protected request %j, which has an invalid value", (request, words) => {
  const errors = said({ config: block }, { protected_request: [request] }, "error");
  expect(errors).toEqual([expect.stringContaining(words)]);
});
