/** Endings before and after a change that are weighed against each other. */
import { createComparison } from "../../src/access/comparison";
import { pairsByAssumptions } from "../../src/access/pair";
import { block } from "./support/acl";

const germany = block({ match: { geo_country_codes: ["DE"] } });
const network = block({ action: { allow: true }, match: { asns: [1] } }, 2);

test("pairs under some assumptions are found once, and only what has another outcome is one", () => {
  const comparison = createComparison([germany, network], [germany]);
  const pairsUnder = pairsByAssumptions(comparison);
  const [assumptions] = comparison.combinations.all;
  expect(pairsUnder(assumptions!)).toBe(pairsUnder(assumptions!));
  expect([...pairsUnder(assumptions!)]).toEqual([]);
});
