/** Which changes of outcome are there however the open questions are answered. */
import { surely } from "../../src/access/certainty";
import { createComparison } from "../../src/access/comparison";
import type { Acl } from "../../src/access/decide";
import { difference } from "../../src/access/difference";
import { pairing } from "../../src/access/pair";
import { meet, pointIn } from "../../src/access/region";
import { block } from "./support/acl";

const between = (before: readonly Acl[], after: readonly Acl[]) => difference(createComparison(before, after));

/** A later version's signal lets nearly everybody in, or nobody; those of France are blocked before. */
const france = block({ match: { geo_country_codes: ["FR"] } }, 1);
const exempt = block({ action: { allow: true }, match: { threat: 1 }, not_match: { geo_country_codes: ["DE"] } }, 2);
const wall = block({ match_all: true }, 3);

test("a request is looked for in every pair that differs under the other reading", () => {
  const change = between([], [france, exempt, wall]).changes.find(({ after }) => after.acl === wall);
  expect(change).toMatchObject({ certainty: "certain", witness: { country: "DE" } });
});

test("regions that are held against each other are paid for, and what is not sure in time is not sure", () => {
  const comparison = createComparison([], [france, exempt, wall]);
  const inPairs = pairing(comparison);
  const nobody = comparison.readings.all.find((reading) => reading.get("extent of match.threat 1") === "none")!;
  const { one, other } = [...inPairs(nobody).values()].flat().find((pair) => pair.other.acl === wall)!;
  const region = meet(one, other, comparison.space)!;
  const point = pointIn(region, comparison.space, { left: 100 })!;
  const budget = { left: 100 };
  expect(surely(region, point, comparison, inPairs, budget)).toBeDefined();
  const spent = 100 - budget.left;
  expect(surely(region, point, comparison, inPairs, { left: spent })).toBeDefined();
  expect(surely(region, point, comparison, inPairs, { left: spent - 1 })).toBeUndefined();
  // Of a region of nothing none is found by any search: all that is spent is on what it is held against.
  const little = { left: 100 };
  expect(surely({ parts: [] }, point, comparison, inPairs, little)).toBeUndefined();
  expect(little.left).toBeLessThan(100);
});
