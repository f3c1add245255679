/** Reads the JSON form of expectations, and refuses mistakes with the attribute, the value and the remedy. */
import { readExpectations } from "../../../src/impact/expectation/read";

const read = (...expectations: unknown[]) => readExpectations({ expectations }, "expectations.json");
const blocked = { name: "x", outcome: "blocked" };
const set = (request: unknown) => ({ ...blocked, request });
const limit = (policy: object) => ({ name: "x", policy });
const team = (members: object) => ({ name: "x", members });

test("reads every form of requests", () => {
  const request = { apis: ["sign-in"], countries: ["KP"] };
  const statement = { kind: "requests", outcomes: ["blocked"], requests: [request], except: [] };
  const expected = { name: "x", severity: "error", always: false, statement };
  expect(read(set(request))).toEqual([expected]);
  expect(readExpectations([set([request])], "list")).toEqual([expected]);
  expect(read({ ...set([request, { asns: [64500] }]), except: { ip_cidrs: ["10.0.0.0/8"] } })[0]!.statement).toEqual({
    ...statement,
    requests: [request, { asns: [64500] }],
    except: [{ ip_cidrs: ["10.0.0.0/8"] }],
  });
  expect(read({ ...set({}), severity: "warning", always: true })[0]).toMatchObject({
    severity: "warning",
    always: true,
  });
  expect(read({ name: "x", one_of: ["blocked", "redirected"] })[0]!.statement).toMatchObject({
    outcomes: ["blocked", "redirected"],
    requests: [],
  });
});

test("leaves out nulls, as a configuration has them", () => {
  const nulls = { one_of: null, except: [], policy: null, members: null, severity: null, always: null };
  const facts = { countries: ["KP"], asns: null };
  expect(read({ ...set([facts]), ...nulls })).toEqual(read(set({ countries: ["KP"] })));
  const policy = { consumer: "client", consumer_selector: null, at_most: 50, at_least: null };
  expect(read({ name: "x", request: [], except: [], policy: [policy] })[0]!.statement).toEqual({
    kind: "policy",
    consumer: "client",
    at_most: 50,
  });
});

test("keeps values that are not known yet", () => {
  const unknown = Symbol("unknown");
  const given = { name: "x", outcome: unknown, severity: unknown, always: unknown, except: unknown };
  expect(read({ ...given, request: [unknown, { countries: unknown, asns: [64500, unknown] }] })).toEqual([
    {
      name: "x",
      severity: unknown,
      always: unknown,
      statement: {
        kind: "requests",
        outcomes: [unknown],
        requests: [unknown, { countries: unknown, asns: [64500, unknown] }],
        except: unknown,
      },
    },
  ]);
  expect(read({ name: unknown, one_of: unknown })[0]).toMatchObject({ statement: { outcomes: unknown } });
  const members = { organization_id: unknown, include: unknown, exclude: [unknown], at_least: unknown };
  expect(read(team(members))[0]!.statement).toEqual({ kind: "members", ...members });
});

test.each([
  ["a text in place of the file's content", "x", 'expectations.json, expectation 1 is "x". Give an object'],
  ["an unknown attribute", { ...blocked, outcomes: [] }, '"outcomes" is not known. "outcome" is probably meant.'],
  ["no name", { outcome: "blocked" }, "name is missing."],
  ["an empty name", { name: " ", outcome: "blocked" }, 'name is " ".'],
  ["a name over two lines", { name: "a\nb", outcome: "blocked" }, 'name is "a\\nb".'],
  ["no outcome", { name: "x" }, "outcome is missing. Give one of blocked, reached, redirected, logged."],
  [
    "an outcome with another name",
    { name: "x", outcome: "Allowed" },
    'outcome is "Allowed": "reached" is probably meant.',
  ],
  ["an outcome in another case", { name: "x", outcome: "BLOCKED" }, '"blocked" is probably meant.'],
  ["an unknown outcome", { name: "x", outcome: "maybe" }, "give one of blocked"],
  ["two forms of the outcome", { ...blocked, one_of: ["reached"] }, "it has outcome and one_of. Keep one of them."],
  ["an empty one_of", { name: "x", one_of: [] }, "one_of is an empty list."],
  ["an unknown severity", { ...blocked, severity: "warn" }, 'severity is "warn". Give one of error, warning.'],
  ["a flag as text", { ...blocked, always: "true" }, 'always is "true". Give true or false.'],
  ["two kinds", { ...blocked, policy: { consumer: "client", at_most: 5 } }, "it has policy and outcome."],
  ["an unknown fact", set({ country: ["KP"] }), 'request: "country" is not known. "countries" is probably meant.'],
  ["a misspelled fact", set({ contries: ["KP"] }), '"countries" is probably meant.'],
  ["a fact without relation", set({ weather: ["KP"] }), "The names are apis, ip_cidrs,"],
  ["an empty list", set({ countries: [] }), "request.countries is an empty list."],
  ["a text in place of a list", set({ countries: "KP" }), 'request.countries is "KP". Give a list: ["KP"].'],
  [
    "no country",
    set({ countries: ["UK"] }),
    '"UK" is not the ISO 3166-1 alpha-2 code of a country: "GB" is probably meant.',
  ],
  ["a country's name", set({ countries: ["Germany"] }), '"DE" is probably meant.'],
  ["an empty fact", set({ countries: [""] }), '"" is not the ISO'],
  ["an API with another name", set({ apis: ["login"] }), '"sign-in" is probably meant.'],
  ["a scope in place of an API", set({ apis: ["dynamic_client_registration"] }), '"registration" is probably meant.'],
  ["an API that does not exist", set({ apis: ["x"] }), 'give "sign-in", "management" or "registration"'],
  ["a block that is too long", set({ ip_cidrs: ["10.0.0.0/33"] }), '"10.0.0.0/32" is probably meant.'],
  ["an address with a port", set({ ip_cidrs: ["203.0.113.7:443"] }), '"203.0.113.7" is probably meant.'],
  ["no address", set({ connecting_ip_cidrs: ["office"] }), "give an IPv4 or IPv6 address or block"],
  ["an AS number as text", set({ asns: ["64500"] }), '"64500" has the wrong type: write 64500.'],
  ["an AS number with its prefix", set({ asns: ["AS64500"] }), '"64500" is probably meant.'],
  ["a region in another form", set({ subdivisions: ["US_CA"] }), '"US-CA" is probably meant.'],
  ["a URL in place of a host name", set({ hostnames: ["https://a.example/x"] }), '"a.example" is probably meant.'],
  ["a list of lists", set({ countries: [["KP"]] }), '["KP"] is not a text'],
  ["an exception without facts", { ...blocked, except: {} }, "except has no facts, so it excepts every request."],
  ["a limit without a bound", limit({ consumer: "client" }), "policy has no bound."],
  ["a limit without a consumer", limit({ at_most: 5 }), "policy: consumer is missing."],
  ["a fraction as a limit", limit({ consumer: "client", at_most: 1.5 }), "at_most is 1.5. Give a whole number from 0."],
  [
    "bounds that exclude each other",
    limit({ consumer: "client", at_most: 5, at_least: 6 }),
    "at_least is 6 and at_most is 5.",
  ],
  ["members without a statement", team({ organization_id: "org_1" }), "members states nothing."],
  ["members without an organization", team({ at_least: 1 }), "members: organization_id is missing."],
  ["a member in both lists", team({ organization_id: "o", include: ["a"], exclude: ["a"] }), 'both name "a"'],
  ["a member without an id", team({ organization_id: "o", include: [""] }), '"" is not the id of a user.'],
])("refuses %s", (_, given, words) => {
  expect(() => read(given)).toThrow(words);
  expect(() => read(given)).toThrow(/^expectations\.json, expectation 1/);
});

test("refuses a name that is used twice", () => {
  expect(() => read(blocked, blocked)).toThrow('two expectations have the name "x".');
});

test.each([
  ["no list", { expectations: {} }, "expectations is {}. Give a list of expectations."],
  ["another attribute", { expectations: [], more: 1 }, '"more" is not known.'],
  ["a number", 5, "Give an object such as"],
])("refuses a file with %s", (_, json, words) => {
  expect(() => readExpectations(json, "f.json")).toThrow(words);
});

test("escapes characters that cannot be seen", () => {
  expect(() => read(set({ countries: ["K\u202eP"] }))).toThrow("K\\u{202e}P");
  expect(() => read(set({ "cou\u202entries": ["KP"] }))).toThrow("cou\\u{202e}ntries");
});
