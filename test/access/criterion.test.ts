/** What a rule says of each signal. */
import { criteriaOf, describe } from "../../src/access/criterion";
import { notKnown } from "../../src/access/assumptions";
import type { Rule } from "../../src/access/rule";
import { block } from "./support/acl";

test("a side that is not known as a whole is a criterion that is open, rather than none, which would match everybody", () => {
  const { rule } = block({ match: notKnown("tenant_network_acl.new") as unknown as Rule["match"] });
  expect(criteriaOf(rule, "match")).toEqual([
    {
      side: "match",
      signal: undefined,
      properties: ["match"],
      entries: [],
      texts: [],
      unreadable: "tenant_network_acl.new",
      isUnknown: true,
    },
  ]);
});

test("the criteria of a rule are read once, as it is asked about many requests", () => {
  const { rule } = block({ match: { asns: [1] }, not_match: { geo_country_codes: ["DE"] } });
  expect(criteriaOf(rule, "match")).toBe(criteriaOf(rule, "match"));
  expect(criteriaOf(rule, "not_match")).toBe(criteriaOf(rule, "not_match"));
});

test.each([
  [[1, 2, 3, 4], "match.asns 1, 2, 3, 4"],
  [[1, 2, 3, 4, 5], "match.asns 1, 2, 3, 2 more"],
])("entries in words, four at most: %j", (asns, words) => {
  const [criterion] = criteriaOf(block({ match: { asns } }).rule, "match");
  expect(describe(criterion!)).toBe(words);
});
