/** The access token: fetched when first needed, one fetch at a time, renewed before it ends and once after a refusal. */
import type { Clock } from "../clock";
import { TenantError } from "../error";
import { keepSecret } from "../secrets";
import { claimsOf, expiryOf, scopesOf, words } from "./claims";
import type { TokenResponse } from "./token-request";

export interface Tokens {
  /** A token that is good for now. Throws token_request_failed, token_quota_exceeded, invalid_key. */
  current(): Promise<string>;
  /** As `current`, for nothing yet; throws unauthorized for a ready token that has ended some time ago. */
  authorize(): Promise<unknown>;
  /** Tells that a token was taken by the service. */
  accepted(token: string): void;
  /** After a 401 with `refused`: another token, or undefined where there is none to be had. */
  renewed(refused: string): Promise<string | undefined>;
  /** The scopes of the token at hand; undefined where there is none yet or it does not tell. Makes no request. */
  scopes(): Promise<string[] | undefined>;
  /** Milliseconds since the epoch at which the token at hand ends, where it tells. */
  expiry(): number | undefined;
}

interface HeldToken {
  readonly token: string;
  /** When to fetch the next one, in the clock's milliseconds. */
  readonly renewAt: number;
  /** Whether it replaced a refused one and the service has not taken it yet. */
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
      throw new TenantError("unauthorized", `The access token ended at ${new Date(end).toISOString()}.`);
    },
    accepted: () => {},
    renewed: async () => undefined,
    scopes: async () => scopesOf(claimsOf(token)),
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
    expiry: () => held && expiryOf(claimsOf(held.token)),
  };
}

/** Before this time the token endpoint would give the same response. */
function askAgainAt({ code, retryAfter = 0 }: TenantError, now: number): number {
  if (code === "token_request_failed") return Infinity;
  return code === "token_quota_exceeded" ? now + retryAfter : 0;
}
