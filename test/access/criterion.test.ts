/** Reads the criteria of a rule, one for each signal. */
import { criteriaOf, describe, type Rule } from "../../src/access/rule";
import { notKnown } from "../../src/access/unknown";
import { block } from "./support/acl";

test("reads an unknown `match` as one unknown criterion, because a rule without criteria matches every request", () => {
  const { rule } = block({ match: notKnown("tenant_network_acl.new") as unknown as Rule["match"] });
  expect(criteriaOf(rule, "match")).toEqual([
    {
      side: "match",
      signal: undefined,
      properties: ["match"],
      entries: [],
      texts: [],
      unread: [{ property: "match", name: expect.stringContaining("tenant_network_acl.new"), isUnknown: true }],
    },
  ]);
});

test("reads the criteria of a rule once for many requests", () => {
  const { rule } = block({ match: { asns: [1] }, not_match: { geo_country_codes: ["DE"] } });
  expect(criteriaOf(rule, "match")).toBe(criteriaOf(rule, "match"));
  expect(criteriaOf(rule, "not_match")).toBe(criteriaOf(rule, "not_match"));
});

test.each([
  [[1, 2, 3, 4], "match.asns 1, 2, 3, 4"],
  [[1, 2, 3, 4, 5], "match.asns 1, 2, 3, 2 more"],
])("describes at most four entries: %j", (asns, words) => {
  const [criterion] = criteriaOf(block({ match: { asns } }).rule, "match");
  expect(describe(criterion!)).toBe(words);
});
