/** Compares the blocked share of an API with known figures and with the evaluation of single requests. */
import { countries } from "../../../src/judge/access/fact-forms";
import { decide, type Acl } from "../../../src/judge/access/decide";
import { blockedSharesOf, type Share } from "../../../src/judge/access/partial-request";
import { notKnown } from "../../../src/formats/cty/value";
import { partsOf, type Rule } from "../../../src/judge/access/rule";
import { block } from "./support/acl";
import { seed } from "../../support/seed";

const request = { api: "management", hostname: "acme.example" } as const;
const of = (acls: readonly Acl[]) => blockedSharesOf(acls, request);
const all = BigInt(countries.length);
const part = (share: Share | undefined) => share && Number((share.certain * 1_000_000n) / share.all) / 1_000_000;
const parts = (acls: readonly Acl[]) => [part(of(acls).ipv4), part(of(acls).ipv6)];
const allow = (rule: Partial<Rule>, priority: Acl["priority"]) => block({ action: { allow: true }, ...rule }, priority);
/** Blocks the IPv4 addresses. */
const v4 = (priority: number, ...ipv4_cidrs: string[]) => block({ match: { ipv4_cidrs } }, priority);
const everyone = { match_all: true };
const germany = { geo_country_codes: ["DE"] };

test.each<[string, readonly Acl[], readonly number[]]>([
  ["no ACL", [], [0, 0]],
  ["match_all", [block({ match_all: true })], [1, 1]],
  ["all but one address", [block({ not_match: { ipv4_cidrs: ["203.0.113.7"] } })], [0.999999, 1]],
  ["half of IPv4", [block({ match: { ipv4_cidrs: ["0.0.0.0/1"] } })], [0.5, 0]],
  ["the part of IPv6 that hosts have", [block({ match: { ipv6_cidrs: ["2000::/3"] } })], [0, 1]],
  ["the part of IPv6 that no host has", [block({ match: { ipv6_cidrs: ["8000::/1", "::/3"] } })], [0, 0]],
  ["overlapping blocks", [v4(1, "0.0.0.0/2", "0.0.0.0/3"), v4(2, "32.0.0.0/3", "64.0.0.0/2")], [0.5, 0]],
  ["an earlier allow", [allow({ match: { ipv4_cidrs: ["0.0.0.0/2"] } }, 1), block(everyone, 2)], [0.75, 1]],
  ["an earlier log", [block({ action: { log: true }, ...everyone }, 1), block(everyone, 2)], [1, 1]],
  ["connecting addresses", [block({ match: { connecting_ipv4_cidrs: ["0.0.0.0/1"] } })], [0.5, 0]],
  [
    "addresses and connecting addresses, which are the same",
    [block({ match: { ipv4_cidrs: ["0.0.0.0/1"], connecting_ipv4_cidrs: ["128.0.0.0/1"] } })],
    [0, 0],
  ],
  ["all countries but one", [block({ not_match: germany })], [0.996, 0.996]],
  ["a country, in half of the addresses", [block({ match: { ...germany, ipv4_cidrs: ["0.0.0.0/1"] } })], [0.002, 0]],
  ["the host", [block({ match: { hostnames: ["ACME.example."] } })], [1, 1]],
  ["another host", [block({ match: { hostnames: ["login.example"] } })], [0, 0]],
  ["every user agent but one", [block({ not_match: { user_agents: ["curl/8.5.0"] } })], [1, 1]],
  ["every fingerprint but one", [block({ not_match: { ja4_fingerprints: ["t13d"] } })], [1, 1]],
  ["a few AS numbers", [block({ match: { asns: [1, 2, 4_294_967_294] } })], [0, 0]],
  ["every AS number but the highest", [block({ not_match: { asns: [4_294_967_294, 4_294_967_293] } })], [1, 1]],
  ["unsigned requests", [block({ not_match: { http_message_signature: { keys: [{ id: "k" }] } } })], [1, 1]],
  ["curated lists", [block({ match: { auth0_managed: ["auth0.tor"] } })], [0, 0]],
  ["an inactive ACL", [{ ...block({ match_all: true }), active: false }], [0, 0]],
  ["another API", [block({ match_all: true, scope: "authentication" })], [0, 0]],
  ["a redirect", [block({ action: { redirect: true, redirect_uri: "https://a.example" }, match_all: true })], [1, 1]],
])("%s", (_name, acls, expected) => expect(parts(acls)).toEqual(expected));

test("counts single addresses if ACLs block all but 64", () => {
  const samples = Array.from({ length: 64 }, (_, index) => `${index * 3 + 1}.2.3.${index}`);
  const rest = [0, 20, 40, 60].map((from, index) =>
    allow({ match: { ipv4_cidrs: samples.slice(from, from + 20) } }, index + 1),
  );
  const { ipv4, by } = of([...rest, block({ match_all: true }, 9)]);
  expect(ipv4!.certain / all).toBe(2n ** 32n - 64n);
  expect(by.map(({ priority }) => priority)).toEqual([9]);
});

test("counts one value of a given fact, not all values", () => {
  const closed = [block({ not_match: { ipv4_cidrs: ["203.0.113.7"] } })];
  const at = (ip: string) => blockedSharesOf(closed, { ...request, ip, connecting_ip: ip });
  expect(["203.0.113.7", "203.0.113.8"].map((ip) => part(at(ip).ipv4))).toEqual([0, 1]);
  expect([part(at("2001:db8::1").ipv6), at("2001:db8::1").byCountry]).toEqual([1, false]);
  expect(at("2001:db8::1").ipv4).toBeUndefined();
  const abroad = [block({ not_match: { geo_country_codes: ["DE"] } })];
  const from = (facts: object) => part(blockedSharesOf(abroad, { ...request, ...facts }).ipv4);
  expect([from({ country: "DE" }), from({ country: "FR" }), from({ subdivision: "DE-BE" })]).toEqual([0, 1, 0]);
});

test.each<[string, readonly Acl[]]>([
  ["a value that is not known yet", [block({ match: { ipv4_cidrs: Symbol("later") as never } })]],
  ["a signal of a later version", [block({ match: { new_signal: ["x"] } })]],
  ["a scope of a later version", [block({ scope: "everything", match_all: true })]],
  ["an action of a later version", [block({ action: { quarantine: true }, match_all: true })]],
  ["an entry in another case", [block({ match: { geo_country_codes: countries.map((code) => code.toLowerCase()) } })]],
  ["a mapped block", [block({ match: { ipv6_cidrs: ["::ffff:0:0/96"] } })]],
  ["an unplaced allow before", [allow({ match_all: true }, notKnown("a place")), block({ match_all: true }, 2)]],
  ["an allow in the same place", [allow({ match_all: true }, 2), { ...block({ match_all: true }, 2), key: "other" }]],
  ["a user agent with a wildcard", [block({ match: { user_agents: ["*"] } })]],
])("counts %s as possible, not as certain", (_name, acls) => {
  expect(of(acls).ipv4).toMatchObject({ certain: 0n, possible: all * 2n ** 32n });
});

test("counts every host name as possible if the host is unknown", () => {
  const host = [block({ match: { hostnames: ["acme.example"] } })];
  const { ipv4 } = blockedSharesOf(host, { api: "management" });
  expect(ipv4).toMatchObject({ certain: 0n, possible: all * 2n ** 32n });
});

test("gives every address the outcome that the evaluation of single requests gives it", () => {
  const named = ["DE", "FR", "US", "KP"];
  let state = 7 * seed;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  const pick = <T>(items: readonly T[]) => items[random(items.length)]!;
  const cidr = () => (random(3) ? `${random(8) * 32}.0.0.0/${1 + random(4)}` : `2${random(8)}00::/${3 + random(5)}`);
  const blocks = (prefix: string) => {
    const drawn = Array.from({ length: 1 + random(3) }, cidr);
    const [four, six] = [drawn.filter((one) => one.includes(".")), drawn.filter((one) => one.includes(":"))];
    return {
      ...(four.length && { [`${prefix}ipv4_cidrs`]: four }),
      ...(six.length && { [`${prefix}ipv6_cidrs`]: six }),
    };
  };
  const criteria = () => ({
    ...(random(2) && blocks("")),
    ...(!random(3) && blocks("connecting_")),
    ...(!random(3) && { geo_country_codes: [pick([...named, "de"]), pick(named)] }),
    ...(!random(5) && { hostnames: [pick(["acme.example", "login.example"])] }),
    ...(!random(6) && { new_signal: ["x"] }),
  });
  const some = (priority: number) =>
    block(
      {
        action: pick([{ block: true }, { allow: true }, { log: true }, { block: true }, { later: true }]),
        scope: pick(["tenant", "management", "authentication", "tenant"]),
        match: { asns: [], ...criteria() },
        ...(random(2) && { not_match: criteria() }),
      },
      random(8) ? priority : pick([1, 2, notKnown("a place")]),
      `k${priority}`,
    );
  const withoutEmpty = (acl: Acl): Acl => {
    const { match, ...rule } = acl.rule;
    const { asns: _asns, ...rest } = partsOf(match);
    return { ...acl, rule: { ...rule, ...(Object.keys(rest).length ? { match: rest } : { match_all: true }) } };
  };
  for (let round = 0; round < 40; round++) {
    const acls = Array.from({ length: 1 + random(6) }, (_, index) => withoutEmpty(some(index + 1)));
    const counted = { certain: 0, possible: 0 };
    const points = Array.from({ length: 128 }, (_, index) => `${index * 2}.1.2.3`);
    for (const country of [...named, "AT"]) {
      // A rule names no other country.
      const weight = country === "AT" ? countries.length - named.length : 1;
      for (const ip of points) {
        const facts = { asn: 9, subdivision: "?", user_agent: "?", ja3: "?", ja4: "?", managed: [], signature_key: "" };
        const { endings } = decide(acls, { ...request, ...facts, country, ip, connecting_ip: ip });
        const stops = endings.map(({ outcome }) => outcome !== "allowed");
        if (stops.every(Boolean)) counted.certain += weight;
        if (stops.some(Boolean)) counted.possible += weight;
      }
    }
    const { ipv4 } = of(acls);
    const cells = (count: bigint) => Number(count / 2n ** 25n);
    expect([round, cells(ipv4!.certain), cells(ipv4!.possible)]).toEqual([round, counted.certain, counted.possible]);
  }
});

test("counts nothing for ACLs of another API", () => {
  const many = [block({ match_all: true, scope: "authentication" }, 1)];
  const { ipv4, ipv6, by } = blockedSharesOf(many, request);
  expect([ipv4?.possible, ipv6?.possible, by]).toEqual([0n, 0n, []]);
});
