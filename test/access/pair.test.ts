/** Endings before and after a change that are weighed against each other. */
import { createComparison } from "../../src/access/comparison";
import { pairing } from "../../src/access/pair";
import { block } from "./support/acl";

const germany = block({ match: { geo_country_codes: ["DE"] } });
const network = block({ action: { allow: true }, match: { asns: [1] } }, 2);

test("pairs of a reading are found once, and only what has another outcome is one", () => {
  const comparison = createComparison([germany, network], [germany]);
  const inPairs = pairing(comparison);
  const [reading] = comparison.readings.all;
  expect(inPairs(reading!)).toBe(inPairs(reading!));
  expect([...inPairs(reading!)]).toEqual([]);
});
