/** The provider function for network ACLs takes known, partly unknown and invalid arguments. */
import fc from "../../support/random";
import { decode, encode } from "../../../src/cty/msgpack";
import { unknown, type Value } from "../../../src/cty/value";
import { aclDecision } from "../../../src/resources/network-acl/functions";
import { callable, type Callable } from "../../../src/sdk/functions";
import { decodeType } from "../../../src/cty/type";

const ask = ({ call, protocol }: Callable, ...given: Value[]) => {
  const { result, error } = call(
    given.map((value) => ({ msgpack: encode(value, "dynamic") as Buffer, json: Buffer.alloc(0) })),
  );
  return error ?? (decode(result!.msgpack!, decodeType(protocol.return!.type!)) as any);
};
const decision = callable(aclDecision);

const acl = (
  priority: Value,
  rule: Record<string, Value>,
  more: Record<string, Value> = {},
): Record<string, Value> => ({
  description: `ACL ${String(priority)}`,
  priority,
  rule: { scope: "tenant", ...rule },
  ...more,
});
const office = acl(1, { action: { allow: true }, match: { ipv4_cidrs: ["203.0.113.0/24"] } });
const sanctions = acl(2, { action: { block: true }, match: { geo_country_codes: ["KP"] } });

test("acl_decision returns the deciding ACL and the reason", () => {
  expect(ask(decision, [sanctions, office], { ip: "203.0.113.7", country: "KP" })).toEqual({
    outcome: "allowed",
    certain: true,
    redirect_uri: null,
    acl: { id: null, description: "ACL 1", priority: 1 },
    because: "match.ipv4_cidrs 203.0.113.0/24 matches the address 203.0.113.7",
  });
  expect(ask(decision, [office, sanctions], { ip: "192.0.2.1", country: "DE" })).toMatchObject({
    outcome: "allowed",
    acl: null,
  });
});

test("treats omitted facts and nulls of typed objects as any value", () => {
  expect(ask(decision, [office, sanctions], { ip: "192.0.2.1", country: null })).toMatchObject({
    outcome: "blocked or allowed",
    certain: false,
  });
  const typed = { ...office, id: "acl_1", created_at: "2026", updated_at: "2026", active: null };
  expect(ask(decision, [typed], { ip: "203.0.113.7" })).toMatchObject({ outcome: "allowed", acl: { id: "acl_1" } });
});

test("derives the scope of a request from its path", () => {
  const management = acl(1, { action: { block: true }, match: { asns: [1] }, scope: "management" });
  expect(ask(decision, [management], { asn: 1, path: "/api/v2/clients" }).outcome).toBe("blocked");
  expect(ask(decision, [management], { asn: 1 }).outcome).toBe("allowed");
  expect(
    ask(decision, [acl(1, { action: { redirect: true, redirect_uri: "https://a.example" }, match: { asns: [1] } })], {
      asn: 1,
    }),
  ).toMatchObject({ outcome: "redirected", redirect_uri: "https://a.example" });
  expect(ask(decision, [{ ...management, active: false }], { asn: 1, path: "/api/v2/" }).outcome).toBe("allowed");
});

describe("an unknown value", () => {
  test("makes only the results unknown that depend on it", () => {
    const made: Value = { ...office, id: unknown, created_at: unknown };
    expect(ask(decision, [made], { ip: "203.0.113.7" })).toMatchObject({ outcome: "allowed", acl: { id: unknown } });
    const late = acl(3, { action: { block: true }, match: { asns: unknown } });
    expect(ask(decision, [office, late], { ip: "203.0.113.7" })).toEqual({
      outcome: "allowed",
      certain: true,
      redirect_uri: unknown,
      acl: unknown,
      because: unknown,
    });
    expect(ask(decision, [office, late], { ip: "192.0.2.1" })).toBe(unknown);
  });

  test.each<[string, Value, Value]>([
    ["for all ACLs", unknown, {}],
    ["for one ACL", [unknown], {}],
    ["for the request", [office], unknown],
    ["for a fact that decides", [sanctions], { country: unknown }],
    ["for the path", [sanctions], { path: unknown }],
    [
      "for connecting_ip",
      [acl(1, { action: { block: true }, match: { connecting_ipv4_cidrs: ["203.0.113.0/24"] } })],
      { ip: "203.0.113.7", connecting_ip: unknown },
    ],
    [
      "for a priority that decides",
      [
        acl(unknown, { action: { block: true }, match: { geo_country_codes: ["KP"] } }),
        acl(5, { action: { allow: true }, match: { geo_country_codes: ["KP"] } }),
      ],
      { country: "KP" },
    ],
    ["for active", [{ ...sanctions, active: unknown }], { country: "KP" }],
  ])("%s makes the decision unknown", (_, acls, request) => {
    expect(ask(decision, acls, request)).toBe(unknown);
  });

  test("never changes a decision that was known before", () => {
    const country = fc.constantFrom("KP", "DE", "US");
    const cidr = fc.constantFrom("203.0.113.0/24", "192.0.2.0/24", "0.0.0.0/0");
    const some = fc.record({
      priority: fc.integer({ min: 1, max: 4 }),
      block: fc.boolean(),
      countries: country,
      cidrs: cidr,
    });
    fc.assert(
      fc.property(
        fc.array(some, { maxLength: 4 }),
        fc.nat(3),
        fc.constantFrom("rule", "priority", "active"),
        country,
        fc.constantFrom("ip", "connecting_ip", "country", "nothing"),
        (lists, at, hole, from, notTold) => {
          const whole = lists.map(({ priority, block, countries, cidrs }, index) => ({
            ...acl(priority, {
              action: block ? { block: true } : { allow: true },
              match: [{ ipv4_cidrs: [cidrs] }, { geo_country_codes: [countries] }, { connecting_ipv4_cidrs: [cidrs] }][
                index % 3
              ]!,
            }),
            active: true,
          }));
          const open = whole.map((one, index) => (index === at ? { ...one, [hole]: unknown } : one));
          const request = { ip: "203.0.113.7", connecting_ip: "192.0.2.1", country: from };
          const early = ask(decision, open, { ...request, ...(notTold !== "nothing" && { [notTold]: unknown }) });
          const final = ask(decision, whole, request);
          if (early !== unknown) expect(early.outcome).toBe(final.outcome);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test.each<[string, Value, Value, number, RegExp]>([
  [
    "a misspelt name",
    [acl(1, { action: { blok: true } })],
    {},
    0,
    /`acls\[0\]\.rule\.action\.blok` is not known: there are block/,
  ],
  ["an unknown fact", [], { ipp: "1.2.3.4" }, 1, /`request\.ipp` is not known/],
  [
    "an invalid address",
    [],
    { ip: "somewhere" },
    1,
    /`request\.ip` is "somewhere": give an IPv4 or IPv6 address \(https/,
  ],
  ["a text in place of ACLs", "all", {}, 0, /`acls` is "all"/],
  ["two actions", [acl(1, { action: { block: true, allow: true }, match: { asns: [1] } })], {}, 0, /exactly one/],
  ["no rule", [{ priority: 1 }], {}, 0, /`acls\[0\]\.rule` is missing/],
])("reports %s as an error at its argument", (_, acls, request, argument, words) => {
  expect(ask(decision, acls, request)).toEqual({ text: expect.stringMatching(words), functionArgument: argument });
});

test("gives an encoded path the scope of the decoded path", () => {
  const management = acl(1, { action: { block: true }, match: { asns: [1] }, scope: "management" });
  expect(ask(decision, [management], { asn: 1, path: "/%61pi/v2/clients" }).outcome).toBe("blocked");
});
