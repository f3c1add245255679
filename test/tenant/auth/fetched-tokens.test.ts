/** When a token is fetched, renewed and requested again, on a clock of the test. */
import { fetchedTokens } from "../../../src/tenant/auth/token";
import type { TokenResponse } from "../../../src/tenant/auth/token-request";
import { TenantError } from "../../../src/tenant/error";
import { createVirtualClock } from "../support/virtual-clock";

const start = Date.parse("2026-01-01T00:00:00Z");

/** Responds to each token request as listed, with the tokens `t1`, `t2` and so on. */
function fetched(responses: (Partial<TokenResponse> | Error)[]) {
  let now = start;
  let requests = 0;
  const request = async () => {
    const answer = responses[requests++] ?? {};
    if (answer instanceof Error) throw answer;
    return { access_token: `t${requests}`, ...answer };
  };
  const tokens = fetchedTokens(request, { clock: { ...createVirtualClock(), now: () => now }, random: () => 0.5 });
  const at = (seconds: number) => {
    now = start + seconds * 1000;
    return tokens.current();
  };
  return { at, tokens, requests: () => requests };
}

test.each([
  { expires_in: 100, renewed: 85 },
  { expires_in: 3_600, renewed: 3_510 },
  { expires_in: undefined, renewed: 3_510 },
])("renews a token of $expires_in s after $renewed s", async ({ expires_in, renewed }) => {
  const { at } = fetched([{ expires_in }]);
  expect([await at(0), await at(renewed - 0.001), await at(renewed)]).toEqual(["t1", "t1", "t2"]);
});

test("requests no token before the time at which the token quota is reset", async () => {
  const { at, requests } = fetched([new TenantError("token_quota_exceeded", "Too many.", { retryAfter: 7_200_000 })]);
  await expect(at(0)).rejects.toThrow("Too many.");
  await expect(at(7_199.999)).rejects.toThrow("Too many.");
  expect(requests()).toBe(1);
  expect(await at(7_200)).toBe("t2");
});

test("remembers refused credentials for ever, and no other failure", async () => {
  const lasting = fetched([new TenantError("token_request_failed", "Wrong secret.")]);
  for (const seconds of [0, 1_000_000]) await expect(lasting.at(seconds)).rejects.toThrow("Wrong secret.");
  expect(lasting.requests()).toBe(1);
  for (const failure of [new TenantError("service_failed", "Broken.", { retryAfter: 60_000 }), new Error("Broken.")]) {
    const passing = fetched([failure]);
    await expect(passing.at(0)).rejects.toThrow("Broken.");
    expect(await passing.at(0)).toBe("t2");
  }
});
