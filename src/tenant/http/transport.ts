/** One HTTP exchange: its timeouts, its end, and whether it has left when it fails. Knows neither tokens nor retries. */
import type { Clock } from "../clock";
import { TenantError } from "../error";
import { attempt, TooLarge, type Attempt, type Exchange, type RawResponse } from "./attempt";
import { Timeout } from "./connector";
import { openDispatcher, type Requests } from "./dispatcher";

export type { Exchange, RawResponse } from "./attempt";

export interface Timeouts {
  /** Milliseconds to connect, TLS included. Default 10 000. */
  readonly connect?: number;
  /** Milliseconds from the request's first byte to the response's headers. Default 30 000. */
  readonly headers?: number;
  /** Milliseconds for the exchange as a whole, whatever drips in meanwhile. Default 60 000. */
  readonly exchange?: number;
  /** Milliseconds for which a connection is kept that nobody uses, at most. Default 4 000. */
  readonly idle?: number;
  /** Milliseconds that `stop` leaves to what is under way. Default 5 000. */
  readonly stop?: number;
}

export interface Transport {
  /** Throws TenantError connection_failed, timeout, unlike_service or stopped; any status is an answer. */
  exchange(request: Exchange): Promise<RawResponse>;
  /** Refuses what is new, and after a grace breaks what is still under way. */
  stop(): void;
  /** Waits for what is under way, then lets the connections go. */
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly origin: string;
  readonly clock: Clock;
  readonly timeouts?: Timeouts;
  /** URL of the proxy to go through. */
  readonly proxy?: string;
  /** PEM text of authorities to trust besides those of the machine. */
  readonly certificateAuthority?: string;
}

export function createTransport(options: TransportOptions): Transport {
  const { origin, clock, timeouts = {} } = options;
  const {
    connect = 10_000,
    headers = 30_000,
    exchange: deadline = 60_000,
    idle = 4_000,
    stop: grace = 5_000,
  } = timeouts;
  const underWay = new Set<{ attempt?: Attempt }>();
  let dispatcher: Promise<Requests> | undefined;
  let stopped = false;
  const whenDrained: (() => void)[] = [];

  const destroy = async () => {
    for (const { attempt: one } of underWay) one?.abort(new Error("stopped"));
    (await dispatcher?.catch(() => undefined))?.destroy();
  };

  return {
    async exchange(asked) {
      const running: { attempt?: Attempt } = {};
      underWay.add(running);
      const late = new Timeout(`it took longer than ${deadline} ms`);
      const timer = setTimeout(() => running.attempt?.abort(late), deadline);
      try {
        const ready = await (dispatcher ??= openDispatcher({ ...options, timeout: connect, idle }));
        if (stopped) throw new Error("stopped");
        running.attempt = attempt(ready, asked, headers);
        return await running.attempt.response;
      } catch (cause) {
        const sent = running.attempt?.sent ?? false;
        throw stopped ? cutOff(asked, sent) : brokenError(origin, asked, sent, cause as NodeJS.ErrnoException);
      } finally {
        clearTimeout(timer);
        underWay.delete(running);
        if (underWay.size === 0) for (const tell of whenDrained.splice(0)) tell();
      }
    },
    stop() {
      stopped = true;
      if (underWay.size === 0) return void destroy();
      const over = new AbortController();
      whenDrained.push(() => over.abort());
      clock.sleep(grace, over.signal).then(destroy, destroy);
    },
    async close() {
      stopped = true;
      if (underWay.size > 0) await new Promise<void>((resolve) => whenDrained.push(resolve));
      await destroy();
    },
  };
}

function cutOff({ method, path }: Exchange, sent: boolean): TenantError {
  if (!sent) return new TenantError("stopped", `Stopped before ${method} ${path} was sent.`, { unsent: true });
  const effect = method === "GET" ? "it was answered" : "it was answered: it may have taken effect";
  return new TenantError("stopped", `Stopped ${method} ${path} before ${effect}.`, { method, path });
}

function brokenError(
  origin: string,
  { method, path }: Exchange,
  sent: boolean,
  cause: NodeJS.ErrnoException,
): TenantError {
  const { code = "", message } = cause;
  const why = message || code;
  const unsent = !sent || demandsCertificate(code);
  const details = { method, path, unsent, cause };
  if (cause instanceof TooLarge) {
    return new TenantError(
      "unlike_service",
      `${origin} answers ${method} ${path} unlike the service: ${why}.`,
      details,
    );
  }
  if (code === "ETIMEDOUT") return new TenantError("timeout", `${origin} gave no answer in time: ${why}.`, details);
  const what = unsent ? "could not be reached" : "broke the connection";
  return new TenantError("connection_failed", `${origin} ${what}: ${why}.`, details);
}

/** Said by TLS 1.3 when the connection stands for us already; whoever says it has not read what we sent. */
const demandsCertificate = (code: string) => /^ERR_SSL_.*_ALERT_.*CERTIFICATE/.test(code);
