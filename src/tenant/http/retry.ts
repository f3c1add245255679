/** Retries failed requests where that is safe. No other file retries. */
import type { Clock } from "../clock";
import { isTenantError, TenantError } from "../error";
import type { Log } from "../secrets";
import { noteWait, type Confirmation, type Request, type Send, type Usage } from "./call";
import { longWait, resetPadding, seconds } from "./response";

/*
 * The effect of each operation, and the reaction if its response is lost:
 *
 * | operation      | sent twice | response lost before the effect | response lost after the effect             |
 * |----------------|------------|---------------------------------|--------------------------------------------|
 * | any read       | harmless   | repeated                        | repeated                                   |
 * | ACL create     | refused    | looked for, then sent again     | found by priority and content, adopted     |
 * | ACL replace    | the same   | repeated                        | repeated with the same content             |
 * | ACL delete     | 404        | repeated                        | repeated; 404 counts as done               |
 * | key create     | refused    | looked for, then sent again     | found by its name and fingerprint, adopted |
 * | key delete     | 404        | repeated                        | repeated; 404 counts as done               |
 * | policy create  | refused    | looked for, then sent again     | found by its triple and content, adopted   |
 * | policy update  | the same   | repeated                        | repeated with the same configuration       |
 * | policy delete  | 404        | repeated                        | repeated; 404 counts as done               |
 * | members add    | the same   | repeated                        | repeated; if refused, the list is read     |
 * | members remove | the same   | repeated                        | repeated; removed members stay removed     |
 * | token          | another    | repeated                        | repeated; the lost token is never used     |
 *
 * A response is lost if the connection broke, or if the response was late, unreadable, 408 or 5xx. A request that
 * certainly never left, for example because the connection was refused, is repeated without looking for its effect.
 * A 429 means that the request had no effect. Repetitions after a 429 are bounded by time, not by number. The token endpoint may send
 * it for ever, because a policy blocks the client, so a minute and a few attempts bound them there.
 */

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly usage: Usage;
  /** Milliseconds that a call may wait in total, for any reason. */
  readonly maxRetryWait: number;
}

export function withRetry({ clock, random, signal, log, usage, maxRetryWait }: RetryOptions): (next: Send) => Send {
  const pause = async (ms: number, error: TenantError, request: Request<unknown>) => {
    const { method, name, attempts } = request;
    if (attempts.waitedMs + ms > maxRetryWait) throw tooLong(error, request, ms, clock.now());
    if (isThrottled(error)) noteWait(usage, ms);
    log(ms >= longWait ? "warn" : "info", `Waiting ${seconds(ms)} s before ${method} ${name} is tried again`, {
      method,
      path: name,
      because: error.message,
    });
    await clock.sleep(ms, signal);
    attempts.waitedMs += ms;
  };

  const lookForEffect = async <T>({ what, find }: Confirmation<T>, since: number, lost: TenantError) => {
    const found = await find(since).catch((error: unknown) => {
      throw isTenantError(error, "stopped") ? error : unconfirmed(what, lost);
    });
    const outcome = found === undefined ? "has not" : "has";
    log("info", `A response was lost, but the tenant shows that it ${outcome} ${what}`);
    return found === undefined ? undefined : { body: found, at: clock.now() };
  };

  return (next) => async (request) => {
    const { idempotent, confirmation } = request;
    const since = clock.now();
    let throttled = 0;
    let failures = 0;
    let lost: TenantError | undefined;
    for (;;) {
      try {
        return await next(request);
      } catch (error) {
        if (!(error instanceof TenantError)) throw error;
        if (isThrottled(error)) {
          if (isPolicyLikely(error, ++throttled, request))
            throw blockedByPolicy(error, throttled, request, clock.now());
          await pause(retryDelay(throttled, error.retryAfter, random), error, request);
          continue;
        }
        const passing = isTransient(error);
        if (mayHaveTakenEffect(error)) lost = error;
        // The service may refuse a repetition because the first attempt took effect.
        const isUncertain = lost && (error === lost ? !idempotent : isRejection(error));
        if (lost && isUncertain && confirmation) {
          const found = await lookForEffect(confirmation, since, lost);
          if (found) return found;
        }
        if (!passing || (isUncertain && !confirmation)) throw error;
        if (++failures >= maxTries(error)) {
          throw lost && !idempotent && confirmation ? unconfirmed(confirmation.what, lost) : error;
        }
        await pause(retryDelay(failures, error.retryAfter, random), error, request);
      }
    }
  };
}

const isThrottled = (error: TenantError) => isTenantError(error, "rate_limited", "token_quota_exceeded");

/** Whether the same request may succeed later. */
export const isTransient = (error: TenantError) =>
  isTenantError(error, "connection_failed", "timeout", "service_failed", "unreadable_response");

const isRejection = (error: TenantError) => isTenantError(error, "conflict", "invalid_body", "unexpected_status");

/** Whether a write that ended in this error may have taken effect. */
function mayHaveTakenEffect(error: TenantError): boolean {
  const succeeded = error.status !== undefined && error.status < 300;
  return !error.unsent && (isTransient(error) || (error.code === "unlike_service" && succeeded));
}

/**
 * How many attempts end in this error at most. A failed connection usually means a wrong address, and each timeout takes
 * long, so more attempts would only look like a hang.
 */
function maxTries(error: TenantError): number {
  return error.unsent || error.code === "timeout" ? 3 : 7;
}

/** Milliseconds for which the token endpoint is asked again. */
const longestForToken = 60_000 + resetPadding;

/** Whether the token endpoint will most likely refuse the next request too. */
function isPolicyLikely({ code, retryAfter }: TenantError, tries: number, { attempts }: Request<unknown>): boolean {
  if (code !== "token_quota_exceeded") return false;
  if (retryAfter === undefined) return tries >= 3;
  return tries >= 7 || attempts.waitedMs + retryAfter > longestForToken;
}

function blockedByPolicy(error: TenantError, tries: number, request: Request<unknown>, now: number): TenantError {
  const { retryAfter = 0 } = error;
  if (retryAfter > longestForToken) return tooLong(error, request, retryAfter, now);
  const { method, name, attempts } = request;
  const words = `${error.message.replace(/\.$/, "")}. ${method} ${name} got this response ${tries} times`;
  return new TenantError(error.code, `${words} in ${seconds(attempts.waitedMs)} s.`, { ...error, cause: error.cause });
}

function tooLong(
  error: TenantError,
  { method, name, attempts }: Request<unknown>,
  ms: number,
  now: number,
): TenantError {
  const until = new Date(Math.min(now + ms, 8.64e15)).toISOString();
  const waits = `has waited ${seconds(attempts.waitedMs)} s and must wait ${seconds(ms)} s more, until ${until}.`;
  const message = `${error.message.replace(/\.$/, "")}. ${method} ${name} ${waits}`;
  const asked = { method: error.method ?? method, path: error.path ?? name };
  return new TenantError(error.code, message, { ...error, ...asked, cause: error.cause });
}

function unconfirmed(what: string, cause: TenantError): TenantError {
  const { status, requestId, method, path, message } = cause;
  const details = { status, requestId, method, path, cause };
  return new TenantError("unconfirmed", `It is not known whether the tenant has ${what}: ${message}`, details);
}

/** Milliseconds until the next attempt. `requested` comes from the response; `random` is uniform in [0, 1). */
export function retryDelay(failures: number, requested: number | undefined, random: () => number): number {
  return (requested ?? 0) + random() * Math.min(8_000, 250 * 2 ** Math.min(failures, 10));
}
