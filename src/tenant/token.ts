// The access token: fetched when first needed, one fetch at a time, renewed before it ends and once after a refusal.
import type { Clock } from "./clock";
import { clientAuthentication, type Credentials } from "./credentials";
import { isTenantError, TenantError } from "./error";
import type { Log } from "./log";
import { isTransient, maxTries, maxUnsentTries, retryAfter, retryDelay } from "./retry-timing";
import type { RawAnswer, Transport } from "./transport";

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

export interface TokenOptions {
  credentials: Credentials;
  /** Root URL of the tenant, without a slash at the end. */
  endpoint: string;
  /** Path of the token endpoint from the origin. */
  path: string;
  audience: string;
  userAgent: string;
  transport: Pick<Transport, "exchange">;
  clock: Clock;
  random: () => number;
  log: Log;
  signal: AbortSignal;
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
    scopes: async () => scopesOf(claims(token)),
    expiry: () => expiryOf(claims(token)),
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
      return granted === undefined ? scopesOf(claims(held.token)) : words(granted);
    },
    expiry: () => held && expiryOf(claims(held.token)),
  };
}

/** An answer of the token endpoint that the same question would only meet again. */
class TokenRefusal extends TenantError {
  constructor(
    readonly until: number,
    ...rest: ConstructorParameters<typeof TenantError>
  ) {
    super(...rest);
  }
}

interface TokenAnswer {
  access_token: string;
  expires_in?: number;
  scope?: string;
}

async function requestToken({
  credentials,
  endpoint,
  path,
  audience,
  userAgent,
  transport,
  clock,
  random,
  log,
  signal,
}: TokenOptions & { credentials: Exclude<Credentials, { kind: "access_token" }> }): Promise<TokenAnswer> {
  for (let failures = 1; ; failures++) {
    const body = JSON.stringify({
      grant_type: "client_credentials",
      audience,
      ...(await clientAuthentication(credentials, endpoint, clock)),
    });
    const started = clock.now();
    const outcome = await transport
      .exchange({
        method: "POST",
        path,
        headers: { "content-type": "application/json", accept: "application/json", "user-agent": userAgent },
        body,
      })
      .catch((error: unknown) => {
        if (isTenantError(error, "connection_failed", "timeout")) return error;
        throw error;
      });
    const status = outcome.status;
    const answer = outcome instanceof TenantError ? undefined : outcome;
    log("debug", `POST ${path}`, {
      method: "POST",
      path,
      status: status ?? (outcome as TenantError).code,
      ms: Math.round(clock.now() - started),
      try: failures,
    });
    if (isTransient(status)) {
      const most = outcome instanceof TenantError && outcome.unsent ? maxUnsentTries : maxTries;
      if (failures < most) {
        await clock.sleep(retryDelay({ failures, status, headers: answer?.headers, now: clock.now(), random }), signal);
        continue;
      }
      if (outcome instanceof TenantError) throw outcome;
    }
    return readToken(answer as RawAnswer, path, clock);
  }
}

function readToken({ status, headers, text }: RawAnswer, path: string, clock: Clock): TokenAnswer {
  const told = parsed(text);
  const details = { status, method: "POST", path };
  if (status < 400) {
    if (typeof told.access_token === "string" && told.access_token !== "") return told as unknown as TokenAnswer;
    throw new TenantError("unreadable_answer", "The token endpoint answered without an access_token.", details);
  }
  const why = [told.error, told.error_description].filter((word) => typeof word === "string").join(": ") || status;
  if (status === 429) {
    const wait = retryAfter(headers, clock.now());
    const until = clock.now() + (wait ?? 0);
    const when = wait === undefined ? "later" : `after ${new Date(until).toISOString()}`;
    throw new TokenRefusal(
      until,
      "token_quota_exceeded",
      `The tenant grants this client no more tokens for now (${why}). Try again ${when}.`,
      details,
    );
  }
  const message = `The tenant refused to grant a token (${why}).`;
  if (isTransient(status)) throw new TenantError("service_failed", message, details);
  throw new TokenRefusal(
    Number.POSITIVE_INFINITY,
    "token_request_failed",
    `${message} Check the client id and its secret or key, that the client may use the client credentials grant, and the audience.`,
    details,
  );
}

function parsed(text: string): Record<string, unknown> {
  try {
    const told: unknown = JSON.parse(text);
    return typeof told === "object" && told !== null ? (told as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The claims of a JWT, unverified; undefined where the token is none. */
function claims(token: string): Record<string, unknown> | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  const told = parsed(Buffer.from(payload, "base64url").toString("utf8"));
  return Object.keys(told).length > 0 ? told : undefined;
}

function scopesOf(told: Record<string, unknown> | undefined): string[] | undefined {
  if (typeof told?.scope === "string") return words(told.scope);
  if (Array.isArray(told?.permissions)) return told.permissions.filter((one) => typeof one === "string");
  return undefined;
}

function expiryOf(told: Record<string, unknown> | undefined): number | undefined {
  return typeof told?.exp === "number" ? told.exp * 1000 : undefined;
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
