/** Compares proofs, implications and the search for an allowed request with brute force: every request of a small world. */
import { type Acl, decide } from "../../../src/judge/access/decide";
import { mayBeAllowed } from "../../../src/judge/access/partial-request";
import { type Proof, prove, type Statement } from "../../../src/judge/access/proof";
import type { AccessRequest } from "../../../src/judge/access/request";
import type { Rule } from "../../../src/judge/access/rule";
import { notKnown } from "../../../src/formats/cty/value";
import fc from "../../support/random";
import { expectSeen, samples, seeds } from "../../support/seed";
import { type Choice, type End, evaluator, world } from "./support/requests";
import { fours, inWorld, isMeant, type Random, randomly, sixes, statementFrom } from "./support/statements";

/** `isOpen`: with parts that are not documented or not known. */
function criteria({ random, some }: Random, name: string, isOpen: boolean): Record<string, unknown[]> {
  const unknown = isOpen && !random(6) ? [notKnown(name)] : [];
  return {
    ...(!random(3) && { ipv4_cidrs: [...some(fours), ...unknown] }),
    ...(!random(4) && { ipv6_cidrs: some(isOpen && !random(4) ? [...sixes, "::ffff:10.0.0.1"] : sixes) }),
    ...(!random(5) && { connecting_ipv4_cidrs: some(["0.0.0.0/0", "10.0.0.0/8"]) }),
    ...(isOpen && !random(8) && { connecting_ipv6_cidrs: ["::/0"] }),
    ...(!random(3) && { geo_country_codes: some(isOpen && !random(4) ? ["de", "US"] : ["DE", "US"]) }),
    ...(!random(6) && { geo_subdivision_codes: ["US-CA"] }),
    ...(!random(6) && { auth0_managed: some(["auth0.tor", "auth0.vpn"]) }),
    ...(!random(6) && { user_agents: some(["curl", "bot"]) }),
  };
}

const actions = ["allow", "block", "log", "redirect"];

function ruleFrom(source: Random, name: string, isOpen: boolean): Rule {
  const { random, pick } = source;
  const [match, not_match] = [criteria(source, name, isOpen), random(2) ? {} : criteria(source, name, isOpen)];
  const sides = {
    ...(Object.keys(match).length > 0 && { match }),
    ...(Object.keys(not_match).length > 0 && { not_match }),
  };
  const action = isOpen && !random(10) ? notKnown(name) : { [pick(actions)]: true };
  return {
    ...(Object.keys(sides).length > 0 ? sides : { match_all: true }),
    scope: pick(["tenant", "tenant", "authentication", "management", "dynamic_client_registration"]),
    action: action as Rule["action"],
    ...(isOpen && !random(10) && { tenant: notKnown(name) }),
  };
}

function aclsFrom(source: Random, isOpen: boolean): Acl[] {
  const { random } = source;
  return Array.from({ length: random(6) }, (_, index) => ({
    active: random(7) > 0,
    priority: isOpen && index === 1 && !random(4) ? notKnown("a place") : isOpen && !random(4) ? 3 : index + 1,
    key: `acl${index}`,
    rule: ruleFrom(source, `unknown${index}`, isOpen),
  }));
}

function choicesFor(acls: readonly Acl[]): Choice[] {
  const used = JSON.stringify(acls.map(({ rule }) => rule));
  const named = new Set<string>();
  const collect = (part: unknown): void => {
    if (typeof part === "symbol") named.add(part.description!);
    else if (typeof part === "object" && part !== null) Object.values(part).forEach(collect);
  };
  acls.forEach(({ rule }) => collect(rule));
  const unknown = [...named];
  const flags = (text: string) => (used.includes(text) ? [false, true] : [false]);
  const tied = acls.filter((acl) => acls.some((other) => other !== acl && other.priority === acl.priority));
  const ways = <T>(options: readonly T[]) =>
    unknown.reduce<ReadonlyMap<string, T>[]>(
      (maps, name) => maps.flatMap((map) => options.map((option) => new Map([...map, [name, option]]))),
      [new Map()],
    );
  const priorities = [...new Set(acls.map(({ priority }) => priority))];
  const places = priorities.some((one) => typeof one === "symbol")
    ? [0, ...priorities.flatMap((priority) => (typeof priority === "symbol" ? [] : priority + 0.5))]
    : [0];
  const pairs = used.includes("connecting_ipv6_cidrs") ? (["one", "two"] as const) : (["one"] as const);
  const orders = permutations(tied.map(({ key }) => key!)).flatMap((order) =>
    places.map((place) => ({ order, place })),
  );
  return orders.flatMap((ordered) =>
    pairs.flatMap((pair) =>
      flags('"de"').flatMap((foldsCase) =>
        flags("::ffff").flatMap((readsMapped) =>
          ways([true, false]).flatMap((matches) =>
            flags("user_agents").flatMap((readsParts) =>
              ways(actions).map((chosen) => ({
                ...ordered,
                pair,
                foldsCase,
                readsMapped,
                readsParts,
                matches,
                actions: chosen,
              })),
            ),
          ),
        ),
      ),
    ),
  );
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((one) => one !== item)).map((rest) => [item, ...rest]));
}

const isStated = ({ outcome, logged }: End, { outcomes }: Statement) =>
  outcomes.some((one) => one === outcome || (one === "logged" && logged));

function bruteForce(acls: readonly Acl[], statement: Statement): Proof<Acl>["verdict"] {
  const evaluators = choicesFor(acls.filter(({ active }) => active)).map((choice) => evaluator(acls, choice));
  let verdict: Proof<Acl>["verdict"] = "held";
  for (const request of world.filter((one) => isMeant(one, statement))) {
    const kept = evaluators.filter((endOf) => isStated(endOf(request), statement)).length;
    if (kept === 0) return "broken";
    if (kept < evaluators.length) verdict = "undecided";
  }
  return verdict;
}

test.each([
  ["with known values", false, samples(15, 100)],
  ["with undocumented details and unknown values", true, samples(12, 40)],
] as const)("decides as brute force, %s", (_, isOpen, runs) => {
  const seen = { held: 0, broken: 0, undecided: 0 };
  for (const seed of seeds(runs)) {
    const source = randomly(seed);
    const acls = aclsFrom(source, isOpen);
    const statements = Array.from({ length: 3 }, () => statementFrom(source));
    for (const statement of statements) {
      const proof = prove(statement, acls);
      const verdict = bruteForce(acls, statement);
      seen[verdict]++;
      expect({ seed, statement, acls, verdict: proof.verdict }).toEqual({ seed, statement, acls, verdict });
      if (proof.verdict === "held") continue;
      const { request, end, acl } = proof.counterexample!;
      const found = inWorld(request);
      expect(isMeant(found, statement)).toBe(true);
      const ends = choicesFor(acls).map((choice) => evaluator(acls, choice)(found));
      expect(ends.some((one) => one.by === acl?.key && !isStated(one, statement))).toBe(true);
      expect(ends.map(({ outcome }) => outcome)).toContain(end.outcome === "allowed" ? "reached" : end.outcome);
      if (proof.verdict === "broken") expect(ends.filter((one) => isStated(one, statement))).toEqual([]);
      else expect(proof.doubts).not.toEqual([]);
    }
  }
  expectSeen(Math.min(...Object.values(seen)), isOpen ? 1 : -1);
  expectSeen(Math.min(seen.held, seen.broken), 5);
});

test("gives a counterexample that the set has, at the end of IPv4", () => {
  for (const block of ["255.255.255.0/24", "255.255.255.254/31", "255.255.255.255"]) {
    const statement: Statement = { outcomes: ["blocked"], requests: [{ ip_cidrs: [block] }], except: [] };
    const proof = prove(statement, []);
    expect(proof).toMatchObject({ counterexample: { request: { ip: expect.stringMatching(/^255\.255\.255\./) } } });
  }
});

const acl = (priority: number, rule: Partial<Rule>): Acl => ({
  active: true,
  priority,
  key: `acl ${priority}`,
  rule: { action: { block: true }, scope: "tenant", ...rule },
});

const token: AccessRequest = { api: "authentication", managed: [], signature_key: "" };

const v4 = (...ipv4_cidrs: string[]) => ({ ipv4_cidrs });
const halves = [
  acl(11, { match: v4("0.0.0.0/1") }),
  acl(12, { match: { ...v4("128.0.0.0/1"), ipv6_cidrs: ["::/0"] } }),
];
const allowing = (priority: number, rule: Partial<Rule>) => acl(priority, { action: { allow: true }, ...rule });
const [germany, usa] = ["DE", "US"].map((code) => ({ geo_country_codes: [code] }));
const signed = { http_message_signature: { keys: [{ id: "key_1" }] } };
const later = { asns: Symbol("x") } as never;

test.each<["match" | "not_match", string, "of" | "but of", string, Statement["outcomes"][number], string]>([
  ["match", "curl", "of", "curl/8.5.0", "reached", "undecided"],
  ["match", "curl", "of", "curl/8.5.0", "blocked", "undecided"],
  ["match", "curl", "of", "CURL", "reached", "undecided"],
  ["match", "curl", "of", "curl", "blocked", "held"],
  ["match", "curl/8.5.0", "of", "curl", "reached", "held"],
  ["match", "curl", "of", "bot", "reached", "held"],
  ["match", "curl", "but of", "curl", "reached", "undecided"],
  ["match", "*", "of", "curl", "reached", "undecided"],
  ["match", "curl", "but of", "bot", "reached", "broken"],
  ["not_match", "curl", "but of", "curl", "blocked", "undecided"],
  ["not_match", "curl", "but of", "bot", "blocked", "broken"],
])("%s %s, requests %s %s are %s: %s", (side, entry, which, agent, outcome, verdict) => {
  const rule: Rule = { action: { block: true }, scope: "tenant", [side]: { user_agents: [entry] } };
  const [own, none] = [[{ user_agents: [agent] }], []];
  const [requests, except] = which === "of" ? [own, none] : [none, own];
  const proof = prove({ outcomes: [outcome], requests, except }, [acl(1, rule)]);
  expect(proof).toMatchObject({ verdict, ...(verdict === "undecided" && { doubts: [{ why: "part of a text" }] }) });
});

test.each<[string, Acl[], AccessRequest]>([
  ["halves of the addresses", halves, token],
  ["a country and all others", [acl(1, { match: germany! }), acl(2, { not_match: germany! })], token],
  ["addresses of hosts", [acl(1, { match: v4("0.0.0.0/0") }), acl(2, { match: { ipv6_cidrs: ["2000::/3"] } })], token],
  ["an allow of another country", [allowing(1, { match: usa! }), ...halves], { ...token, country: "DE" }],
  [
    "an allow of a curated list and of a key",
    [allowing(1, { match: { auth0_managed: ["auth0.tor"] } }), allowing(2, { match: signed }), ...halves],
    token,
  ],
  [
    "an allow of another API",
    [
      allowing(0, { scope: "management", match_all: true }),
      allowing(19, { scope: "dynamic_client_registration", match_all: true }),
      ...halves,
    ],
    token,
  ],
])("finds no allowed request: %s", (_, acls, request) => expect(mayBeAllowed(acls, request)).toBe(false));

test.each<[string, Acl[], AccessRequest]>([
  ["one address is left", [allowing(0, { match: v4("198.51.100.9/32") }), ...halves], token],
  ["an allow of the country", [allowing(0, { match: germany! }), ...halves], { ...token, country: "DE" }],
  ["a value that is not known", [allowing(0, { match: later }), ...halves], token],
  ["an AS number", [acl(0, { not_match: { asns: ["64500"] } }), acl(1, { match: { asns: ["64501"] } })], token],
])("finds a request that may be allowed: %s", (_, acls, request) => expect(mayBeAllowed(acls, request)).toBe(true));

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
