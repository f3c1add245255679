/** Milliseconds of processor time that judging 50 expectations takes for 100 ACLs. */
import { judgeExpectations } from "../../impact/expectation/judge";
import { readExpectations } from "../../impact/expectation/read";
import { aclFrom } from "../../impact/network-acl/acl";
import { figure, median, table } from "./table";
import type { Bench } from "./terraform";

export interface ExpectationTime {
  /** Name of the generator of the ACLs. */
  readonly acls: string;
  readonly milliseconds: readonly number[];
  /** Number of verdicts in all rounds. */
  readonly verdicts: Readonly<Record<"held" | "broken" | "undecided", number>>;
}

type Random = (below: number) => number;

/** The same numbers in every run. */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const fields = (random: Random): Record<string, unknown> => ({
  asns: [64_500 + random(9), 64_600 + random(9)],
  geo_country_codes: ["DE", "US", "FR", "KP", "IR"].slice(random(3), 3 + random(3)),
  geo_subdivision_codes: [["US-CA", "US-NY", "DE-BE"][random(3)]!],
  ipv4_cidrs: [`10.${random(4)}.0.0/${12 + random(12)}`, `192.0.2.${random(256)}`],
  ipv6_cidrs: [`2001:db8:${random(9)}::/48`],
  connecting_ipv4_cidrs: [`198.51.${random(4)}.0/24`],
  connecting_ipv6_cidrs: [`2001:db8:f${random(9)}::/48`],
  ja3_fingerprints: [`${random(9)}`.repeat(32)],
  ja4_fingerprints: [`t13d${random(9)}`],
  user_agents: [`agent/${random(9)}`],
  hostnames: [`host${random(9)}.example.com`],
  auth0_managed: [["auth0.tor", "auth0.vpn", "auth0.proxy"][random(3)]!],
  http_message_signature: { keys: [{ id: `key_${random(9)}` }] },
});

function someFields(count: number, random: Random): Record<string, unknown> {
  const all = Object.entries(fields(random));
  return Object.fromEntries(Array.from({ length: count }, () => all.splice(random(all.length), 1)[0]!));
}

const generators: Readonly<Record<string, (random: Random) => object>> = {
  "every signal": (random) => ({ [random(4) === 0 ? "not_match" : "match"]: fields(random) }),
  "two signals": (random) => ({ [random(4) === 0 ? "not_match" : "match"]: someFields(2, random) }),
  "two signals and an exclusion": (random) => ({ match: someFields(2, random), not_match: someFields(1, random) }),
  "three exclusions": (random) => ({ not_match: someFields(3, random) }),
};

const actions = [
  { allow: true },
  { block: true },
  { log: true },
  { redirect: true, redirect_uri: "https://a.example/" },
];

const aclsFrom = (rule: (random: Random) => object, random: Random) =>
  Array.from({ length: 100 }, (_, index) => ({
    id: `acl_${index}`,
    description: `ACL ${index}`,
    active: true,
    priority: index + 1,
    rule: { action: actions[random(4)], scope: ["tenant", "management", "authentication"][random(3)], ...rule(random) },
  })).flatMap((acl) => aclFrom(acl));

function expectationsFrom(random: Random) {
  const facts = () => ({
    ...(random(2) && { apis: [["sign-in", "management", "registration"][random(3)]!] }),
    countries: [["KP", "IR", "DE", "US"][random(4)]!],
    ...(!random(3) && { ip_cidrs: [`10.${random(4)}.0.0/16`] }),
    ...(!random(4) && { hostnames: [`host${random(9)}.example.com`] }),
  });
  const list = Array.from({ length: 50 }, (_, index) => ({
    name: `expectation ${index}`,
    // Half of them allow three outcomes, so that many proofs must look at every ACL.
    one_of: random(2) ? ["blocked"] : ["blocked", "redirected", "reached"],
    request: facts(),
    except: facts(),
  }));
  return readExpectations(list, "bench");
}

export function measureExpectations({ signal, say }: Bench, rounds = 5): ExpectationTime[] {
  return Object.entries(generators).map(([name, rule]) => {
    const milliseconds: number[] = [];
    const verdicts = { held: 0, broken: 0, undecided: 0 };
    // The first round fills caches.
    for (let round = 0; round <= rounds; round++) {
      signal.throwIfAborted();
      say(`expectations ${round} of ${rounds}, ACLs with ${name}`);
      const random = randomFrom(round);
      const [before, after, expectations] = [aclsFrom(rule, random), aclsFrom(rule, random), expectationsFrom(random)];
      // One ACL in ten changes.
      const changed = before.map((acl, index) => (index % 10 === 0 ? after[index]! : acl));
      const began = process.cpuUsage();
      const judged = judgeExpectations(expectations, { before: { acls: before }, after: { acls: changed } });
      const { user, system } = process.cpuUsage(began);
      if (round === 0) continue;
      milliseconds.push((user + system) / 1000);
      for (const { verdict } of judged) verdicts[verdict]++;
    }
    return { acls: name, milliseconds, verdicts };
  });
}

/** Milliseconds that are the goal: in the median, and at most. */
const goals = { usual: 500, worst: 1000 };

export function expectationTable(times: readonly ExpectationTime[]): string {
  const verdict = (value: number, goal: number) => `${figure(value)} (${value <= goal ? "within" : "above"} ${goal})`;
  return table(
    ["50 expectations, 100 ACLs with", "median, ms (goal)", "slowest, ms (goal)", "held", "broken", "undecided"],
    times.map(({ acls, milliseconds, verdicts }) => [
      acls,
      verdict(median(milliseconds), goals.usual),
      verdict(Math.max(...milliseconds), goals.worst),
      ...[verdicts.held, verdicts.broken, verdicts.undecided].map(String),
    ]),
  );
}
