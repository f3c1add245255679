/** Which changes weaken the expectations that judge them, and the words for what is lost: one row for each. */
import { worded } from "../support/worded";
import { readExpectations } from "../support/expectations";
import { weakenedExpectations } from "../../../src/impact/statement/weakened";

const unknown = Symbol("unknown");
const countries = ["KP", "IR"];
const requests = (request: object, more: object = {}) => ({ name: "x", outcome: "blocked", request, ...more });
const sanctions = (request: object = {}, more: object = {}) =>
  requests({ scopes: ["authentication"], countries, ...request }, more);
const either = (...one_of: string[]) => sanctions({}, { outcome: undefined, one_of });
const warning = { severity: "warning" };
const limit = (policy: object, more: object = {}) => ({
  name: "x",
  policy: { consumer: "client", ...policy },
  ...more,
});
const third = { consumer_selector: "third_party_clients" };
const team = (members: object, more: object = {}) => ({
  name: "x",
  members: { organization_id: "org_1", ...members },
  ...more,
});
const renamed = (expectation: object) => ({ ...expectation, name: "other" });
const weakened = (base: object, ...head: object[]) =>
  weakenedExpectations(readExpectations([base], "base"), readExpectations(head, "head"));
const textOf = (base: object, ...head: object[]) => weakened(base, ...head).map(worded)[0]?.text;
const named = { scopes: ["authentication"], ip_cidrs: ["198.51.100.9"] };

const cases: [string, object, ...object[]][] = [
  ["the same", sanctions(), sanctions()],
  ["another name", sanctions(), renamed(sanctions())],
  ["a split into two", sanctions(), sanctions({ countries: ["KP"] }), renamed(sanctions({ countries: ["IR"] }))],
  ["a wider set", sanctions(), sanctions({ scopes: ["authentication", "management"] })],
  ["all requests", sanctions(), requests({})],
  ["a code in lower case", sanctions(), sanctions({ countries: ["kp", "ir"] })],
  ["an exception that concerns no such request", sanctions(), sanctions({}, { except: { countries: ["DE"] } })],
  [
    "an exception with its own expectation",
    sanctions(),
    sanctions({}, { except: { asns: [64500] } }),
    renamed(sanctions({ asns: [64500] })),
  ],
  ["fewer outcomes", either("blocked", "redirected"), sanctions()],
  ["an error in place of a warning", sanctions({}, warning), sanctions()],
  ["the same warning", sanctions({}, warning), sanctions({}, warning)],
  ["a wider warning", sanctions({}, warning), requests({}, warning)],
  [
    "two statements that together leave one outcome",
    sanctions(),
    either("blocked", "redirected"),
    renamed(either("blocked", "reached")),
  ],
  ["statements of other kinds beside it", sanctions(), requests({}), { ...limit({ at_most: 5 }), name: "limit" }],
  ["an equal one with unknown values", requests({ countries: [unknown] }), renamed(requests({ countries: [unknown] }))],
  ["a lower limit", limit({ at_most: 50 }), limit({ at_most: 40 })],
  ["a limit for all clients", limit({ ...third, at_most: 50 }), limit({ at_most: 50 })],
  ["the same lower bound", limit({ at_least: 10 }), limit({ at_least: 10, at_most: 50 })],
  ["a higher lower bound", limit({ at_least: 10 }), limit({ at_least: 11 })],
  ["two bounds apart", limit({ at_most: 50, at_least: 10 }), limit({ at_most: 50 }), renamed(limit({ at_least: 10 }))],
  ["more members", team({ include: ["a", "b"], at_least: 2 }), team({ include: ["a", "b", "c"], at_least: 2 })],
  ["members that imply their number", team({ include: ["a", "b"], at_least: 2 }), team({ include: ["b", "a"] })],
  ["a lower highest number", team({ at_most: 5 }), team({ at_most: 4 })],
  ["more excluded members", team({ exclude: ["a"] }), team({ exclude: ["b", "a"] })],
  ["two numbers apart", team({ at_least: 3, at_most: 5 }), team({ at_least: 3 }), renamed(team({ at_most: 5 }))],
  ["nothing", sanctions()],
  ["a request with facts", requests({ ...named, countries: ["KP"], asns: [64500] })],
  ["one of several outcomes", { name: "x", one_of: ["reached", "logged"], request: named }],
  ["a smaller set", sanctions(), sanctions({ countries: ["KP"] })],
  ["an exception", sanctions(), sanctions({}, { except: { ip_cidrs: ["198.51.100.9"] } })],
  ["another fact", sanctions(), sanctions({ ip_cidrs: ["0.0.0.0/0"] })],
  ["another outcome", sanctions(), sanctions({}, { outcome: "redirected" })],
  ["more outcomes", sanctions(), either("blocked", "logged")],
  ["a warning", sanctions(), sanctions({}, warning)],
  ["unknown values", requests({ countries: unknown }), requests({})],
  ["unknown values of the change", sanctions(), sanctions({ countries: unknown })],
  ["a higher limit", limit({ at_most: 50 }), limit({ at_most: 60 })],
  ["another selector", limit({ ...third, at_most: 50 }), limit({ consumer_selector: "cimd_clients", at_most: 50 })],
  ["other callers", limit({ at_most: 50 }), limit({ consumer: "organization", at_most: 50 })],
  ["no limit of long callers", limit({ consumer_selector: `client_id:${"a".repeat(60)}`, at_most: 50, at_least: 10 })],
  ["the lower bound alone", limit({ at_most: 50, at_least: 10 }), limit({ at_most: 50, at_least: 9 })],
  ["the lower bound, as the only one", limit({ at_least: 10 }), limit({ at_least: 9 })],
  ["everything about members", team({ include: ["a", "b"], exclude: ["c", "d".repeat(80)], at_least: 2, at_most: 5 })],
  ["fewer members", team({ include: ["a", "b"] }), team({ include: ["a"] })],
  ["another organization", team({ include: ["a"] }), team({ organization_id: "org_2", include: ["a"] })],
  ["one excluded member", team({ exclude: ["a", "b"] }), team({ exclude: ["a"] })],
  ["a member who is excluded now", team({ include: ["a"] }), team({ exclude: ["a"] })],
  ["a lower number of members", team({ at_least: 3 }), team({ include: ["a", "b"] })],
  ["a number that an exclusion does not imply", team({ at_least: 1 }), team({ exclude: ["a"] })],
  ["a higher number of members", team({ at_most: 3 }), team({ at_most: 4 })],
];

test("a change cannot weaken the expectations that judge it with any text", () => {
  const lines = cases.map(([what, base, ...head]) => {
    const found = weakened(base, ...head);
    expect(found.map(({ code, level }) => `${code} ${level}`)).toEqual(
      found.map(() => "TNF-EXPECTATION-WEAKENED high"),
    );
    const words = found
      .map(worded)
      .map(({ text }) => text.replace(/^The change (\w+) the expectation "x" of the base branch: /, "$1: "));
    return `${what}: ${words.join(" AND ") || "not weaker"}`;
  });
  expect(`\n${lines.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    the same: not weaker
    another name: not weaker
    a split into two: not weaker
    a wider set: not weaker
    all requests: not weaker
    a code in lower case: not weaker
    an exception that concerns no such request: not weaker
    an exception with its own expectation: not weaker
    fewer outcomes: not weaker
    an error in place of a warning: not weaker
    the same warning: not weaker
    a wider warning: not weaker
    two statements that together leave one outcome: not weaker
    statements of other kinds beside it: not weaker
    an equal one with unknown values: not weaker
    a lower limit: not weaker
    a limit for all clients: not weaker
    the same lower bound: not weaker
    a higher lower bound: not weaker
    two bounds apart: not weaker
    more members: not weaker
    members that imply their number: not weaker
    a lower highest number: not weaker
    more excluded members: not weaker
    two numbers apart: not weaker
    nothing: removes: nothing states that a request to sign-in from 203.0.113.7, country IR, is blocked.
    a request with facts: removes: nothing states that a request to sign-in from 198.51.100.9, country KP, AS number 64500, is blocked.
    one of several outcomes: removes: nothing states that a request to sign-in from 198.51.100.9 is allowed or logged.
    a smaller set: weakens: nothing states that a request to sign-in from 203.0.113.7, country IR, is blocked.
    an exception: weakens: nothing states that a request to sign-in from 198.51.100.9, country IR, is blocked.
    another fact: weakens: nothing states that a request to sign-in from 2001:db8::7, country IR, is blocked.
    another outcome: weakens: nothing states that a request to sign-in from 203.0.113.7, country IR, is blocked.
    more outcomes: weakens: nothing states that a request to sign-in from 203.0.113.7, country IR, is blocked.
    a warning: weakens: it is only a warning now.
    unknown values: weakens: its values are not known, and no expectation of the change is equal.
    unknown values of the change: weakens: nothing states that a request to sign-in from 203.0.113.7, country IR, is blocked.
    a higher limit: weakens: nothing states that the limit for client is at most 50 requests per second.
    another selector: weakens: nothing states that the limit for third_party_clients is at most 50 requests per second.
    other callers: weakens: nothing states that the limit for client is at most 50 requests per second.
    no limit of long callers: removes: nothing states that the limit for client_id:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… is at most 50 and at least 10 requests per second.
    the lower bound alone: weakens: nothing states that the limit for client is at least 10 requests per second.
    the lower bound, as the only one: weakens: nothing states that the limit for client is at least 10 requests per second.
    everything about members: removes: nothing states that the organization org_1 includes a and b, excludes c and ddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd…, has at least 2 members and has at most 5 members.
    fewer members: weakens: nothing states that the organization org_1 includes b.
    another organization: weakens: nothing states that the organization org_1 includes a.
    one excluded member: weakens: nothing states that the organization org_1 excludes b.
    a member who is excluded now: weakens: nothing states that the organization org_1 includes a.
    a lower number of members: weakens: nothing states that the organization org_1 has at least 3 members.
    a number that an exclusion does not imply: weakens: nothing states that the organization org_1 has at least 1 member.
    a higher number of members: weakens: nothing states that the organization org_1 has at most 3 members.
    "
  `);
});

test("names the expectation, shortened, and its plan", () => {
  const [base] = readExpectations([requests({}, { name: "n".repeat(120) })], "base");
  const [found] = weakenedExpectations([{ ...base!, plan: "eu" }], []);
  expect(worded(found!)).toMatchObject({
    plan: "eu",
    text: expect.stringMatching(/^The change removes the expectation "n{99}…" of the base branch: nothing states /),
  });
  expect(weakenedExpectations([base!], [])[0]!.subject).not.toHaveProperty("plan");
});

test("shows no value of a sensitive expectation, and still says that it is only a warning", () => {
  const [base] = readExpectations([sanctions()], "base");
  const secret = { ...base!, isSecret: true as const };
  expect(worded(weakenedExpectations([secret], [])[0]!).text).toContain(
    "a value is sensitive, so the difference is not shown.",
  );
  expect(worded(weakenedExpectations([secret], [{ ...base!, severity: "warning" }])[0]!).text).toContain(
    "it is only a warning now.",
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
  expect(textOf(requests(request), requests(pairs))).toContain(
    "comparing it with the expectations of the change would take too long.",
  );
});
