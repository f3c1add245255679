/** Compares proofs with brute force: every request of a small world under every choice that is not documented or not known. */
import { notKnown } from "../../src/access/assumptions";
import { parseBlock } from "../../src/access/cidr";
import type { Acl } from "../../src/access/decide";
import { createProver, type Proof, type Statement, type StatedOutcome } from "../../src/access/proof";
import type { RequestLists } from "../../src/access/request-set";
import type { Rule } from "../../src/access/rule";
import type { WholeRequest } from "../../src/access/space";
import { evaluator, isInSet, values, world, type Choice, type End, type Request } from "./support/requests";

function randomly(seed: number) {
  let state = seed * 7919 + 1;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  const pick = <T>(items: readonly T[]) => items[random(items.length)]!;
  const some = <T>(items: readonly T[]) => {
    const chosen = items.filter(() => !random(2));
    return chosen.length > 0 ? chosen : [pick(items)];
  };
  return { random, pick, some };
}

type Random = ReturnType<typeof randomly>;

const fours = ["0.0.0.0/0", "10.0.0.0/8", "10.0.0.0/31", "10.0.0.1"];
const sixes = ["::/0", "2001:db8::/32"];

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
  };
}

function aclsFrom(source: Random, isOpen: boolean): Acl[] {
  const { random } = source;
  return Array.from({ length: random(6) }, (_, index) => ({
    active: random(7) > 0,
    priority: isOpen && !random(4) ? 3 : index + 1,
    key: `acl${index}`,
    rule: ruleFrom(source, `unknown${index}`, isOpen),
  }));
}

function setFrom({ random, some }: Random): RequestLists {
  return {
    ...(!random(2) && { apis: some(values.api) }),
    ...(!random(3) && { ip_cidrs: some([...fours, ...sixes, "::ffff:10.0.0.1"]) }),
    ...(!random(6) && { connecting_ip_cidrs: some(["10.0.0.0/8", "::/0"]) }),
    ...(!random(3) && { countries: some(["DE", "us"]) }),
    ...(!random(6) && { subdivisions: ["US-CA"] }),
    ...(!random(6) && { managed: some(["auth0.tor", "auth0.vpn"]) }),
    ...(!random(6) && { user_agents: ["curl"] }),
  };
}

function statementFrom(source: Random): Statement {
  const { random, some } = source;
  const sets = (most: number) => Array.from({ length: random(most) }, () => setFrom(source));
  const outcomes: StatedOutcome[] = ["blocked", "reached", "redirected", "logged"];
  return { outcomes: random(3) ? some(outcomes).slice(0, 1) : some(outcomes), requests: sets(3), except: sets(3) };
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
  const pairs = used.includes("connecting_ipv6_cidrs") ? (["one", "two"] as const) : (["one"] as const);
  return permutations(tied.map(({ key }) => key!)).flatMap((order) =>
    pairs.flatMap((pair) =>
      flags('"de"').flatMap((foldsCase) =>
        flags("::ffff").flatMap((readsMapped) =>
          ways([true, false]).flatMap((matches) =>
            ways(actions).map((chosen) => ({ pair, foldsCase, readsMapped, order, matches, actions: chosen })),
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

const isMeant = (request: Request, { requests, except }: Statement) =>
  (requests.length === 0 || requests.some((set) => isInSet(request, set))) &&
  !except.some((set) => isInSet(request, set));

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

/** The request of the world that no list separates from the given one. */
function inWorld(request: WholeRequest): Request {
  const { api, ip, connecting_ip, country = "", subdivision, managed = [], user_agent = "" } = request;
  const near = (name: "ip" | "connecting", text: string) => {
    const { family, first } = parseBlock(text)!;
    const starts = values[name].map((start) => parseBlock(start)!);
    const at = starts.findLastIndex((start) => start.family === family && start.first <= first);
    return values[name][at >= 0 ? at : starts.findLastIndex((start) => start.family === family)]!;
  };
  const names = { authentication: "sign-in", management: "management", dynamic_client_registration: "registration" };
  return {
    api: names[api],
    ip: near("ip", ip),
    connecting: near("connecting", connecting_ip),
    place: subdivision ?? country,
    managed: managed.toSorted().join(" "),
    agent: user_agent,
  };
}

/** RUNS sets another number of random stacks. */
const runsOf = (few: number) => Number(process.env["RUNS"] ?? few);

test.each([
  ["with known values", false, runsOf(50)],
  ["with undocumented details and unknown values", true, runsOf(50)],
] as const)("decides exactly as brute force, %s", (_, isOpen, runs) => {
  const seen = { held: 0, broken: 0, undecided: 0 };
  for (let seed = 1; seed <= runs; seed++) {
    const source = randomly(seed);
    const acls = aclsFrom(source, isOpen);
    const statements = Array.from({ length: 3 }, () => statementFrom(source));
    const prover = createProver({ after: acls }, statements);
    for (const statement of statements) {
      const proof = prover.prove(statement);
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
      else expect(proof.assumptions).not.toEqual([]);
    }
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(isOpen ? 3 : -1);
  expect(Math.min(seen.held, seen.broken)).toBeGreaterThan(20);
});
