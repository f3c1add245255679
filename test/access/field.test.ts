/** Groups facts of one kind into the fewest classes that ACLs can distinguish, the plainest fact first. */
import { addressAt } from "../../src/access/addresses";
import { addressField, locationField, textField, type Bits } from "../../src/access/field";

const count = (set: Bits) => [...set].reduce((sum, word) => sum + word.toString(2).replace(/[^1]/g, "").length, 0);

test("adds no class for a fact that a list names twice", () => {
  const { whole } = addressField([["10.0.0.0/8", "10.0.0.0/9", "10.0.0.0/8"]]);
  expect(count(whole)).toBe(2);
});

test("stores a class in one bit, and thirty-two classes in a word", () => {
  const numbers = Array.from({ length: 40 }, (_, index) => [String(index)]);
  const field = textField(numbers);
  expect(field.whole).toHaveLength(2);
  expect(numbers.map((list) => field.plainest(field.matching(list)))).toEqual(numbers.flat());
});

test("finds no fact in the empty set", () => {
  const { whole, plainest } = textField([["a"]]);
  expect(() => plainest(whole.map(() => 0))).toThrow("no fact is in the empty set");
});

test("prefers a country to its subdivisions", () => {
  const [california, states, germany] = [{ subdivision: "US-CA" }, { country: "US" }, { country: "DE" }];
  const { matching, plainest } = locationField([[california], [states], [germany]]);
  expect(plainest(matching([states]))).toEqual({ country: "US" });
  expect(plainest(matching([california]))).toEqual({ country: "US", subdivision: "US-CA" });
  const [country, region] = [matching([states]), matching([california])];
  expect(region.every((bits, word) => (bits & ~country[word]!) === 0)).toBe(true);
});

test("keeps a country and a subdivision with the same text apart, and accepts that subdivision in any country", () => {
  const [country, region] = [{ country: "KP" }, { subdivision: "KP" }];
  const { matching, plainest } = locationField([[country], [region]]);
  const [inCountry, inRegion] = [matching([country]), matching([region])];
  const both = inCountry.map((bits, word) => bits & inRegion[word]!);
  expect(plainest(inCountry)).toEqual({ country: "KP" });
  expect(plainest(inRegion)).toEqual({ subdivision: "KP" });
  expect(plainest(both)).toEqual({ country: "KP", subdivision: "KP" });
});

test.each([
  [["a\nb"], ["a", "b"]],
  [["a,b"], ["a", "b"]],
  [['a","b'], ["a", "b"]],
  [["a", ""], ["a"]],
])("distinguishes the list %j from %j", (one, other) => {
  const { matching } = textField([one, other]);
  expect(matching(one)).not.toEqual(matching(other));
});

test("prefers a documentation address, then IPv4, and writes a mapped address as IPv4", () => {
  const lists = [
    ["10.0.0.0/8", "2001:db9::/32"],
    ["198.51.100.0/24"],
    ["::ffff:192.0.2.0/120"],
    ["::/0", "10.0.0.0/8"],
  ];
  const { matching, plainest } = addressField(lists);
  expect(lists.map((list) => addressAt(plainest(matching(list))))).toEqual([
    "10.0.0.7",
    "198.51.100.7",
    "::ffff:192.0.2.7",
    "2001:db8::7",
  ]);
});

test("prefers an address of a large block that is neither its first nor its last, and that a host may have", () => {
  const examples = (...lists: string[][]) => {
    const { matching, plainest } = addressField(lists);
    return lists.map((list) => addressAt(plainest(matching(list))));
  };
  expect(examples(["10.0.0.1", "20.0.0.0/8", "2a00::/12"], ["30.0.0.0/31"])).toEqual(["20.0.0.7", "30.0.0.0"]);
  expect(examples(["0.0.0.0/7", "240.0.0.0/4"], ["2400::/6", "127.0.0.0/8"])).toEqual(["1.0.0.7", "2400::7"]);
  expect(examples(["10.0.0.0/30"])).toEqual(["10.0.0.1"]);
});

test("prefers a country with many Internet users", () => {
  const list = ["NR", "DE", "LI"].map((country) => ({ country }));
  const { matching, plainest } = locationField([list]);
  expect(plainest(matching(list))).toEqual({ country: "DE" });
});

test("finds the set that an address is in", () => {
  const { matching, whole, matches } = addressField([["10.0.0.0/8"], ["10.1.0.0/16", "2001:db8::/32"]]);
  const sets = [matching(["10.0.0.0/8"]), matching(["10.1.0.0/16", "2001:db8::/32"]), whole];
  const found = (address: string) => sets.map((set) => matches(set, address));
  expect(found("10.255.255.255")).toEqual([true, false, true]);
  expect(found("10.1.2.3")).toEqual([true, true, true]);
  expect(found("2001:db8::1")).toEqual([false, true, true]);
  expect(found("203.0.113.7")).toEqual([false, false, true]);
});
