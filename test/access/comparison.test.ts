/** Shares work between two versions of the ACLs, and ignores inactive ACLs. */
import { createComparison } from "../../src/access/comparison";
import { block } from "./support/acl";

const germany = block({ match: { geo_country_codes: ["DE"] } });
const network = block({ match: { asns: [1] } }, 2);

test("computes the partitions under given assumptions once", () => {
  const { partitions, combinations } = createComparison([germany], [network]);
  expect(partitions(combinations.all[0]!)).toBe(partitions(combinations.all[0]!));
});

test("ignores the values of an inactive ACL", () => {
  const off = { ...network, active: false };
  const { space } = createComparison([germany, off], [germany]);
  expect(space).toMatchObject({ whole: createComparison([germany], [germany]).space.whole });
});
