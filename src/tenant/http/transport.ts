/** Carries one HTTP exchange over undici's connections, within its timeouts, and records whether a failed request was sent. */
import type { Dispatcher } from "undici";
import type { Clock } from "../clock";
import { TenantError } from "../error";
import type { Exchange, RawResponse } from "./call";

export type Environment = Readonly<NodeJS.ProcessEnv>;

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
  /** Has HTTPS_PROXY, HTTP_PROXY, NO_PROXY and the variables for authorities. */
  readonly environment: Environment;
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
  const proxy = proxyFor(origin, options.environment);
  const ending = new AbortController();
  let dispatcher: Promise<Dispatcher> | undefined;
  let stopped = false;
  const whenDrained: (() => void)[] = [];

  const destroy = async () => {
    for (const one of underWay) one.abort(new Error("stopped"));
    void (await dispatcher?.catch(() => undefined))?.destroy();
    ending.abort();
  };

  return {
    async exchange(asked) {
      const one: UnderWay = new AbortController();
      underWay.add(one);
      const late = new Timeout(`it took longer than ${deadline} ms`);
      const timer = setTimeout(() => one.abort(late), deadline);
      const opening = setTimeout(() => {
        if (!one.isSent) one.abort(new Timeout(`not connected within ${connect} ms`));
      }, connect);
      try {
        dispatcher ??= import("./dispatcher.js").then(({ createDispatcher }) =>
          createDispatcher({ ...options, proxy, timeout: connect, idle, signal: ending.signal }),
        );
        const requests = await dispatcher;
        if (stopped) throw new Error("stopped");
        return await carry(requests, { origin, ...asked }, one);
      } catch (cause) {
        const { isSent = false } = one;
        throw stopped
          ? stoppedError(asked, isSent)
          : brokenError(origin, asked, isSent, cause as NodeJS.ErrnoException);
      } finally {
        clearTimeout(timer);
        clearTimeout(opening);
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

/** The URL of the proxy for https or for http, whichever the origin has. Empty if the environment names none. */
export function proxyFor(origin: string, environment: Environment): string {
  const name = origin.startsWith("https:") ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = environment[name] || environment[name.toLowerCase()] || "";
  return proxy === "" || proxy.includes("://") ? proxy : `http://${proxy}`;
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

/** Bytes of a response's body. The largest response of the service is far smaller. */
const largest = 32 * 1024 * 1024;

/** The time limit is exceeded. */
class Timeout extends Error {
  readonly code = "ETIMEDOUT";
}

class TooLarge extends Error {
  constructor() {
    super(`more than ${largest / 1024 / 1024} MiB`);
  }
}

function carry(requests: Dispatcher, asked: Exchange & { origin: string }, one: UnderWay): Promise<RawResponse> {
  const { origin, method, path, headers, body } = asked;
  const { signal } = one;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let first: RawResponse["headers"] = {};
    signal.addEventListener("abort", () => reject(signal.reason));
    // Without `reset: false` undici closes the connection after a DELETE with a body.
    requests.dispatch(
      { origin, method, path, headers: { ...headers }, body, reset: false },
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
