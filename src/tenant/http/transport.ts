/** Carries one HTTP exchange within its timeouts, and records whether a failed request was sent. */
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
  /** Milliseconds for the whole exchange, even while data still arrives. Default 60 000. */
  readonly exchange?: number;
  /** Milliseconds after which an idle connection is closed. Default 4 000. */
  readonly idle?: number;
  /** Milliseconds that `stop` gives to requests under way. Default 5 000. */
  readonly stop?: number;
}

export interface Transport {
  /** Returns a response of any status. Throws TenantError connection_failed, timeout, unlike_service or stopped. */
  exchange(request: Exchange): Promise<RawResponse>;
  /** Refuses new requests, and after a grace period aborts those under way. */
  stop(): void;
  /** Waits for the requests under way, then closes the connections. */
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly origin: string;
  readonly clock: Clock;
  readonly timeouts?: Timeouts;
  /** URL of the proxy to use. */
  readonly proxy?: string;
  /** PEM text of authorities to trust in addition to those of the machine. */
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
        throw stopped ? stoppedError(asked, sent) : brokenError(origin, asked, sent, cause as NodeJS.ErrnoException);
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

function stoppedError({ method, path }: Exchange, sent: boolean): TenantError {
  if (!sent) return new TenantError("stopped", `Stopped before ${method} ${path} was sent.`, { unsent: true });
  const effect = method === "GET" ? "" : " The request may have taken effect.";
  return new TenantError("stopped", `Stopped ${method} ${path} before the response arrived.${effect}`, {
    method,
    path,
  });
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
      `${origin} is not the Management API: its response to ${method} ${path} has ${why}.`,
      details,
    );
  }
  if (code === "ETIMEDOUT") return new TenantError("timeout", `${origin} did not respond in time: ${why}.`, details);
  const what = unsent ? "could not be reached" : "broke the connection";
  return new TenantError("connection_failed", `${origin} ${what}: ${why}.`, details);
}

/** With TLS 1.3 this alert arrives after the handshake, but the server has not read the request. */
const demandsCertificate = (code: string) => /^ERR_SSL_.*_ALERT_.*CERTIFICATE/.test(code);
