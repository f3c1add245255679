/** The definitions accept valid policies, keys and member sets, report each mistake once, and warn of implausible values. */
import { createHash } from "node:crypto";
import { countries, countryNames } from "../../../src/judge/access/access";
import { unknown } from "../../../src/formats/cty/value";
import { fingerprintOf, networkAclKey, problemOf } from "../../../src/provider/resources/network-acl-key/definition";
import { networkAcl } from "../../../src/provider/resources/network-acl/definition";
import { organizationMemberSet } from "../../../src/provider/resources/organization-member-set/definition";
import { block } from "../../../src/provider/resources/provider-block/definition";
import { rateLimitPolicy } from "../../../src/provider/resources/rate-limit-policy/definition";
import { check } from "../../../src/provider/sdk/check";
import { attributesOf } from "../../../src/provider/sdk/schema";
import fc from "../../support/random";
import { judged } from "./support/judged";

const ofPolicy = (configuration: object, rest: object = {}) =>
  judged(rateLimitPolicy, { consumer_selector: "default", configuration, ...rest });

test.each([
  [{ action: "allow" }],
  [{ action: "block", limit: 0 }],
  [{ action: "log", limit: 10000 }],
  [{ action: "redirect", limit: 1, redirect_uri: "https://a.example" }],
  [{ action: unknown, limit: 1, redirect_uri: "https://a.example" }],
  [{ action: "block", limit: unknown }],
])("accepts %j", (configuration) => expect(ofPolicy(configuration)).toEqual([]));

const redirect = (redirect_uri: string) => ({ action: "redirect", limit: 1, redirect_uri });

test.each<[name: string, detail: string, configuration: object, rest?: object]>([
  ["block without limit", "`configuration.limit` is missing: the action block needs", { action: "block" }],
  ["allow with limit", "the action allow has no limit: remove it.", { action: "allow", limit: 1 }],
  ["redirect without URI", "`configuration.redirect_uri` is missing", { action: "redirect", limit: 1 }],
  ["URI without redirect", "is set, but the action is log", { ...redirect("https://a.example"), action: "log" }],
  ["plain http", "give a whole https URL", redirect("http://a.example")],
  ["an incomplete URL", "give a whole https URL", redirect("a.example/path")],
  ["two URLs in one", "give a whole https URL", redirect("https://a.example\\@b.example")],
  ["an unknown action", '`configuration.action` is "drop": choose one of', { action: "drop", limit: 1 }],
  ["a limit that is too high", "`configuration.limit` is 10001: use a whole number", { action: "log", limit: 10001 }],
  ...[
    ["defualt", "default"],
    ["third-party-clients", "third_party_clients"],
    ["thirdparty", "third_party_clients"],
    ["clientid:abc", "client_id:abc"],
    ["tvRyQID7mJMDPVmGFHYJeWaV3QttDxzU", "client_id:tvRyQID7mJMDPVmGFHYJeWaV3QttDxzU"],
    ["https://agent.example/client.json", "client_id:https://agent.example/client.json"],
  ].map(([consumer_selector, likely]): [string, string, object, object] => [
    `the selector ${consumer_selector}`,
    `${JSON.stringify(likely)} is probably meant.`,
    { action: "allow" },
    { consumer_selector },
  ]),
  ["a long selector", "use at most 255 characters", { action: "allow" }, { consumer_selector: "x".repeat(256) }],
])("reports %s as one error", (_name, detail, configuration, rest = {}) => {
  const errors = ofPolicy(configuration, rest).filter((text) => text.startsWith("error: "));
  expect(errors).toEqual([expect.stringContaining(detail)]);
});

test.each<[name: string, rest: object]>([
  ["consumer_selector", { consumer_selector: "all_machines" }],
  ["resource", { resource: "another_api" }],
  ["consumer", { consumer: "user" }],
])("reports an unknown %s as one warning", (name, rest) => {
  const [value] = Object.values(rest) as string[];
  expect(ofPolicy({ action: "allow" }, rest)).toEqual([
    expect.stringMatching(`^warning: This version does not know the \`${name}\` "${value}"`),
  ]);
});

describe("keys", () => {
  const base64 = (length: number) =>
    Buffer.from(Array.from({ length }, (_, index) => (index * 7 + 3) % 256)).toString("base64");
  const good = base64(32);
  const said = (written: object = {}) =>
    judged(networkAclKey, { name: "edge", alg: "hmac-sha256", value_wo: good, ...written });

  test("accepts valid material and names without a message", () => {
    for (const length of [32, 33, 34, 512]) {
      expect(said({ value_wo: base64(length) })).toEqual([]);
      expect(said({ value_wo: undefined, value: base64(length).replace(/=+$/, "") })).toEqual([]);
    }
    expect(said({ name: undefined, name_prefix: "edge-" })).toEqual([]);
    expect(said({ name: unknown, value_wo: unknown })).toEqual([]);
  });

  test.each<[name: string, detail: string, written: object]>([
    ["31 bytes", "it has 31 bytes instead of 32 to 512", { value_wo: base64(31) }],
    ["513 bytes", "it has 513 bytes", { value_wo: base64(513) }],
    ["empty material", "it has 0 bytes", { value_wo: "" }],
    [
      "material that is not base64",
      "it contains characters that base64 does not have",
      { value_wo: "correct horse, battery staple!".replaceAll(" ", "") },
    ],
    ["a line break", "it contains spaces or line breaks", { value_wo: `${good}\n` }],
    ["base64url", "it is base64url: write + and /", { value_wo: `${"-_".repeat(20)}AAAA` }],
    ["base64 with one character too many", "it is not complete base64", { value_wo: `${base64(33)}A` }],
    ["padding too short", "it is not complete base64", { value_wo: base64(34).replace(/.=+$/, "=") }],
    [
      "short material in value",
      "`value` cannot be the secret of a key: it has 3",
      { value_wo: undefined, value: "AAAA" },
    ],
    ["no material", "Neither `value_wo` nor `value` is given: give one of them.", { value_wo: undefined }],
    ["material twice", "`value_wo` and `value` exclude each other: remove one.", { value: good }],
    ["material twice, one of it unknown", "exclude each other", { value: unknown }],
    ["no name", "Neither `name` nor `name_prefix` is given: give one of them.", { name: undefined }],
    ["two names", "`name` and `name_prefix` exclude each other", { name_prefix: "edge-" }],
    ["an empty name", "give a text that is not empty", { name: "" }],
    ["a long name", "use at most 255 characters", { name: "n".repeat(256) }],
    ["a long prefix", "use at most 247 characters", { name: undefined, name_prefix: "n".repeat(248) }],
  ])("reports %s as one error", (_name, detail, written) => {
    expect(said(written)).toEqual([expect.stringContaining(detail)]);
    expect(said(written)[0]).toMatch(/^error: /);
  });

  test("warns of weak material and of an unknown algorithm", () => {
    expect(said({ value_wo: "A".repeat(43) })).toEqual([
      "warning: `value_wo` is a weak secret of a key: it has only 1 different bytes, so it can be guessed from its fingerprint. Use random bytes.",
    ]);
    expect(said({ alg: "hmac-sha512" })).toEqual([
      expect.stringMatching(/^warning: This version does not know the `alg` "hmac-sha512"/),
    ]);
  });

  test("no message repeats key material", () => {
    const text = fc.oneof(
      fc.string({ minLength: 12 }),
      fc.base64String({ minLength: 12 }),
      fc.uint8Array({ minLength: 9, maxLength: 31 }).map((bytes) => Buffer.from(bytes).toString("base64")),
    );
    fc.assert(
      fc.property(text, (value_wo) => {
        for (const words of said({ value_wo })) {
          for (let at = 0; at + 8 <= value_wo.length; at++) {
            const part = value_wo.slice(at, at + 8);
            if (part.trim().length === 8) expect(words).not.toContain(part);
          }
        }
      }),
    );
  });

  test("derives the fingerprint from the SHA-256 of the bytes, padded or not, and the name from the fingerprint", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 512 }), (bytes) => {
        const value = Buffer.from(bytes).toString("base64");
        const expected = createHash("sha256").update(bytes).digest("hex");
        expect(problemOf(value)).toBeUndefined();
        for (const form of [value, value.replace(/=+$/, "")]) expect(fingerprintOf(form)).toBe(expected);
        const name = `edge-${expected.slice(0, 8)}`;
        expect(networkAclKey.derive!({ name_prefix: "edge-", value_wo: value })).toEqual({
          fingerprint: expected,
          name,
        });
        expect(networkAclKey.derive!({ value })).toEqual({ fingerprint: expected, name: unknown });
      }),
    );
  });

  test.each([unknown, undefined, "AAAA"])(
    "derives no fingerprint and no name when the material is unknown, missing or invalid",
    (value) => {
      expect(networkAclKey.derive!({ name_prefix: "edge-", value })).toEqual({ fingerprint: unknown, name: unknown });
    },
  );
});

describe("member sets", () => {
  const said = (written: object) => judged(organizationMemberSet, { organization_id: "org_1", ...written });

  test("accepts user ids of any connection", () => {
    expect(said({ members: ["auth0|a", "email|ada@example.com", "google-oauth2|1", "custom-id"] })).toEqual([]);
  });

  test.each<[string, object]>([
    ["error: `members` and `members_with_notes` are both", { members: [], members_with_notes: { "auth0|a": "" } }],
    ["error: Neither `members` nor `members_with_notes` is given", {}],
    ['error: `members_with_notes["auth0|a"]` is null: give a string', { members_with_notes: { "auth0|a": null } }],
    ['error: `members_with_notes` has the key "": give user ids', { members_with_notes: { "": "x" } }],
    ['warning: "ada@example.com" is an e-mail address', { members: ["ada@example.com"] }],
    ['warning: "ada@example.com" is an e-mail address', { members_with_notes: { "ada@example.com": "Ada" } }],
    ['warning: "auth0|a " has spaces around it. You probably mean "auth0|a".', { members: ["auth0|a "] }],
    ['and "auth0|a" is listed too', { members: ["auth0|a ", "auth0|a"] }],
  ])("says %s", (words, written) => expect(said(written)).toEqual([expect.stringContaining(words)]));
});

describe("implausible values", () => {
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
  });

  describe("a block of addresses", () => {
    const of = (property: string, text: string) => said(networkAcl, acl({ [property]: [text] }));

    test.each([
      ["ipv4_cidrs", "203.0.113.7/2", "all 1,073,741,824 addresses of 192.0.0.0/2. Write 192.0.0.0/2, or 203.0.113.7"],
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
    ])("in %s without host bits passes: %s", (property, text) => expect(of(property, text)).toEqual([]));
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
    expect(of({ path: "https://a.example/api/v2/clients?page=1" })[0]).toContain('assumes "/api/v2/clients"');
    expect(of({ country: "UK", subdivision: "uk-eng" })).toHaveLength(2);
    expect(of({ country: "XX" })).toEqual([expect.stringContaining("no request has it")]);
    expect(of({ path: "/api/v2/clients", country: "de", subdivision: "DE-BE" })).toEqual([]);
  });

  test.each([
    [{ ip: "300.1.1.1" }, "give an IPv4 or IPv6 address"],
    [{ country: "DE", subdivision: "US-CA" }, 'is not in the country "DE"'],
    [{ country: "Germany" }, '`country`: "Germany" is not the ISO 3166-1 alpha-2 code of a country: "DE" is probably'],
  ])("refuses the protected request %j, which has an invalid value", (request, words) => {
    const errors = said({ config: block }, { protected_request: [request] }, "error");
    expect(errors).toEqual([expect.stringContaining(words)]);
  });
});
