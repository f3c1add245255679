/** Tries again what may be tried again: the one place that does. */
import type { Clock } from "../clock";
import { isTenantError, TenantError } from "../error";
import type { Log } from "../log";
import type { Confirmation, Request, Send } from "./call";
import { longWait, retryDelay, seconds } from "./retry-timing";
import { noteWait, type Usage } from "./usage";

/*
 * What each operation is, and what happens when the connection breaks before its answer:
 *
 * | operation                | sent twice | answer lost before the effect | answer lost after the effect                 |
 * |--------------------------|------------|-------------------------------|----------------------------------------------|
 * | any read                 | harmless   | repeated                      | repeated                                     |
 * | ACL create               | refused    | looked for, then sent again   | found by priority and content, adopted       |
 * | ACL replace              | the same   | repeated                      | repeated: the same whole again               |
 * | ACL delete               | 404        | repeated                      | repeated: 404 counts as done                 |
 * | key create               | refused    | looked for, then sent again   | found by its name and fingerprint, adopted   |
 * | key delete               | 404        | repeated                      | repeated: 404 counts as done                 |
 * | policy create            | refused    | looked for, then sent again   | found by its triple and content, adopted     |
 * | policy update            | the same   | repeated                      | repeated: the same configuration again       |
 * | policy delete            | 404        | repeated                      | repeated: 404 counts as done                 |
 * | members add              | the same   | repeated                      | repeated: a union; refused, the list is read |
 * | members remove           | the same   | repeated                      | repeated: who is gone stays gone             |
 * | token                    | another    | repeated                      | repeated: the lost token is never used       |
 *
 * Lost means: the connection broke, the answer did not come in time, could not be read, or was 408 or 5xx. A request that
 * certainly never left, as when the connection was refused, is repeated without a look. A 429 had no effect, whatever it
 * was an answer to, and is bounded by time instead of tries.
 */

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly usage: Usage;
  /** Milliseconds for which a call may be held up in all, whatever by. */
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
    log("info", `An answer was lost; looking tells that the tenant ${outcome} ${what}`);
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
          await pause(retryDelay(++throttled, error.retryAfter, random), error, request);
          continue;
        }
        const passing = isTransient(error);
        if (mayHaveTakenEffect(error)) lost = error;
        // Why a repetition is refused may be that the first try took effect.
        const inDoubt = lost && (error === lost ? !idempotent : isRejection(error));
        if (lost && inDoubt && confirmation) {
          const found = await lookForEffect(confirmation, since, lost);
          if (found) return found;
        }
        if (!passing || (inDoubt && !confirmation)) throw error;
        if (++failures >= maxTries(error)) {
          throw lost && !idempotent && confirmation ? unconfirmed(confirmation.what, lost) : error;
        }
        await pause(retryDelay(failures, error.retryAfter, random), error, request);
      }
    }
  };
}

const isThrottled = (error: TenantError) => isTenantError(error, "rate_limited", "token_quota_exceeded");

/** Whether the same may go well at another time. */
const isTransient = (error: TenantError) =>
  isTenantError(error, "connection_failed", "timeout", "service_failed", "unreadable_answer");

const isRejection = (error: TenantError) => isTenantError(error, "conflict", "invalid_body", "unexpected_status");

/** Whether a write that ended in this error may nevertheless have been carried out. */
function mayHaveTakenEffect(error: TenantError): boolean {
  const succeeded = error.status !== undefined && error.status < 300;
  return !error.unsent && (isTransient(error) || (error.code === "unlike_service" && succeeded));
}

/**
 * How often something is tried in all that ends in this error. Where nobody is found to talk to, mostly the address is
 * wrong, and where nobody answers in time every try is a long one: there, more tries only look like a hang.
 */
function maxTries(error: TenantError): number {
  return error.unsent || error.code === "timeout" ? 3 : 7;
}

function tooLong(
  error: TenantError,
  { method, name, attempts }: Request<unknown>,
  ms: number,
  now: number,
): TenantError {
  const until = new Date(Math.min(now + ms, 8.64e15)).toISOString();
  const waits = `has waited ${seconds(attempts.waitedMs)} s and would have to wait ${seconds(ms)} s more, until ${until}.`;
  const message = `${error.message.replace(/\.$/, "")}. ${method} ${name} ${waits}`;
  const asked = { method: error.method ?? method, path: error.path ?? name };
  return new TenantError(error.code, message, { ...error, ...asked, cause: error.cause });
}

function unconfirmed(what: string, cause: TenantError): TenantError {
  const { status, requestId, method, path, message } = cause;
  const details = { status, requestId, method, path, cause };
  return new TenantError("unconfirmed", `It is not known whether the tenant has ${what}: ${message}`, details);
}
