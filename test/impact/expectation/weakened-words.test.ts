/** The whole sentence about each expectation that a change weakens, and changes at the limit of what is weaker. */
import { readExpectations } from "../../../src/impact/expectation/read";
import { weakenedExpectations } from "../../../src/impact/expectation/weakened";

const unknown = Symbol("unknown");
const requests = (more: object = {}) => ({ name: "x", outcome: "blocked", request: { countries: ["KP"] }, ...more });
const limit = (policy: object, more: object = {}) => ({
  name: "x",
  policy: { consumer: "client", ...policy },
  ...more,
});
const team = (members: object) => ({ name: "x", members: { organization_id: "org_1", ...members } });
const weakened = (base: object, ...head: object[]) =>
  weakenedExpectations(readExpectations([base], "base"), readExpectations(head, "head"));
const textOf = (base: object, ...head: object[]) => weakened(base, ...head)[0]?.text;

test("says that the change removes an expectation, or weakens the one of the same name", () => {
  const base = limit({ at_most: 50 });
  const lost = "nothing states that the limit for client is at most 50 requests per second.";
  const removed = `The change removes the expectation "x" of the base branch: ${lost}`;
  expect(textOf(base)).toBe(removed);
  expect(textOf(base, { ...limit({ at_most: 60 }), name: "other" })).toBe(removed);
  expect(textOf(base, { ...limit({ at_most: 60 }), name: "other" }, limit({ at_most: 60 }))).toBe(
    `The change weakens the expectation "x" of the base branch: ${lost}`,
  );
});

test("shortens a long name", () => {
  expect(textOf({ ...requests(), name: "n".repeat(120) })).toContain(`the expectation "${"n".repeat(99)}…" of`);
});

test("names the plan of an expectation that has one", () => {
  const [base] = readExpectations([requests()], "base");
  expect(weakenedExpectations([{ ...base!, plan: "eu" }], [])).toMatchObject([{ plan: "eu" }]);
  expect(weakenedExpectations([base!], [])[0]).not.toHaveProperty("plan");
});

test.each<[string, object, object[], string]>([
  [
    "a request",
    requests({ request: { apis: ["sign-in"], countries: ["KP"], asns: [64500], ip_cidrs: ["198.51.100.9"] } }),
    [],
    "nothing states that a request to sign-in from 198.51.100.9, country KP, AS number 64500, is blocked.",
  ],
  [
    "one of several outcomes",
    { name: "x", one_of: ["reached", "logged"], request: { apis: ["sign-in"], ip_cidrs: ["198.51.100.9"] } },
    [],
    "nothing states that a request to sign-in from 198.51.100.9 is allowed or logged.",
  ],
  [
    "a value that is not known",
    requests({ request: { countries: unknown } }),
    [requests()],
    "its values are not known, and no expectation of the change is equal.",
  ],
  ["an error that is only a warning now", requests(), [requests({ severity: "warning" })], "it is only a warning now."],
  [
    "an error that is only a warning now, also if it is no longer checked",
    requests({ always: true }),
    [requests({ severity: "warning" })],
    "it is only a warning now.",
  ],
  [
    "an error that is no longer checked during the apply",
    requests({ always: true }),
    [requests()],
    "it is no longer checked during the apply (`always`).",
  ],
  [
    "a warning that is no longer checked during the apply",
    requests({ always: true, severity: "warning" }),
    [requests({ severity: "warning" })],
    "it is no longer checked during the apply (`always`).",
  ],
  [
    "both bounds of a limit",
    limit({ consumer_selector: "cimd_clients", at_most: 50, at_least: 10 }),
    [],
    "nothing states that the limit for cimd_clients is at most 50 and at least 10 requests per second.",
  ],
  [
    "the lower bound alone",
    limit({ at_most: 50, at_least: 10 }),
    [limit({ at_most: 50, at_least: 9 })],
    "nothing states that the limit for client is at least 10 requests per second.",
  ],
  [
    "the lower bound, as the only one",
    limit({ at_least: 10 }),
    [limit({ at_least: 9 })],
    "nothing states that the limit for client is at least 10 requests per second.",
  ],
  [
    "the lower bound, if the change states no limit",
    limit({ at_least: 10 }),
    [],
    "nothing states that the limit for client is at least 10 requests per second.",
  ],
  [
    "the limit of other callers",
    limit({ at_most: 50 }),
    [limit({ consumer: "organization", at_most: 50 })],
    "nothing states that the limit for client is at most 50 requests per second.",
  ],
  [
    "a limit for callers with a long selector",
    limit({ consumer_selector: `client_id:${"a".repeat(60)}`, at_most: 50 }),
    [],
    `nothing states that the limit for client_id:${"a".repeat(37)}… is at most 50 requests per second.`,
  ],
  [
    "everything about members",
    team({ include: ["a", "b"], exclude: ["c", "d".repeat(80)], at_least: 2, at_most: 5 }),
    [],
    "nothing states that the organization org_1 includes a and b, " +
      `excludes c and ${"d".repeat(63)}…, has at least 2 members and has at most 5 members.`,
  ],
  [
    "one excluded member",
    team({ exclude: ["a", "b"] }),
    [team({ exclude: ["a"] })],
    "nothing states that the organization org_1 excludes b.",
  ],
  [
    "a member who is excluded now",
    team({ include: ["a"] }),
    [team({ exclude: ["a"] })],
    "nothing states that the organization org_1 includes a.",
  ],
  [
    "a lower number of members",
    team({ at_least: 3 }),
    [team({ include: ["a", "b"] })],
    "nothing states that the organization org_1 has at least 3 members.",
  ],
  [
    "a number that an exclusion does not imply",
    team({ at_least: 1 }),
    [team({ exclude: ["a"] })],
    "nothing states that the organization org_1 has at least 1 member.",
  ],
  [
    "a higher number of members",
    team({ at_most: 3 }),
    [team({ at_most: 4 })],
    "nothing states that the organization org_1 has at most 3 members.",
  ],
])("names %s", (_name, base, head, lost) => {
  expect(textOf(base, ...head)).toContain(`the expectation "x" of the base branch: ${lost}`);
});

test.each<[string, object, object[]]>([
  ["the same warning", requests({ severity: "warning" }), [requests({ severity: "warning" })]],
  ["the same check during the apply", requests({ always: true }), [requests({ always: true })]],
  [
    "a wider warning in place of a warning",
    requests({ severity: "warning" }),
    [requests({ severity: "warning", request: {} })],
  ],
  ["a wider check during the apply", requests({ always: true }), [requests({ always: true, request: {} })]],
  [
    "statements of other kinds next to the same requests",
    requests(),
    [requests({ request: {} }), { ...limit({ at_most: 5 }), name: "limit" }, { ...team({ at_most: 5 }), name: "team" }],
  ],
  ["the same lower bound next to an upper one", limit({ at_least: 10 }), [limit({ at_least: 10, at_most: 50 })]],
  ["a higher lower bound", limit({ at_least: 10 }), [limit({ at_least: 11 })]],
  [
    "bounds in two expectations",
    limit({ at_most: 50, at_least: 10 }),
    [limit({ at_most: 50 }), { ...limit({ at_least: 10 }), name: "least" }],
  ],
  ["a lower highest number of members", team({ at_most: 5 }), [team({ at_most: 4 })]],
  ["more excluded members", team({ exclude: ["a"] }), [team({ exclude: ["b", "a"] })]],
  [
    "bounds of a number in two expectations",
    team({ at_least: 3, at_most: 5 }),
    [team({ at_least: 3 }), { ...team({ at_most: 5 }), name: "most" }, { ...team({ at_most: 9 }), name: "more" }],
  ],
])("accepts %s", (_name, base, head) => {
  expect(weakened(base, ...head)).toEqual([]);
});

test("an expectation with unknown values needs an equal one, even if everything is blocked", () => {
  const open = requests({ request: { countries: [unknown] } });
  expect(weakened(open, requests({ request: {} }))).toHaveLength(1);
  expect(weakened(open, { ...open, name: "other" })).toEqual([]);
});

test("shows no value of a sensitive expectation, and still says that it is only a warning", () => {
  const [base] = readExpectations([requests()], "base");
  const secret = { ...base!, isSecret: true as const };
  expect(weakenedExpectations([secret], [])[0]!.text).toBe(
    'The change removes the expectation "x" of the base branch: a value is sensitive, so the difference is not shown.',
  );
  expect(weakenedExpectations([secret], [{ ...base!, severity: "warning" }])[0]!.text).toBe(
    'The change weakens the expectation "x" of the base branch: it is only a warning now.',
  );
});

// The base lists 7 values of 8 facts, and the change blocks every pair of equal places: a request needs 8 different places.
test("counts an expectation as weakened if the comparison takes too long", () => {
  const codes = ["DE", "FR", "IT", "ES", "PL", "SE", "NO"];
  const facts: Readonly<Record<string, (place: number) => string | number>> = {
    asns: (place) => place + 1,
    hostnames: (place) => `h${place}.example`,
    user_agents: (place) => `u${place}`,
    signature_keys: (place) => `k${place}`,
    countries: (place) => codes[place]!,
    ip_cidrs: (place) => `10.0.0.${place}`,
    ja3: (place) => String(place).padStart(32, "a"),
    ja4: (place) => `t13d1516h2_8daaf6152771_e5627efa2ab${place}`,
  };
  const lists = Object.entries(facts);
  const request = Object.fromEntries(lists.map(([name, entry]) => [name, codes.map((_, place) => entry(place))]));
  const pairs = lists.flatMap(([one, first], at) =>
    lists
      .slice(at + 1)
      .flatMap(([other, second]) => codes.map((_, place) => ({ [one]: [first(place)], [other]: [second(place)] }))),
  );
  expect(textOf(requests({ request }), requests({ request: pairs }))).toBe(
    'The change weakens the expectation "x" of the base branch: ' +
      "comparing it with the expectations of the change would take too long.",
  );
});
