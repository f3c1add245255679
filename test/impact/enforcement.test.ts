/** ACLs that go from `log` to `block` or `redirect`, and the evidence that a log gives. */
import { worded } from "./support/worded";
import {
  evidenceWords,
  enforcedIn,
  enforcementEffects,
  type Enforced,
  type Enforcement,
  type EnforcementGate,
} from "../../src/impact/enforcement";
import { acl, allow, block, log } from "./support/acls";

const redirect = { redirect: true, redirect_uri: "https://example.com" };
const asn = { match: { asns: [1] } };
const ruled = (action: object, more: object = {}) => acl(1, { ...asn, action }, { ...more });

test.each<[string, ReturnType<typeof acl>[], ReturnType<typeof acl>[], string[]]>([
  ["log to block", [ruled(log)], [ruled(block)], ["block"]],
  ["log to redirect", [ruled(log)], [ruled(redirect)], ["redirect"]],
  ["log to allow", [ruled(log)], [ruled(allow)], []],
  ["block to redirect", [ruled(block)], [ruled(redirect)], []],
  ["a new block", [], [ruled(block)], []],
  ["a log that goes", [ruled(log)], [], []],
  ["a log that was switched off", [ruled(log, { active: false })], [ruled(block)], []],
  ["a block that is switched off", [ruled(log)], [ruled(block, { active: false })], []],
  ["another ACL that blocks", [ruled(log), acl(2, asn)], [ruled(log), acl(2, asn)], []],
])("%s", (_name, before, after, expected) => {
  expect(enforcedIn({ before, after }).map(({ action }) => action)).toEqual(expected);
});

const hour = 3_600_000;
const [was, is] = [ruled(log), ruled(block)].map((one) => ({ ...one, plan: "eu" }));
const [one] = enforcedIn({ before: [was!], after: [is!] }) as [Enforced];
const cause = [{ address: "acl.1", plan: "eu", words: "changes from log to block" }];
const evidence = (more: Partial<Enforcement> = {}): Enforcement => ({
  ...one,
  matched: 3,
  possible: 0,
  same: 0,
  of: 100,
  users: 0,
  span: 72 * hour,
  ...more,
});
const none = "the review has no log that shows which requests this affects";
const unseen = "no event of the log has the signals of its rule, and none sums up its matches (acls_summary)";

test.each<[string, Enforcement | undefined, string, EnforcementGate?]>([
  ["three days with requests", evidence(), ""],
  ["no log", undefined, none],
  ["a log of another ACL", evidence({ acl: acl(2, asn) }), none],
  [
    "a little less than three days",
    evidence({ span: 72 * hour - 1 }),
    "the log covers 71 hours of the 72 hours that are needed",
  ],
  ["less than two hours", evidence({ span: 2 * hour - 1 }), "the log covers 1 hour of the 72 hours that are needed"],
  ["no request", evidence({ matched: 0, of: 0 }), "the log has no request"],
  ["no request, but a count of the service", evidence({ of: 0, summed: { matched: 0, evaluated: 1 } }), ""],
  [
    "an empty count of the service",
    evidence({ of: 0, summed: { matched: 0, evaluated: 0 } }),
    "the log has no request",
  ],
  ["a request that matches nothing", evidence({ matched: 0, of: 1 }), ""],
  ["requests without the signals of the rule", evidence({ matched: 0, possible: 80, of: 80 }), unseen],
  ["some requests without the signals", evidence({ matched: 0, possible: 79, of: 80 }), ""],
  ["an hour, which is enough", evidence({ span: hour }), "", { window: hour }],
  [
    "too little for the gate",
    evidence({ span: 1500 * hour }),
    "the log covers 1,500 hours of the 2,000 hours that are needed",
    { window: 2000 * hour },
  ],
])("a log with %s proves the enforcement, or says why not", (_name, found, why, gate = {}) => {
  const text = `"ACL 1" (priority 1) changes from log to block, but ${why}. Give a log with --logs.`;
  const unproven = { code: "TNF-ENFORCEMENT-UNPROVEN", level: "medium", address: "acl.1", plan: "eu", text };
  const proven = { code: "TNF-ENFORCEMENT-PROVEN", level: "info" };
  expect(enforcementEffects([one], found && [found], gate).map(worded)).toMatchObject([why === "" ? proven : unproven]);
});

test("the gate may have another level", () => {
  expect(enforcementEffects([one], undefined, { level: "critical" })).toMatchObject([{ level: "critical" }]);
});

test("the verdict gets the evidence", () => {
  const proven = (more: Partial<Enforcement> = {}) => enforcementEffects([one], [evidence(more)])[0]!;
  expect(worded(proven())).toMatchObject({
    code: "TNF-ENFORCEMENT-PROVEN",
    level: "info",
    address: "acl.1",
    plan: "eu",
    apis: [],
    share: { value: 0.03, of: "logged requests", basis: "the log" },
    who: 'logged requests that match "ACL 1" (priority 1)',
    text: '"ACL 1" (priority 1) changes from log to block: it matches 3 of 100 logged requests (3 %).',
    cause,
    certainty: "certain",
    assumptions: [],
    examples: [],
  });
  expect(proven({ possible: 2 }).certainty).toBe("possible");
  const summed = { matched: 4, evaluated: 9 };
  expect(proven({ matched: 0, of: 0, summed }).share?.value).toBe(0);
  expect(proven({ possible: 100, summed }).share).toBeNull();
});

test.each<[Partial<Enforcement>, string]>([
  [{ matched: 0, of: 0 }, "it matches 0 of 0 logged requests"],
  [{ possible: 1200 }, "it matches 3 of 100 logged requests (3 %), and perhaps 1,200 more"],
  [{ possible: 100 }, "it is not known which of 100 logged requests it matches"],
  [{ same: 1 }, "it matches 3 of 100 logged requests (3 %), 1 of which get the same outcome as before"],
  [{ users: 1 }, "it matches 3 of 100 logged requests (3 %), 1 known user"],
  [{ users: 2000 }, "it matches 3 of 100 logged requests (3 %), 2,000 known users"],
  [
    { summed: { matched: 4000, evaluated: 9000 } },
    "it matches 3 of 100 logged requests (3 %); the service itself counted 4,000 matches in 9,000 requests",
  ],
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
