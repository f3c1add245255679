/** Compares reviews with the independent evaluator of the embedded tenant. */
import type { Values } from "../../src/judge/impact/model";
import fc from "../support/random";
import type { NetworkAcl } from "../../src/emulator/api/network-acls";
import { decide } from "../../src/emulator/enforcement/decide";
import type { Origin } from "../../src/emulator/enforcement/origin";
import { shownWitness, type Witness } from "../../src/judge/impact/network-acl/levels";
import { change, plan, reviewPlans } from "./support/plan";
import { expectSeen } from "../support/seed";

const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
const signed = (...ids: string[]) => ({ keys: ids.map((id) => ({ id })) });
/** Some texts look like two others. */
const criteria = fc
  .record(
    {
      asns: some(64496, 64497),
      geo_country_codes: some("DE", "US"),
      geo_subdivision_codes: some("US-CA", "DE-BE"),
      ipv4_cidrs: some("0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "10.1.2.3"),
      ipv6_cidrs: some("::/0", "2001:db8::/32", "2001:db8:1::/48"),
      connecting_ipv4_cidrs: some("0.0.0.0/0", "198.51.100.0/24"),
      connecting_ipv6_cidrs: some("2001:db8::/32"),
      ja3_fingerprints: some("a".repeat(32), "b".repeat(32)),
      ja4_fingerprints: some("t13d", "t12d"),
      user_agents: some("curl/8", "bot/1", "curl/8,bot/1", 'curl/8","bot/1'),
      hostnames: some("login.example.com", "acme.example.com"),
      auth0_managed: some("auth0.tor", "auth0.vpn"),
      http_message_signature: fc.constantFrom(signed("k1"), signed("k1", "k2")),
    },
    { requiredKeys: [] },
  )
  .map((all) => Object.fromEntries(Object.entries(all).slice(0, 3)))
  .filter((all) => Object.keys(all).length > 0);
const action = fc.constantFrom(
  { allow: true },
  { block: true },
  { block: true },
  { log: true },
  { redirect: true, redirect_uri: "https://one.example/" },
  { redirect: true, redirect_uri: "https://two.example/" },
);
const rule = fc.record(
  {
    action,
    match: criteria,
    not_match: criteria,
    scope: fc.constantFrom("tenant", "tenant", "management", "authentication", "dynamic_client_registration"),
  },
  { requiredKeys: ["action", "match", "scope"] },
);
const active = fc.constantFrom(true, true, true, false);
const lists = fc.uniqueArray(fc.record({ priority: fc.integer({ min: 1, max: 9 }), active, rule }), {
  minLength: 1,
  maxLength: 5,
  selector: ({ priority }) => priority,
});

const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);
const place = fc.constantFrom(
  {},
  { country: "DE" },
  { country: "US" },
  { country: "US", subdivision: "US-CA" },
  { country: "DE", subdivision: "DE-BE" },
  { country: "FR" },
);
const addresses = "10.1.2.3 10.1.9.9 10.9.9.9 192.0.2.1 2001:db8:1::1 2001:db8:2::1 2001:f::1";
const paths = fc.constantFrom("/api/v2/clients", "/authorize", "/oidc/register", "/scim/v2");
const request = fc.record({
  path: paths,
  origin: fc
    .record({
      ip: fc.constantFrom(...addresses.split(" ")),
      connecting_ip: fc.constantFrom("198.51.100.1", "192.0.2.1", "2001:db8::1"),
      asn: maybe("64496", "64497", "1"),
      user_agent: maybe("curl/8", "bot/1", "curl/8,bot/1", "x"),
      hostname: maybe("login.example.com", "acme.example.com"),
      ja3: maybe("a".repeat(32), "b".repeat(32)),
      ja4: maybe("t13d", "t12d"),
      managed: fc.subarray(["auth0.tor", "auth0.vpn"]),
      signature_keys: maybe(["k1"], ["k2"]),
      place,
    })
    .map(({ place: where, ...facts }): Origin => ({ ...facts, ...where })),
});

const endOf = (acls: readonly NetworkAcl[], path: string, origin: Origin) => {
  const { outcome, by } = decide(acls, path, origin);
  return { by: by?.id, outcome, uri: outcome === "redirected" ? by?.rule.action.redirect_uri : undefined };
};
const originOf = ({ path: _path, asn, managed, signature_key: key, ...facts }: Witness): Origin => ({
  ...(Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)) as Origin),
  ...(asn !== null && { asn: String(asn) }),
  managed,
  signature_keys: key === null ? [] : [key],
});

const shown = (one: NetworkAcl | undefined) => (one ?? null) as unknown as Values | null;

test("tells each request whose outcome changes, and shows only such witnesses", () => {
  let differing = 0;
  fc.assert(
    fc.property(lists, lists, fc.array(request, { minLength: 60, maxLength: 60 }), (old, now, requests) => {
      const [before, after] = [old, now].map((from) =>
        from.map(
          (one, index) => ({ id: `acl_${index}`, description: `ACL ${index}`, ...one }) as unknown as NetworkAcl,
        ),
      ) as [NetworkAcl[], NetworkAcl[]];
      const changes = Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
        change(`tenant_network_acl.n${index}`, shown(before[index]), shown(after[index])),
      );
      const { acls } = reviewPlans("plan", [plan(changes)]);
      const ends = acls.outcomes.flatMap((one) => one.ends);
      const told = new Set(ends.map((one) => `${one.before.acl?.id} ${one.after.acl?.id}`));
      for (const { path, origin } of requests) {
        const [was, is] = [endOf(before, path, origin), endOf(after, path, origin)];
        if (was.outcome === is.outcome && was.uri === is.uri) continue;
        differing++;
        expect([...told]).toContain(`${was.by} ${is.by}`);
      }
      for (const changed of acls.outcomes.flatMap((one) => (one.isCertain ? one.examples : []))) {
        const witness = shownWitness(changed, new Set());
        const [was, is] = [before, after].map((side) => endOf(side, witness.path, originOf(witness)));
        expect([was!.outcome, was!.uri]).not.toEqual([is!.outcome, is!.uri]);
      }
    }),
    { numRuns: Number(process.env["REVIEW_RUNS"] ?? 150) },
  );
  expectSeen(differing, 100);
});
