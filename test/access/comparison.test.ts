/** What two versions of the lists have in common is made once, and of what is in force alone. */
import { createComparison } from "../../src/access/comparison";
import { block } from "./support/acl";

const germany = block({ match: { geo_country_codes: ["DE"] } });
const network = block({ match: { asns: [1] } }, 2);

test("the partitions under some assumptions are made once, as every request that is weighed asks for them", () => {
  const { partitions, combinations } = createComparison([germany], [network]);
  expect(partitions(combinations.all[0]!)).toBe(partitions(combinations.all[0]!));
});

test("what a list that is not active names tells no requests apart", () => {
  const off = { ...network, active: false };
  const { space } = createComparison([germany, off], [germany]);
  expect(space).toMatchObject({ whole: createComparison([germany], [germany]).space.whole });
});
