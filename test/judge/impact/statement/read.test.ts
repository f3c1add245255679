/** Reads the JSON form of expectations, and refuses mistakes with the attribute, the value and the remedy. */
import { readExpectations } from "../support/expectations";
import { rows } from "../support/table";

const read = (...expectations: unknown[]) => readExpectations(expectations, "f");
const unknown = Symbol("unknown");
const requests = (more: object = {}) => ({ name: "x", outcome: "blocked", ...more });
const facts = (request: unknown) => requests({ request });
const policy = (more: object = {}) => ({ name: "x", policy: { consumer: "client", ...more } });
const team = (more: object = {}) => ({ name: "x", members: { organization_id: "org_1", ...more } });
const blocked = { kind: "requests", outcomes: ["blocked"], requests: [], except: [] };
const limit = { kind: "policy", consumer: "client" };
const members = { kind: "members", organization_id: "org_1" };
const [byDefault, nowhere] = [{ consumer_selector: "default" }, { organization_id: unknown }];
const both = { include: ["a", unknown], exclude: [unknown, "b"] };
const nulls = { one_of: null, except: [], policy: null, members: null, severity: null };
const [KP, asn] = [{ countries: ["KP"] }, { asns: [64500] }];
const open = { countries: unknown, asns: [64500, unknown] };

test.each<[string, object, object]>([
  ["one request", facts({ scopes: ["authentication"] }), { ...blocked, requests: [{ scopes: ["authentication"] }] }],
  ["several", requests({ request: [KP, asn], except: KP }), { ...blocked, requests: [KP, asn], except: [KP] }],
  ["no request", requests(), blocked],
  ["empty blocks of other kinds", requests({ policy: [], members: [] }), blocked],
  ["nulls", { ...facts([{ ...KP, asns: null }]), ...nulls }, { ...blocked, requests: [KP] }],
  ["several outcomes", { name: "x", one_of: ["blocked", unknown] }, { ...blocked, outcomes: ["blocked", unknown] }],
  ["unknown outcomes", { name: unknown, one_of: unknown }, { ...blocked, outcomes: unknown }],
  ["unknown requests", facts(unknown), { ...blocked, requests: unknown }],
  ["unknown facts", requests({ request: [unknown, open] }), { ...blocked, requests: [unknown, open] }],
  ["an upper bound of 0", policy({ at_most: 0 }), { ...limit, at_most: 0 }],
  ["a lower bound", policy({ ...byDefault, at_least: 0 }), { ...limit, ...byDefault, at_least: 0 }],
  ["equal bounds", policy({ at_most: 5, at_least: 5 }), { ...limit, at_most: 5, at_least: 5 }],
  ["an unknown bound", policy({ at_most: unknown, at_least: 5 }), { ...limit, at_most: unknown, at_least: 5 }],
  [
    "a policy in a list",
    { name: "x", request: [], policy: [{ consumer: "client", consumer_selector: null, at_most: 5 }] },
    { ...limit, at_most: 5 },
  ],
  ["at most some members", team({ at_most: 5 }), { ...members, at_most: 5 }],
  ["at least some members", team({ at_least: 5 }), { ...members, at_least: 5 }],
  ["members of both lists", team(both), { ...members, ...both }],
  ["unknown members", team({ ...nowhere, include: unknown }), { ...members, ...nowhere, include: unknown }],
])("reads %s", (_what, given, statement) => expect(read(given)[0]!.statement).toStrictEqual(statement));

test("reads the name and the severity", () => {
  const usual = { name: "x", severity: "error", statement: blocked };
  expect(read(requests())).toEqual([usual]);
  const more = { severity: "warning" };
  expect(read(requests(more))[0]).toEqual({ ...usual, ...more });
  const hidden = { severity: unknown };
  expect(read(requests({ ...hidden, name: unknown }))[0]).toMatchObject({ ...hidden, name: "f, expectation 1" });
});

const refusalOf = (given: unknown) => {
  try {
    return `nothing refuses ${read(given).length}`;
  } catch (error) {
    return (error as Error).message;
  }
};

/** The JSON of an expectation, in which "?" is not known, and what the message says behind its place. */
const mistakes = rows(String.raw`
  "x" => is "x". Give an object such as {"name": "sanctions", "outcome": "blocked"}.
  {"outcome":"blocked"} => name is missing. Give a name, such as "sanctions": messages show it.
  {"name":" ","outcome":"blocked"} => name is " ". Give a text that is not empty and has only visible characters.
  {"name":"a\nb","outcome":"blocked"} => name is "a\nb". Give a text that is not empty and has only visible characters.
  {"name":5,"outcome":"blocked"} => name is 5. Give a text that is not empty and has only visible characters.
  {"name":"x","outcome":"blocked","outcomes":[]} => "outcomes" is not known. "outcome" is probably meant.
  {"name":"x"} => outcome is missing. Give one of blocked, reached, redirected, logged.
  {"name":"?","outcome":"x"} => outcome is "x": give one of blocked, reached, redirected, logged.
  {"name":"x","outcome":"constructor"} => outcome is "constructor": give one of blocked, reached, redirected, logged.
  {"name":"x","outcome":" Deny "} => outcome is " Deny ": "blocked" is probably meant.
  {"name":"x","outcome":5} => outcome is 5: give one of blocked, reached, redirected, logged.
  {"name":"x","outcome":["blocked"]} => outcome is ["blocked"]. Give one text, or use one_of for several.
  {"name":"x","one_of":"blocked"} => one_of is "blocked". Give a list: ["blocked"].
  {"name":"x","one_of":[]} => one_of is an empty list. Give at least one value, or leave it out.
  {"name":"x","outcome":"blocked","one_of":["reached"]} => it has outcome and one_of. Keep one of them.
  {"name":"x","outcome":"blocked","severity":"info"} => severity is "info". Give one of error, warning.
  {"name":"x","outcome":"blocked","request":"KP"} => request is "KP". Give an object of facts, such as {"countries": ["KP"]}.
  {"name":"x","outcome":"blocked","request":[null]} => request is null. Give an object of facts, such as {"countries": ["KP"]}.
  {"name":"x","outcome":"blocked","request":[{},{"weather":[]}]} => request 2: "weather" is not known. The names are scopes, ip_cidrs, connecting_ip_cidrs, countries, subdivisions, asns, user_agents, hostnames, ja3, ja4, managed, signature_keys.
  {"name":"x","outcome":"blocked","request":{"country":["KP"]}} => request: "country" is not known. "countries" is probably meant.
  {"name":"x","outcome":"blocked","request":{"api":["sign-in"]}} => request: "api" is not known. The names are scopes, ip_cidrs, connecting_ip_cidrs, countries, subdivisions, asns, user_agents, hostnames, ja3, ja4, managed, signature_keys.
  {"name":"x","outcome":"blocked","request":{"connecting_ip":["10.0.0.1"]}} => request: "connecting_ip" is not known. "connecting_ip_cidrs" is probably meant.
  {"name":"x","outcome":"blocked","request":{"countries":[]}} => request.countries is an empty list. Give at least one value, or leave it out.
  {"name":"x","outcome":"blocked","request":{"countries":"KP"}} => request.countries is "KP". Give a list: ["KP"].
  {"name":"x","outcome":"blocked","request":{"countries":["UK"]}} => request.countries: "UK" is not the ISO 3166-1 alpha-2 code of a country: "GB" is probably meant.
  {"name":"x","outcome":"blocked","request":{"countries":["K\u202eP"]}} => request.countries: "K\u{202e}P" is not the ISO 3166-1 alpha-2 code of a country: "KP" is probably meant.
  {"name":"x","outcome":"blocked","request":{"cou\u202entries":["KP"]}} => request: "cou\u{202e}ntries" is not known. "countries" is probably meant.
  {"name":"x","outcome":"blocked","request":{"scopes":["login"]}} => request.scopes: "login" is not a scope: "authentication" is probably meant.
  {"name":"x","outcome":"blocked","request":{"ip_cidrs":["10.0.0.0/33"]}} => request.ip_cidrs: "10.0.0.0/33" is not an IP address or a CIDR block: "10.0.0.0/32" is probably meant.
  {"name":"x","outcome":"blocked","request":{"asns":["64500"]}} => request.asns: "64500" has the wrong type: write 64500.
  {"name":"x","outcome":"blocked","request":{"managed":["auth0.torr"]}} => request.managed is "auth0.torr": "auth0.tor" is probably meant.
  {"name":"x","policy":{"consumer":"clients","at_most":5}} => policy: consumer is "clients": "client" is probably meant.
  {"name":"x","policy":{"consumer":"client","at_most":5,"consumer_selector":"third-party-clients"}} => policy: consumer_selector is "third-party-clients": "third_party_clients" is probably meant.
  {"name":"x","policy":{"consumer":"client_id: a","at_most":5}} => policy: consumer is "client_id: a": "client_id:a" is probably meant.
  {"name":"x","outcome":"blocked","except":{}} => except has no facts, so it excepts every request. Give a fact, or remove it.
  {"name":"x","outcome":"blocked","except":[{},{"asns":[64500]}]} => except 1 has no facts, so it excepts every request. Give a fact, or remove it.
  {"name":"x","policy":{"consumer":"client","limit":5}} => policy: "limit" is not known. The names are consumer, consumer_selector, at_most, at_least.
  {"name":"x","policy":{"consumer":"client"}} => policy has no bound. Give at_most or at_least, in requests per second.
  {"name":"x","policy":{"consumer":"client","at_most":5,"consumer_selector":5}} => policy: consumer_selector is 5. Give a text such as "third_party_clients".
  {"name":"x","policy":{"consumer":5,"at_most":5}} => policy: consumer is 5. Give a text such as "client".
  {"name":"x","policy":{"consumer":"","at_most":5}} => policy: consumer is "". Give a text such as "client".
  {"name":"x","policy":{"at_most":5}} => policy: consumer is missing. Give one, such as "client".
  {"name":"x","policy":{"consumer":"client","at_most":-1}} => policy: at_most is -1. Give a whole number from 0.
  {"name":"x","policy":{"consumer":"client","at_most":1.5}} => policy: at_most is 1.5. Give a whole number from 0.
  {"name":"x","policy":{"consumer":"client","at_least":"5"}} => policy: at_least is "5". Give a whole number from 0.
  {"name":"x","policy":{"consumer":"client","at_most":5,"at_least":6}} => policy: at_least is 6 and at_most is 5. Give an at_most that is not lower than at_least.
  {"name":"x","members":{"organization_id":"org_1","users":[]}} => members: "users" is not known. The names are organization_id, include, exclude, at_most, at_least.
  {"name":"x","members":{"organization_id":5,"at_most":1}} => members: organization_id is 5. Give a text such as "org_9ybsU1dN2dKfDkBi".
  {"name":"x","members":{"at_most":1}} => members: organization_id is missing. Give one, such as "org_9ybsU1dN2dKfDkBi".
  {"name":"x","members":{"organization_id":"org_1"}} => members states nothing. Give include, exclude, at_most or at_least.
  {"name":"x","members":{"organization_id":"org_1","include":["a","b"],"exclude":["c","b"]}} => members: include and exclude both name "b". Remove one of them.
  {"name":"x","members":{"organization_id":"org_1","include":"a"}} => members.include is "a". Give a list: ["a"].
  {"name":"x","members":{"organization_id":"org_1","exclude":[5]}} => members.exclude: 5 is not the id of a user. Give one, such as "auth0|4f1c".
  {"name":"x","members":{"organization_id":"org_1","include":[""]}} => members.include: "" is not the id of a user. Give one, such as "auth0|4f1c".
  {"name":"x","policy":{"consumer":"client","at_most":1},"outcome":"blocked"} => it has policy and outcome. Write one expectation for each: one is about requests, a policy or members.
  {"name":"x","policy":{"consumer":"client","at_most":1},"request":{}} => it has policy and request. Write one expectation for each: one is about requests, a policy or members.
  {"name":"x","members":{"organization_id":"org_1","at_most":1},"except":{"asns":[64500]}} => it has members and except. Write one expectation for each: one is about requests, a policy or members.
  {"name":"x","members":{"organization_id":"org_1","at_most":1},"policy":{"consumer":"client","at_most":1}} => it has policy and members. Write one expectation for each: one is about requests, a policy or members.
  {"name":"x","members":{"organization_id":"org_1","at_most":1},"one_of":["blocked"]} => it has members and one_of. Write one expectation for each: one is about requests, a policy or members.
  {"name":"x","policy":[{},{}]} => it has several policy blocks. Write one expectation for each.
  {"name":"x","policy":"a"} => policy is "a". Give an object.
`).map((row) => row.split(" => ") as [string, string]);

test.each(mistakes)("refuses %s with its place, the value and the remedy", (json, words) => {
  const given: unknown = JSON.parse(json, (_name, value: unknown) => (value === "?" ? unknown : value));
  const place = /^f, expectation 1(?: \("x"\))?:? /;
  expect(refusalOf(given)).toMatch(place);
  expect(refusalOf(given).replace(place, "")).toBe(words);
});

test.each([
  ["blocked", ["block", "denied", "deny", "forbidden", "refused"]],
  ["reached", ["allow", "allowed", "reach", "reachable", "permitted"]],
  ["redirected", ["redirect"]],
  ["logged", ["log", "recorded"]],
])("the outcome %s has other names: %j", (likely, names) => {
  for (const outcome of names) {
    expect(() => read({ name: "x", outcome })).toThrow(`outcome is "${outcome}": "${likely}" is probably meant.`);
  }
});
