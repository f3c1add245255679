// One call of the management API: token, pace, exchange, retries and the reading of the answer, around one dispatch.
import type { Clock } from "./clock";
import { isTenantError, TenantError } from "./error";
import type { Log } from "./log";
import type { Bucket, Pace } from "./pace";
import { refusalOf, requestId, throttledError } from "./refusal";
import { isTransient, maxTries, retryDelay, serverNow } from "./retry-timing";
import type { Tokens } from "./token";
import type { Exchange, RawAnswer, Transport } from "./transport";
import type { Usage } from "./usage";

export interface Call {
  method: Exchange["method"];
  /** Below the API's base, encoded: `/network-acls/acl_1`. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  /** Default: global. */
  bucket?: Bucket;
  /** Whether sending it twice does what sending it once does. Default: all but POST. */
  repeatable?: boolean;
}

export interface Reply {
  /** The parsed body of the 2xx answer, undefined where it is empty. */
  body: unknown;
  /** The service's clock when it answered, in milliseconds since the epoch; exact to a second. */
  at: number;
}

export interface Client {
  /**
   * Repeats what is safe to repeat, waits for the quota, renews the token. Throws TenantError; of a call that is not
   * repeatable also where the answer was lost, see `mayHaveTakenEffect`.
   */
  send(call: Call): Promise<Reply>;
}

export interface ClientOptions {
  /** Path of the API's base from the origin: `/api/v2`. */
  base: string;
  tokens: Tokens;
  transport: Transport;
  pace: Pace;
  userAgent: string;
  /** Milliseconds for which a call may be held up by 429s in all. */
  maxRetryWait: number;
  clock: Clock;
  random: () => number;
  log: Log;
  usage: Usage;
  signal: AbortSignal;
}

/** Waits of this many milliseconds are told as warnings. */
const longWait = 5_000;

export function createClient(options: ClientOptions): Client {
  const { base, tokens, transport, pace, userAgent, maxRetryWait, clock, random, log, usage, signal } = options;
  let calls = 0;

  const exchange = async (call: Call, token: string): Promise<RawAnswer | TenantError> => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      "user-agent": userAgent,
    };
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    if (body !== undefined) headers["content-type"] = "application/json";
    const path = base + call.path + search(call.query);
    try {
      return await transport.exchange({ method: call.method, path, headers, body });
    } catch (error) {
      if (isTenantError(error, "connection_failed", "timeout")) return error;
      throw error;
    }
  };

  const admitted = async (call: Call, order: number) => {
    const bucket = call.bucket ?? "global";
    const admission = await pace.enter(bucket, order);
    if (admission.waitedMs > 0) {
      usage.waitedMs += admission.waitedMs;
      usage.longestWaitMs = Math.max(usage.longestWaitMs, admission.waitedMs);
    }
    if (admission.waitedMs >= longWait) {
      log("info", `${call.method} ${call.path} waited ${seconds(admission.waitedMs)} s for the tenant's quota`, {
        bucket,
      });
    }
    return admission;
  };

  const tell = (call: Call, outcome: RawAnswer | TenantError, ms: number, tries: number, waited: number) => {
    const bucket = call.bucket ?? "global";
    const headers = outcome instanceof TenantError ? {} : outcome.headers;
    log("debug", `${call.method} ${base}${call.path}${search(call.query)}`, {
      method: call.method,
      path: call.path,
      status: outcome instanceof TenantError ? outcome.code : outcome.status,
      ms: Math.round(ms),
      request_id: outcome instanceof TenantError ? undefined : requestId(outcome),
      try: tries,
      waited_ms: Math.round(waited),
      bucket,
      limit: headers["x-ratelimit-limit"],
      remaining: headers["x-ratelimit-remaining"],
      reset: headers["x-ratelimit-reset"],
      rate: pace.state(bucket).rate,
    });
  };

  /** One pass through the gate: the outcome, and how long to hold on where it was a 429; undefined: no token to be had. */
  const attempt = async (call: Call, order: number, throttled: number, refusedToken?: string) => {
    const admission = await admitted(call, order);
    let headers: Record<string, string> | undefined;
    let hold: number | undefined;
    try {
      const token = refusedToken === undefined ? await tokens.current() : await tokens.renewed(refusedToken);
      if (token === undefined) return undefined;
      const started = clock.now();
      const outcome = await exchange(call, token);
      const ms = clock.now() - started;
      if (!(outcome instanceof TenantError)) headers = outcome.headers;
      const { status } = outcome;
      if (status === 429) hold = retryDelay({ failures: throttled + 1, status, headers, now: clock.now(), random });
      return { token, outcome, hold, ms, waited: admission.waitedMs };
    } finally {
      if (headers && hold !== undefined) admission.refused(headers, hold);
      else admission.answered(headers);
    }
  };

  return {
    async send(call) {
      const repeatable = call.repeatable ?? call.method !== "POST";
      const order = ++calls;
      let refused: { token: string; error: TenantError } | undefined;
      let renewals = 0;
      let throttledSince: number | undefined;
      let throttled = 0;
      let failures = 0;
      for (let tries = 1; ; tries++) {
        const passed = await attempt(call, order, throttled, refused?.token);
        if (!passed) throw refused?.error;
        refused = undefined;
        if (tries > 1) usage.retries++;
        const { token, outcome, hold } = passed;
        tell(call, outcome, passed.ms, tries, passed.waited);
        const { status } = outcome;
        const now = clock.now();

        if (hold !== undefined && !(outcome instanceof TenantError)) {
          throttled++;
          usage.throttled++;
          throttledSince ??= now;
          const waited = now - throttledSince;
          if (waited + hold > maxRetryWait) throw throttledError(outcome, call, waited, hold);
          log(hold >= longWait ? "warn" : "info", `The tenant's quota is used up: ${seconds(hold)} s to wait`, {
            method: call.method,
            path: call.path,
          });
          continue;
        }

        let error: TenantError;
        if (outcome instanceof TenantError) error = outcome;
        else if (outcome.status < 400) {
          tokens.accepted(token);
          const read = readBody(outcome, call);
          if (!(read instanceof TenantError)) return { body: read.body, at: serverNow(outcome.headers, now) };
          error = read;
        } else error = refusalOf(outcome, call, tokens.expiry());

        if (status === 401 && renewals++ === 0) {
          refused = { token, error };
          continue;
        }
        const lost = isTransient(status) || error.code === "unreadable_answer";
        if (!lost || !(repeatable || error.unsent) || ++failures >= maxTries(error)) throw error;
        const headers = outcome instanceof TenantError ? undefined : outcome.headers;
        await clock.sleep(retryDelay({ failures, status, headers, now, random }), signal);
      }
    },
  };
}

/** Whether a write that ended in this error may nevertheless have been carried out. */
export function mayHaveTakenEffect(error: unknown): error is TenantError {
  return isTenantError(error, "connection_failed", "timeout", "service_failed", "unreadable_answer") && !error.unsent;
}

function search(query: Call["query"] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs as [string, string][]).toString()}`;
}

function readBody(answer: RawAnswer, { method, path }: Call): { body: unknown } | TenantError {
  if (answer.text === "") return { body: undefined };
  try {
    return { body: JSON.parse(answer.text) };
  } catch (cause) {
    const details = { status: answer.status, requestId: requestId(answer), method, path, cause };
    return new TenantError("unreadable_answer", `The answer to ${method} ${path} is not JSON.`, details);
  }
}

const seconds = (ms: number) => Math.ceil(ms / 1000);
