/** After each apply of a random edit, the tenant equals the configuration and the next plan is empty. */
import fc from "../../support/random";
import { samples } from "../../support/seed";
import { openWorkspace } from "../../support/workspace";

const word = fc.stringMatching(/^[a-zA-Z0-9 ._/${}%"\\ü-]{1,20}$/).filter((text) => text.trim() !== "");
const some = <T>(element: fc.Arbitrary<T>) => fc.uniqueArray(element, { minLength: 1, maxLength: 4 });
const octet = fc.nat(255);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join("."));
const signals = {
  asns: some(fc.nat(4294967295)),
  geo_country_codes: some(fc.constantFrom("DE", "US", "UK", "de")),
  ipv4_cidrs: some(
    fc.oneof(
      ipv4,
      fc.tuple(ipv4, fc.integer({ min: 8, max: 31 })).map((parts) => parts.join("/")),
    ),
  ),
  ipv6_cidrs: some(fc.constantFrom("2001:DB8::1", "2001:0db8:1::/48", "::1", "fe80::/10")),
  user_agents: some(word),
  hostnames: some(fc.constantFrom("a.example", "B.example", "xn--bcher-kva.example")),
  auth0_managed: some(fc.constantFrom("auth0.tor", "auth0.low_reputation")),
  http_message_signature: fc.record({ keys: some(word).map((ids) => ids.map((id) => ({ id }))) }),
};
// Each side uses its own half of the signals, so not_match never excludes an entry of match.
const halves = (parity: number) =>
  Object.fromEntries(Object.entries(signals).filter((_, index) => index % 2 === parity)) as unknown as typeof signals;
const criteria = (parity: number) =>
  fc.record(halves(parity), { requiredKeys: [], noNullPrototype: true }).filter((side) => Object.keys(side).length > 0);
const sides = fc.oneof(
  fc.record({ match: criteria(0) }),
  fc.record({ not_match: criteria(1) }),
  fc.record({ match: criteria(0), not_match: criteria(1) }),
);
const action = fc.constantFrom<object>(
  { block: true },
  { allow: true },
  { log: true },
  { redirect: true, redirect_uri: "https://example.com/?a=${b}&c=%{d}" },
);
const acl = fc.record({
  description: word,
  active: fc.boolean(),
  rule: fc
    .tuple(sides, action, fc.constantFrom("management", "authentication", "tenant", "dynamic_client_registration"))
    .map(([criterion, chosen, scope]) => ({ action: chosen, scope, ...criterion })),
});
const policy = fc.constantFrom<object>(
  { action: "allow" },
  { action: "block", limit: 0 },
  { action: "log", limit: 10000 },
  { action: "redirect", limit: 7, redirect_uri: "https://example.com/busy" },
);

const stack = fc.record({
  acls: fc.dictionary(fc.constantFrom("1", "2", "3", "50", "100"), acl, { noNullPrototype: true }),
  policies: fc.dictionary(fc.constantFrom("default", "cimd_clients", "client_id:a|b"), policy, {
    noNullPrototype: true,
  }),
  members: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 40 }).map((n) => `auth0|${n}`)), { nil: undefined }),
});
type Stack = typeof stack extends fc.Arbitrary<infer T> ? T : never;

const literal = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll("${", () => "$${")
    .replaceAll("%{", "%%{");

const blocks = new Set(["action", "match", "not_match", "http_message_signature"]);

const block = (name: string, content: object): string => {
  const lines = Object.entries(content).map(([key, value]: [string, unknown]) =>
    blocks.has(key) && typeof value === "object" ? block(key, value!) : `${key} = ${literal(value)}`,
  );
  return `${name} {\n${lines.join("\n")}\n}`;
};

const hcl = ({ acls, policies, members }: Stack, organization: string) =>
  [
    ...Object.entries(acls).map(
      ([priority, { description, active, rule }]) => `resource "tenant_network_acl" "a${priority}" {
        description = ${literal(description)}
        active = ${active}
        priority = ${priority}
        ${block("rule", rule)}
      }`,
    ),
    ...Object.entries(policies).map(
      ([selector, configuration]) => `resource "tenant_rate_limit_policy" "p${selector.replace(/\W/g, "_")}" {
        consumer_selector = ${literal(selector)}
        ${block("configuration", configuration)}
      }`,
    ),
    members &&
      `resource "tenant_organization_member_set" "m" {
        organization_id = "${organization}"
        members = ${literal(members)}
        allow_empty = true
      }`,
    // Some random ACLs would block every request.
    'provider "tenant" {\n lockout_guard = "off"\n }',
  ].join("\n");

test("the tenant equals the configuration after each random edit", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stack, { minLength: 2, maxLength: 4 }), async (edits) => {
      const workspace = await openWorkspace();
      try {
        const organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
        for (const edit of edits) {
          await workspace.apply(hcl(edit, organization));
          const held = workspace.emulator.snapshot();
          expect(unordered(byKey(held.network_acls, "priority", ["description", "active", "rule"]))).toEqual(
            unordered(edit.acls),
          );
          expect(byKey(held.rate_limit_policies, "consumer_selector", ["configuration"])).toEqual(
            Object.fromEntries(
              Object.entries(edit.policies).map(([selector, configuration]) => [selector, { configuration }]),
            ),
          );
          const members = Array.from(workspace.emulator.store.members(organization)!, ([user]) => user);
          expect(members.toSorted()).toEqual([...(edit.members ?? [])].toSorted());
          await workspace.settled();
        }
      } finally {
        await workspace.close();
      }
    }),
    { numRuns: Number(process.env.RANDOM_STACKS ?? samples(2, 12)) },
  );
});

function byKey(entries: readonly object[] = [], key: string, kept: string[]): Record<string, unknown> {
  return Object.fromEntries(
    entries.map((entry: any) => [entry[key], Object.fromEntries(kept.map((name) => [name, entry[name]]))]),
  );
}

/** Sorts every list, because Terraform orders entries of a set in its own way. */
function unordered(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
    Array.isArray(inner) ? inner.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : inner,
  );
}
