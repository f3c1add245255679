/**
 * Holds the access token: fetches it when it is first needed, and renews it before it expires and once after a 401. A token of an
 * earlier process saves a request, and counts as much as a new one until the service refuses it.
 */
import type { Clock } from "../clock";
import { TenantError } from "../error";
import { keepSecret } from "../secrets";
import { hasFields, isRecord, parseJson } from "../http/call";
import { isTransient } from "../http/retry";
import type { TokenResponse } from "./credentials";
import { urlIn } from "../../formats/text/url";

export interface Tokens {
  /** A token that is valid now. Throws token_request_failed, token_quota_exceeded or invalid_key. */
  current(): Promise<string>;
  /** Like `current`, but without a request that needs the token. Throws unauthorized if a ready token has expired. */
  authorize(): Promise<unknown>;
  /** Call it when the service has accepted the token. */
  accepted(token: string): void;
  /**
   * Another token after `refused`. Undefined if no other token is available. A missing scope gets one only if an earlier process
   * fetched `refused`, because the client may have got the scope since. Throws other_tenant.
   */
  renewed(refused: string, why: "unauthorized" | "insufficient_scope"): Promise<string | undefined>;
  /**
   * The scopes of the current token. Undefined if there is no token yet, or if it names no scopes. Sends a request only if a token of
   * an earlier process lacks one of the needed scopes.
   */
  scopes(needed?: readonly string[]): Promise<string[] | undefined>;
  /** The tenant that the current token is for, without a request. Undefined if there is no token yet, or if it names no tenant. */
  issuer(): string | undefined;
  /** From now on, calls throw other_tenant if a later token is for another tenant than the current one. */
  stay(): void;
  /** When the current token expires, in milliseconds since the epoch, if it says so. */
  expiry(): number | undefined;
  /** How many requests the tenant takes at once, if an earlier process learned it. */
  quota(): number | undefined;
  /** Keeps the size of the quota with the token, for later processes. */
  learnedQuota(size: number): void;
}

/** Keeps a token for later processes with the same credentials. */
export interface TokenStore {
  read(): unknown;
  write(token: KeptToken): void;
}

interface KeptToken {
  readonly token: string;
  readonly scope?: string | undefined;
  /** In milliseconds of the clock. */
  readonly until: number;
  readonly quota?: number | undefined;
}

interface HeldToken extends KeptToken, ReturnType<typeof described> {
  /** Whether an earlier process fetched it. */
  readonly isKept: boolean;
  /** When to fetch the next token, in milliseconds of the clock. */
  readonly renewAt: number;
  /** Whether it replaced a refused token and the service has not accepted it yet. */
  onTrial: boolean;
  quota?: number | undefined;
}

/** Milliseconds by which this machine's clock may be wrong. */
const leeway = 300_000;

/** Milliseconds for which later processes use a token: so long a client that lost its rights could still be used. */
const keptFor = 3_600_000;

/** What a token says of itself, read once: each call of Terraform asks for it. */
function described(token: string, scope?: string) {
  const claims = claimsOf(token);
  const scopes = scope === undefined ? scopesOf(claims) : words(scope);
  return { scopes, tenant: tenantOf(claims), expiry: expiryOf(claims) };
}

export function readyToken(token: string, clock: Pick<Clock, "now">): Tokens {
  const { scopes, tenant, expiry } = described(token);
  return {
    current: async () => token,
    async authorize() {
      const end = expiry ?? Infinity;
      if (end > clock.now() - leeway) return;
      throw new TenantError("unauthorized", `The access token expired at ${new Date(end).toISOString()}.`);
    },
    accepted: () => {},
    renewed: async () => undefined,
    scopes: async () => scopes,
    issuer: () => tenant,
    stay: () => {},
    expiry: () => expiry,
    quota: () => undefined,
    learnedQuota: () => {},
  };
}

export function fetchedTokens(
  request: () => Promise<TokenResponse>,
  { clock, random, tokenStore: store }: { clock: Clock; random: () => number; tokenStore?: TokenStore | undefined },
): Tokens {
  let held: HeldToken | undefined;
  let isStoreRead = store === undefined;
  let fetching: Promise<HeldToken> | undefined;
  let failed: { error: unknown; until: number } | undefined;
  /** The only tenant whose tokens count. Undefined: any. */
  let home: string | undefined;

  const fetchOne = async (onTrial: boolean): Promise<HeldToken> => {
    const { access_token: token, expires_in = 3600, scope } = await request();
    keepSecret(token);
    const lifetime = expires_in * 1000;
    const margin = Math.min(60_000, lifetime / 10) * (1 + random());
    const renewAt = clock.now() + lifetime - margin;
    const kept: KeptToken = { token, scope, until: Math.min(renewAt, clock.now() + keptFor) };
    store?.write(kept);
    const own = described(token, scope);
    if (home !== undefined && own.tenant !== home) {
      held = undefined;
      throw otherTenant(home, own.tenant);
    }
    return { ...kept, ...own, isKept: false, renewAt, onTrial };
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

  const holding = (): HeldToken | undefined => {
    if (isStoreRead) return held;
    isStoreRead = true;
    return (held = keptIn(store?.read(), clock.now()));
  };

  const current = async () => {
    const one = holding();
    return one && clock.now() < one.renewAt ? one.token : (await fetchShared(false)).token;
  };

  const issuer = () => holding()?.tenant;

  return {
    current,
    authorize: current,
    accepted(token) {
      if (held?.token === token) held.onTrial = false;
    },
    async renewed(refused, why) {
      if (fetching) return (await fetching).token;
      if (held && held.token !== refused) return held.token;
      if (held?.onTrial || (why === "insufficient_scope" && !held?.isKept)) return undefined;
      return (await fetchShared(true)).token;
    },
    async scopes(needed = []) {
      const isKept = holding()?.isKept;
      const lacksOne = needed.some((scope) => held?.scopes?.includes(scope) === false);
      if (isKept && lacksOne) await fetchShared(false);
      return held?.scopes;
    },
    issuer,
    stay: () => void (home ??= issuer()),
    expiry: () => held?.expiry,
    quota: () => holding()?.quota,
    learnedQuota(size) {
      if (!held || held.quota === size) return;
      held.quota = size;
      const { token, scope, until, quota } = held;
      store?.write({ token, scope, until, quota });
    },
  };
}

function keptIn(note: unknown, now: number): HeldToken | undefined {
  if (!hasFields(note, { token: "string", until: "number" })) return undefined;
  const { token, until, scope } = note;
  if (until <= now || until > now + keptFor) return undefined;
  keepSecret(token);
  const granted = typeof scope === "string" ? scope : undefined;
  const quota = Number(note.quota) >= 1 ? Number(note.quota) : undefined;
  const own = described(token, granted);
  return { ...own, token, scope: granted, until, quota, isKept: true, renewAt: until, onTrial: false };
}

function otherTenant(before: string, now: string | undefined): TenantError {
  const message = `The credentials get a token for ${now ?? "an unnamed tenant"} now, and got one for ${before} before.`;
  return new TenantError("other_tenant", message, { unsent: true });
}

/** Milliseconds after which a policy that blocks the client may be gone. */
const policyPause = 60_000;

/** Milliseconds for which a call that is repeated asks for no token: the request of the token has made all its attempts. */
const faultPause = 5_000;

/** Before this time the token endpoint would give the same response. */
function askAgainAt(error: TenantError, now: number): number {
  const { code, retryAfter = policyPause } = error;
  if (code === "token_request_failed" || code === "other_tenant") return Infinity;
  if (isTransient(error)) return now + faultPause;
  return code === "token_quota_exceeded" ? now + retryAfter : 0;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Undefined if the token is not a JWT. */
export function claimsOf(token: string): Claims | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  const claims = parseJson(Buffer.from(payload, "base64url").toString("utf8"))?.json;
  return isRecord(claims) ? claims : undefined;
}

export function scopesOf(claims: Claims | undefined): string[] | undefined {
  if (typeof claims?.scope === "string") return words(claims.scope);
  const { permissions } = claims ?? {};
  return Array.isArray(permissions) ? permissions.filter((one) => typeof one === "string") : undefined;
}

/** In milliseconds since the epoch. */
export function expiryOf(claims: Claims | undefined): number | undefined {
  const end = typeof claims?.exp === "number" ? claims.exp * 1000 : Number.NaN;
  return Math.abs(end) <= 8.64e15 ? end : undefined;
}

/**
 * The tenant that issued the token, the same for all its domains. The audience of the Management API names the canonical domain. The
 * issuer is the domain of the token request. An embedded tenant, which has no domain of its own, gives a name.
 */
export function tenantOf(claims: Claims | undefined): string | undefined {
  const { instance, aud, iss } = claims ?? {};
  if (typeof instance === "string" && instance !== "") return `embedded-${instance}`;
  const audience = [aud].flat().find((one) => typeof one === "string" && /\/api\/v2\/?$/.test(one));
  return hostIn(audience) ?? hostIn(iss);
}

const hostIn = (text: unknown) =>
  (typeof text === "string" && urlIn(text)?.host.toLowerCase().replace(/\.$/, "")) || undefined;

/** The words of a scope. */
export const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
