/** Compares the exact difference with brute force: every request of a small world under all assumptions. */
import fc from "../support/random";
import { notKnown } from "../../src/access/assumptions";
import { createComparison } from "../../src/access/comparison";
import type { Acl } from "../../src/access/decide";
import { difference, loggingChanges, type Change } from "../../src/access/difference";
import type { Rule } from "../../src/access/rule";
import { unreachable } from "../../src/access/unreachable";
import { expectSeen } from "../support/seed";
import { block } from "./support/acl";
import { documented, evaluator, world, type Choice, type End, type Request } from "./support/requests";
import { fours, inWorld, sixes } from "./support/statements";

const someOf = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
const criteria = fc.record(
  {
    ipv4_cidrs: someOf(...fours),
    ipv6_cidrs: someOf(...sixes),
    connecting_ipv4_cidrs: someOf("0.0.0.0/0", "10.0.0.0/8"),
    connecting_ipv6_cidrs: someOf("::/0"),
    geo_country_codes: someOf("DE", "US"),
    geo_subdivision_codes: someOf("US-CA"),
    auth0_managed: someOf("auth0.tor", "auth0.vpn"),
  },
  { requiredKeys: [] },
);
const few = fc.oneof(
  { arbitrary: criteria.map((given) => Object.fromEntries(Object.entries(given).slice(0, 2))), weight: 6 },
  // One signal, or two.
  { arbitrary: fc.constant({ connecting_ipv4_cidrs: ["10.0.0.0/8"], connecting_ipv6_cidrs: ["::/0"] }), weight: 1 },
) as fc.Arbitrary<NonNullable<Rule["match"]>>;
const anyRule = fc.record(
  {
    action: fc.constantFrom<Rule["action"]>(
      { allow: true },
      { block: true },
      { log: true },
      { redirect: true, redirect_uri: "https://a.example" },
      { redirect: true, redirect_uri: "https://b.example" },
    ),
    scope: fc.constantFrom("tenant", "management", "authentication", "dynamic_client_registration"),
    match: few,
    not_match: few,
  },
  { requiredKeys: ["action", "scope"] },
);
const anyAcls = (side: string) =>
  fc
    .array(fc.record({ active: fc.nat(6).map((n) => n > 0), rule: anyRule }), { maxLength: 4 })
    .map((list) => list.map((acl, index): Acl => ({ ...acl, priority: index + 1, key: `${side}${index}` })));
/** Versions that share ACLs, like those of a real change. */
const versions = fc
  .tuple(anyAcls("a"), anyAcls("b"), fc.func(fc.boolean()))
  .map(([one, two, keep]) => [one, one.flatMap((acl, index) => (keep(index) ? [acl] : two.slice(index, index + 1)))]);

/** The first one is the documented choice. */
const choices: Choice[] = [documented, { ...documented, pair: "two" }];

/** For each choice: both endings of a request. */
function modelOf(before: readonly Acl[], after: readonly Acl[]) {
  const models = choices.map((choice) => [evaluator(before, choice), evaluator(after, choice)] as const);
  return (request: Request) => models.map(([one, other]) => [one(request), other(request)] as const);
}

const told = ({ by = "", outcome }: End) => `${by} ${outcome}`;

function brute(before: readonly Acl[], after: readonly Acl[]): Map<string, "certain" | "possible"> {
  const found = new Map<string, "certain" | "possible">();
  const endsOf = modelOf(before, after);
  for (const request of world) {
    const ways = endsOf(request);
    for (const [one, other] of ways) {
      if (one.outcome === other.outcome) continue;
      const isSame = ways.every(([first, second]) => first.outcome === one.outcome && second.outcome === other.outcome);
      const always = isSame && ways[0]![0].by === one.by && ways[0]![1].by === other.by;
      const key = `${told(one)} ${told(other)}`;
      if (always || !found.has(key)) found.set(key, always ? "certain" : "possible");
    }
  }
  return found;
}

/** In the words of the evaluator. */
const endOf = ({ outcome, redirect_uri = "", acl }: Change<Acl>["before"]): End => ({
  ...(acl?.key !== undefined && { by: acl.key }),
  outcome: (outcome === "allowed" ? "reached" : outcome) + redirect_uri,
  logged: false,
});

const certaintyByPair = (changes: readonly Change<Acl>[]) =>
  new Map(changes.map(({ before, after, certainty }) => [`${told(endOf(before))} ${told(endOf(after))}`, certainty]));

const between = (before: readonly Acl[], after: readonly Acl[]) => difference(createComparison(before, after));

test("finds exactly the pairs of ACLs whose outcome changes, each with its certainty and a witness", () => {
  const seen = { certain: 0, possible: 0, equivalent: 0 };
  fc.assert(
    fc.property(versions, ([before, after]) => {
      const { changes, verdict, proven } = between(before!, after!);
      const expected = brute(before!, after!);
      expect(certaintyByPair(changes)).toEqual(expected);
      expect(proven).toBe(![...expected.values()].includes("possible"));
      expect(verdict === "equivalent").toBe(expected.size === 0);
      if (expected.size === 0) seen.equivalent++;
      for (const certainty of expected.values()) seen[certainty]++;
      const endsOf = modelOf(before!, after!);
      for (const { before: was, after: is, certainty, witness, assumptions } of changes) {
        const ways = endsOf(inWorld(witness!)).map(([one, other]) => `${told(one)} ${told(other)}`);
        const pair = `${told(endOf(was))} ${told(endOf(is))}`;
        // If the change is certain, other ACLs may decide under another choice.
        expect(certainty === "certain" ? ways.slice(0, 1) : ways).toContain(pair);
        expect(assumptions.length > 0).toBe(certainty === "possible");
      }
    }),
    { numRuns: 700 },
  );
  // The values of the world make all of these frequent.
  expectSeen(Math.min(...Object.values(seen)), 10);
});

test("keeps the certainty of other changes if some ACLs have too many uncertainties", () => {
  const open = Array.from({ length: 7 }, (_, at) =>
    block({ action: { log: true }, match: { asns: notKnown(`new${at}`) } }, at + 10),
  );
  fc.assert(
    fc.property(versions, ([before, after]) => {
      const { changes, proven } = between([...before!, ...open], [...after!, ...open]);
      expect(certaintyByPair(changes)).toEqual(brute(before!, after!));
      expect(proven).toBe(false);
    }),
    { numRuns: 30 },
  );
});

test("names an unreachable ACL with ACLs that shadow it, of which none can be left out", () => {
  let hidden = 0;
  fc.assert(
    fc.property(versions, ([, after]) => {
      const order = after!.filter(({ active }) => active);
      const deciding = (acl: Acl): Acl => ({ ...acl, rule: { ...acl.rule, action: { block: true } } });
      const reached = (acl: Acl, earlier: readonly Acl[], choice: Choice) => {
        const endAt = evaluator([...earlier.filter(({ rule }) => !rule.action["log"]), deciding(acl)], choice);
        return world.some((request) => endAt(request).by === acl.key);
      };
      const expected = order.filter((acl, index) =>
        choices.every((choice) => !reached(acl, order.slice(0, index), choice)),
      );
      const hiddenOnes = unreachable(createComparison([], after!));
      expect(hiddenOnes.map(({ acl }) => acl.key)).toEqual(expected.map(({ key }) => key));
      for (const { acl, shadowedBy } of hiddenOnes) {
        hidden++;
        const earlier = order.slice(0, order.indexOf(acl));
        const suffices = (others: readonly Acl[]) => !reached(acl, others, documented);
        expect(shadowedBy.every((other) => earlier.includes(other)) && suffices(shadowedBy)).toBe(true);
        for (const one of shadowedBy) expect(suffices(shadowedBy.filter((other) => other !== one))).toBe(false);
        if (shadowedBy.length > 1) expect(earlier.filter((one) => suffices([one]))).toEqual([]);
      }
    }),
    { numRuns: 400 },
  );
  expectSeen(hidden, 50);
});

test("finds requests that the tenant newly records or no longer records, and whether that is certain", () => {
  const found = { certain: 0, possible: 0 };
  fc.assert(
    fc.property(versions, ([before, after]) => {
      const changes = loggingChanges(createComparison(before!, after!));
      const isRecorded = ({ outcome, logged }: End) => logged || outcome === "blocked";
      const recording = (acls: readonly Acl[]) =>
        acls.map((acl) => (acl.rule.action["log"] ? { ...acl, rule: { ...acl.rule, action: { block: true } } } : acl));
      const only = (here: readonly Acl[], there: readonly Acl[]) =>
        here.flatMap((acl) => {
          if (!acl.active || !acl.rule.action["log"]) return [];
          const models = choices.map(
            (choice) => [evaluator(recording(here), choice), evaluator(there, choice)] as const,
          );
          const ways = models.map(([first, other], index) => (request: Request) => {
            const own = first(request);
            return (index === 0 ? own.by === acl.key : isRecorded(own)) && !isRecorded(other(request));
          });
          if (!world.some(ways[0]!)) return [];
          return [[acl.key, world.some((request) => ways.every((way) => way(request))) ? "certain" : "possible"]];
        });
      const sides = (some: typeof changes.lost) => some.map(({ acl, certainty }) => [acl.key, certainty]);
      expect(sides(changes.lost)).toEqual(only(before!, after!));
      expect(sides(changes.gained)).toEqual(only(after!, before!));
      for (const { certainty } of [...changes.lost, ...changes.gained]) found[certainty]++;
    }),
    { numRuns: 400 },
  );
  expectSeen(found.certain, 20);
  expectSeen(found.possible, 0);
});

describe("values that are not known yet", () => {
  const open = notKnown("tenant_network_acl.new");

  test("reports a possible block for a partly unknown list, and a certain one for its known entries", () => {
    const [change, ...more] = between([], [block({ match: { ipv4_cidrs: open } })]).changes;
    expect([change!.certainty, more]).toEqual(["possible", []]);
    expect(change!.assumptions).toEqual(["tenant_network_acl.new lets the rule match"]);
    expect(between([], [block({ match: { ipv4_cidrs: ["10.0.0.1", open] } })])).toMatchObject({
      changes: [{ certainty: "certain", witness: { ip: "10.0.0.1" } }],
    });
  });

  test("reports a change as certain if it differs for every value", () => {
    const before = [block({ match: { asns: [1] } }), block({ match_all: true }, 2)];
    const after = [block({ match: { asns: open, geo_country_codes: ["DE"] } })];
    const { verdict, changes } = between(before, after);
    expect(verdict).toBe("more_permissive");
    expect(changes.map(({ certainty }) => certainty)).toEqual(["certain", "certain"]);
  });

  test("tries every action and redirect target", () => {
    const action = open as unknown as Rule["action"];
    const outcomes = between([], [block({ action, match: { asns: [1] } })]).changes.map(({ after }) => after.outcome);
    expect(outcomes.toSorted()).toEqual(["blocked", "redirected"]);
    const to = (redirect_uri: unknown) => block({ action: { redirect: true, redirect_uri }, match: { asns: [1] } });
    expect(between([to("https://a.example")], [to(open)]).changes).toMatchObject([
      { certainty: "possible", after: { redirect_uri: "another URI" } },
    ]);
    expect(between([to("another URI")], [to(open)])).toMatchObject({ verdict: "incomparable", proven: false });
  });

  test("tries every priority", () => {
    const allow = block({ action: { allow: true }, match: { asns: [1] } }, 5, "allow");
    const { changes } = between([allow], [allow, block({ match_all: true }, NaN, "new")]);
    const certainties = changes.map((change) => [change.before.acl?.key, change.certainty]);
    expect(certainties).toEqual([
      ["allow", "possible"],
      [undefined, "certain"],
    ]);
    expect(changes[0]!.assumptions).toEqual(["new is evaluated first"]);
  });

  test("tries both orders of two unknown priorities", () => {
    const allow = block({ action: { allow: true }, match: { asns: [1] } }, NaN, "allow");
    const deny = block({ match: { asns: [1] } }, NaN, "deny");
    for (const after of [
      [allow, deny],
      [deny, allow],
    ]) {
      expect(between([], after)).toMatchObject({
        verdict: "less_permissive",
        proven: false,
        changes: [
          {
            certainty: "possible",
            assumptions: ["deny is evaluated before allow, with priorities that are equal or not known yet"],
          },
        ],
      });
      expect(unreachable(createComparison([], after))).toEqual([]);
    }
    const unplaced = block({ match: { asns: [2] } }, NaN, "unplaced");
    const tied = [
      { ...allow, priority: 1 },
      { ...deny, priority: 1 },
    ];
    expect(between([], [...tied, unplaced]).changes).toMatchObject([
      { after: { acl: unplaced }, certainty: "certain" },
      { certainty: "possible", assumptions: ["deny is evaluated before allow, with equal priorities"] },
    ]);
  });

  test("reports no change for unchanged lists, scopes and properties of a later version", () => {
    const later = [
      block({ match: { threat: ["high"] } }, 1),
      block({ scope: "billing" }, 2),
      { ...block({}, 3), rule: { ...block({}).rule, sampling: 10 } },
      block({ action: { challenge: true } }, 4),
    ];
    expect(between(later, later)).toEqual({ verdict: "equivalent", proven: true, changes: [] });
    expect(between(later, [])).toMatchObject({ verdict: "more_permissive", proven: false });
  });

  test("does not report a proof if there are too many uncertainties for all combinations", () => {
    const scope = "authentication";
    const many = Array.from({ length: 8 }, (_, at) => block({ match: { asns: notKnown(`new${at}`) }, scope }, at + 1));
    const office = block({ match: { ipv4_cidrs: ["10.0.0.0/8"] }, scope: "management" }, 20);
    const { proven, changes } = between([], [...many, office]);
    expect(proven).toBe(false);
    expect(changes.find(({ after }) => after.acl === office)).toMatchObject({ certainty: "certain" });
    expect(changes.filter(({ certainty }) => certainty === "possible")).toHaveLength(8);
  });
});

describe("behaviour that the service does not document", () => {
  test("tries both orders of equal priorities, the same order before and after", () => {
    const allow = block({ action: { allow: true }, match: { asns: [1] } }, 1, "allow");
    const deny = block({ match: { geo_country_codes: ["DE"] } }, 1, "deny");
    expect(between([allow, deny], [deny, allow])).toMatchObject({ verdict: "equivalent", proven: true });
    const { changes } = between([deny], [allow, deny]);
    expect(changes).toMatchObject([
      { certainty: "possible", assumptions: ["allow is evaluated before deny, with equal priorities"] },
    ]);
    const swapped = [
      { ...allow, priority: 1 },
      { ...deny, priority: 2 },
    ];
    const { proven } = between(swapped, [
      { ...allow, priority: 2 },
      { ...deny, priority: 1 },
    ]);
    expect(proven).toBe(true);
  });

  test("tries codes in another letter case", () => {
    const written = (code: string) => [block({ match: { geo_country_codes: [code] } })];
    expect(between(written("de"), written("DE")).changes).toMatchObject([
      { certainty: "possible", assumptions: ["codes and fingerprints are case-sensitive"] },
    ]);
    expect(between([], written("DE")).changes).toMatchObject([{ certainty: "certain", witness: { country: "DE" } }]);
    // The change names another uncertainty only where it decides.
    const beside = (scope: Rule["scope"]) => {
      const other = block({ match: { asns: notKnown("other") }, scope }, 2);
      const scoped = (code: string) => [block({ match: { geo_country_codes: [code] }, scope: "management" }), other];
      return between(scoped("de"), scoped("DE")).changes.map(({ assumptions }) => assumptions);
    };
    const exact = "codes and fingerprints are case-sensitive";
    expect(beside("management")).toEqual([[exact, "other keeps the rule from matching"]]);
    expect(beside("authentication")).toEqual([[exact]]);
    const host = (name: string) => [block({ match: { hostnames: [name] } })];
    expect(between(host("A.example.com"), host("a.example.com")).verdict).toBe("equivalent");
  });
});

test.each<[string, Acl[], Acl[], string]>([
  ["a block added", [], [block({ match: { asns: [1] } })], "less_permissive"],
  ["a block removed", [block({ match: { asns: [1] } })], [], "more_permissive"],
  [
    "a block becomes a redirect",
    [block({ match: { asns: [1] } })],
    [block({ action: { redirect: true, redirect_uri: "https://a.example" }, match: { asns: [1] } })],
    "more_permissive",
  ],
  [
    "another redirect target",
    [block({ action: { redirect: true, redirect_uri: "https://a.example" }, match: { asns: [1] } })],
    [block({ action: { redirect: true, redirect_uri: "https://b.example" }, match: { asns: [1] } })],
    "incomparable",
  ],
  ["one for another", [block({ match: { asns: [1] } })], [block({ match: { asns: [2] } })], "incomparable"],
  [
    "the same block in two halves",
    [block({ match: { ipv4_cidrs: ["10.0.0.0/8"] } })],
    [block({ match: { ipv4_cidrs: ["10.0.0.0/9"] } }), block({ match: { ipv4_cidrs: ["10.128.0.1/9"] } }, 2)],
    "equivalent",
  ],
  [
    "a region of a country that is blocked",
    [block({ match: { geo_country_codes: ["US"] } })],
    [block({ match: { geo_country_codes: ["US"] } }), block({ match: { geo_subdivision_codes: ["US-CA"] } }, 2)],
    "equivalent",
  ],
  ["switched off", [block({ match_all: true })], [{ ...block({ match_all: true }), active: false }], "more_permissive"],
])("gives the verdict: %s", (_, before, after, verdict) => {
  expect(between(before, after).verdict).toBe(verdict);
});

describe("ACLs that only look alike", () => {
  test.each<[string, Rule["match"], Rule["match"]]>([
    ["a line break in an entry", { user_agents: ["evil\nworse"] }, { user_agents: ["evil", "worse"] }],
    ["a comma in an entry", { user_agents: ["evil,worse"] }, { user_agents: ["evil", "worse"] }],
    ["quotes in an entry", { user_agents: ['evil","worse'] }, { user_agents: ["evil", "worse"] }],
    ["a line break between curated lists", { auth0_managed: ["a\nb"] }, { auth0_managed: ["a", "b"] }],
    [
      "a line break between key ids",
      { http_message_signature: { keys: [{ id: "a\nb" }] } },
      { http_message_signature: { keys: [{ id: "a" }, { id: "b" }] } },
    ],
    ["a line break between countries", { geo_country_codes: ["KP\nIR"] }, { geo_country_codes: ["KP", "IR"] }],
    ["a country and a subdivision", { geo_country_codes: ["KP"] }, { geo_subdivision_codes: ["KP"] }],
    ["a subdivision and a country", { geo_subdivision_codes: ["US-CA"] }, { geo_country_codes: ["US-CA"] }],
    ["a country and a subdivision, small", { geo_country_codes: ["kp"] }, { geo_subdivision_codes: ["kp"] }],
    ["two kinds of fingerprints", { ja3_fingerprints: ["a"] }, { ja4_fingerprints: ["a"] }],
    ["a user agent and a host name", { user_agents: ["a.example"] }, { hostnames: ["a.example"] }],
    [
      "an address that is none and two",
      { ipv4_cidrs: ["10.0.0.1\n10.0.0.2"] },
      { ipv4_cidrs: ["10.0.0.1", "10.0.0.2"] },
    ],
    ["two that are no addresses", { ipv4_cidrs: ["10.0.0.1\n"] }, { ipv4_cidrs: ["10.0.0.2\n"] }],
  ])("keeps apart %s", (_, one, other) => {
    for (const side of ["match", "not_match"] as const) {
      const found = between([block({ [side]: one })], [block({ [side]: other })]);
      const back = between([block({ [side]: other })], [block({ [side]: one })]);
      expect([found.verdict, back.verdict]).not.toContain("equivalent");
      expect(between([block({ [side]: one })], [block({ [side]: one })])).toMatchObject({
        verdict: "equivalent",
        proven: true,
      });
    }
  });

  test("may place a subdivision without a country code in any country", () => {
    const subdivision = block({ match: { geo_subdivision_codes: ["KP"] } });
    const country = block({ match: { geo_country_codes: ["KP"] } }, 2);
    const { verdict, changes } = between([country], [subdivision, country]);
    expect(verdict).toBe("less_permissive");
    expect(changes).toMatchObject([{ certainty: "certain", witness: { subdivision: "KP" } }]);
    expect(unreachable(createComparison([], [{ ...country, priority: 0 }, subdivision]))).toEqual([]);
  });

  test("keeps a subdivision in its country", () => {
    const open = block({ action: { allow: true }, match: { geo_country_codes: ["US"] } });
    const closed = block({ match: { geo_subdivision_codes: ["US-CA"] } }, 2);
    expect(between([open], [open, closed])).toMatchObject({ verdict: "equivalent", proven: true });
    const [change] = between([], [closed]).changes;
    expect(change!.witness).toMatchObject({ country: "US", subdivision: "US-CA" });
  });
});

test("keeps unknown redirects apart for every other target", () => {
  const to = (redirect_uri: unknown, asn: number, key: string) =>
    block({ action: { redirect: true, redirect_uri }, match: { asns: [asn] } }, asn, key);
  const uris = ["u", "w", "u|1,redirected,v", "v|1,redirected,w"];
  const others = uris.map((uri, index) => to(uri, index + 2, `other${index}`));
  const { changes } = between([to(notKnown("one"), 1, "a")], [to(notKnown("two"), 1, "b"), ...others]);
  // Each redirect has one of the four targets or another one: 25 pairs, and 5 of them are equal.
  expect(changes.filter(({ before, after }) => before.acl?.key === "a" && after.acl?.key === "b")).toHaveLength(20);
});

test("reports a pair that exceeds the budget as not decided, and proves nothing", () => {
  const comparison = createComparison([], [block({ match: { asns: [1] } })]);
  expect(difference(comparison, { perPair: 0 })).toEqual({
    verdict: "less_permissive",
    proven: false,
    changes: [
      {
        before: { outcome: "allowed" },
        after: { outcome: "blocked", acl: comparison.after[0] },
        certainty: "not decided",
        assumptions: [],
      },
    ],
  });
});

test("shares one budget between all pairs", () => {
  const comparison = createComparison([], [block({ match: { asns: [1] } }), block({ match: { asns: [2] } }, 2)]);
  const certainties = (inAll: number) => difference(comparison, { inAll }).changes.map(({ certainty }) => certainty);
  expect(certainties(1)).toEqual(["certain", "not decided"]);
  expect(certainties(2)).toEqual(["certain", "certain"]);
});

test("picks the plainest witness", () => {
  const office = block({ action: { allow: true }, match: { ipv4_cidrs: ["198.51.100.0/24"] } });
  const [change] = between([office], [office, block({ scope: "management", match_all: true }, 2)]).changes;
  expect(change!.witness).toEqual({
    api: "management",
    path: "/api/v2/",
    ip: "203.0.113.7",
    connecting_ip: "203.0.113.7",
    managed: [],
  });
});
