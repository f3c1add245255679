/** The provider block refuses expectations that say nothing, too much, or something that is not valid. */
import { unknown } from "../../../src/cty/value";
import { tenantProvider } from "../../../src/resources/provider";
import { createCodec } from "../../../src/sdk/codec";
import { isError } from "../../../src/sdk/diagnostic";

const { config, rules } = tenantProvider("0.0.0-test", {});
const codec = createCodec({ config, rules, description: "" });
const check = (...expectations: object[]) =>
  codec.check(codec.fromPlain({ expectation: expectations }) as Parameters<typeof codec.check>[0]);
const said = (...expectations: object[]) => check(...expectations).map(({ detail }) => detail);

const request = { scopes: ["authentication"], countries: ["KP", "IR"] };
const valid = {
  name: "sanctions",
  outcome: "blocked",
  request: [request],
  except: [{ ip_cidrs: ["198.51.100.0/24"] }],
};

test("accepts each form of a statement, also with unknown values", () => {
  expect(
    said(
      valid,
      { name: "everything", one_of: ["blocked", "redirected"], request: [] },
      { name: "limit", policy: { consumer: "third_party_clients", at_most: 50 } },
      { name: "staff", always: true, members: { organization_id: "org_1", include: ["auth0|ada"], at_least: 2 } },
      { name: unknown, outcome: unknown, severity: unknown, request: [{ countries: unknown, asns: [unknown] }] },
      { name: "blocks", outcome: "blocked", request: unknown, except: unknown },
      { name: "policy", policy: unknown },
      { name: "members", members: unknown },
    ),
  ).toEqual([]);
  expect(codec.check(codec.fromPlain({ expectation: unknown }) as Parameters<typeof codec.check>[0])).toEqual([]);
});

test.each([
  [{ ...valid, request: [{ managed: ["auth0.later"] }] }, 'the curated list "auth0.later"'],
  [{ name: "a", policy: { consumer: "user", at_most: 1 } }, 'the `consumer` "user"'],
  [
    { name: "a", policy: { consumer: "client", consumer_selector: "partners", at_most: 1 } },
    'the `consumer_selector` "partners"',
  ],
])("warns of a name that it does not know (case %#)", (one, name) => {
  const [warning, ...others] = check(one);
  expect([warning!.detail, others]).toEqual([expect.stringContaining(`does not know ${name}`), []]);
  expect(check(one).filter(isError)).toEqual([]);
});

test.each<[string, object, RegExp]>([
  ["a misspelt list", { ...valid, request: [{ managed: ["auth0.torr"] }] }, /"auth0\.tor" is probably meant/],
  ["a misspelt selector", { name: "a", policy: { consumer: "default_", at_most: 1 } }, /"default" is probably meant/],
  ["no statement", { name: "a" }, /expectation\[0\] \("a"\): outcome is missing\. Give one of blocked, /],
  ["two statements", { ...valid, policy: { consumer: "client", at_most: 1 } }, /it has policy and outcome/],
  ["outcome and one_of", { ...valid, one_of: ["reached"] }, /it has outcome and one_of\. Keep one of them/],
  ["an unknown outcome", { ...valid, outcome: "block" }, /outcome is "block": "blocked" is probably meant/],
  ["an unknown severity", { ...valid, severity: "warn" }, /severity is "warn"\. Give one of error, warning/],
  [
    "an unknown API",
    { ...valid, request: [{ scopes: ["login"] }] },
    /"login" is not a scope: "authentication" is probably meant/,
  ],
  ["an unknown country", { ...valid, request: [{ countries: ["UK"] }] }, /"UK" is not .*: "GB" is probably meant/],
  [
    "a wrong block",
    { ...valid, request: [{ ip_cidrs: ["10.0.0.0/33"] }] },
    /"10\.0\.0\.0\/33" is not .*"10\.0\.0\.0\/32"/,
  ],
  ["an empty list", { ...valid, request: [{ countries: [] }] }, /countries is an empty list\. Give at least one value/],
  ["an exception of everything", { ...valid, except: [{}] }, /except has no facts, so it excepts every request/],
  ["an empty name", { ...valid, name: "" }, /name is ""\. Give a text that is not empty/],
  ["a policy without a bound", { name: "a", policy: { consumer: "client" } }, /policy has no bound\. Give at_most or/],
  [
    "wrong bounds",
    { name: "a", policy: { consumer: "client", at_most: 1, at_least: 2 } },
    /at_least is 2 and at_most is 1/,
  ],
  ["no members", { name: "a", members: { organization_id: "org_1" } }, /members states nothing\. Give include/],
  [
    "contradicting members",
    { name: "a", members: { organization_id: "org_1", include: ["auth0|ada"], exclude: ["auth0|ada"] } },
    /include and exclude both name "auth0\|ada"/,
  ],
])("refuses %s", (_, written, message) => {
  expect(said(written)).toEqual([expect.stringMatching(message)]);
});

test("refuses two expectations with one name", () => {
  expect(said(valid, valid)).toEqual([
    expect.stringMatching(/`expectation\[1\]\.name` is "sanctions", the name of an/),
  ]);
});

test.each([
  ["a block with host bits", { ip_cidrs: ["203.0.113.7/24"] }, "means all 256 addresses"],
  ["a code that is no country", { countries: ["XX"] }, '"XX" is not an ISO 3166-1 alpha-2 code, so no request has it'],
])("warns of %s", (_, set, words) => {
  const found = check({ ...valid, request: [set] });
  expect(found).toMatchObject([{ severity: 2, detail: expect.stringContaining(words) as string }]);
});
