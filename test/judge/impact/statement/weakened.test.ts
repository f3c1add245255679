/** Which changes remove or change the expectations of the base branch, and the words for both statements: one row for each. */
import { table } from "../support/table";
import { worded } from "../support/worded";
import { readExpectations } from "../support/expectations";
import { weakenedExpectations } from "../../../../src/judge/impact/statement/weakened";

const unknown = Symbol("unknown");
const requests = (request: object, more: object = {}) => ({ name: "x", outcome: "blocked", request, ...more });
const sanctions = (request: object = {}, more: object = {}) =>
  requests({ scopes: ["authentication"], countries: ["KP", "IR"], ...request }, more);
const either = (...one_of: string[]) => sanctions({}, { outcome: undefined, one_of });
const warning = { severity: "warning" };
const limit = (policy: object) => ({ name: "x", policy: { consumer: "client", ...policy } });
const team = (members: object) => ({ name: "x", members: { organization_id: "org_1", ...members } });
const renamed = (expectation: object) => ({ ...expectation, name: "other" });

const cases: [string, object, ...object[]][] = [
  ["the same", sanctions(), sanctions()],
  ["another name", sanctions(), renamed(sanctions())],
  ["another order", sanctions(), sanctions({ countries: ["IR", "KP"] })],
  ["members in another order", team({ include: ["a", "b"], at_least: 2 }), team({ at_least: 2, include: ["b", "a"] })],
  ["an error in place of a warning", sanctions({}, warning), sanctions()],
  ["the same warning", sanctions({}, warning), sanctions({}, warning)],
  ["an equal one with unknown values", requests({ countries: [unknown] }), renamed(requests({ countries: [unknown] }))],
  ["nothing", sanctions()],
  ["nothing, about all requests", requests({})],
  ["a smaller set", sanctions(), sanctions({ countries: ["KP"] })],
  ["an exception", sanctions(), sanctions({}, { except: { ip_cidrs: ["198.51.100.9"] } })],
  ["more outcomes", sanctions(), either("blocked", "logged")],
  ["a warning", sanctions(), sanctions({}, warning)],
  ["a smaller warning", sanctions(), sanctions({ countries: ["KP"] }, warning)],
  ["unknown values", requests({ countries: unknown }), requests({})],
  ["a lower limit", limit({ at_most: 50 }), limit({ at_most: 40 })],
  ["another organization", team({ include: ["a"] }), team({ organization_id: "org_2", include: ["a"] })],
  ["a statement of another kind", team({ at_most: 4 }), limit({ at_most: 4 })],
];

test("a change cannot remove or change the expectations that judge it with any text", () => {
  const lines = table(
    cases,
    (base, ...head) => {
      const found = weakenedExpectations(readExpectations([base], "base"), readExpectations(head, "head"));
      expect(found.map(({ code, level }) => `${code} ${level}`)).toEqual(
        found.map(() => "TNF-EXPECTATION-WEAKENED high"),
      );
      return found.map((one) => worded(one).text);
    },
    "equal",
  );
  expect(lines).toMatchInlineSnapshot(`
    "
    nothing: The change removes the expectation "x" of the base branch: blocked {"scopes":["authentication"],"countries":["KP","IR"]}.
    nothing, about all requests: The change removes the expectation "x" of the base branch: blocked all requests.
    a smaller set: The expectation "x" of the base branch changes: it was blocked {"scopes":["authentication"],"countries":["KP","IR"]}, and is blocked {"scopes":["authentication"],"countries":["KP"]}.
    an exception: The expectation "x" of the base branch changes: it was blocked {"scopes":["authentication"],"countries":["KP","IR"]}, and is blocked {"scopes":["authentication"],"countries":["KP","IR"]} except {"ip_cidrs":["198.51.100.9"]}.
    more outcomes: The expectation "x" of the base branch changes: it was blocked {"scopes":["authentication"],"countries":["KP","IR"]}, and is blocked or logged {"scopes":["authentication"],"countries":["KP","IR"]}.
    a warning: The expectation "x" of the base branch becomes a warning: blocked {"scopes":["authentication"],"countries":["KP","IR"]}.
    a smaller warning: The expectation "x" of the base branch changes: it was blocked {"scopes":["authentication"],"countries":["KP","IR"]}, and is blocked {"scopes":["authentication"],"countries":["KP"]}, as a warning.
    unknown values: The expectation "x" of the base branch changes: it was blocked {"countries":"(known after apply)"}, and is blocked all requests.
    a lower limit: The expectation "x" of the base branch changes: it was policy {"consumer":"client","at_most":50}, and is policy {"consumer":"client","at_most":40}.
    another organization: The expectation "x" of the base branch changes: it was members {"organization_id":"org_1","include":["a"]}, and is members {"organization_id":"org_2","include":["a"]}.
    a statement of another kind: The expectation "x" of the base branch changes: it was members {"organization_id":"org_1","at_most":4}, and is policy {"consumer":"client","at_most":4}.
    equal: the same; another name; another order; members in another order; an error in place of a warning; the same warning; an equal one with unknown values
    "
  `);
});

test("names the expectation, shortened, and its plan", () => {
  const [base] = readExpectations([requests({}, { name: "n".repeat(120) })], "base");
  const [found] = weakenedExpectations([{ ...base!, plan: "eu" }], []);
  expect(worded(found!)).toMatchObject({
    plan: "eu",
    text: expect.stringMatching(/^The change removes the expectation "n{99}…" of the base branch: /),
  });
  expect(weakenedExpectations([base!], [])[0]!.subject).not.toHaveProperty("plan");
});

test.each([
  ["the base branch", true, false],
  ["the change", false, true],
])("shows no statement if a value of %s is sensitive", (_, isOld, isNew) => {
  const read = (countries: string[], isSecret: boolean) =>
    readExpectations([sanctions({ countries })], "base").map((one) => ({
      ...one,
      ...(isSecret && { isSecret: true as const }),
    }));
  const [found] = weakenedExpectations(read(["KP"], isOld), read(["IR"], isNew));
  expect(JSON.stringify(found)).not.toMatch(/KP|IR/);
});
