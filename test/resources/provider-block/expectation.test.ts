/** The provider block reads expectations with the reader of JSON files, also with unknown values, and warns of names that it does not know. */
import { unknown } from "../../../src/cty/value";
import { tenantProvider } from "../../../src/resources/provider";
import { createCodec } from "../../../src/sdk/codec";

const { config, rules } = tenantProvider("0.0.0-test", {});
const codec = createCodec({ config, rules, description: "" });
const check = (expectation: unknown) =>
  codec.check(codec.fromPlain({ expectation }) as Parameters<typeof codec.check>[0]);
const said = (expectation: unknown) => check(expectation).map(({ severity, detail }) => `${severity} ${detail}`);

const request = { scopes: ["authentication"], countries: ["KP", "IR"] };
const valid = {
  name: "sanctions",
  outcome: "blocked",
  request: [request],
  except: [{ ip_cidrs: ["198.51.100.0/24"] }],
};
const limit = (policy: object) => ({ name: "a", policy: { at_most: 1, ...policy } });

test.each<[string, unknown]>([
  ["a statement about requests", [valid]],
  ["no request", [{ name: "everything", one_of: ["blocked", "redirected"], request: [] }]],
  ["a limit", [{ name: "limit", policy: { consumer: "third_party_clients", at_most: 50 } }]],
  ["members", [{ name: "staff", members: { organization_id: "org_1", include: ["auth0|ada"] } }]],
  ["unknown values", [{ name: unknown, outcome: unknown, severity: unknown, request: [{ asns: [unknown] }] }]],
  ["unknown requests", [{ name: "blocks", outcome: "blocked", request: unknown, except: unknown }]],
  ["an unknown policy", [{ name: "policy", policy: unknown }]],
  ["unknown members", [{ name: "members", members: unknown }]],
  ["unknown expectations", unknown],
])("accepts %s", (_what, expectations) => {
  expect(said(expectations)).toEqual([]);
});

test.each<[string, object, string]>([
  ["a curated list", { ...valid, request: [{ managed: ["auth0.later"] }] }, 'the curated list "auth0.later"'],
  ["callers", limit({ consumer: "user" }), 'the `consumer` "user"'],
  ["a selector", limit({ consumer: "client", consumer_selector: "partners" }), 'the `consumer_selector` "partners"'],
  ["a block with host bits", { ...valid, request: [{ ip_cidrs: ["203.0.113.7/24"] }] }, "means all 256 addresses"],
  ["a code", { ...valid, request: [{ countries: ["XX"] }] }, '"XX" is not an ISO 3166-1 alpha-2 code, so no request'],
])("warns of %s", (_what, one, words) => {
  expect(said([one])).toEqual([expect.stringMatching(/^2 /)]);
  expect(said([one])[0]).toContain(words);
});

test("refuses what the reader refuses, and two expectations with one name", () => {
  expect(said([{ ...valid, outcome: "block" }])).toEqual([
    expect.stringMatching(/^1 expectation\[0\] \("sanctions"\): outcome is "block": "blocked" is probably meant/),
  ]);
  expect(said([valid, valid])).toEqual([
    expect.stringMatching(/`expectation\[1\]\.name` is "sanctions", the name of an/),
  ]);
});
