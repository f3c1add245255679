/** Compares the boxes of a rule with the evaluator, for every request that the ACLs can distinguish. */
import fc from "../support/random";
import { boxesOf, includes, intersection, overlap } from "../../src/access/boxes";
import { uncertaintiesOf, combinationsOf } from "../../src/access/uncertainty";
import { notKnown } from "../../src/access/assumptions";
import { matchesUnder, type Rule } from "../../src/access/rule";
import { createSpace, type Box, type Space } from "../../src/access/space";
import { block } from "./support/acl";
import { expectSeen } from "../support/seed";

/** Every combination of one fact for each field. */
function pointsOf({ whole, spans }: Space): Box[] {
  let points = [new Int32Array(whole.length)];
  for (const [from, to] of spans) {
    const facts = Array.from({ length: 32 * (to - from) }, (_, bit) => [from + (bit >> 5), 1 << (bit & 31)] as const);
    const some = facts.filter(([word, bit]) => (whole[word]! & bit) !== 0);
    points = points.flatMap((point) =>
      some.map(([word, bit]) => {
        const next = point.slice();
        next[word] = bit;
        return next;
      }),
    );
  }
  return points;
}

const someOf = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
const criteria = fc
  .record(
    {
      ipv4_cidrs: someOf<unknown>("10.0.0.0/31", "10.0.0.1", notKnown("a")),
      connecting_ipv4_cidrs: someOf("10.0.0.0/8"),
      connecting_ipv6_cidrs: someOf("2001:db8::/32"),
      geo_country_codes: someOf("DE", "de", "US"),
      geo_subdivision_codes: someOf("US-CA"),
      auth0_managed: someOf("auth0.tor", "auth0.vpn"),
      threat: someOf("high"),
    },
    { requiredKeys: [] },
  )
  .map((given) => Object.fromEntries(Object.entries(given).slice(0, 3)));
const anyRule = fc.record(
  {
    action: fc.constant({ block: true }),
    scope: fc.constantFrom("tenant", "authentication", "billing"),
    match: criteria,
    not_match: criteria,
    sampling: fc.constant(10),
  },
  { requiredKeys: ["action", "scope"] },
);

test("contains a request in a box exactly if the rule matches it, under all assumptions", () => {
  let [held, missed] = [0, 0];
  fc.assert(
    fc.property(anyRule, (rule) => {
      const acls = [block(rule)];
      const combinations = combinationsOf(uncertaintiesOf([acls])).all;
      const space = createSpace(acls, combinations);
      const points = pointsOf(space).map((point) => ({ point, request: space.request(point) }));
      for (const assumptions of combinations) {
        const boxes = boxesOf(rule, assumptions, space);
        for (const { point, request } of points) {
          const isIn = boxes.some((box) => includes(box, point));
          if (isIn !== matchesUnder(rule, request, assumptions)) expect({ request, assumptions, isIn }).toBeUndefined();
          if (isIn) held++;
          else missed++;
        }
      }
    }),
    { numRuns: 200 },
  );
  expectSeen(Math.min(held, missed), 150);
});

test("intersects two boxes to their common requests, and to nothing if they do not overlap", () => {
  const rules = [{ asns: [1, 2] }, { asns: [2], geo_country_codes: ["DE"] }, { asns: [3] }].map(
    (match): Rule => block({ match }).rule,
  );
  const space = createSpace(
    rules.map((rule) => block(rule)),
    [new Map()],
  );
  const [one, two, three] = rules.map((rule) => boxesOf(rule, new Map(), space)[0]!) as [Box, Box, Box];
  const both = intersection(one, two, space)!;
  for (const point of pointsOf(space)) {
    expect(includes(both, point)).toBe(includes(one, point) && includes(two, point));
  }
  expect([overlap(one, two, space), overlap(two, three, space)]).toEqual([true, false]);
  expect(intersection(two, three, space)).toBeUndefined();
});

test("matches a request on any curated list, if there are more lists than one axis can hold", () => {
  const names = Array.from({ length: 8 }, (_, index) => `auth0.list${index}`);
  const { rule } = block({ match: { auth0_managed: names.slice(1) }, not_match: { auth0_managed: names.slice(0, 1) } });
  const space = createSpace([block(rule)], [new Map()]);
  const boxes = boxesOf(rule, new Map(), space);
  const points = pointsOf(space).map((point) => ({ point, on: space.request(point).managed!.toSorted() }));
  expect(new Set(points.map(({ on }) => on.join())).size).toBe(2 ** 8);
  for (const { point, on } of points) {
    const isHeld = on.length > 0 && !on.includes(names[0]!);
    if (boxes.some((box) => includes(box, point)) !== isHeld) expect(on).toBeUndefined();
  }
});

test("picks the plainest request from inside the box, at every position of its facts", () => {
  const numbers = Array.from({ length: 70 }, (_, index) => block({ match: { asns: [index + 1] } }, index + 1));
  const space = createSpace(numbers, [new Map()]);
  for (const { rule } of numbers) {
    const [box] = boxesOf(rule, new Map(), space);
    expect(space.request(space.point(box!))).toMatchObject({
      asn: (rule.match!["asns"] as number[])[0],
      ip: "203.0.113.7",
    });
    expect(includes(box!, space.point(box!))).toBe(true);
  }
});
