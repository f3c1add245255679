/** Compares the evaluation of ACLs with the documentation, and with an independent evaluation of a small world. */
import { type Acl, decide, whyEnds } from "../../../src/judge/access/decide";
import type { AccessRequest } from "../../../src/judge/access/request";
import { notKnown } from "../../../src/formats/cty/value";
import { neverMatches, type Rule } from "../../../src/judge/access/rule";
import { unreachable } from "../../../src/judge/access/access";
import fc from "../../support/random";
import { block } from "./support/acl";
import { documented, evaluator, type Request, world } from "./support/requests";
import { fours, sixes } from "./support/statements";

const acl = (priority: Acl["priority"], rule: Partial<Rule>, active = true): Acl => ({
  active,
  priority,
  rule: { action: { block: true }, scope: "tenant", ...rule },
});
const allow = { allow: true };
const log = { log: true };
const redirect = { redirect: true, redirect_uri: "https://example.com/closed" };
const germany = { match: { geo_country_codes: ["DE"] } };
const german: AccessRequest = { api: "management", country: "DE" };
const anywhere: AccessRequest = { api: "management" };

describe("unknown values", () => {
  test("reports the worst possible outcome and its ACL", () => {
    const lists = [acl(1, { ...germany, action: redirect }), acl(2, { match: { asns: [1] } })];
    expect(decide(lists, anywhere)).toMatchObject({
      outcome: "blocked",
      by: lists[1],
      certain: false,
      denied: "perhaps",
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
      const open = acl(1, { ...germany, action });
      expect(decide([open], german)).toMatchObject({ outcome: "blocked", denied: "perhaps", certain: false });
      expect(whyEnds(open, german)).toEqual(
        [{ is: "criterion" }, { is: "unknown action" }].map(expect.objectContaining),
      );
    }
    expect(decide([acl(1, { ...germany, action: { block: true, allow: false } })], german).denied).toBe("yes");
  });

  test("may evaluate an ACL with an unknown priority before all others", () => {
    const lists = [acl(1, germany), acl(2, germany), acl(notKnown("a place"), { ...germany, action: allow })];
    expect(decide(lists, german)).toMatchObject({ outcome: "blocked", denied: "perhaps", certain: false });
  });

  test("may evaluate two ACLs with equal priority in either order", () => {
    const lists = [acl(1, { ...germany, action: allow }), acl(1, germany), acl(1, { ...germany, action: log })];
    for (const order of [lists, lists.toReversed()]) {
      expect(decide(order, german)).toMatchObject({ outcome: "blocked", by: lists[1], denied: "perhaps" });
    }
  });
});

const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
const lists = {
  ipv4_cidrs: some(...fours),
  ipv6_cidrs: some(...sixes),
  connecting_ipv4_cidrs: some("0.0.0.0/0", "10.0.0.0/8"),
  geo_country_codes: some("DE", "US"),
  auth0_managed: some("auth0.tor", "auth0.vpn"),
};
const criteria = fc.record(lists, { requiredKeys: [] }).filter((given) => Object.keys(given).length > 0);
const anyRule = fc.record(
  {
    action: fc.constantFrom<Rule["action"]>(allow, { block: true }, log, { redirect: true }),
    scope: fc.constantFrom("tenant", "management", "authentication", "dynamic_client_registration"),
    match: criteria,
    not_match: criteria,
  },
  { requiredKeys: ["action", "scope"] },
);
const anyAcls = fc
  .uniqueArray(
    fc.record({ priority: fc.integer({ min: 1, max: 100 }), active: fc.nat(5).map((n) => n > 0), rule: anyRule }),
    { selector: ({ priority }) => priority, maxLength: 6 },
  )
  .map((acls) => acls.map((one): Acl => ({ ...one, key: String(one.priority) })));

const facts = ["ip", "connecting", "place", "managed"] as const;
type Fact = (typeof facts)[number];
const requests = world.filter(({ agent }) => agent === "");
const anyRequest = fc.constantFrom(...requests);

/** The request of the world as `decide` reads it, without the forgotten facts. */
function asked({ api, ip, connecting, place, managed }: Request, forgotten: readonly Fact[] = []): AccessRequest {
  const known = {
    ip: { ip },
    connecting: { connecting_ip: connecting },
    place: { country: place.slice(0, 2), subdivision: place.slice(3) && place },
    managed: { managed: managed.split(" ").filter((name) => name !== "") },
  };
  const kept = facts.filter((fact) => !forgotten.includes(fact)).map((fact) => known[fact]);
  return { api: api as AccessRequest["api"], ...(Object.assign({}, ...kept) as object) };
}

/** Every request of the world that agrees with the known facts. */
const completions = (request: Request, forgotten: readonly Fact[]): readonly Request[] =>
  requests.filter((other) =>
    (["api", ...facts] as const).every((fact) => forgotten.includes(fact as Fact) || other[fact] === request[fact]),
  );

const runs = { numRuns: 500 };
const outcomeOf = ({ outcome }: { outcome: string }) => (outcome === "reached" ? "allowed" : outcome);

describe("against an independent evaluation", () => {
  test("gives a request with all facts known one certain outcome", () => {
    fc.assert(
      fc.property(anyAcls, anyRequest, (acls, request) => {
        const { outcome, by, certain, denied, endings } = decide(acls, asked(request));
        const end = evaluator(acls, documented)(request);
        expect([outcome, by?.key, certain]).toEqual([outcomeOf(end), end.by, true]);
        expect(endings).toHaveLength(1);
        expect(denied).toBe(outcome === "allowed" ? "no" : "yes");
      }),
      runs,
    );
  });

  test("lists every outcome that the unknown facts can lead to, in whatever order the ACLs are given", () => {
    fc.assert(
      fc.property(anyAcls, anyRequest, fc.subarray([...facts]), (acls, request, forgotten) => {
        const verdict = decide(acls, asked(request, forgotten));
        expect(decide(acls.toReversed(), asked(request, forgotten))).toEqual(verdict);
        const endOf = evaluator(acls, documented);
        const ends = completions(request, forgotten).map(endOf);
        const listed = new Set(verdict.endings.map(({ outcome, by }) => `${outcome} ${by?.key}`));
        expect(ends.filter((end) => !listed.has(`${outcomeOf(end)} ${end.by}`))).toEqual([]);
        const outcomes = [...new Set(ends.map(outcomeOf))];
        if (verdict.certain) expect(outcomes).toEqual([verdict.outcome]);
        if (verdict.denied === "no") expect(outcomes).toEqual(["allowed"]);
        if (verdict.denied === "yes") expect(outcomes).not.toContain("allowed");
      }),
      runs,
    );
  });

  test("reports no impossible ending and no false uncertainty for a single ACL", () => {
    fc.assert(
      fc.property(anyAcls, anyRequest, fc.subarray([...facts]), (acls, request, forgotten) => {
        const one = acls.slice(0, 1).filter(({ rule }) => separate(rule));
        const outcomes = completions(request, forgotten).map((each) => outcomeOf(evaluator(one, documented)(each)));
        const { endings } = decide(one, asked(request, forgotten));
        expect(new Set(endings.map(({ outcome }) => outcome))).toEqual(new Set(outcomes));
      }),
      { numRuns: 200 },
    );
  });

  test("finds rules whose criteria exclude each other, and matches no request with them", () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const one: Acl = { ...acl(1, { ...rule, scope: "tenant", action: { block: true } }), key: "one" };
        const endOf = evaluator([one], documented);
        expect(neverMatches(one.rule) !== undefined).toBe(requests.every((request) => endOf(request).by === undefined));
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

const shadowedBy = (...acls: Acl[]) =>
  unreachable(acls).map(({ acl: { key }, shadowedBy: others }) => [key, ...others.map((other) => other.key)]);

const six = block({ match: { ipv6_cidrs: ["::/0"] } }, 1, "six");
const four = block({ match: { ipv4_cidrs: ["0.0.0.0/0"] } }, 2, "four");

test("names ACLs that shadow another one together, in order of evaluation", () => {
  expect(shadowedBy(six, four, block({ match: { asns: [1] } }, 3, "late"))).toEqual([["late", "six", "four"]]);
});

test("names the single ACL that shadows another one, not two that do it together", () => {
  const one = block({ match: { asns: [1] } }, 1, "one");
  const two = block({ match: { asns: [2] } }, 2, "two");
  const both = block({ match: { asns: [1, 2, 3] } }, 3, "both");
  expect(shadowedBy(one, two, both, block({ match: { asns: [1, 2] } }, 4, "late"))).toEqual([["late", "both"]]);
});

test("shadows a logging ACL only by the ACLs before it", () => {
  const logging = (priority: number, key: string) =>
    block({ action: { log: true }, match: { asns: [1] } }, priority, key);
  const wall = block({ match_all: true }, 4, "wall");
  expect(shadowedBy(six, four, logging(3, "late"), wall, logging(5, "later"))).toEqual([
    ["late", "six", "four"],
    ["wall", "six", "four"],
    ["later", "wall"],
  ]);
});

test("names no other ACL if the criteria contradict each other", () => {
  expect(shadowedBy(block({ match: { asns: [1] }, not_match: { asns: [1] } }, 1, "none"))).toEqual([["none"]]);
});
