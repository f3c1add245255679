/** Pairs endings before a change with endings after it. */
import { createComparison } from "../../src/access/comparison";
import { pairsByAssumptions } from "../../src/access/pair";
import { block } from "./support/acl";

const germany = block({ match: { geo_country_codes: ["DE"] } });
const network = block({ action: { allow: true }, match: { asns: [1] } }, 2);

test("finds the pairs under given assumptions once, and only pairs with different outcomes", () => {
  const comparison = createComparison([germany, network], [germany]);
  const pairsUnder = pairsByAssumptions(comparison);
  const [assumptions] = comparison.combinations.all;
  expect(pairsUnder(assumptions!)).toBe(pairsUnder(assumptions!));
  expect([...pairsUnder(assumptions!)]).toEqual([]);
});
