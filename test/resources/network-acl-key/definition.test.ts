/** The definition of a network ACL key accepts valid keys, and its messages never repeat key material. */
import fc from "../../support/random";
import { createHash } from "node:crypto";
import { unknown } from "../../../src/cty/value";
import { fingerprintOf, networkAclKey, problemOf } from "../../../src/resources/network-acl-key/definition";
import { judged } from "../support/judged";

const base64 = (length: number) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 7 + 3) % 256)).toString("base64");
const good = base64(32);
const said = (written: object = {}) =>
  judged(networkAclKey, { name: "edge", alg: "hmac-sha256", value_wo: good, ...written });

test("accepts valid material and names without a message", () => {
  for (const length of [32, 33, 34, 512]) {
    expect(said({ value_wo: base64(length) })).toEqual([]);
    expect(said({ value_wo: undefined, value: base64(length).replace(/=+$/, "") })).toEqual([]);
  }
  expect(said({ name: undefined, name_prefix: "edge-" })).toEqual([]);
  expect(said({ name: unknown, value_wo: unknown })).toEqual([]);
});

test.each<[name: string, detail: string, written: object]>([
  ["31 bytes", "it has 31 bytes instead of 32 to 512", { value_wo: base64(31) }],
  ["513 bytes", "it has 513 bytes", { value_wo: base64(513) }],
  ["empty material", "it has 0 bytes", { value_wo: "" }],
  [
    "material that is not base64",
    "it contains characters that base64 does not have",
    { value_wo: "correct horse, battery staple!".replaceAll(" ", "") },
  ],
  ["a line break", "it contains spaces or line breaks", { value_wo: `${good}\n` }],
  ["base64url", "it is base64url: write + and /", { value_wo: `${"-_".repeat(20)}AAAA` }],
  ["base64 with one character too many", "it is not complete base64", { value_wo: `${base64(33)}A` }],
  [
    "padding too short",
    "it is not complete base64",
    { value_wo: `${base64(34).replace(/=+$/, "")}=`.replace(/.=$/, "=") },
  ],
  [
    "material in value that is too short",
    "`value` cannot be the secret of a key: it has 3 bytes",
    { value_wo: undefined, value: "AAAA" },
  ],
  ["no material", "Neither `value_wo` nor `value` is given: give one of them.", { value_wo: undefined }],
  ["material twice", "`value_wo` and `value` exclude each other: remove one.", { value: good }],
  ["material twice, one of it unknown", "exclude each other", { value: unknown }],
  ["no name", "Neither `name` nor `name_prefix` is given: give one of them.", { name: undefined }],
  ["two names", "`name` and `name_prefix` exclude each other", { name_prefix: "edge-" }],
  ["an empty name", "give a text that is not empty", { name: "" }],
  ["a long name", "use at most 255 characters", { name: "n".repeat(256) }],
  ["a long prefix", "use at most 247 characters", { name: undefined, name_prefix: "n".repeat(248) }],
])("reports %s as one error", (_name, detail, written) => {
  expect(said(written)).toEqual([expect.stringContaining(detail)]);
  expect(said(written)[0]).toMatch(/^error: /);
});

test("warns of weak material and of an unknown algorithm", () => {
  expect(said({ value_wo: "A".repeat(43) })).toEqual([
    "warning: `value_wo` is a weak secret of a key: it has only 1 different bytes, so it can be guessed from its fingerprint. Use random bytes.",
  ]);
  expect(said({ alg: "hmac-sha512" })).toEqual([
    expect.stringMatching(/^warning: This version does not know the `alg` "hmac-sha512"/),
  ]);
});

test("no message repeats key material", () => {
  const text = fc.oneof(
    fc.string({ minLength: 12 }),
    fc.base64String({ minLength: 12 }),
    fc.uint8Array({ minLength: 9, maxLength: 31 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  );
  fc.assert(
    fc.property(text, (value_wo) => {
      for (const words of said({ value_wo })) {
        for (let at = 0; at + 8 <= value_wo.length; at++) {
          const part = value_wo.slice(at, at + 8);
          if (part.trim().length === 8) expect(words).not.toContain(part);
        }
      }
    }),
  );
});

test("derives the fingerprint from the SHA-256 of the bytes, padded or not, and the name from the fingerprint", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 512 }), (bytes) => {
      const value = Buffer.from(bytes).toString("base64");
      const expected = createHash("sha256").update(bytes).digest("hex");
      expect(problemOf(value)).toBeUndefined();
      for (const form of [value, value.replace(/=+$/, "")]) expect(fingerprintOf(form)).toBe(expected);
      const name = `edge-${expected.slice(0, 8)}`;
      expect(networkAclKey.derive!({ name_prefix: "edge-", value_wo: value })).toEqual({
        fingerprint: expected,
        name,
      });
      expect(networkAclKey.derive!({ value })).toEqual({ fingerprint: expected, name: unknown });
    }),
  );
});

test.each([unknown, undefined, "AAAA"])(
  "derives no fingerprint and no name when the material is unknown, missing or invalid",
  (value) => {
    expect(networkAclKey.derive!({ name_prefix: "edge-", value })).toEqual({ fingerprint: unknown, name: unknown });
  },
);
