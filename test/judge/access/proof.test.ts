/** Compares proofs and implications of statements with brute force: every request of a small world. */
import type { Acl } from "../../../src/judge/access/decide";
import { type Proof, prove, type Statement } from "../../../src/judge/access/proof";
import type { Rule } from "../../../src/judge/access/rule";
import { notKnown } from "../../../src/formats/cty/value";
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
    ...(!random(6) && { user_agents: ["curl"] }),
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
    priority: isOpen && index === 1 && !random(4) ? NaN : isOpen && !random(4) ? 3 : index + 1,
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
  const places = priorities.some(Number.isNaN)
    ? [0, ...priorities.filter((priority) => !Number.isNaN(priority)).map((priority) => priority + 0.5)]
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
            ways(actions).map((chosen) => ({
              ...ordered,
              pair,
              foldsCase,
              readsMapped,
              readsParts: false,
              matches,
              actions: chosen,
            })),
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
