/** Tokens without a network: their claims, and when one is fetched, renewed and requested again. */
import {
  claimsOf,
  expiryOf,
  fetchedTokens,
  readyToken,
  scopesOf,
  tenantOf,
  words,
  type TokenStore,
} from "../../../src/tenant/auth/token";
import type { TokenResponse } from "../../../src/tenant/auth/credentials";
import { TenantError } from "../../../src/tenant/error";
import { createVirtualClock } from "../support/virtual-clock";

const jwtOf = (payload: string) => `e30.${Buffer.from(payload).toString("base64url")}.s`;
const jwt = (claims: object) => jwtOf(JSON.stringify(claims));

test("reads claims only from a JWT", () => {
  expect(claimsOf(jwt({ exp: 1 }))).toEqual({ exp: 1 });
  for (const token of ["opaque", "e30.e30", jwtOf("[1]"), jwtOf("no JSON")]) expect(claimsOf(token)).toBeUndefined();
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

const canonical = "https://acme.eu.auth0.com/";

test.each([
  ["the canonical domain", { iss: canonical, aud: `${canonical}api/v2/` }],
  ["a custom domain", { iss: "https://login.example.com/", aud: `${canonical}api/v2/` }],
  ["several audiences", { iss: canonical, aud: [`${canonical}userinfo`, `${canonical}api/v2/`] }],
  ["another spelling", { iss: canonical, aud: "https://ACME.eu.auth0.com:443/api/v2" }],
  ["another audience", { iss: canonical, aud: "urn:management" }],
])("names the tenant by its canonical domain: %s", (_, claims) => expect(tenantOf(claims)).toBe("acme.eu.auth0.com"));

test("names an embedded tenant by its instance", () => {
  expect(tenantOf({ iss: "http://127.0.0.1:1/", aud: "http://127.0.0.1:1/api/v2/", instance: "ab" })).toBe(
    "embedded-ab",
  );
});

test.each([undefined, {}, { iss: 1, aud: [null] }, { iss: "acme", aud: "" }, { instance: "" }])(
  "knows no tenant of %j",
  (claims) => {
    expect(tenantOf(claims as never)).toBeUndefined();
  },
);

const noon = Date.parse("2026-01-01T12:00:00Z");
const authorized = (token: string) => readyToken(token, { now: () => noon }).authorize();

test("refuses an expired token before any request, and tolerates a small error of the clock", async () => {
  await expect(authorized(jwt({ exp: noon / 1000 - 600 }))).rejects.toMatchObject({
    code: "unauthorized",
    message: "The access token expired at 2026-01-01T11:50:00.000Z.",
  });
  await authorized(jwt({ exp: noon / 1000 - 60 }));
});

test.each(["opaque", jwt({}), jwt({ exp: "soon" })])("accepts a token without a valid expiry: %s", async (token) => {
  await authorized(token);
});

const start = Date.parse("2026-01-01T00:00:00Z");

/** Responds to each token request as listed, with the tokens `t1`, `t2` and so on. */
function fetched(responses: (Partial<TokenResponse> | Error)[], tokenStore?: TokenStore) {
  let now = start;
  let requests = 0;
  const request = async () => {
    const answer = responses[requests++] ?? {};
    if (answer instanceof Error) throw answer;
    return { access_token: `t${requests}`, ...answer };
  };
  const clock = { ...createVirtualClock(), now: () => now };
  const tokens = fetchedTokens(request, { clock, random: () => 0.5, tokenStore });
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

test.each([
  { retryAfter: 7_200_000, again: 7_200 },
  { retryAfter: undefined, again: 60 },
])("requests no token for $again s after a 429 that names $retryAfter ms", async ({ retryAfter, again }) => {
  const { at, requests } = fetched([new TenantError("token_quota_exceeded", "Too many.", { retryAfter })]);
  await expect(at(0)).rejects.toThrow("Too many.");
  await expect(at(again - 0.001)).rejects.toThrow("Too many.");
  expect(requests()).toBe(1);
  expect(await at(again)).toBe("t2");
});

test("remembers refused credentials for ever, and a fault for seconds", async () => {
  const lasting = fetched([new TenantError("token_request_failed", "Wrong secret.")]);
  for (const seconds of [0, 1_000_000]) await expect(lasting.at(seconds)).rejects.toThrow("Wrong secret.");
  expect(lasting.requests()).toBe(1);
  for (const failure of [new TenantError("service_failed", "Broken.", { retryAfter: 60_000 }), new Error("Broken.")]) {
    const passing = fetched([failure]);
    await expect(passing.at(0)).rejects.toThrow("Broken.");
    expect(await passing.at(5)).toBe("t2");
  }
});

describe("a token of an earlier process", () => {
  /** A token of the tenant, with the scopes. */
  const tokenOf = (tenant: string, scope = "") => jwt({ aud: `https://${tenant}/api/v2/`, scope });

  /** The store of several processes. */
  function storeWith(first?: unknown): TokenStore & { kept: unknown } {
    return {
      kept: first,
      read() {
        return this.kept;
      },
      write(token) {
        this.kept = token;
      },
    };
  }
  const kept = (token: string, seconds = 60) => storeWith({ token, until: start + seconds * 1000 });

  test("saves a request until it ends", async () => {
    const { at, requests } = fetched([], kept("old", 60));
    expect([await at(0), await at(59.999), await at(60)]).toEqual(["old", "old", "t1"]);
    expect(requests()).toBe(1);
  });

  test.each([
    ["ended", { token: "old", until: start }],
    ["is kept for longer than an hour", { token: "old", until: start + 3_600_001 }],
    ["has no end", { token: "old" }],
    ["is no text", { token: 1, until: start + 1 }],
    ["is missing", undefined],
    ["is null", null],
  ])("does not count if it %s", async (_, note) => expect(await fetched([], storeWith(note)).at(0)).toBe("t1"));

  test.each([
    { expires_in: 86_400, until: 3_600 },
    { expires_in: 100, until: 85 },
  ])("is kept for at most an hour, and not to the end of $expires_in s", async ({ expires_in, until }) => {
    const store = storeWith();
    await fetched([{ expires_in, scope: "a b" }], store).at(0);
    expect(store.kept).toEqual({ token: "t1", scope: "a b", until: start + until * 1000 });
  });

  test("carries the size of the quota to later processes", async () => {
    const store = kept("old");
    const { at, tokens } = fetched([], store);
    await at(0);
    expect(tokens.quota()).toBeUndefined();
    tokens.learnedQuota(50);
    expect(store.kept).toEqual({ token: "old", until: start + 60_000, quota: 50 });
    expect(fetched([], store).tokens.quota()).toBe(50);
  });

  test("is replaced once if the service refuses it, also in the store", async () => {
    const store = kept("old");
    const { at, tokens, requests } = fetched([], store);
    await at(0);
    expect(await Promise.all([1, 2].map(() => tokens.renewed("old", "unauthorized")))).toEqual(["t1", "t1"]);
    expect(await tokens.renewed("t1", "unauthorized")).toBeUndefined();
    expect(requests()).toBe(1);
    expect(await fetched([], store).at(0)).toBe("t1");
  });

  test("is replaced once if it lacks a scope. A new token is not", async () => {
    const { at, tokens, requests } = fetched([], kept("old"));
    await at(0);
    expect(await tokens.renewed("old", "insufficient_scope")).toBe("t1");
    tokens.accepted("t1");
    expect(await tokens.renewed("t1", "insufficient_scope")).toBeUndefined();
    expect(requests()).toBe(1);
  });

  test("is replaced before the first call if it lacks a needed scope", async () => {
    const wider = { access_token: tokenOf("acme.example", "read:a create:a") };
    const { tokens, requests } = fetched([wider], kept(tokenOf("acme.example", "read:a")));
    expect(await tokens.scopes(["read:a"])).toEqual(["read:a"]);
    expect(requests()).toBe(0);
    expect(await tokens.scopes(["create:a"])).toEqual(["read:a", "create:a"]);
    expect(await tokens.scopes(["delete:a"])).toEqual(["read:a", "create:a"]);
    expect(requests()).toBe(1);
  });

  test("names its tenant. A process that stays with it gets no token for another one", async () => {
    const other = { access_token: tokenOf("other.example") };
    const store = kept(tokenOf("acme.example"));
    const { at, tokens, requests } = fetched([other], store);
    expect(tokens.issuer()).toBe("acme.example");
    tokens.stay();
    const old = await at(0);
    const refused = { code: "other_tenant", unsent: true, message: expect.stringContaining("other.example") };
    await expect(tokens.renewed(old, "unauthorized")).rejects.toMatchObject(refused);
    await expect(at(1_000_000)).rejects.toMatchObject(refused);
    expect(requests()).toBe(1);
    expect(await fetched([], store).at(0)).toBe(other.access_token);
  });

  test("may be followed by one for another tenant otherwise", async () => {
    const other = { access_token: tokenOf("other.example") };
    const { at, tokens } = fetched([other], kept(tokenOf("acme.example")));
    expect(tokens.issuer()).toBe("acme.example");
    expect(await tokens.renewed(await at(0), "unauthorized")).toBe(other.access_token);
    expect(tokens.issuer()).toBe("other.example");
  });
});
