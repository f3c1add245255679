/** Carries one HTTP exchange over undici's connections, within its timeouts, and records whether a failed request was sent. */
import type { Dispatcher, Pool } from "undici";
import type { Clock } from "../clock";
import { TenantError } from "../error";
import type { Exchange, RawResponse } from "./call";
import { createConnector, Timeout, type ConnectorOptions } from "./connector";

export interface Timeouts {
  /** Milliseconds to connect, TLS included. Default 10 000. */
  readonly connect?: number;
  /** Milliseconds for the whole exchange, even while data still arrives. Default 30 000. */
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

/** A request under way. Aborting it ends it with the reason, and closes its connection. */
interface UnderWay extends AbortController {
  /** Whether any byte of the request may have left. */
  isSent?: boolean;
}

export function createTransport(options: TransportOptions): Transport {
  const { origin, clock, timeouts = {} } = options;
  const { connect = 10_000, exchange: deadline = 30_000, idle = 4_000, stop: grace = 5_000 } = timeouts;
  const underWay = new Set<UnderWay>();
  let dispatcher: Promise<Requests> | undefined;
  let stopped = false;
  const whenDrained: (() => void)[] = [];

  const destroy = async () => {
    for (const one of underWay) one.abort(new Error("stopped"));
    (await dispatcher?.catch(() => undefined))?.destroy();
  };

  return {
    async exchange(asked) {
      const one: UnderWay = new AbortController();
      underWay.add(one);
      const late = new Timeout(`it took longer than ${deadline} ms`);
      const timer = setTimeout(() => one.abort(late), deadline);
      try {
        const requests = await (dispatcher ??= openDispatcher({ ...options, timeout: connect, idle }));
        if (stopped) throw new Error("stopped");
        return await carry(requests, asked, one);
      } catch (cause) {
        const { isSent = false } = one;
        throw stopped
          ? stoppedError(asked, isSent)
          : brokenError(origin, asked, isSent, cause as NodeJS.ErrnoException);
      } finally {
        clearTimeout(timer);
        underWay.delete(one);
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

interface DispatcherOptions extends Omit<ConnectorOptions, "wanted"> {
  readonly origin: string;
  /** URL of the proxy to use. */
  readonly proxy?: string;
  /** Milliseconds after which an unused connection is closed, or earlier if the server says so. */
  readonly idle: number;
}

/** Each request uses a connection alone until it ends. */
interface Requests {
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Closes all connections, including those that are being opened. */
  destroy(): void;
}

async function openDispatcher({ origin, proxy, idle, ...options }: DispatcherOptions): Promise<Requests> {
  const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
  const target = new URL(origin);
  const encrypted = [origin, proxy].some((url) => url?.startsWith("https:"));
  let waiting = 0;
  // undici reopens the connection of a request that was given up, even if nothing is left to send.
  const connector = createConnector({ ...options, wanted: () => waiting > 0 }, encrypted);
  const settings = {
    // The transport has one timer for the whole exchange. Those of undici are exact only to a second.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idle,
    keepAliveMaxTimeout: idle,
    // Subtracted from the time that a server names, because a request needs this long to arrive.
    keepAliveTimeoutThreshold: 1_000,
  } satisfies Pool.Options;
  const dispatcher = proxy
    ? (await import("./tunnel.js")).throughProxy({ target, proxy: new URL(proxy), connector, settings })
    : new Pool(target, {
        ...settings,
        connect: (_, done) => connector.attempt((signal) => connector.reach(target, signal), done),
      });
  return {
    dispatch(request, handler) {
      waiting++;
      let over = () => {
        waiting--;
        over = () => {};
      };
      dispatcher.dispatch(
        { ...request, origin },
        {
          ...handler,
          onRequestStart: (...start) => (over(), handler.onRequestStart?.(...start)),
          onResponseError: (...error) => (over(), handler.onResponseError?.(...error)),
        },
      );
    },
    destroy() {
      connector.destroy();
      void dispatcher.destroy();
    },
  };
}

/** Bytes of a response's body. The largest response of the service is far smaller. */
const largest = 32 * 1024 * 1024;

class TooLarge extends Error {
  constructor() {
    super(`more than ${largest / 1024 / 1024} MiB`);
  }
}

function carry(requests: Requests, { method, path, headers, body }: Exchange, one: UnderWay): Promise<RawResponse> {
  const { signal } = one;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let first: RawResponse["headers"] = {};
    signal.addEventListener("abort", () => reject(signal.reason));
    // Without `reset: false` undici closes the connection after a DELETE with a body.
    requests.dispatch(
      { method, path, headers, body, reset: false },
      {
        // Called when an established connection is about to carry the request, and not before.
        onRequestStart(controller) {
          // undici may start a request again when its connection ends, but only `withRetry` decides about that.
          if (one.isSent) one.abort(new Error("the connection was lost"));
          if (signal.aborted) return controller.abort(signal.reason);
          one.isSent = true;
          signal.addEventListener("abort", () => controller.abort(signal.reason));
        },
        onResponseStart(controller, code) {
          if (code < 200) return;
          status = code;
          first = firstOfEach(controller.rawHeaders as Buffer[]);
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > largest) one.abort(new TooLarge());
          else chunks.push(chunk);
        },
        onResponseEnd() {
          const text = new TextDecoder().decode(Buffer.concat(chunks));
          // undici frees the connection in a later turn; until then a request would open another one.
          process.nextTick(setImmediate, resolve, { status, headers: first, text });
        },
        onResponseError(_, error) {
          one.abort(error);
          reject(signal.reason);
        },
      },
    );
  });
}

function firstOfEach(raw: readonly Buffer[]): Record<string, string> {
  const first: Record<string, string> = {};
  for (let index = 0; index < raw.length; index += 2) {
    first[raw[index]!.toString("latin1").toLowerCase()] ??= raw[index + 1]!.toString("latin1");
  }
  return first;
}
