/** What is open about lists, and the combinations that this makes. */
import type { Acl } from "../../src/access/decide";
import { uncertaintiesOf, combinationsOf } from "../../src/access/uncertainty";
import { notKnown, pieceOf, type Uncertainty } from "../../src/access/assumptions";
import { block } from "./support/acl";

const asked = (...acls: Acl[]) => uncertaintiesOf([acls]).map(({ name }) => name);
const named = (name: string, uncertainties: readonly Uncertainty[]) => uncertainties.find((one) => one.name === name)!;
const tied = (...keys: string[]) => keys.map((key) => block({ match: { asns: [1] } }, 1, key));

test.each<[string, Acl, string[]]>([
  ["nothing", block({ match: { asns: [1] } }), []],
  ["one signal of not_match", block({ not_match: { asns: [1] } }), []],
  ["two signals of not_match", block({ not_match: { asns: [1], geo_country_codes: ["DE"] } }), ["not_match"]],
  ["connecting addresses of one family", block({ match: { connecting_ipv4_cidrs: ["10.0.0.0/8"] } }), []],
  ["addresses of both families", block({ match: { ipv4_cidrs: ["10.0.0.0/8"], ipv6_cidrs: ["::1"] } }), []],
  [
    "connecting addresses of both families",
    block({ match: { connecting_ipv4_cidrs: ["10.0.0.0/8"], connecting_ipv6_cidrs: ["::1"] } }),
    ["connecting"],
  ],
  ["codes as they should be", block({ match: { geo_country_codes: ["DE"] } }), []],
  ["codes in another case", block({ match: { geo_country_codes: ["de"] } }), ["case"]],
  ["a signal of a later version", block({ match: { threat: 1 } }), ["extent of match.threat 1"]],
  ["what is not active", { ...block({ match: { threat: 1 } }, NaN), active: false }, []],
])("what is asked about %s", (_, acl, names) => {
  expect(asked(acl)).toEqual(names);
});

test("an action that is not known is one of those that are, each once", () => {
  const [uncertainty] = uncertaintiesOf([[block({ action: { challenge: true } })]]);
  expect(uncertainty!.options).toEqual(["block", "allow", "log", "redirect"]);
});

test("a list whose priority is not known stands before, between or after those whose priorities are", () => {
  const acls = [block({}, 5), block({}, 9), block({}, NaN, "new")];
  expect(uncertaintiesOf([acls]).map(({ name, options }) => [name, options])).toEqual([
    ["place of new", ["0", "5.5", "9.5"]],
  ]);
});

test("of equal priorities every order of three is possible, and of more each is first once", () => {
  const orders = (acls: readonly Acl[]) =>
    named("precedence", uncertaintiesOf([acls])).options.map((order) => (JSON.parse(order) as string[]).join(""));
  expect(orders(tied("b", "a"))).toEqual(["ab", "ba"]);
  expect(orders(tied("a", "b", "c"))).toEqual(["abc", "acb", "bac", "bca", "cab", "cba"]);
  expect(orders(tied("a", "b", "c", "d"))).toEqual(["abcd", "bcda", "cdab", "dabc"]);
  expect(asked(...tied("a"), { ...tied("b")[0]!, active: false })).toEqual([]);
  expect(combinationsOf(uncertaintiesOf([tied("a", "b", "c")])).complete).toBe(true);
  expect(combinationsOf(uncertaintiesOf([tied("a", "b", "c", "d")])).complete).toBe(false);
});

test("too many combinations: all first, all last, and each other answer among both, 64 at most", () => {
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
  ["not_match", { asns: [1], geo_country_codes: ["DE"] }, [/^a single matching signal/, /^only all signals/]],
  [
    "connecting",
    { connecting_ipv4_cidrs: ["10.0.0.0/8"], connecting_ipv6_cidrs: ["::1"] },
    [/count as one signal$/, /must both match$/],
  ],
])("the answers about %s in words", (name, not_match, words) => {
  const { options, words: said } = named(name, uncertaintiesOf([[block({ not_match })]]));
  options.forEach((option, index) => expect(said(option)).toMatch(words[index]!));
});

test("what is asked about is named by what is not known in it, wherever, or else by what is written", () => {
  expect(pieceOf("action", { redirect: true, deep: { a: 1, b: notKnown("new") } })).toBe("new");
  expect(pieceOf("action", { a: { b: 1 } })).toBe('action {"a":{"b":1}}');
  expect(pieceOf("scope", null)).toBe("scope null");
});
