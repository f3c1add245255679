/** Words for amounts, lists, shortened names, and changes in outcome. */
import type { Change } from "../../src/access/access";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { changeWords } from "../../src/impact/network-acl/words";
import { amountWords, andWords, clipped, orWords } from "../../src/impact/phrases";
import { acl } from "./support/acls";

test.each<[bigint, string[]]>([
  [0n, []],
  [1n, ["1 address"]],
  [2n, ["2 addresses"]],
  [1n << 40n, ["1,099,511,627,776 addresses"]],
  [1n << 41n, ["2^41 addresses"]],
  [(1n << 41n) + 1n, ["about 2^41 addresses"]],
  [(1n << 128n) - 4n, ["about 2^128 addresses"]],
  [5n << 62n, ["about 2^64 addresses"]],
  [7n << 62n, ["about 2^65 addresses"]],
])("words the amount %s", (count, words) => {
  expect(amountWords(count, ["address", "addresses"])).toEqual(words);
});

test("shortens a name to the most characters, and splits none", () => {
  expect(["abcd", "abcde", "😀😀😀😀", "😀😀😀😀😀"].map((text) => clipped(text, 4))).toEqual([
    "abcd",
    "abc…",
    "😀😀😀😀",
    "😀😀😀…",
  ]);
  expect([48, 49].map((length) => clipped("a".repeat(length)))).toEqual(["a".repeat(48), `${"a".repeat(47)}…`]);
});

test("joins words, again and again", () => {
  for (const _ of [1, 2]) {
    expect([andWords(["A", "B", "C"]), orWords(["A", "B", "C"])]).toEqual(["A, B and C", "A, B or C"]);
  }
});

const request = "A request such as /login from 192.0.2.1, country DE: was";
const blocked = 'blocked ("ACL 1" (priority 1)), will be allowed (no ACL matches)';
const redirected = { after: { outcome: "redirected", redirect_uri: "https://a.example", acl: acl(2, {}) } };
test.each<[object, string[], string]>([
  [{}, [], `${request} ${blocked}.`],
  [{ certainty: "possible" }, [], `${request} ${blocked}, if p and q.`],
  [{ certainty: "not decided", witness: undefined }, [], `Some requests perhaps: was ${blocked} (not decided).`],
  [
    redirected,
    [],
    `${request} blocked ("ACL 1" (priority 1)), will be redirected to https://a.example ("ACL 2" (priority 2)).`,
  ],
  [
    redirected,
    ["redirect_uri"],
    `${request} blocked ("ACL 1" (priority 1)), will be redirected ("ACL 2" (priority 2)).`,
  ],
  [{}, ["geo_country_codes"], `${request.replace("DE", "(sensitive)")} ${blocked}.`],
])("words a change in outcome: %#", (more, secrets, words) => {
  const change = {
    before: { outcome: "blocked", acl: acl(1, {}) },
    after: { outcome: "allowed" },
    certainty: "certain",
    assumptions: ["p", "q"],
    witness: { path: "/login", ip: "192.0.2.1", connecting_ip: "192.0.2.1", country: "DE" },
    ...more,
  } as unknown as Change<PlannedAcl>;
  expect(changeWords(change, new Set(secrets))).toBe(words);
});
