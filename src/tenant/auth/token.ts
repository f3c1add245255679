/** Holds the access token: fetches it when it is first needed, and renews it before it expires and once after a 401. */
import type { Clock } from "../clock";
import { TenantError } from "../error";
import { keepSecret } from "../secrets";
import { claimsOf, expiryOf, scopesOf, tenantOf, words } from "./claims";
import type { TokenResponse } from "./token-request";

export interface Tokens {
  /** A token that is valid now. Throws token_request_failed, token_quota_exceeded or invalid_key. */
  current(): Promise<string>;
  /** Like `current`, but without a request that needs the token. Throws unauthorized if a ready token has expired. */
  authorize(): Promise<unknown>;
  /** Call it when the service has accepted the token. */
  accepted(token: string): void;
  /** Another token after a 401 with `refused`. Undefined if no other token is available. */
  renewed(refused: string): Promise<string | undefined>;
  /** The scopes of the current token, without a request. Undefined if there is no token yet, or if it names no scopes. */
  scopes(): Promise<string[] | undefined>;
  /** The tenant that the current token is for, without a request. Undefined if there is no token yet, or if it names no tenant. */
  issuer(): string | undefined;
  /** When the current token expires, in milliseconds since the epoch, if it says so. */
  expiry(): number | undefined;
}

interface HeldToken {
  readonly token: string;
  /** When to fetch the next token, in milliseconds of the clock. */
  readonly renewAt: number;
  /** Whether it replaced a refused token and the service has not accepted it yet. */
  onTrial: boolean;
}

/** Milliseconds by which this machine's clock may be wrong. */
const leeway = 300_000;

export function readyToken(token: string, clock: Pick<Clock, "now">): Tokens {
  return {
    current: async () => token,
    async authorize() {
      const end = expiryOf(claimsOf(token)) ?? Infinity;
      if (end > clock.now() - leeway) return;
      throw new TenantError("unauthorized", `The access token expired at ${new Date(end).toISOString()}.`);
    },
    accepted: () => {},
    renewed: async () => undefined,
    scopes: async () => scopesOf(claimsOf(token)),
    issuer: () => tenantOf(claimsOf(token)),
    expiry: () => expiryOf(claimsOf(token)),
  };
}

export function fetchedTokens(
  request: () => Promise<TokenResponse>,
  { clock, random }: { clock: Clock; random: () => number },
): Tokens {
  let held: HeldToken | undefined;
  let fetching: Promise<HeldToken> | undefined;
  let granted: string | undefined;
  let failed: { error: unknown; until: number } | undefined;

  const fetchOne = async (onTrial: boolean): Promise<HeldToken> => {
    const { access_token, expires_in = 3600, scope } = await request();
    keepSecret(access_token);
    granted = scope;
    const lifetime = expires_in * 1000;
    const margin = Math.min(60_000, lifetime / 10) * (1 + random());
    return { token: access_token, renewAt: clock.now() + lifetime - margin, onTrial };
  };

  const fetchShared = (onTrial: boolean) => {
    if (failed && clock.now() < failed.until) return Promise.reject(failed.error);
    return (fetching ??= fetchOne(onTrial)
      .then((fresh) => (held = fresh))
      .catch((error: unknown) => {
        failed = { error, until: error instanceof TenantError ? askAgainAt(error, clock.now()) : 0 };
        throw error;
      })
      .finally(() => (fetching = undefined)));
  };

  const current = async () => (held && clock.now() < held.renewAt ? held.token : (await fetchShared(false)).token);

  return {
    current,
    authorize: current,
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
    issuer: () => held && tenantOf(claimsOf(held.token)),
    expiry: () => held && expiryOf(claimsOf(held.token)),
  };
}

/** Before this time the token endpoint would give the same response. */
function askAgainAt({ code, retryAfter = 0 }: TenantError, now: number): number {
  if (code === "token_request_failed") return Infinity;
  return code === "token_quota_exceeded" ? now + retryAfter : 0;
}
