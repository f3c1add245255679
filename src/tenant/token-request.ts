// Asking the token endpoint for a token, and what its refusals mean.
import { parsedObject } from "./claims";
import type { Clock } from "./clock";
import { clientAuthentication, type Credentials } from "./credentials";
import { isTenantError, TenantError } from "./error";
import type { Log } from "./log";
import { isTransient, maxTries, retryAfter, retryDelay, untilReset } from "./retry-timing";
import type { RawAnswer, Transport } from "./transport";

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

/** An answer of the token endpoint that the same question would only meet again. */
export class TokenRefusal extends TenantError {
  constructor(
    readonly until: number,
    ...rest: ConstructorParameters<typeof TenantError>
  ) {
    super(...rest);
  }
}

export interface TokenAnswer {
  access_token: string;
  expires_in?: number;
  scope?: string;
}

export async function requestToken(
  options: TokenOptions & { credentials: Exclude<Credentials, { kind: "access_token" }> },
): Promise<TokenAnswer> {
  const { credentials, endpoint, path, audience, userAgent, transport, clock, random, log, signal } = options;
  const headers = { "content-type": "application/json", accept: "application/json", "user-agent": userAgent };
  for (let failures = 1; ; failures++) {
    const authentication = await clientAuthentication(credentials, endpoint, clock);
    const body = JSON.stringify({ grant_type: "client_credentials", audience, ...authentication });
    const started = clock.now();
    let answer: RawAnswer | undefined;
    let failure: TenantError;
    try {
      answer = await transport.exchange({ method: "POST", path, headers, body });
      const read = readToken(answer, path, clock);
      if (!(read instanceof TenantError)) return read;
      failure = read;
    } catch (error) {
      if (!isTenantError(error, "connection_failed", "timeout")) throw error;
      failure = error;
    } finally {
      log("debug", `POST ${path}`, {
        method: "POST",
        path,
        status: answer?.status ?? "none",
        ms: Math.round(clock.now() - started),
        try: failures,
      });
    }
    const passing = failure.code === "unreadable_answer" || isTransient(failure.status);
    if (!passing || failures >= maxTries(failure)) throw beforeTheCall(failure);
    const setback = { failures, status: failure.status, headers: answer?.headers, now: clock.now(), random };
    await clock.sleep(retryDelay(setback), signal);
  }
}

/** Without a token the call itself was never sent, whatever became of the question for the token. */
function beforeTheCall(failure: TenantError): TenantError {
  if (failure instanceof TokenRefusal || failure.unsent) return failure;
  const { code, message, status, method, path, cause } = failure;
  return new TenantError(code, message, { status, method, path, cause, unsent: true });
}

function readToken({ status, headers, text }: RawAnswer, path: string, clock: Clock): TokenAnswer | TenantError {
  const told = parsedObject(text) ?? {};
  const details = { status, method: "POST", path };
  if (status < 400) {
    if (typeof told.access_token === "string" && told.access_token !== "") return told as unknown as TokenAnswer;
    return new TenantError("unreadable_answer", "The token endpoint answered without an access_token.", details);
  }
  const why = [told.error, told.error_description].filter((word) => typeof word === "string").join(": ") || status;
  if (status === 429) {
    const wait = retryAfter(headers, clock.now()) ?? untilReset(headers, clock.now());
    const until = clock.now() + (wait ?? 0);
    const when = wait === undefined ? "later" : `after ${new Date(until).toISOString()}`;
    return new TokenRefusal(
      until,
      "token_quota_exceeded",
      `The tenant grants this client no more tokens for now (${why}). Try again ${when}.`,
      details,
    );
  }
  const message = `The tenant refused to grant a token (${why}).`;
  if (isTransient(status)) return new TenantError("service_failed", message, details);
  return new TokenRefusal(
    Number.POSITIVE_INFINITY,
    "token_request_failed",
    `${message} Check the client id and its secret or key, that the client may use the client credentials grant, and the audience.`,
    details,
  );
}
