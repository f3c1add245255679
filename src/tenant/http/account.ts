/** Counts every exchange and tells of it. */
import type { Clock } from "../clock";
import { isTenantError } from "../error";
import type { Log } from "../log";
import type { Bucket, Dispatch } from "./call";
import { requestIdIn } from "./decoding";
import type { RawResponse } from "./transport";
import type { Usage } from "./usage";

export interface UsageOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly usage: Usage;
  rate?(bucket: Bucket): number | undefined;
}

export function withUsage({ clock, log, usage, rate = () => undefined }: UsageOptions): (next: Dispatch) => Dispatch {
  return (next) => async (request) => {
    const { method, path, name, body = "", bucket, attempts } = request;
    usage.requests++;
    usage.bytesSent += Buffer.byteLength(body);
    if (++attempts.count > 1) usage.retries++;
    const started = clock.now();
    let outcome: RawResponse | undefined;
    let code: string | undefined;
    try {
      outcome = await next(request);
      usage.bytesReceived += Buffer.byteLength(outcome.text);
      if (outcome.status === 429) usage.throttled++;
      return outcome;
    } catch (error) {
      code = isTenantError(error) ? error.code : "error";
      throw error;
    } finally {
      const { headers = {}, status } = outcome ?? {};
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
        rate: rate(bucket),
      });
    }
  };
}
