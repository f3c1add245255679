/** A change cannot weaken the expectations that judge it with any text. */
import { readExpectations } from "../../../src/impact/expectation/read";
import { weakenedExpectations } from "../../../src/impact/expectation/weakened";

const sanctions = { name: "sanctions", outcome: "blocked", request: { apis: ["sign-in"], countries: ["KP", "IR"] } };
const limit = { name: "limit", policy: { consumer: "client", consumer_selector: "third_party_clients", at_most: 50 } };
const team = { name: "team", members: { organization_id: "org_1", include: ["a", "b"], at_least: 2 } };

const compare = (base: object, ...head: object[]) =>
  weakenedExpectations(readExpectations([base], "base"), readExpectations(head, "head"));

const request = (more: object) => ({ ...sanctions, request: { ...sanctions.request, ...more } });
const policy = (more: object) => ({ ...limit, policy: { ...limit.policy, ...more } });
const members = (more: object) => ({ ...team, members: { ...team.members, ...more } });

describe.each([
  ["the same", sanctions, [sanctions]],
  ["another name", sanctions, [{ ...sanctions, name: "embargo" }]],
  [
    "a split into two",
    sanctions,
    [request({ countries: ["KP"] }), { ...request({ countries: ["IR"] }), name: "more" }],
  ],
  ["a wider set", sanctions, [request({ apis: ["sign-in", "management"] })]],
  ["all requests", sanctions, [{ ...sanctions, request: {} }]],
  ["a code in lower case", sanctions, [request({ countries: ["kp", "ir"] })]],
  ["an exception that concerns no such request", sanctions, [{ ...sanctions, except: { countries: ["DE"] } }]],
  [
    "an exception with an expectation of its own",
    sanctions,
    [
      { ...sanctions, except: { asns: [64500] } },
      { ...request({ asns: [64500] }), name: "network" },
    ],
  ],
  ["fewer outcomes", { ...sanctions, outcome: undefined, one_of: ["blocked", "redirected"] }, [sanctions]],
  ["an error in place of a warning", { ...sanctions, severity: "warning" }, [sanctions]],
  ["always in addition", sanctions, [{ ...sanctions, always: true }]],
  [
    "two statements that together leave one outcome",
    sanctions,
    [
      { ...sanctions, outcome: undefined, one_of: ["blocked", "redirected"] },
      { ...sanctions, outcome: undefined, one_of: ["blocked", "reached"], name: "other" },
    ],
  ],
  ["a lower limit", limit, [policy({ at_most: 40 })]],
  ["a limit for all clients", limit, [{ name: "all", policy: { consumer: "client", at_most: 50 } }]],
  ["more members", team, [members({ include: ["a", "b", "c"] })]],
  ["members that imply their number", team, [{ ...team, members: { organization_id: "org_1", include: ["b", "a"] } }]],
])("%s", (_, base, head) => {
  test("is not weaker", () => {
    expect(compare(base, ...head)).toEqual([]);
  });
});

describe.each([
  ["nothing", sanctions, [], "removes"],
  ["a smaller set", sanctions, [request({ countries: ["KP"] })], "country IR, is blocked"],
  ["an exception", sanctions, [{ ...sanctions, except: { ip_cidrs: ["198.51.100.9"] } }], "198.51.100.9"],
  ["another fact", sanctions, [request({ ip_cidrs: ["0.0.0.0/0"] })], "nothing states that"],
  ["another outcome", sanctions, [{ ...sanctions, outcome: "redirected" }], "is blocked"],
  ["more outcomes", sanctions, [{ ...sanctions, outcome: undefined, one_of: ["blocked", "logged"] }], "is blocked"],
  ["a warning", sanctions, [{ ...sanctions, severity: "warning" }], "only a warning"],
  ["no check in the apply", { ...sanctions, always: true }, [sanctions], "no longer checked during the apply"],
  ["a higher limit", limit, [policy({ at_most: 60 })], "at most 50"],
  ["another selector", limit, [policy({ consumer_selector: "cimd_clients" })], "at most 50"],
  ["fewer members", team, [members({ include: ["a"] })], "includes b"],
  ["another organization", team, [members({ organization_id: "org_2" })], "org_1"],
  [
    "a lower number of members",
    { name: "n", members: { organization_id: "o", at_least: 3 } },
    [{ name: "n", members: { organization_id: "o", at_least: 2 } }],
    "at least 3",
  ],
] as [string, object, object[], string][])("%s", (_, base, head, words) => {
  test("is weaker", () => {
    const [found, ...more] = compare(base, ...head);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ code: "TF-EXPECTATION-WEAKENED", level: "high" });
    expect(found!.text).toContain(words);
  });
});

test("an expectation of the change with values that are not known replaces none", () => {
  const open = request({ countries: Symbol("unknown") });
  expect(compare(sanctions, open)).toHaveLength(1);
  expect(compare(open, open)).toEqual([]);
});

test("a sensitive expectation is not shown", () => {
  const [base] = readExpectations([sanctions], "base");
  expect(weakenedExpectations([{ ...base!, isSecret: true }], [])[0]!.text).not.toMatch(/KP|IR/);
});
