/** Compares the search for an allowed request with the evaluator. */
import fc from "../../support/random";
import { decide, type Acl } from "../../../src/judge/access/decide";
import { mayBeAllowed } from "../../../src/judge/access/partial-request";
import type { AccessRequest } from "../../../src/judge/access/request";
import type { Rule } from "../../../src/judge/access/rule";

const acl = (priority: number, rule: Partial<Rule>): Acl => ({
  active: true,
  priority,
  key: `acl ${priority}`,
  rule: { action: { block: true }, scope: "tenant", ...rule },
});
const token: AccessRequest = { api: "authentication", managed: [], signature_key: "" };
const halves = [
  acl(1, { match: { ipv4_cidrs: ["0.0.0.0/1"] } }),
  acl(2, { match: { ipv4_cidrs: ["128.0.0.0/1"], ipv6_cidrs: ["::/0"] } }),
];

test.each<[string, Acl[], AccessRequest]>([
  ["halves of the addresses", halves, token],
  [
    "a country and all others",
    [acl(1, { match: { geo_country_codes: ["DE"] } }), acl(2, { not_match: { geo_country_codes: ["DE"] } })],
    token,
  ],
  [
    "addresses that hosts have",
    [acl(1, { match: { ipv4_cidrs: ["0.0.0.0/0"] } }), acl(2, { match: { ipv6_cidrs: ["2000::/3"] } })],
    token,
  ],
  [
    "an allow of another country",
    [
      acl(1, { action: { allow: true }, match: { geo_country_codes: ["US"] } }),
      ...halves.map((one) => ({ ...one, priority: one.priority + 1 })),
    ],
    { ...token, country: "DE" },
  ],
  [
    "an allow of a curated list and of a key",
    [
      acl(1, { action: { allow: true }, match: { auth0_managed: ["auth0.tor"] } }),
      acl(2, { action: { allow: true }, match: { http_message_signature: { keys: [{ id: "key_1" }] } } }),
      ...halves.map((one) => ({ ...one, priority: one.priority + 2 })),
    ],
    token,
  ],
  [
    "an allow of another API",
    [
      acl(0, { action: { allow: true }, scope: "management", match_all: true }),
      acl(9, { action: { allow: true }, scope: "dynamic_client_registration", match_all: true }),
      ...halves,
    ],
    token,
  ],
])("finds no allowed request: %s", (_, acls, request) => {
  expect(mayBeAllowed(acls, request)).toBe(false);
});

test.each<[string, Acl[], AccessRequest]>([
  [
    "one address is left",
    [acl(0, { action: { allow: true }, match: { ipv4_cidrs: ["198.51.100.9/32"] } }), ...halves],
    token,
  ],
  [
    "an allow of the country",
    [acl(0, { action: { allow: true }, match: { geo_country_codes: ["DE"] } }), ...halves],
    { ...token, country: "DE" },
  ],
  [
    "a value that is not known",
    [acl(0, { action: { allow: true }, match: { asns: Symbol("x") } as never }), ...halves],
    token,
  ],
  ["an AS number", [acl(0, { not_match: { asns: ["64500"] } }), acl(1, { match: { asns: ["64501"] } })], token],
])("finds a request that may be allowed: %s", (_, acls, request) => {
  expect(mayBeAllowed(acls, request)).toBe(true);
});

const some = (...values: string[]) => fc.subarray(values, { minLength: 1 });
const side = fc
  .record(
    {
      ipv4_cidrs: some("0.0.0.0/1", "128.0.0.0/1", "203.0.113.0/24"),
      ipv6_cidrs: some("::/0", "2001:db8::/32"),
      geo_country_codes: some("DE", "US"),
      asns: some("1", "2"),
      user_agents: some("a", "b"),
      hostnames: some("x.example"),
      auth0_managed: some("auth0.tor"),
    },
    { requiredKeys: [] },
  )
  .filter((signals) => Object.keys(signals).length > 0);
const rule = fc.record(
  {
    match: side,
    not_match: side,
    scope: fc.constantFrom("tenant", "authentication", "management"),
    action: fc.constantFrom({ block: true }, { block: true }, { allow: true }),
  },
  { requiredKeys: ["scope", "action", "match"] },
);
const whole = fc.record({
  ip: fc.constantFrom("203.0.113.7", "9.9.9.9", "198.51.100.1", "2001:db8::1", "2a00::1"),
  country: fc.constantFrom("DE", "US", "FR"),
  subdivision: fc.constant("DE-BE"),
  asn: fc.constantFrom(1, 2, 3),
  user_agent: fc.constantFrom("a", "b", "z"),
  hostname: fc.constantFrom("x.example", "y.example"),
  managed: fc.constantFrom([], ["auth0.tor"]),
  ja3: fc.constant("0"),
  ja4: fc.constant("0"),
  signature_key: fc.constant(""),
});
const kept = fc.subarray(["ip", "country", "asn", "user_agent", "hostname", "managed"]);

test("never reports a request as blocked if it may be allowed", () => {
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 6 }),
      whole,
      kept,
      fc.constantFrom("management", "authentication"),
      (rules, request, names, api) => {
        const acls = rules.map((one, index) => acl(index + 1, one as never));
        const known = { ...request, connecting_ip: request.ip, api } as AccessRequest;
        fc.pre(decide(acls, known).denied === "no");
        const told = Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name)));
        expect(
          mayBeAllowed(acls, {
            ...told,
            ...(told["ip"] !== undefined && { connecting_ip: told["ip"] }),
            api,
          } as AccessRequest),
        ).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
