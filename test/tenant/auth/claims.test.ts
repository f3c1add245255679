import { claimsOf, expiryOf, scopesOf, words } from "../../../src/tenant/auth/token";

const jwt = (payload: string) => `e30.${Buffer.from(payload).toString("base64url")}.s`;

test("reads claims only from a JWT", () => {
  expect(claimsOf(jwt('{"exp":1}'))).toEqual({ exp: 1 });
  for (const token of ["opaque", "e30.e30", jwt("[1]"), jwt("no JSON")]) expect(claimsOf(token)).toBeUndefined();
});

test("takes scopes from the scope claim, or else from the permissions", () => {
  expect(scopesOf({ scope: "read:a  create:b", permissions: ["read:c"] })).toEqual(["read:a", "create:b"]);
  expect(scopesOf({ permissions: ["read:c", 1] })).toEqual(["read:c"]);
  expect([scopesOf({ permissions: "read:c" }), scopesOf({}), scopesOf(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(words(" a  b ")).toEqual(["a", "b"]);
});

test("reads an expiry only if it is a valid date", () => {
  expect(expiryOf({ exp: 8_640_000_000_000 })).toBe(8.64e15);
  for (const exp of [8_640_000_000_001, Infinity, "1"]) expect(expiryOf({ exp })).toBeUndefined();
});
