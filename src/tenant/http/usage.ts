/** Counts requests and logs each of them. */
import type { Clock } from "../clock";
import { isTenantError } from "../error";
import type { Log } from "../log";
import type { Bucket, Dispatch } from "./call";
import { requestIdIn } from "./decoding";
import type { RawResponse } from "./transport";

export interface Usage {
  /** Requests sent, including token requests and retries. */
  requests: number;
  retries: number;
  /** Responses with status 429. */
  throttled: number;
  /** Milliseconds that all requests together waited for rate limits. */
  waitedMs: number;
  longestWaitMs: number;
  /** Bytes of request bodies. */
  bytesSent: number;
  /** Bytes of response bodies. */
  bytesReceived: number;
  /** Milliseconds by which this machine's clock is ahead of the `Date` of the last response. Negative: behind. */
  clockAheadMs?: number;
}

export const noUsage = (): Usage => ({
  requests: 0,
  retries: 0,
  throttled: 0,
  waitedMs: 0,
  longestWaitMs: 0,
  bytesSent: 0,
  bytesReceived: 0,
});

/** Counts a wait for a rate limit. */
export function noteWait(usage: Usage, ms: number): void {
  usage.waitedMs += ms;
  usage.longestWaitMs = Math.max(usage.longestWaitMs, ms);
}

export interface UsageOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly usage: Usage;
  rate?(bucket: Bucket): number | undefined;
}

export function withUsage({ clock, log, usage, rate }: UsageOptions): (next: Dispatch) => Dispatch {
  return (next) => async (request) => {
    const { method, path, name, body = "", bucket, attempts } = request;
    usage.requests++;
    usage.bytesSent += Buffer.byteLength(body);
    if (++attempts.count > 1) usage.retries++;
    const started = clock.now();
    let response: RawResponse | undefined;
    let code: string | undefined;
    try {
      response = await next(request);
      usage.bytesReceived += Buffer.byteLength(response.text);
      if (response.status === 429) usage.throttled++;
      const date = Date.parse(response.headers["date"] ?? "");
      if (!Number.isNaN(date)) usage.clockAheadMs = clock.now() - date;
      return response;
    } catch (error) {
      code = isTenantError(error) ? error.code : "error";
      throw error;
    } finally {
      const { headers = {}, status } = response ?? {};
      log("debug", `${method} ${path}`, {
        method,
        path: name,
        status: status ?? code,
        ms: Math.round(clock.now() - started),
        request_id: requestIdIn(headers),
        try: attempts.count,
        waited_ms: Math.round(attempts.waitedMs),
        bucket,
        limit: headers["x-ratelimit-limit"],
        remaining: headers["x-ratelimit-remaining"],
        reset: headers["x-ratelimit-reset"],
        rate: rate?.(bucket),
      });
    }
  };
}
