/** Plans and synth refuse invisible characters in every text that the service compares. */
import { networkAcl } from "../../../src/provider/resources/network-acl/definition";
import { networkAclKey } from "../../../src/provider/resources/network-acl-key/definition";
import { organizationMemberSet } from "../../../src/provider/resources/organization-member-set/definition";
import { block as providerBlock } from "../../../src/provider/resources/provider-block/definition";
import { rateLimitPolicy } from "../../../src/provider/resources/rate-limit-policy/definition";
import { judged } from "./support/judged";

const named: Readonly<Record<string, string>> = {
  NUL: "\0",
  tab: "\t",
  "line feed": "\n",
  "carriage return": "\r",
  escape: "\u001b",
  delete: "\u007f",
  "next line": "\u0085",
  "line separator": "\u2028",
  "paragraph separator": "\u2029",
  "half of a pair": "\ud800",
  "right to left": "\u202e",
  isolate: "\u2066",
  "space without width": "\u200b",
  joiner: "\u200d",
  "mark of byte order": "\ufeff",
};

const acl = (rule: object, more: object = {}) =>
  judged(networkAcl, {
    description: "d",
    active: true,
    priority: 5,
    rule: { action: { block: true }, match: { asns: [1] }, scope: "tenant", ...rule },
    ...more,
  });
const entry = (signal: string, before: string, after = "") =>
  (["match", "not_match"] as const).map((side): [string, (text: string) => string[]] => [
    `rule.${side}.${signal}`,
    (text) => acl({ match: undefined, [side]: { [signal]: [before + text + after] } }),
  ]);
const policy = (more: object) =>
  judged(rateLimitPolicy, { consumer_selector: "default", configuration: { action: "allow" }, ...more });
const members = (more: object) => judged(organizationMemberSet, { organization_id: "org_1", members: [], ...more });
const protectedRequest = (name: string): [string, (text: string) => string[]] => [
  `protected_request ${name}`,
  (text) => judged({ config: providerBlock }, { protected_request: [{ ip: "203.0.113.7", [name]: `/x${text}y` }] }),
];

const places: [string, (text: string) => string[]][] = [
  ...entry("geo_country_codes", "D", "E"),
  ...entry("geo_subdivision_codes", "US-", "CA"),
  ...entry("user_agents", "curl", "/8"),
  ...entry("hostnames", "login", ".example.com"),
  ...entry("hostnames", "login.example.com"),
  ...entry("ja3_fingerprints", "e7d7", "05a3"),
  ...entry("ja4_fingerprints", "t13d"),
  ...entry("auth0_managed", "auth0.tor"),
  ...entry("ipv4_cidrs", "203.0.113.0/24"),
  ...entry("ipv6_cidrs", "2001:db8::", "/32"),
  ...entry("connecting_ipv4_cidrs", "", "198.51.100.7"),
  ...entry("connecting_ipv6_cidrs", "2001:db8::7"),
  ["key of a signature", (text) => acl({ match: { http_message_signature: { keys: [{ id: `key_a${text}b` }] } } })],
  ["redirect_uri", (text) => acl({ action: { redirect: true, redirect_uri: `https://a.example/${text}` } })],
  ["scope", (text) => acl({ scope: `tenant${text}` })],
  ["consumer_selector", (text) => policy({ consumer_selector: `client_id:a${text}b` })],
  ["resource", (text) => policy({ resource: `oauth_authentication_api${text}` })],
  ["consumer", (text) => policy({ consumer: `client${text}` })],
  [
    "redirect_uri of a policy",
    (text) => policy({ configuration: { action: "redirect", limit: 1, redirect_uri: `https://a.example/x${text}y` } }),
  ],
  ["organization_id", (text) => members({ organization_id: `org_1${text}` })],
  ["members", (text) => members({ members: [`auth0|a${text}`] })],
  ["members_with_notes", (text) => members({ members: undefined, members_with_notes: { [`auth0|a${text}`]: "Ada" } })],
  [
    "name of a key",
    (text) => judged(networkAclKey, { name: `edge${text}`, value: "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU2Nzg5" }),
  ],
  ...["name", "path", "country", "subdivision", "user_agent", "hostname", "ja3", "ja4"].map(protectedRequest),
];

test.each(places)("refuses invisible characters in %s", (_, judge) => {
  for (const [name, character] of Object.entries(named)) {
    const errors = judge(character).filter((text) => text.startsWith("error: "));
    expect([name, errors.length > 0]).toEqual([name, true]);
  }
});

test("names the attribute with the invisible character, and the remedy", () => {
  expect(acl({ match: { user_agents: ["evil\nworse"] } })).toEqual([
    'error: `rule.match.user_agents` is "evil\\nworse": remove line breaks, control characters and invisible characters.',
  ]);
});

test("accepts every visible character", () => {
  const texts = [
    "curl/8.5.0",
    "Mozilla/5.0 (X11; Linux x86_64), like Gecko",
    'say "no"',
    "日本語 عربي café 🚀",
    "a\\nb",
  ];
  expect(acl({ match: { user_agents: texts } })).toEqual([]);
  expect(members({ members: ["auth0|65f0c2", "samlp|acme|josé@example.com", "日本|語"] })).toEqual([]);
});

test("accepts line breaks and right-to-left text in a description, and refuses control characters", () => {
  for (const description of ["two\nlines\r\n\tand a tab", "عربي \u200f(1)", "👩‍🚒"]) {
    expect(acl({}, { description })).toEqual([]);
  }
  for (const character of ["\0", "\u001b", "\u007f", "\u0085", "\ud800"]) {
    expect(acl({}, { description: `a${character}b` })).toEqual([
      expect.stringMatching(/^error: `description` is .*remove control characters/s),
    ]);
    expect(members({ members: undefined, members_with_notes: { "auth0|a": `a${character}b` } })).toHaveLength(1);
  }
});
