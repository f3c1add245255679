/** ACLs that go from `log` to `block` or `redirect`, and the evidence that a log gives. */
import {
  evidenceWords,
  isProven,
  enforcedIn,
  enforcementEffects,
  unprovenEffects,
  type Enforced,
  type Enforcement,
} from "../../src/impact/enforcement";
import { acl, allow, block, log } from "./support/acls";

const redirect = { redirect: true, redirect_uri: "https://example.com" };
const asn = { match: { asns: [1] } };
const ruled = (action: object, more: object = {}) => acl(1, { ...asn, action }, { ...more });

test.each<[string, ReturnType<typeof acl>[], ReturnType<typeof acl>[], string[]]>([
  ["log to block", [ruled(log)], [ruled(block)], ["block"]],
  ["log to redirect", [ruled(log)], [ruled(redirect)], ["redirect"]],
  ["log to allow", [ruled(log)], [ruled(allow)], []],
  ["log that stays", [ruled(log)], [ruled(log)], []],
  ["block to redirect", [ruled(block)], [ruled(redirect)], []],
  ["a new block", [], [ruled(block)], []],
  ["a log that goes", [ruled(log)], [], []],
  ["a log that was switched off", [ruled(log, { active: false })], [ruled(block)], []],
  ["a block that is switched off", [ruled(log)], [ruled(block, { active: false })], []],
  ["another ACL that blocks", [ruled(log), acl(2, asn)], [ruled(log), acl(2, asn)], []],
])("%s", (_name, before, after, expected) => {
  expect(enforcedIn({ before, after }).map(({ action }) => action)).toEqual(expected);
});

test("an ACL is named by its title, its address, its plan and its id, with the change as its cause", () => {
  const [before, after] = [ruled(log), ruled(block)].map((one) => ({ ...one, plan: "eu" }));
  expect(enforcedIn({ before: [before!], after: [after!] })).toEqual([
    {
      key: "acl.1",
      title: '"ACL 1" (priority 1)',
      address: "acl.1",
      plan: "eu",
      id: "acl_1",
      action: "block",
      cause: [{ address: "acl.1", plan: "eu", words: "changes from log to block" }],
    },
  ]);
});

test("an ACL without an address, a plan and an id has none of them", () => {
  const [before, after] = [ruled(log), ruled(block)].map((one) => {
    const { address: _, id: _id, ...rest } = one;
    return rest;
  });
  const [found] = enforcedIn({ before: [before!], after: [after!] }) as [Enforced];
  expect(Object.keys(found).toSorted()).toEqual(["action", "cause", "key", "title"]);
});

const hour = 3_600_000;
const week = 7 * 24 * hour;
const one: Enforced = {
  key: "a",
  title: '"Bots"',
  address: "acl.a",
  plan: "eu",
  action: "block",
  cause: [],
};
const evidence = (more: Partial<Enforcement> = {}): Enforcement => ({
  ...one,
  matched: 3,
  possible: 0,
  same: 0,
  of: 100,
  users: 0,
  span: week,
  ...more,
});

test.each<[string, Enforcement, boolean]>([
  ["a week with requests", evidence(), true],
  ["exactly three days", evidence({ span: 72 * hour }), true],
  ["a little less than three days", evidence({ span: 72 * hour - 1 }), false],
  ["no request", evidence({ matched: 0, of: 0 }), false],
  ["no request, but a count of the service", evidence({ of: 0, summed: { matched: 0, evaluated: 1 } }), true],
  ["no request, and an empty count of the service", evidence({ of: 0, summed: { matched: 0, evaluated: 0 } }), false],
  ["a request that matches nothing", evidence({ matched: 0, of: 1 }), true],
  ["requests without the signals of the rule", evidence({ matched: 0, possible: 80, of: 80 }), false],
  ["some requests without the signals", evidence({ matched: 0, possible: 79, of: 80 }), true],
])("evidence: %s", (_name, enforcement, expected) => {
  expect(isProven(enforcement)).toBe(expected);
});

test("the gate may need another time", () => {
  expect(isProven(evidence({ span: hour }), { window: hour })).toBe(true);
  expect(isProven(evidence({ span: hour - 1 }), { window: hour })).toBe(false);
});

test.each<[string, Enforcement[] | undefined, string]>([
  ["no log", undefined, "the review has no log that shows which requests this affects"],
  ["a log without the ACL", [evidence({ key: "b" })], "the review has no log that shows which requests this affects"],
  ["an empty log", [evidence({ of: 0 })], "the log has no request"],
  ["an empty log of just the time", [evidence({ of: 0, span: 72 * hour })], "the log has no request"],
  ["no signals", [evidence({ matched: 0, possible: 100 })], "no event of the log has the signals of its rule"],
  ["an hour", [evidence({ span: hour })], "the log covers 1 hour of the 72 hours that are needed"],
  ["less than two hours", [evidence({ span: 2 * hour - 1 })], "the log covers 1 hour of the 72 hours"],
  ["minutes", [evidence({ span: 5 })], "the log covers 0 hours of the 72 hours that are needed"],
])("reports a enforcement without evidence: %s", (_name, found, why) => {
  const [reported, ...others] = unprovenEffects([one], found) as [ReturnType<typeof unprovenEffects>[0]];
  expect(others).toEqual([]);
  expect(reported).toMatchObject({ code: "TNF-ENFORCEMENT-UNPROVEN", level: "medium", address: "acl.a", plan: "eu" });
  expect(reported.text).toContain(`"Bots" changes from log to block, but ${why}`);
  expect(reported.text).toMatch(/\. Give a log with --logs\.$/);
});

test("reports nothing with evidence, and uses the level and the time of the gate", () => {
  expect(unprovenEffects([one], [evidence({ key: "b", of: 0 }), evidence()])).toEqual([]);
  const gate = { level: "critical", window: 2000 * hour } as const;
  expect(unprovenEffects([one], [evidence({ span: 1500 * hour })], gate)).toEqual([
    expect.objectContaining({
      level: "critical",
      text: expect.stringContaining("covers 1,500 hours of the 2,000 hours that are needed"),
    }),
  ]);
});

test("the verdict gets the evidence of each enforcement that has some", () => {
  const cause = [{ address: "acl.a", words: "changes from log to block" }];
  const effects = enforcementEffects([
    evidence({ cause }),
    evidence({ action: "redirect", possible: 2 }),
    evidence({ span: 0 }),
    evidence({ matched: 0, of: 0, summed: { matched: 4, evaluated: 9 } }),
  ]);
  expect(effects[0]).toEqual({
    code: "TNF-ENFORCEMENT-PROVEN",
    level: "info",
    address: "acl.a",
    apis: [],
    share: { value: 0.03, of: "logged requests", basis: "the log" },
    who: 'logged requests that match "Bots"',
    text: '"Bots" changes from log to block: it matches 3 of 100 logged requests (3 %).',
    cause,
    certainty: "certain",
    assumptions: [],
    examples: [],
  });
  expect(effects.map(({ certainty }) => certainty)).toEqual(["certain", "possible", "certain"]);
  expect(effects[2]!.share).toEqual({ value: 0, of: "logged requests", basis: "the log" });
  expect(enforcementEffects([evidence({ span: 5 })], { window: 5 })).toHaveLength(1);
});

test.each<[Partial<Enforcement>, string]>([
  [{}, "it matches 3 of 100 logged requests (3 %)"],
  [{ matched: 0, of: 0 }, "it matches 0 of 0 logged requests"],
  [{ possible: 1200 }, "it matches 3 of 100 logged requests (3 %), and perhaps 1,200 more"],
  [{ users: 1 }, "it matches 3 of 100 logged requests (3 %), 1 known user"],
  [{ users: 2000 }, "it matches 3 of 100 logged requests (3 %), 2,000 known users"],
  [
    { summed: { matched: 4000, evaluated: 9000 } },
    "it matches 3 of 100 logged requests (3 %); the service itself counted 4,000 matches in 9,000 requests",
  ],
  [{ summed: { matched: 0, evaluated: 0 } }, "it matches 3 of 100 logged requests (3 %)"],
  [{ matched: 0 }, "it matches 0 of 100 logged requests (0 %)"],
  [{ matched: 100 }, "it matches 100 of 100 logged requests (100 %)"],
  [{ matched: 1, of: 1001 }, "it matches 1 of 1,001 logged requests (less than 0.1 %)"],
  [{ matched: 1, of: 1000 }, "it matches 1 of 1,000 logged requests (0.1 %)"],
  [{ matched: 999, of: 1000 }, "it matches 999 of 1,000 logged requests (99.9 %)"],
  [{ matched: 1000, of: 1001 }, "it matches 1,000 of 1,001 logged requests (more than 99.9 %)"],
  [{ matched: 1, of: 3 }, "it matches 1 of 3 logged requests (33.3 %)"],
])("words for %j", (more, expected) => {
  expect(evidenceWords(evidence(more))).toBe(expected);
});
