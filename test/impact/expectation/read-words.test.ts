/** The whole texts of errors in the JSON form of expectations, and values at the limit of what is right. */
import { readExpectations } from "../../../src/impact/expectation/read";

const read = (one: unknown) => readExpectations([one], "f")[0]!;
const policy = (more: object) => ({ name: "x", policy: { consumer: "client", ...more } });
const team = (more: object) => ({ name: "x", members: { organization_id: "org_1", ...more } });
const requests = (more: object) => ({ name: "x", outcome: "blocked", ...more });
const unknown = Symbol("unknown");

test.each<[object, object]>([
  [policy({ at_most: 0 }), { kind: "policy", consumer: "client", at_most: 0 }],
  [policy({ at_least: 0 }), { kind: "policy", consumer: "client", at_least: 0 }],
  [policy({ at_most: 5, at_least: 5 }), { kind: "policy", consumer: "client", at_most: 5, at_least: 5 }],
  [
    policy({ consumer_selector: "default", at_least: 5 }),
    { kind: "policy", consumer: "client", consumer_selector: "default", at_least: 5 },
  ],
  [policy({ at_most: unknown, at_least: 5 }), { kind: "policy", consumer: "client", at_most: unknown, at_least: 5 }],
  [team({ at_most: 5 }), { kind: "members", organization_id: "org_1", at_most: 5 }],
  [team({ at_least: 5 }), { kind: "members", organization_id: "org_1", at_least: 5 }],
  [team({ include: ["a"] }), { kind: "members", organization_id: "org_1", include: ["a"] }],
  [team({ exclude: ["a"] }), { kind: "members", organization_id: "org_1", exclude: ["a"] }],
  [
    team({ include: ["a", unknown], exclude: [unknown, "b"] }),
    { kind: "members", organization_id: "org_1", include: ["a", unknown], exclude: [unknown, "b"] },
  ],
  [requests({ policy: [], members: [] }), { kind: "requests", outcomes: ["blocked"], requests: [], except: [] }],
  [requests({}), { kind: "requests", outcomes: ["blocked"], requests: [], except: [] }],
  [requests({ request: unknown }), { kind: "requests", outcomes: ["blocked"], requests: unknown, except: [] }],
  [
    { name: "x", one_of: ["blocked", unknown] },
    { kind: "requests", outcomes: ["blocked", unknown], requests: [], except: [] },
  ],
])("reads %j as it is", (given, statement) => {
  expect(read(given).statement).toStrictEqual(statement);
});

test("a name that is not known yet is the place", () => {
  expect(read({ name: unknown, outcome: "blocked" }).name).toBe("f, expectation 1");
  expect(() => read({ name: unknown, outcome: "x" })).toThrow(/^f, expectation 1: outcome is/);
});

test.each<[string, unknown, string]>([
  [
    "another attribute of a limit",
    policy({ limit: 5 }),
    'policy: "limit" is not known. The names are consumer, consumer_selector, at_most, at_least.',
  ],
  ["a misspelled selector", policy({ consumer_selecter: "a" }), '"consumer_selector" is probably meant.'],
  ["no bound", policy({}), "policy has no bound. Give at_most or at_least, in requests per second."],
  [
    "a selector that is a number",
    policy({ at_most: 5, consumer_selector: 5 }),
    'policy: consumer_selector is 5. Give a text such as "third_party_clients".',
  ],
  [
    "a consumer that is a number",
    policy({ at_most: 5, consumer: 5 }),
    'policy: consumer is 5. Give a text such as "client".',
  ],
  ["an empty consumer", policy({ at_most: 5, consumer: "" }), 'policy: consumer is "". Give a text such as "client".'],
  ["no consumer", { name: "x", policy: { at_most: 5 } }, 'policy: consumer is missing. Give one, such as "client".'],
  ["a bound below 0", policy({ at_most: -1 }), "policy: at_most is -1. Give a whole number from 0."],
  ["a bound as text", policy({ at_least: "5" }), 'policy: at_least is "5". Give a whole number from 0.'],
  [
    "bounds the wrong way round",
    policy({ at_most: 5, at_least: 6 }),
    "at_least is 6 and at_most is 5. Give an at_most that is not lower than at_least.",
  ],
  [
    "another attribute of members",
    team({ users: [] }),
    'members: "users" is not known. The names are organization_id, include, exclude, at_most, at_least.',
  ],
  [
    "an organization that is a number",
    { name: "x", members: { organization_id: 5, at_most: 1 } },
    'organization_id is 5. Give a text such as "org_9ybsU1dN2dKfDkBi".',
  ],
  [
    "no organization",
    { name: "x", members: { at_most: 1 } },
    'organization_id is missing. Give one, such as "org_9ybsU1dN2dKfDkBi".',
  ],
  ["members that state nothing", team({}), "members states nothing. Give include, exclude, at_most or at_least."],
  [
    "one member in both lists",
    team({ include: ["a", "b"], exclude: ["c", "b"] }),
    'members: include and exclude both name "b". Remove one of them.',
  ],
  ["a list of members that is a text", team({ include: "a" }), 'members.include is "a". Give a list: ["a"].'],
  [
    "a member that is a number",
    team({ exclude: [5] }),
    'members.exclude: 5 is not the id of a user. Give one, such as "auth0|4f1c".',
  ],
  ["a member that cannot be printed", team({ include: ["a\nb"] }), 'members.include: "a\\nb" is not the id of a user.'],
  ["two outcomes", requests({ one_of: ["reached"] }), "it has outcome and one_of. Keep one of them."],
  [
    "a list as outcome",
    { name: "x", outcome: ["blocked"] },
    'outcome is ["blocked"]. Give one text, or use one_of for several.',
  ],
  ["a text as one_of", { name: "x", one_of: "blocked" }, 'one_of is "blocked". Give a list: ["blocked"].'],
  [
    "an unknown outcome in one_of",
    { name: "x", one_of: ["maybe"] },
    'one_of is "maybe": give one of blocked, reached, redirected, logged.',
  ],
  [
    "an unknown outcome",
    { name: "x", outcome: "maybe" },
    'outcome is "maybe": give one of blocked, reached, redirected, logged.',
  ],
  ["a number as outcome", { name: "x", outcome: 5 }, "outcome is 5: give one of blocked"],
  [
    "an outcome with spaces",
    { name: "x", outcome: " Blocked " },
    'outcome is " Blocked ": "blocked" is probably meant.',
  ],
  ["a spoken outcome with spaces", { name: "x", outcome: " Deny " }, '"blocked" is probably meant.'],
  [
    "a text as request",
    requests({ request: "KP" }),
    'request is "KP". Give an object of facts, such as {"countries": ["KP"]}.',
  ],
  ["a list as request", requests({ request: [["KP"]] }), 'request is ["KP"]. Give an object of facts'],
  ["null as request", requests({ request: [null] }), "request is null. Give an object of facts"],
  [
    "a mistake in the second request",
    requests({ request: [{}, { weather: [] }] }),
    'request 2: "weather" is not known.',
  ],
  ["a mistake in the only request", requests({ request: [{ weather: [] }] }), ': request: "weather" is not known.'],
  [
    "the first exception without facts",
    requests({ except: [{}, { asns: [1] }] }),
    "except 1 has no facts, so it excepts every request. Give a fact, or remove it.",
  ],
  [
    "the singular of a list",
    requests({ request: { api: ["sign-in"] } }),
    '"api" is not known. "apis" is probably meant.',
  ],
  [
    "the name of a fact",
    requests({ request: { connecting_ip: ["10.0.0.1"] } }),
    '"connecting_ip_cidrs" is probably meant.',
  ],
  ["a flag in place of a number", requests({ request: { asns: [true] } }), "request.asns: true is not a number: give "],
  [
    "a flag in place of a text",
    requests({ request: { countries: [true] } }),
    "request.countries: true is not a text: give ",
  ],
  ["a number in place of a text", requests({ request: { hostnames: [5] } }), "request.hostnames: "],
  [
    "a number in place of a text that may be one",
    requests({ request: { user_agents: [5] } }),
    'request.user_agents: 5 has the wrong type: write "5".',
  ],
  [
    "a text in place of a number",
    requests({ request: { asns: ["64500"] } }),
    'request.asns: "64500" has the wrong type: write 64500.',
  ],
  [
    "no name",
    { outcome: "blocked" },
    'expectation 1: name is missing. Give a name, such as "sanctions": messages show it.',
  ],
  [
    "a number as name",
    { name: 5, outcome: "blocked" },
    "name is 5. Give a text that is not empty and has only visible characters.",
  ],
  ["a severity", requests({ severity: "info" }), 'severity is "info". Give one of error, warning.'],
  ["a flag", requests({ always: 1 }), "always is 1. Give true or false."],
  [
    "a policy with requests",
    { name: "x", policy: { consumer: "client", at_most: 1 }, request: {} },
    "it has policy and request. Write one expectation for each: one is about requests, a policy or members.",
  ],
  ["members with an exception", { ...team({ at_most: 1 }), except: { asns: [1] } }, "it has members and except."],
  [
    "a policy with members",
    { ...team({ at_most: 1 }), policy: { consumer: "client", at_most: 1 } },
    "it has policy and members.",
  ],
  ["members with one_of", { ...team({ at_most: 1 }), one_of: ["blocked"] }, "it has members and one_of."],
  ["two policies", { name: "x", policy: [{}, {}] }, "it has several policy blocks. Write one expectation for each."],
  [
    "two sets of members",
    { name: "x", members: [{}, {}] },
    "it has several members blocks. Write one expectation for each.",
  ],
  ["a text as policy", { name: "x", policy: "a" }, ': policy is "a". Give an object.'],
  ["a text as members", { name: "x", members: "a" }, ': members is "a". Give an object.'],
])("refuses %s", (_name, given, words) => {
  expect(() => read(given)).toThrow(words);
});

test.each([
  ["block", "blocked"],
  ["denied", "blocked"],
  ["deny", "blocked"],
  ["forbidden", "blocked"],
  ["refused", "blocked"],
  ["allow", "reached"],
  ["allowed", "reached"],
  ["reach", "reached"],
  ["reachable", "reached"],
  ["permitted", "reached"],
  ["redirect", "redirected"],
  ["log", "logged"],
  ["recorded", "logged"],
])("the outcome %s probably means %s", (outcome, meant) => {
  expect(() => read({ name: "x", outcome })).toThrow(`outcome is "${outcome}": "${meant}" is probably meant.`);
});

test.each<[unknown, string]>([
  ["x", 'f is "x". Give an object such as {"expectations": [...]}, or a list.'],
  [{ expectations: "x" }, 'f: expectations is "x". Give a list of expectations.'],
  [{}, "f: expectations is missing. Give a list of expectations."],
  [{ expectations: [], expect: 1 }, 'f: "expect" is not known. The names are expectations.'],
  [[5], 'f, expectation 1 is 5. Give an object such as {"name": "sanctions", "outcome": "blocked"}.'],
])("refuses the file %j", (json, words) => {
  expect(() => readExpectations(json, "f")).toThrow(words);
});

test("names the expectation by its number and its name", () => {
  const good = { name: "good", outcome: "blocked" };
  expect(() => readExpectations([good, { name: "bad", outcome: "x" }], "f")).toThrow(
    /^f, expectation 2 \("bad"\): outcome/,
  );
  expect(() => readExpectations([good, good], "f")).toThrow(
    'f: two expectations have the name "good". Give each a name of its own.',
  );
});
