/** A ready token before its first use. */
import { readyToken } from "../../../src/tenant/auth/token";

const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;
const now = Date.parse("2026-01-01T12:00:00Z");
const authorized = (token: string) => readyToken(token, { now: () => now }).authorize();

test("refuses an expired token before any request, and tolerates a small error of the clock", async () => {
  await expect(authorized(jwt({ exp: now / 1000 - 600 }))).rejects.toMatchObject({
    code: "unauthorized",
    message: "The access token expired at 2026-01-01T11:50:00.000Z.",
  });
  await authorized(jwt({ exp: now / 1000 - 60 }));
});

test.each(["opaque", jwt({}), jwt({ exp: "soon" })])("accepts a token without a valid expiry: %s", async (token) => {
  await authorized(token);
});
