/** Compares the exact difference with brute force: every request of a small world under all assumptions. */
import fc from "../support/random";
import { parseBlock } from "../../src/access/cidr";
import { createComparison } from "../../src/access/comparison";
import type { Acl } from "../../src/access/decide";
import { difference, loggingChanges, type Change } from "../../src/access/difference";
import { notKnown } from "../../src/access/assumptions";
import { unreachable } from "../../src/access/unreachable";
import type { Rule } from "../../src/access/rule";
import type { WholeRequest } from "../../src/access/space";
import { block } from "./support/acl";
import { expectSeen } from "../support/seed";

/** Behaviour that the service does not document. */
interface Choice {
  readonly pair: "one" | "two";
}

/** Includes a value of each kind that no ACL names. An address represents the interval that starts with it. */
const dimensions = {
  api: ["management", "authentication", "dynamic_client_registration"],
  ip: ["10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.4", "11.0.0.0", "2001:db8::", "2001:db9::"],
  connecting: ["10.0.0.0", "11.0.0.0", "2001:db8::", "2001:db9::"],
  place: ["", "DE", "US", "US-CA"],
  managed: ["", "auth0.tor", "auth0.vpn", "auth0.tor auth0.vpn"],
} as const;
type Dimension = keyof typeof dimensions;
/** The index of a value in each dimension. */
type Request = Readonly<Record<Dimension, number>>;

const world: Request[] = [...dimensions.api.keys()].flatMap((api) =>
  [...dimensions.ip.keys()].flatMap((ip) =>
    [...dimensions.connecting.keys()].flatMap((connecting) =>
      [...dimensions.place.keys()].flatMap((place) =>
        [...dimensions.managed.keys()].map((managed) => ({ api, ip, connecting, place, managed })),
      ),
    ),
  ),
);

/** Entry -> the values that it matches. */
const inside: Record<string, readonly string[]> = {
  "0.0.0.0/0": ["10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.4", "11.0.0.0"],
  "10.0.0.0/31": ["10.0.0.0", "10.0.0.1"],
  "10.0.0.1": ["10.0.0.1"],
  "10.0.0.0/30": ["10.0.0.0", "10.0.0.1", "10.0.0.2"],
  "10.0.0.0/8": ["10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.4"],
  "::/0": ["2001:db8::", "2001:db9::"],
  "2001:db8::/32": ["2001:db8::"],
  DE: ["DE"],
  US: ["US", "US-CA"],
  "US-CA": ["US-CA"],
  "auth0.tor": ["auth0.tor", "auth0.tor auth0.vpn"],
  "auth0.vpn": ["auth0.vpn", "auth0.tor auth0.vpn"],
  management: ["management"],
  authentication: ["authentication", "dynamic_client_registration"],
  dynamic_client_registration: ["dynamic_client_registration"],
  tenant: ["management", "authentication", "dynamic_client_registration"],
};

/** For each value of a dimension: whether an entry matches it. */
interface Signal {
  readonly dimension: Dimension;
  readonly held: readonly boolean[];
}

function signalOf(dimension: Dimension, entries: readonly string[]): Signal {
  const values: readonly string[] = dimensions[dimension];
  return { dimension, held: values.map((value) => entries.some((entry) => inside[entry]!.includes(value))) };
}

function signalsOf(given: Rule["match"], { pair }: Choice): Signal[] {
  const lists = (given ?? {}) as Record<string, string[] | undefined>;
  const { ipv4_cidrs: v4, ipv6_cidrs: v6, connecting_ipv4_cidrs: c4, connecting_ipv6_cidrs: c6 } = lists;
  const joined = (dimension: Dimension, ...parts: (string[] | undefined)[]) => {
    const present = parts.filter((part) => part !== undefined);
    return present.length > 0 ? [signalOf(dimension, present.flat())] : [];
  };
  const apart = [...joined("connecting", c4), ...joined("connecting", c6)];
  return [
    ...joined("ip", v4, v6),
    ...(pair === "two" ? apart : joined("connecting", c4, c6)),
    ...joined("place", lists["geo_country_codes"]),
    ...joined("place", lists["geo_subdivision_codes"]),
    ...joined("managed", lists["auth0_managed"]),
  ];
}

type Test = (request: Request) => boolean;

function testOf({ scope, match, not_match }: Rule, choice: Choice): Test {
  const wanted = [signalOf("api", [scope]), ...signalsOf(match, choice)];
  const excluded = signalsOf(not_match, choice);
  const holds =
    (request: Request) =>
    ({ dimension, held }: Signal) =>
      held[request[dimension]]!;
  return (request) => {
    return !excluded.some(holds(request)) && wanted.every(holds(request));
  };
}

interface End {
  readonly by?: string;
  readonly outcome: string;
  readonly recorded: boolean;
}

/** The documented evaluation, prepared for many requests. */
function model(acls: readonly Acl[], choice: Choice): (request: Request) => End {
  const order = acls
    .filter(({ active }) => active)
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ key, rule: { action }, rule }) => {
      const outcome = action["allow"]
        ? "allowed"
        : action["redirect"]
          ? `redirected${action["redirect_uri"]}`
          : "blocked";
      return { by: key, holds: testOf(rule, choice), log: Boolean(action["log"]), outcome };
    });
  return (request) => {
    let recorded = false;
    for (const { by, holds, log, outcome } of order) {
      if (!holds(request)) continue;
      if (!log) return { by, outcome, recorded };
      recorded = true;
    }
    return { outcome: "allowed", recorded };
  };
}

const someOf = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
const criteria = fc.record(
  {
    ipv4_cidrs: someOf("0.0.0.0/0", "10.0.0.0/31", "10.0.0.1", "10.0.0.0/30", "10.0.0.0/8"),
    ipv6_cidrs: someOf("::/0", "2001:db8::/32"),
    connecting_ipv4_cidrs: someOf("0.0.0.0/0", "10.0.0.0/8"),
    connecting_ipv6_cidrs: someOf("2001:db8::/32"),
    geo_country_codes: someOf("DE", "US"),
    geo_subdivision_codes: someOf("US-CA"),
    auth0_managed: someOf("auth0.tor", "auth0.vpn"),
  },
  { requiredKeys: [] },
);
const few = criteria.map((given) => Object.fromEntries(Object.entries(given).slice(0, 2)) as Rule["match"]);
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
const choices: Choice[] = [{ pair: "one" }, { pair: "two" }];

function brute(before: readonly Acl[], after: readonly Acl[]): Map<string, "certain" | "possible"> {
  const found = new Map<string, "certain" | "possible">();
  const models = choices.map((choice) => [model(before, choice), model(after, choice)] as const);
  for (const request of world) {
    const ways = models.map(([one, other]) => [one(request), other(request)] as const);
    const [[documentedOne, documentedOther]] = ways as [(typeof ways)[number]];
    for (const [one, other] of ways) {
      if (one.outcome === other.outcome) continue;
      const always =
        ways.every(([first, second]) => first.outcome === one.outcome && second.outcome === other.outcome) &&
        documentedOne.by === one.by &&
        documentedOther.by === other.by;
      const key = `${one.by ?? ""} ${one.outcome} ${other.by ?? ""} ${other.outcome}`;
      if (always || !found.has(key)) found.set(key, always ? "certain" : "possible");
    }
  }
  return found;
}

const told = (side: { outcome: string; redirect_uri?: string; acl?: Acl }) =>
  `${side.acl?.key ?? ""} ${side.outcome}${side.redirect_uri ?? ""}`;

const certaintyByPair = (changes: readonly Change<Acl>[]) =>
  new Map(changes.map((change) => [`${told(change.before)} ${told(change.after)}`, change.certainty]));

/** The request of the world that the ACLs cannot distinguish from the given one. */
function asInWorld({ api, ip, connecting_ip, country, subdivision, managed = [] }: WholeRequest): Request {
  const value = (dimension: Dimension, text: string) => (dimensions[dimension] as readonly string[]).indexOf(text);
  const address = (dimension: Dimension, text: string) => {
    const { family, first } = parseBlock(text)!;
    const starts = dimensions[dimension].map((start) => parseBlock(start)!);
    const at = starts.findLastIndex((start) => start.family === family && start.first <= first);
    // Addresses before the first interval are in no list, like those of the last interval.
    return at >= 0 ? at : starts.findLastIndex((start) => start.family === family);
  };
  return {
    api: value("api", api),
    ip: address("ip", ip),
    connecting: address("connecting", connecting_ip),
    place: value("place", subdivision ?? country ?? ""),
    managed: value("managed", managed.toSorted().join(" ")),
  };
}

const between = (before: readonly Acl[], after: readonly Acl[]) => difference(createComparison(before, after));

test("finds exactly the pairs of ACLs whose outcome changes, each with its certainty", () => {
  const seen = { certain: 0, possible: 0, equivalent: 0 };
  fc.assert(
    fc.property(versions, ([before, after]) => {
      const { changes, verdict, proven } = difference(createComparison(before!, after!));
      const expected = brute(before!, after!);
      expect(certaintyByPair(changes)).toEqual(expected);
      expect(proven).toBe(![...expected.values()].includes("possible"));
      expect(verdict === "equivalent").toBe(expected.size === 0);
      if (expected.size === 0) seen.equivalent++;
      for (const certainty of expected.values()) seen[certainty]++;
    }),
    { numRuns: 1000 },
  );
  // The values of the world make all of these frequent.
  expectSeen(Math.min(...Object.values(seen)), 10);
});

test("gives a witness the reported outcomes before and after, by the named ACLs", () => {
  fc.assert(
    fc.property(versions, ([before, after]) => {
      for (const change of difference(createComparison(before!, after!)).changes) {
        const request = asInWorld(change.witness!);
        const ways = choices.map(
          (choice) => [model(before!, choice)(request), model(after!, choice)(request)] as const,
        );
        const named = ways.some(
          ([one, other]) => one.by === change.before.acl?.key && other.by === change.after.acl?.key,
        );
        expect(named).toBe(true);
        if (change.certainty !== "certain") {
          expect(change.assumptions).not.toEqual([]);
          continue;
        }
        const resultOf = ({ outcome, redirect_uri = "" }: (typeof change)["before"]) => outcome + redirect_uri;
        for (const [one, two] of ways) {
          expect([one.outcome, two.outcome]).toEqual([resultOf(change.before), resultOf(change.after)]);
        }
        expect(ways[0]!.map(({ by }) => by)).toEqual([change.before.acl?.key, change.after.acl?.key]);
      }
    }),
    { numRuns: 500 },
  );
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
      const reached = (acl: Acl, earlier: readonly Acl[], choice: Choice) => {
        const others = earlier.filter((other) => !other.rule.action["log"]).map((other) => testOf(other.rule, choice));
        const holds = testOf(acl.rule, choice);
        return world.some((request) => holds(request) && !others.some((other) => other(request)));
      };
      const expected = order.filter((acl, index) =>
        choices.every((choice) => !reached(acl, order.slice(0, index), choice)),
      );
      const hiddenOnes = unreachable(createComparison([], after!));
      expect(hiddenOnes.map(({ acl }) => acl.key)).toEqual(expected.map(({ key }) => key));
      for (const { acl, shadowedBy } of hiddenOnes) {
        hidden++;
        const earlier = order.slice(0, order.indexOf(acl));
        const suffices = (others: readonly Acl[]) => !reached(acl, others, choices[0]!);
        expect(shadowedBy.every((other) => earlier.includes(other)) && suffices(shadowedBy)).toBe(true);
        for (const one of shadowedBy) expect(suffices(shadowedBy.filter((other) => other !== one))).toBe(false);
        if (shadowedBy.length > 1) expect(earlier.filter((one) => suffices([one]))).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
  expectSeen(hidden, 50);
});

test("finds requests that the tenant newly records or no longer records, and whether that is certain", () => {
  const found = { certain: 0, possible: 0 };
  fc.assert(
    fc.property(versions, ([before, after]) => {
      const changes = loggingChanges(createComparison(before!, after!));
      const only = (here: readonly Acl[], there: readonly Acl[]) =>
        here.flatMap((acl) => {
          if (!acl.active || !acl.rule.action["log"]) return [];
          const recording = here.map((one) =>
            one.rule.action["log"] ? { ...one, rule: { ...one.rule, action: { block: true } } } : one,
          );
          const ways = choices.map((choice, index) => {
            const [first, end] = [model(recording, choice), model(there, choice)];
            return (request: Request) => {
              const { by, outcome } = first(request);
              const { recorded, outcome: other } = end(request);
              return (index === 0 ? by === acl.key : outcome === "blocked") && !recorded && other !== "blocked";
            };
          });
          if (!world.some(ways[0]!)) return [];
          return [[acl.key, world.some((request) => ways.every((way) => way(request))) ? "certain" : "possible"]];
        });
      const sides = (some: typeof changes.lost) => some.map(({ acl, certainty }) => [acl.key, certainty]);
      expect(sides(changes.lost)).toEqual(only(before!, after!));
      expect(sides(changes.gained)).toEqual(only(after!, before!));
      for (const { certainty } of [...changes.lost, ...changes.gained]) found[certainty]++;
    }),
    { numRuns: 500 },
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
