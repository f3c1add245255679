// The access token: fetched when first needed, one fetch at a time, renewed before it ends and once after a refusal.
import { claimsOf, expiryOf, scopesOf, words } from "./claims";
import type { Credentials } from "./credentials";
import type { TenantError } from "./error";
import { requestToken, TokenRefusal, type TokenOptions } from "./token-request";

export interface Tokens {
  /** A token that is good for now. Throws token_request_failed, token_quota_exceeded, invalid_key. */
  current(): Promise<string>;
  /** Tells that a token was taken by the service. */
  accepted(token: string): void;
  /** After a 401 with `refused`: another token, or undefined where there is none to be had. */
  renewed(refused: string): Promise<string | undefined>;
  /** The scopes of the token at hand; undefined where there is none yet or it does not tell. Makes no request. */
  scopes(): Promise<string[] | undefined>;
  /** Milliseconds since the epoch at which the token at hand ends, where it tells. */
  expiry(): number | undefined;
}

interface Held {
  token: string;
  /** When to fetch the next one, in the clock's milliseconds. */
  renewAt: number;
  /** Whether it replaced a refused one and the service has not taken it yet. */
  onTrial: boolean;
}

export function createTokens(options: TokenOptions): Tokens {
  const { credentials } = options;
  return credentials.kind === "access_token"
    ? readyToken(credentials.accessToken)
    : fetchedTokens({ ...options, credentials });
}

function readyToken(token: string): Tokens {
  return {
    current: async () => token,
    accepted: () => {},
    renewed: async () => undefined,
    scopes: async () => scopesOf(claimsOf(token)),
    expiry: () => expiryOf(claimsOf(token)),
  };
}

function fetchedTokens(
  options: TokenOptions & { credentials: Exclude<Credentials, { kind: "access_token" }> },
): Tokens {
  const { clock, random } = options;
  let held: Held | undefined;
  let fetching: Promise<Held> | undefined;
  let granted: string | undefined;
  let refusal: { error: TenantError; until: number } | undefined;

  const fetchOne = async (onTrial: boolean): Promise<Held> => {
    const { access_token, expires_in, scope } = await requestToken(options);
    granted = scope;
    const lifetime = (expires_in ?? 3600) * 1000;
    const margin = Math.min(60_000, lifetime / 10) * (1 + random());
    return { token: access_token, renewAt: clock.now() + lifetime - margin, onTrial };
  };

  const fetchShared = (onTrial: boolean) => {
    if (refusal && clock.now() < refusal.until) return Promise.reject(refusal.error);
    return (fetching ??= fetchOne(onTrial)
      .then((fresh) => (held = fresh))
      .catch((error: unknown) => {
        if (error instanceof TokenRefusal) refusal = { error, until: error.until };
        throw error;
      })
      .finally(() => (fetching = undefined)));
  };

  return {
    async current() {
      if (held && clock.now() < held.renewAt) return held.token;
      return (await fetchShared(false)).token;
    },
    accepted(token) {
      if (held?.token === token) held.onTrial = false;
    },
    async renewed(refused) {
      if (fetching) return (await fetching).token;
      if (held && held.token !== refused) return held.token;
      if (held?.onTrial) return undefined;
      return (await fetchShared(true)).token;
    },
    async scopes() {
      if (!held) return undefined;
      return granted === undefined ? scopesOf(claimsOf(held.token)) : words(granted);
    },
    expiry: () => held && expiryOf(claimsOf(held.token)),
  };
}
