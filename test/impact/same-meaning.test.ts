/** Compares the meanings of two changes, and words the differences. */
import type { Meaning, MeantAcl } from "../../src/impact/meaning/meaning";
import { canonical } from "../../src/impact/value";
import { compareMeanings, digestOf, isNothing, differenceLines } from "../../src/impact/meaning/same";
import { allow, block, log } from "./support/acls";
import { asn, keys, limit, limits, material, meaning, rate } from "./support/meanings";

const base = meaning();
const meant = (more: Partial<Meaning>): Meaning => ({ ...base, ...more });
const rule = (action: object, more: object = asn(1)) =>
  ({ action, scope: "authentication", ...more }) as MeantAcl["rule"];
const blocks = (number: number, priority = 1): MeantAcl => ({ priority, rule: rule(block, asn(number)) });
const after = (...acls: MeantAcl[]) => meant({ acls: { before: [], after: acls } });

describe("two changes", () => {
  test.each<[string, Meaning, Meaning, string]>([
    ["of nothing", base, base, "same"],
    ["with one rule", after(blocks(1)), after(blocks(1, 7)), "same"],
    ["with two orders of equal parts", after(blocks(1, 1), blocks(2, 2)), after(blocks(2, 1), blocks(1, 2)), "same"],
    ["with other rules", after(blocks(1)), after(blocks(2)), "different"],
    ["from other ACLs", after(blocks(1)), meant({ acls: { before: [blocks(1)], after: [blocks(1)] } }), "different"],
    ["one unknown", meant({ unknown: ["a"] }), base, "not known"],
    [
      "both unknown, with another limit",
      meant({ unknown: ["a"], members: [{ organization: "o", gains: ["a"], loses: [] }] }),
      meant({ unknown: ["a"] }),
      "different",
    ],
    [
      "with an end of an ACL with another priority",
      meant({ ends: [{ what: "1", key: "a", end: "b" }] }),
      meant({ ends: [{ what: "2", key: "a", end: "b" }] }),
      "same",
    ],
    ["with another end", meant({ ends: [{ what: "a", key: "a", end: "b" }] }), base, "different"],
  ])("%s", (_name, one, other, verdict) => {
    expect(compareMeanings(one, other).verdict).toBe(verdict);
  });

  test("that are unknown differ in no requests, and name each reason once", () => {
    const found = compareMeanings({ ...after(blocks(1)), unknown: ["a", "b"] }, meant({ unknown: ["b", "c"] }));
    expect(found).toMatchObject({ verdict: "not known", requests: [], records: [], unknown: ["a", "b", "c"] });
  });

  test("differ in each part that one of them alone has, or has otherwise", () => {
    const one = limits(limit(null, rate(5)), limit(null, rate(9), { consumer_selector: "client_id:b" }));
    const other = limits(limit(null, rate(6)), limit(null, rate(9), { consumer_selector: "client_id:b" }));
    const team = (organization: string, ...gains: string[]) => ({ organization, gains, loses: [] });
    const found = compareMeanings(
      {
        ...one,
        members: [team("o", "a"), team("same", "x", "y")],
        keys: keys({ after: material("k") }).keys,
        ends: [{ what: "w", key: "w", end: "1" }],
      },
      {
        ...other,
        members: [team("p", "a"), team("same", "y", "x")],
        keys: keys({ after: material("l") }).keys,
        ends: [{ what: "w", key: "w", end: "2" }],
      },
    );
    expect(found.verdict).toBe("different");
    expect(found.limits).toEqual([{ one: one.limits[0], other: other.limits[0] }]);
    expect(found.members).toEqual([{ one: team("o", "a") }, { other: team("p", "a") }]);
    expect(found.keys.map((each) => [each.one?.name, each.other?.name])).toEqual([
      ["k", undefined],
      [undefined, "l"],
    ]);
    expect(found.ends).toEqual([{ one: { what: "w", key: "w", end: "1" }, other: { what: "w", key: "w", end: "2" } }]);
    const first = { what: "first", key: "first", end: "1" };
    const ends = compareMeanings(
      meant({ ends: [first, { what: "w", key: "w", end: "1" }] }),
      meant({ ends: [first] }),
    ).ends;
    expect(ends).toEqual([{ one: { what: "w", key: "w", end: "1" } }]);
  });

  test("tell limits of other resources and consumers apart", () => {
    const found = compareMeanings(
      limits(limit(null, rate(5), { resource: "a" }), limit(null, rate(5), { consumer: "b" })),
      limits(limit(null, rate(5))),
    );
    expect(found.limits).toHaveLength(3);
  });

  test("differ in requests, with both effects", () => {
    const { requests, verdict, ...rest } = compareMeanings(after(blocks(1)), base);
    expect(verdict).toBe("different");
    expect(requests[0]).toMatchObject({
      one: { before: { outcome: "allowed" }, after: { outcome: "blocked" } },
      other: { before: { outcome: "allowed" }, after: { outcome: "allowed" } },
    });
    expect(rest.records).toEqual([]);
    expect(Object.keys(rest)).not.toContain("isDecided");
  });

  test("differ in records if one of them starts or stops to log", () => {
    const logs: MeantAcl = { priority: 1, rule: rule(log) };
    for (const acls of [
      { before: [], after: [logs] },
      { before: [logs], after: [] },
    ]) {
      for (const [one, other] of [
        [meant({ acls }), base],
        [base, meant({ acls })],
      ] as const) {
        const found = compareMeanings(one, other);
        expect([found.requests, found.records.length > 0, found.verdict]).toEqual([[], true, "different"]);
      }
    }
  });
});

test.each<[unknown, unknown, boolean]>([
  [[2, 1], [1, 2], true],
  [[1, 1], [1], false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [null, undefined, true],
  ["1", 1, false],
  [["a,b"], ["a", "b"], false],
  [[["a"], ["b"]], [["a", "b"]], false],
  [{ a: [{ b: 1, c: 2 }] }, { a: [{ c: 2, b: 1 }] }, true],
  [{}, [], false],
])("%j and %j are equal: %j", (one, other, isEqual) => {
  expect(canonical(one) === canonical(other)).toBe(isEqual);
});

test("a digest is equal for equal changes, and missing if something is not known", () => {
  const one = after(blocks(1), blocks(2));
  expect(digestOf(one)).toBe(digestOf(after(blocks(2), blocks(1))));
  expect(digestOf({ ...one, unknown: ["a"] })).toBeUndefined();
  const parts: Partial<Meaning>[] = [
    { limits: limits(limit(null, rate(5))).limits },
    { members: [{ organization: "o", gains: ["a"], loses: [] }] },
    { keys: keys({ after: material("k") }).keys },
    { ends: [{ what: "a", key: "a", end: "b" }] },
    { unseen: ["network_acls"] },
    { acls: { before: [blocks(3)], after: [] } },
  ];
  expect(new Set([base, ...parts.map(meant)].map(digestOf)).size).toBe(parts.length + 1);
});

test("a change is nothing if it changes no request, limit, member and key", () => {
  const stands = { before: [blocks(1)], after: [blocks(1)] };
  expect(isNothing(meant({ acls: stands, ends: [{ what: "a", key: "a", end: "b" }] }))).toBe(true);
  expect(isNothing(meant({ acls: stands, unknown: ["a"] }))).toBeUndefined();
  expect(isNothing(after(blocks(1)))).toBe(false);
  expect(isNothing(meant({ acls: { before: [blocks(1)], after: [] } }))).toBe(false);
  expect(isNothing(limits(limit(null, rate(5))))).toBe(false);
  expect(isNothing(meant({ members: [{ organization: "o", gains: ["a"], loses: [] }], unknown: ["a"] }))).toBe(false);
  expect(isNothing(keys({ after: material("k") }))).toBe(false);
});

const names = { one: "Approved", other: "Now" };
const lines = (one: Meaning, other: Meaning) => differenceLines(compareMeanings(one, other), names);

describe("words", () => {
  test("for requests", () => {
    expect(lines(after(blocks(1)), base)[0]).toMatch(
      /^A request such as \S+ from .*, asn 1\b.*\. Approved: allowed becomes blocked\. Now: stays allowed\.$/,
    );
    const redirects = after({
      priority: 1,
      rule: rule({ redirect: true, redirect_uri: `https://example.com/${"x".repeat(300)}` }),
    });
    const [words] = lines(base, redirects);
    expect(words).toContain("Approved: stays allowed. Now: allowed becomes redirected to https://example.com/xxx");
    expect(words).toMatch(/x…\.$/);
    expect(words!.length).toBeLessThan(500);
  });

  test("for records", () => {
    const logs = after({ priority: 1, rule: rule(log) });
    expect(lines(logs, base)).toEqual([
      expect.stringMatching(/Approved: not recorded becomes recorded\. Now: stays not recorded\.$/),
    ]);
    const stops = meant({ acls: { before: [{ priority: 1, rule: rule(log) }], after: [] } });
    const stays = meant({
      acls: { before: [{ priority: 1, rule: rule(log) }], after: [{ priority: 1, rule: rule(log) }] },
    });
    expect(lines(stops, stays)).toEqual([
      expect.stringMatching(/Approved: recorded becomes not recorded\. Now: stays recorded\.$/),
    ]);
  });

  test("for limits", () => {
    const redirect = rate(6, { action: "redirect", redirect_uri: "https://example.com", by: "client_id:a" });
    const selector = "client_id:".padEnd(60, "a");
    expect(
      lines(
        limits(limit(null, rate(5)), limit(null, rate(5), { consumer_selector: selector })),
        limits(limit(rate(5), redirect)),
      ),
    ).toEqual([
      "The limit of client_id:a. Approved: no limit becomes block above 5/s (default). Now: block above 5/s (default) becomes " +
        "redirect to https://example.com above 6/s.",
      `The limit of ${selector.slice(0, 47)}…. Approved: no limit becomes block above 5/s (default). Now: unchanged.`,
    ]);
  });

  test("for members", () => {
    const team = (organization: string, gains: string[], loses: string[]) =>
      meant({ members: [{ organization, gains, loses }] });
    const many = ["a", "b", "c", "d", "e", "f", "g"];
    const long = "z".repeat(60);
    expect(lines(team("o", many, [long]), team("o", [], many.slice(0, 5)))).toEqual([
      `The members of o. Approved: gains a, b, c, d, e, 2 more and loses ${"z".repeat(47)}…. Now: loses a, b, c, d, e.`,
    ]);
    expect(lines(base, team(long, many.slice(0, 6), []))).toEqual([
      `The members of ${"z".repeat(47)}…. Approved: unchanged. Now: gains a, b, c, d, e, 1 more.`,
    ]);
  });

  test("for keys", () => {
    const [made, rotated, gone] = [
      keys({ after: material('k"') }),
      keys({ before: material('k"'), after: material('k"', "g") }),
      keys({ before: material('k"') }),
    ];
    expect(lines(made, rotated)).toEqual(['The key "k\\"". Approved: is created. Now: gets other material.']);
    expect(lines(gone, base)).toEqual(['The key "k\\"". Approved: is destroyed. Now: unchanged.']);
  });

  test("for ends and for what is not known", () => {
    const ends = (time: string, what = "The ACL") => meant({ ends: [{ what, key: what, end: time }] });
    expect(lines(ends("2026-12-01T17:00:00.000Z"), meant({ unknown: ["the limit of a"] }))).toEqual([
      "The ACL. Approved: ends on 1 December 2026, 17:00 UTC. Now: has no end or is not in force.",
      "Not known: the limit of a.",
    ]);
    const [words] = lines(base, ends("2026-12-01T17:00:00.000Z", "w".repeat(300)));
    expect(words).toMatch(/^w{199}…\. Approved: has no end or is not in force\. Now: ends on/);
  });
});

test("allow and block of one request are compared by their priority", () => {
  const first = [{ priority: 1, rule: rule(allow) }, blocks(1, 2)];
  const last = [{ priority: 3, rule: rule(allow) }, blocks(1, 2)];
  expect(compareMeanings(after(...first), after(...last)).verdict).toBe("different");
});
