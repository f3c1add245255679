/** Compares the evaluation of ACLs with the documentation, and with a naive model over a small world. */
import { BlockList } from "node:net";
import fc from "../support/random";
import type { Outcome } from "../../src/access/action";
import { decide, type Acl } from "../../src/access/decide";
import type { AccessRequest, Api } from "../../src/access/request";
import { neverMatches, type Rule } from "../../src/access/rule";

const acl = (priority: number, rule: Partial<Rule>, active = true): Acl => ({
  active,
  priority,
  rule: { action: { block: true }, scope: "tenant", ...rule },
});
const allow = { allow: true };
const log = { log: true };
const redirect = { redirect: true, redirect_uri: "https://example.com/closed" };
const germany = { match: { geo_country_codes: ["DE"] } };
const office = { ipv4_cidrs: ["203.0.113.0/24"] };
const german: AccessRequest = { api: "management", country: "DE" };
const anywhere: AccessRequest = { api: "management" };

describe("as documented", () => {
  test("allows a request that no ACL matches", () => {
    const verdict = { outcome: "allowed", because: "no ACL matches", certain: true, denied: "no" };
    expect(decide([], anywhere)).toMatchObject(verdict);
    expect(decide([acl(1, { match: { geo_country_codes: ["FR"] } })], german)).toMatchObject(verdict);
    expect(decide([acl(1, germany, false)], german)).toMatchObject(verdict);
    expect(decide([acl(1, { ...germany, scope: "authentication" })], german)).toMatchObject(verdict);
  });

  test("stops at the matching ACL with the lowest priority, and continues after log", () => {
    const recorder = acl(1, { ...germany, action: log });
    const blocker = acl(2, germany);
    const late = [acl(3, { ...germany, action: log }), acl(4, { ...germany, action: allow })];
    expect(decide([...late, blocker, recorder], german)).toEqual({
      outcome: "blocked",
      by: blocker,
      because: "match.geo_country_codes DE matches the country DE",
      certain: true,
      denied: "yes",
      endings: [{ outcome: "blocked", by: blocker, because: "match.geo_country_codes DE matches the country DE" }],
    });
    expect(decide([acl(1, { ...germany, action: allow }), blocker], german)).toMatchObject({ denied: "no" });
    expect(decide([acl(1, { ...germany, action: redirect }), blocker], german)).toMatchObject({
      outcome: "redirected",
      denied: "yes",
    });
  });

  test("allows the office if its ACL comes before an ACL that blocks every request", () => {
    const lists = [acl(1, { action: allow, match: office }), acl(99, { match_all: true })];
    expect(decide(lists, { ...anywhere, ip: "203.0.113.7" })).toMatchObject({ denied: "no", by: lists[0] });
    expect(decide(lists, { ...anywhere, ip: "198.51.100.1" })).toMatchObject({ denied: "yes", by: lists[1] });
    expect(decide(lists, anywhere)).toMatchObject({ denied: "perhaps", by: lists[1] });
  });
});

describe("unknown values", () => {
  test("reports the worst possible outcome and its ACL", () => {
    const lists = [acl(1, { ...germany, action: redirect }), acl(2, { match: { asns: [1] } })];
    expect(decide(lists, anywhere)).toMatchObject({
      outcome: "blocked",
      by: lists[1],
      certain: false,
      denied: "perhaps",
      because: "match.asns 1 may match the AS number, which is not known",
      endings: [{ outcome: "redirected" }, { outcome: "blocked" }, { outcome: "allowed" }],
    });
  });

  test("reports a certain block if the ACL or the action is unknown", () => {
    const lists = [acl(1, germany), acl(2, { match_all: true })];
    expect(decide(lists, anywhere)).toMatchObject({ outcome: "blocked", certain: true, denied: "yes", by: lists[1] });
    const mixed = [acl(1, { ...germany, action: redirect }), lists[1]!];
    expect(decide(mixed, anywhere)).toMatchObject({ outcome: "blocked", certain: false, denied: "yes" });
  });

  test("does not count on an ACL that only may allow the request", () => {
    const lists = [acl(1, { action: allow, match: { reputation: "good" } }), acl(2, germany)];
    expect(decide(lists, german)).toMatchObject({ outcome: "blocked", denied: "perhaps" });
  });

  test("counts an unknown action as a possible block", () => {
    for (const action of [{ challenge: true }, { block: true, log: true }, {}]) {
      const verdict = decide([acl(1, { ...germany, action })], german);
      expect(verdict).toMatchObject({ outcome: "blocked", denied: "perhaps", certain: false });
      expect(verdict.because).toMatch(/does not know the action$/);
    }
    expect(decide([acl(1, { ...germany, action: { block: true, allow: false } })], german).denied).toBe("yes");
  });

  test("may evaluate an ACL with an unknown priority before all others", () => {
    const lists = [acl(1, germany), acl(2, germany), acl(NaN, { ...germany, action: allow })];
    expect(decide(lists, german)).toMatchObject({ outcome: "blocked", denied: "perhaps", certain: false });
  });

  test("may evaluate two ACLs with equal priority in either order", () => {
    const lists = [acl(1, { ...germany, action: allow }), acl(1, germany), acl(1, { ...germany, action: log })];
    for (const order of [lists, lists.toReversed()]) {
      expect(decide(order, german)).toMatchObject({
        outcome: "blocked",
        by: lists[1],
        denied: "perhaps",
      });
    }
  });
});

/** A world of few values, including one of each kind that no ACL names. */
const world = {
  ip: [
    "10.0.0.0",
    "10.0.0.1",
    "10.0.0.2",
    "10.0.0.3",
    "11.0.0.1",
    "192.0.2.1",
    "2001:db8::",
    "2001:db8::1",
    "2001:dead::1",
  ],
  country: ["DE", "FR", "JP"],
  asn: [1, 2, 3],
  managed: [[], ["auth0.tor"], ["auth0.vpn"], ["auth0.tor", "auth0.vpn"]],
} as const;
type Fact = keyof typeof world;
const facts = Object.keys(world) as Fact[];

/** Evaluates as the service documents it, for a request with all facts known. */
function naive(lists: readonly Acl[], request: AccessRequest): { outcome: Outcome; by?: Acl } {
  const scopes: Record<Api, string[]> = {
    management: ["tenant", "management"],
    authentication: ["tenant", "authentication"],
    dynamic_client_registration: ["tenant", "authentication", "dynamic_client_registration"],
  };
  for (const list of lists.toSorted((a, b) => a.priority - b.priority)) {
    const { rule } = list;
    if (!list.active || !scopes[request.api].includes(rule.scope)) continue;
    const wanted = held(rule.match, request);
    const excluded = held(rule.not_match, request);
    if (wanted.includes(false) || excluded.includes(true)) continue;
    if (rule.action["log"]) continue;
    return { outcome: rule.action["allow"] ? "allowed" : rule.action["block"] ? "blocked" : "redirected", by: list };
  }
  return { outcome: "allowed" };
}

function held(criteria: Rule["match"], { ip, country, asn, managed }: AccessRequest): boolean[] {
  const given = criteria as Record<string, (string | number)[] | undefined> | undefined;
  if (given === undefined) return [];
  const answers: boolean[] = [];
  const { ipv4_cidrs: v4, ipv6_cidrs: v6 } = given;
  if (v4 || v6) answers.push(ip!.includes(":") ? listed(v6, ip!, "ipv6") : listed(v4, ip!, "ipv4"));
  if (given["geo_country_codes"]) answers.push(given["geo_country_codes"].includes(country!));
  if (given["asns"]) answers.push(given["asns"].includes(asn!));
  if (given["auth0_managed"]) answers.push(given["auth0_managed"].some((name) => managed!.includes(name as string)));
  return answers;
}

/** One BlockList for each family, because Node counts an IPv4 address as part of ::/0. */
function listed(texts: readonly (string | number)[] | undefined, ip: string, family: "ipv4" | "ipv6"): boolean {
  return (texts ?? []).some((text) => blockList(String(text), family).check(ip, family));
}

const blockLists = new Map<string, BlockList>();

function blockList(text: string, family: "ipv4" | "ipv6"): BlockList {
  const [address, length] = text.split("/");
  const list = blockLists.get(text) ?? new BlockList();
  if (!blockLists.has(text)) list.addSubnet(address!, Number(length), family);
  blockLists.set(text, list);
  return list;
}

const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
const lists = {
  ipv4_cidrs: some("0.0.0.0/0", "0.0.0.0/1", "128.0.0.0/1", "10.0.0.0/31", "10.0.0.2/31", "10.0.0.1/32", "10.0.0.0/30"),
  ipv6_cidrs: some("::/0", "2001:db8::/32", "2001:db8::1/128"),
  geo_country_codes: some("DE", "FR"),
  asns: some(1, 2),
  auth0_managed: some("auth0.tor", "auth0.vpn"),
};
const criteria = fc.record(lists, { requiredKeys: [] }).filter((given) => Object.keys(given).length > 0);
const anyRule = fc.record(
  {
    action: fc.constantFrom<Rule["action"]>({ allow: true }, { block: true }, { log: true }, redirect),
    scope: fc.constantFrom("tenant", "management", "authentication", "dynamic_client_registration"),
    match: criteria,
    not_match: criteria,
  },
  { requiredKeys: ["action", "scope"] },
);
const anyAcls = fc.uniqueArray(
  fc.record({ priority: fc.integer({ min: 1, max: 100 }), active: fc.nat(5).map((n) => n > 0), rule: anyRule }),
  { selector: ({ priority }) => priority, maxLength: 6 },
);
const anyApi = fc.constantFrom<Api>("management", "authentication", "dynamic_client_registration");
const whole = fc.record({
  api: anyApi,
  ip: fc.constantFrom(...world.ip),
  country: fc.constantFrom(...world.country),
  asn: fc.constantFrom(...world.asn),
  managed: fc.constantFrom(...world.managed),
});
const partial = fc
  .tuple(whole, fc.subarray(facts))
  .map(([request, forgotten]) => facts.filter((fact) => forgotten.includes(fact)).reduce(forget, request));

function forget(request: AccessRequest, fact: Fact): AccessRequest {
  const { [fact]: _, ...rest } = request;
  return rest;
}

/** Every request of the world that agrees with the known facts. */
function completions(request: AccessRequest): AccessRequest[] {
  const missing = facts.find((fact) => request[fact] === undefined);
  if (missing === undefined) return [request];
  return world[missing].flatMap((value) => completions({ ...request, [missing]: value }));
}

const runs = { numRuns: 500 };

describe("against the naive model", () => {
  test("gives a request with all facts known one certain outcome", () => {
    fc.assert(
      fc.property(anyAcls, whole, (acls, request) => {
        const verdict = decide(acls, request);
        const { outcome, by } = naive(acls, request);
        expect({ outcome: verdict.outcome, by: verdict.by }).toEqual({ outcome, by });
        expect(verdict.certain).toBe(true);
        expect(verdict.denied).toBe(outcome === "allowed" ? "no" : "yes");
      }),
      runs,
    );
  });

  test("lists every outcome that the unknown facts can lead to", () => {
    fc.assert(
      fc.property(anyAcls, partial, (acls, request) => {
        const verdict = decide(acls, request);
        for (const complete of completions(request)) {
          const { outcome, by } = naive(acls, complete);
          const denied = outcome === "allowed" ? "no" : "yes";
          const broken = {
            ending: !verdict.endings.some((ending) => ending.outcome === outcome && ending.by === by),
            certain: verdict.certain && verdict.outcome !== outcome,
            denied: verdict.denied !== "perhaps" && verdict.denied !== denied,
          };
          if (Object.values(broken).includes(true)) expect({ complete, broken }).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  test("reports no impossible ending and no false uncertainty for a single ACL", () => {
    fc.assert(
      fc.property(anyAcls, partial, (acls, request) => {
        const one = acls.slice(0, 1).filter(({ rule }) => separate(rule));
        const outcomes = new Set(completions(request).map((complete) => naive(one, complete).outcome));
        expect(new Set(decide(one, request).endings.map(({ outcome }) => outcome))).toEqual(outcomes);
      }),
      runs,
    );
  });

  test("only removes endings when a fact becomes known", () => {
    fc.assert(
      fc.property(anyAcls, whole, fc.shuffledSubarray(facts, { minLength: facts.length }), (acls, request, order) => {
        let before = decide(acls, request);
        let known: AccessRequest = request;
        for (const fact of order) {
          known = forget(known, fact);
          const less = decide(acls, known);
          for (const { outcome, by } of before.endings) {
            expect(less.endings.some((ending) => ending.outcome === outcome && ending.by === by)).toBe(true);
          }
          if (less.certain) expect([before.certain, before.outcome]).toEqual([true, less.outcome]);
          if (less.denied !== "perhaps") expect(before.denied).toBe(less.denied);
          before = less;
        }
      }),
      runs,
    );
  });

  test("ignores ACLs after the one that decides", () => {
    fc.assert(
      fc.property(anyAcls, anyAcls, partial, (acls, more, request) => {
        const decisive: Acl = { active: true, priority: 50, rule: { action: allow, scope: "tenant" } };
        const first = [...acls.filter(({ priority }) => priority < 50), decisive];
        const later = more.filter(({ priority }) => priority > 50);
        expect(decide([...later, ...first], request)).toEqual(decide(first, request));
      }),
      runs,
    );
  });

  test("gives the same outcome for every order of the input", () => {
    fc.assert(
      fc.property(
        anyAcls.chain((acls) => fc.tuple(fc.constant(acls), fc.shuffledSubarray(acls, { minLength: acls.length }))),
        partial,
        ([acls, shuffled], request) => {
          expect(decide(shuffled, request)).toEqual(decide(acls, request));
        },
      ),
      runs,
    );
  });

  test("finds rules whose criteria exclude each other, and matches no request with them", () => {
    const all = completions({ api: "management" });
    fc.assert(
      fc.property(anyRule, (rule) => {
        const one = acl(1, { ...rule, scope: "tenant", action: { block: true } });
        const nobody = all.every((request) => naive([one], request).outcome === "allowed");
        expect(neverMatches(one.rule) !== undefined).toBe(nobody);
      }),
      runs,
    );
  });
});

/** Whether no signal is in both match and not_match. Then each fact can be chosen alone. */
function separate({ match, not_match }: Rule): boolean {
  const [wanted, excluded] = [match, not_match].map((given) =>
    Object.keys(given ?? {})
      .join()
      .replaceAll("ipv4", "ipv6"),
  );
  return !wanted!.split(",").some((name) => name !== "" && excluded!.split(",").includes(name));
}
