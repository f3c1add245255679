// Creates whose answer was lost: look before sending again, and adopt what is found.
import { mayHaveTakenEffect } from "./client";
import type { Clock } from "./clock";
import { isTenantError, TenantError } from "./error";
import type { Log } from "./log";
import { maxTries, retryDelay } from "./retry-timing";

/*
 * What each operation is, and what happens when the connection breaks before its answer:
 *
 * | operation                | sent twice | answer lost before the effect | answer lost after the effect                |
 * |--------------------------|------------|-------------------------------|---------------------------------------------|
 * | any read                 | harmless   | repeated                      | repeated                                    |
 * | ACL create               | refused    | looked for, then sent again   | found by priority and content, adopted      |
 * | ACL replace              | the same   | repeated                      | repeated: the same whole again              |
 * | ACL delete               | 404        | repeated                      | repeated: 404 counts as done                |
 * | policy create            | refused    | looked for, then sent again   | found by its triple and content, adopted    |
 * | policy update            | the same   | repeated                      | repeated: the same configuration again      |
 * | policy delete            | 404        | repeated                      | repeated: 404 counts as done                |
 * | members add              | the same   | repeated                      | repeated: a union; refused, the list is read |
 * | members remove           | the same   | repeated                      | repeated: who is gone stays gone            |
 * | token                    | another    | repeated                      | repeated: the lost token is never used      |
 *
 * Lost means: the connection broke, the answer did not come in time, could not be read, or was 408 or 5xx. A request that
 * certainly never left, as when the connection was refused, is repeated without a look. Adopted is only what is as old as
 * the attempt and not already known to be somebody else's: `isRecent` and `claimed` of the endpoint families see to that.
 */

export interface Creation<T> {
  /** Names what is created, for messages: `the access control list "x" with priority 7`. */
  what: string;
  send(): Promise<T>;
  /** Looks for what an earlier `send`, begun at `since`, has made; undefined where it has not. */
  find(since: number): Promise<T | undefined>;
}

export interface CreationContext {
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
  log: Log;
}

/** Throws `unconfirmed` where looking fails or the tries are used up. */
export async function createOnce<T>(
  { what, send, find }: Creation<T>,
  { clock, random, signal, log }: CreationContext,
): Promise<T> {
  const since = clock.now();
  const look = async (cause: TenantError) => {
    const found = await find(since).catch((error: unknown) => {
      throw isTenantError(error, "stopped") ? error : unconfirmed(what, cause);
    });
    log("info", `The answer to the creation of ${what} was lost; it ${found ? "has" : "has not"} taken effect`);
    return found;
  };
  let lost: TenantError | undefined;
  for (let failures = 1; ; failures++) {
    try {
      return await send();
    } catch (error) {
      if (mayHaveTakenEffect(error)) lost = error;
      else if (!lost || !isTenantError(error, "conflict")) throw error;
      const found = await look(lost);
      if (found) return found;
      if (error !== lost) throw error;
      if (failures >= maxTries(lost)) throw unconfirmed(what, lost);
      await clock.sleep(retryDelay({ failures, status: lost.status, now: clock.now(), random }), signal);
    }
  }
}

function unconfirmed(what: string, cause: TenantError): TenantError {
  const { status, requestId, method, path, message } = cause;
  return new TenantError("unconfirmed", `It is not known whether the tenant has created ${what}: ${message}`, {
    status,
    requestId,
    method,
    path,
    cause,
  });
}

/** Allowance for clocks that are told in whole seconds. */
const slack = 2_000;

/**
 * Whether something created at `createdAt`, seen when the service's clock said `at`, can stem from an attempt begun
 * `elapsed` milliseconds before. Both times are the service's, so that our clock may be wrong.
 */
export function isRecent(createdAt: string, at: number, elapsed: number): boolean {
  return at - Date.parse(createdAt) <= elapsed + slack;
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => sameJson(one[name], other[name]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
