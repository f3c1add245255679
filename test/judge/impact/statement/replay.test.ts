/** Replays counterexamples on the embedded tenant, which enforces the ACLs by an evaluation of its own. */
import { createEmulator } from "../../../../src/emulator/emulator";
import { judgeExpectations } from "../../../../src/judge/impact/statement/judge";
import { readExpectations } from "../support/expectations";
import { aclFrom } from "../../../../src/judge/impact/network-acl/acl";
import type { Witness } from "../../../../src/judge/impact/network-acl/levels";
import { randomly, type Random } from "../../access/support/statements";
import { expectSeen, seeds } from "../../../support/seed";

const fields = ({ random, pick, some }: Random): Record<string, unknown> => ({
  ipv4_cidrs: [`10.${random(3)}.0.0/${14 + random(6)}`, `192.0.2.${random(4) * 64}/26`],
  ipv6_cidrs: [`2001:db8:${random(3)}::/48`],
  connecting_ipv4_cidrs: ["198.51.100.0/24"],
  geo_country_codes: some(["DE", "US", "KP"]),
  geo_subdivision_codes: some(["US-CA", "DE-BE"]),
  asns: some([64500, 64501]),
  user_agents: [pick(["curl/8; x", "bot"])],
  hostnames: [pick(["login.example.com", "Admin.example.com"])],
  ja3_fingerprints: [`${random(3)}`.repeat(32)],
  ja4_fingerprints: [`t13d${random(3)}`],
  auth0_managed: some(["auth0.tor", "auth0.vpn"]),
});

function criteria(source: Random): Record<string, unknown> {
  const all = Object.entries(fields(source));
  return Object.fromEntries([source.pick(all), source.pick(all)]);
}

/** Auth0 takes curated lists in one of both only. */
function sides(source: Random) {
  const match = criteria(source);
  const { auth0_managed, ...rest } = source.random(3) ? {} : criteria(source);
  const not_match = "auth0_managed" in match || !auth0_managed ? rest : { ...rest, auth0_managed };
  return { match, ...(Object.keys(not_match).length > 0 && { not_match }) };
}

function aclsFrom(source: Random) {
  const { random, pick } = source;
  return Array.from({ length: 3 + random(6) }, (_, index) => ({
    id: `acl_${String(index).repeat(22).slice(0, 22).replaceAll("0", "z")}`,
    description: `ACL ${index}`,
    active: random(6) > 0,
    priority: index + 1,
    rule: {
      action: pick([{ allow: true }, { block: true }, { log: true }, { redirect: true, redirect_uri: "https://a.b/" }]),
      scope: pick(["tenant", "management", "authentication", "dynamic_client_registration"]),
      ...sides(source),
    },
  }));
}

function expectationFrom(source: Random, name: string) {
  const { random, pick, some } = source;
  const facts = () => ({
    ...(!random(2) && { scopes: some(["authentication", "management", "dynamic_client_registration"]) }),
    ...(!random(3) && { countries: some(["DE", "KP"]) }),
    ...(!random(4) && { ip_cidrs: some(["10.1.0.0/16", "::ffff:10.0.0.1", "2001:db8::/32"]) }),
    ...(!random(6) && { hostnames: ["LOGIN.example.com"] }),
    ...(!random(6) && { managed: ["auth0.tor"] }),
    ...(!random(6) && { user_agents: ["curl/8; x"] }),
  });
  const except = facts();
  return {
    name,
    outcome: pick(["blocked", "reached", "redirected", "logged"]),
    request: facts(),
    ...(Object.keys(except).length > 0 && { except }),
  };
}

/** The request has no fact that the counterexample does not have. */
function originOf({ path: _path, managed, signature_key: _key, ...facts }: Witness): string {
  const texts = Object.entries(facts).map(([name, value]) => `${name}="${value ?? ""}"`);
  const known = texts.filter((text) => !/^(asn|country|subdivision|ja3|ja4)=""$/.test(text));
  return [...known, ...(managed.length > 0 ? [`managed=${managed.join(",")}`] : [])].join("; ");
}

test("every counterexample has the outcome on the embedded tenant, by the named ACL", async () => {
  const seen = { held: 0, broken: 0, undecided: 0 };
  for (const seed of seeds(25)) {
    const source = randomly(seed);
    const network_acls = aclsFrom(source);
    const list = readExpectations(
      Array.from({ length: 4 }, (_, index) => expectationFrom(source, `e${index}`)),
      "test",
    );
    const judged = judgeExpectations(list, { after: { acls: network_acls.flatMap((acl) => aclFrom(acl)) } });
    const tenant = createEmulator({ enforce: true, seed: { network_acls } as never });
    for (const { expectation, verdict, counterexample, cause, reason } of judged) {
      seen[verdict]++;
      if (verdict !== "broken") continue;
      const headers = { "x-tenantform-origin": originOf(counterexample!) };
      await tenant.fetch(new Request(`http://127.0.0.1${counterexample!.path}`, { headers }));
      const { acl: decision = "" } = tenant.requests.at(-1)!;
      const [id] = cause.map((one) => one.id);
      const { outcomes } = expectation.statement as { readonly outcomes: readonly string[] };
      const ended = /(blocked|allowed|redirected) by (acl_\w+)$/.exec(decision);
      expect([seed, reason, ended?.[2]]).toEqual([seed, reason, id]);
      expect(outcomes).not.toContain(ended && ended[1] !== "allowed" ? ended[1] : "reached");
      if (outcomes.includes("logged")) expect(decision).not.toContain("logged");
    }
    await tenant.close?.();
  }
  expectSeen(seen.broken, 40);
  expectSeen(seen.held, 1);
});
