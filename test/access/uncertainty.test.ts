/** Finds the uncertainties of ACLs and their combinations. */
import { createComparison } from "../../src/access/comparison";
import { decide, type Acl } from "../../src/access/decide";
import { difference } from "../../src/access/difference";
import { uncertaintiesOf, combinationsOf } from "../../src/access/uncertainty";
import { notKnown, pieceOf, type Uncertainty } from "../../src/access/assumptions";
import { block } from "./support/acl";

const asked = (...acls: Acl[]) => uncertaintiesOf([acls]).map(({ name }) => name);
const named = (name: string, uncertainties: readonly Uncertainty[]) => uncertainties.find((one) => one.name === name)!;
const tied = (...keys: string[]) => keys.map((key) => block({ match: { asns: [1] } }, 1, key));

test.each<[string, Acl, string[]]>([
  ["nothing", block({ match: { asns: [1] } }), []],
  ["one signal of not_match", block({ not_match: { asns: [1] } }), []],
  ["two signals of not_match", block({ not_match: { asns: [1], geo_country_codes: ["DE"] } }), []],
  ["connecting addresses of one family", block({ match: { connecting_ipv4_cidrs: ["10.0.0.0/8"] } }), []],
  ["addresses of both families", block({ match: { ipv4_cidrs: ["10.0.0.0/8"], ipv6_cidrs: ["::1"] } }), []],
  [
    "connecting addresses of both families",
    block({ match: { connecting_ipv4_cidrs: ["10.0.0.0/8"], connecting_ipv6_cidrs: ["::1"] } }),
    ["connecting"],
  ],
  ["codes in the standard case", block({ match: { geo_country_codes: ["DE"] } }), []],
  ["codes in another case", block({ match: { geo_country_codes: ["de"] } }), ["case"]],
  ["a signal of a later version", block({ match: { threat: 1 } }), ["extent of match.threat 1"]],
  ["an inactive ACL", { ...block({ match: { threat: 1 } }, NaN), active: false }, []],
])("finds the uncertainties of %s", (_, acl, names) => {
  expect(asked(acl)).toEqual(names);
});

test("tries every known action once for an unknown action", () => {
  const [uncertainty] = uncertaintiesOf([[block({ action: { challenge: true } })]]);
  expect(uncertainty!.options).toEqual(["block", "allow", "log", "redirect"]);
});

test("tries every position for an ACL with an unknown priority", () => {
  const acls = [block({}, 5), block({}, 9), block({}, NaN, "new")];
  expect(uncertaintiesOf([acls]).map(({ name, options }) => [name, options])).toEqual([
    ["place of new", ["0", "5.5", "9.5"]],
  ]);
});

test("tries every order of three equal priorities, and each ACL first if there are more", () => {
  const orders = (acls: readonly Acl[]) =>
    named("precedence", uncertaintiesOf([acls])).options.map((order) => (JSON.parse(order) as string[]).join(""));
  expect(orders(tied("b", "a"))).toEqual(["ab", "ba"]);
  expect(orders(tied("a", "b", "c"))).toEqual(["abc", "acb", "bac", "bca", "cab", "cba"]);
  expect(orders(tied("a", "b", "c", "d"))).toEqual(["a", "b", "c", "d"]);
  expect(asked(...tied("a"), { ...tied("b")[0]!, active: false })).toEqual([]);
  expect(combinationsOf(uncertaintiesOf([tied("a", "b", "c")])).complete).toBe(true);
  expect(combinationsOf(uncertaintiesOf([tied("a", "b", "c", "d")])).complete).toBe(false);
});

test("tries at most 64 combinations: all first, all last, and each single other option", () => {
  const open = (count: number) =>
    uncertaintiesOf([
      Array.from({ length: count }, (_, at) => block({ match: { asns: notKnown(`new${at}`) } }, at + 1)),
    ]);
  expect(combinationsOf(open(6))).toMatchObject({ all: { length: 64 }, complete: true });
  const { all, complete } = combinationsOf(open(7));
  expect([all.length, complete]).toEqual([16, false]);
  expect(new Set(all.map((assumptions) => [...assumptions.values()].join())).size).toBe(16);
  expect(combinationsOf(open(40))).toMatchObject({ all: { length: 64 }, complete: false });
});

test.each([
  [
    "connecting",
    { connecting_ipv4_cidrs: ["10.0.0.0/8"], connecting_ipv6_cidrs: ["::1"] },
    [/count as one signal$/, /must both match$/],
  ],
])("describes the options of %s", (name, not_match, words) => {
  const { options, words: said } = named(name, uncertaintiesOf([[block({ not_match })]]));
  options.forEach((option, index) => expect(said(option)).toMatch(words[index]!));
});

test("names an uncertainty by its unknown value at any depth, or else by its written value", () => {
  expect(pieceOf("action", { redirect: true, deep: { a: 1, b: notKnown("new") } })).toBe("new");
  expect(pieceOf("action", { a: { b: 1 } })).toBe('action {"a":{"b":1}}');
  expect(pieceOf("scope", null)).toBe("scope null");
});

describe("keys that are not known yet", () => {
  const signedBy = (keys: unknown, side: "match" | "not_match" = "match") =>
    block({ [side]: { http_message_signature: { keys } } });
  const unknownKey = (name: string) => [{ id: notKnown(name) }];
  const between = (before: Acl[], after: Acl[]) => difference(createComparison(before, after)).changes;

  test.each(["match", "not_match"] as const)("change nothing for unsigned requests, in %s", (side) => {
    const changes = between([signedBy([{ id: "old" }], side)], [signedBy(unknownKey("new"), side)]);
    expect(changes.length).toBeGreaterThan(0);
    for (const { witness } of changes) expect(witness!.signature_key ?? "").not.toBe("");
  });

  test.each([notKnown("list"), [notKnown("entry")]])(
    "need a signature if the list or an entry is not known",
    (keys) => {
      for (const { witness } of between([], [signedBy(keys)])) expect(witness!.signature_key).toBe("another key");
    },
  );

  test("never match a request that is known to be unsigned", () => {
    const acls = [signedBy(unknownKey("new"))];
    expect(decide(acls, { api: "management", signature_key: "" }).denied).toBe("no");
    expect(decide(acls, { api: "management", signature_key: "k" }).denied).toBe("perhaps");
    expect(decide(acls, { api: "management" }).denied).toBe("perhaps");
  });

  test("may be no condition at all if the whole signal is not known", () => {
    const whole = block({ match: { http_message_signature: notKnown("signal") } });
    expect(decide([whole], { api: "management", signature_key: "" }).denied).toBe("perhaps");
  });
});
