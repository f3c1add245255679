/** One HTTP exchange over undici: connections, certificates, timeouts and bytes. Knows neither tokens nor retries. */
import type { Dispatcher } from "undici";
import type { Clock } from "../clock";
import { TenantError } from "../error";
import { trust } from "./authorities";

export interface Exchange {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the origin, with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; of a repeated header the first value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Timeouts {
  /** Milliseconds to connect, TLS included. Default 10 000. */
  readonly connect?: number;
  /** Milliseconds from the request's last byte to the answer's headers. Default 30 000. */
  readonly headers?: number;
  /** Milliseconds for the exchange as a whole, whatever drips in meanwhile. Default 60 000. */
  readonly exchange?: number;
  /** Milliseconds that `stop` leaves to what is under way. Default 5 000. */
  readonly stop?: number;
}

export interface Transport {
  /** Throws TenantError connection_failed, timeout, unlike_service or stopped; any status is an answer. */
  exchange(request: Exchange): Promise<RawAnswer>;
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

/** Bytes of an answer's body; the largest that the service gives is far below. */
const largest = 32 * 1024 * 1024;

export function createTransport(options: TransportOptions): Transport {
  const { origin, clock, timeouts = {} } = options;
  const { exchange: deadline = 60_000, stop: grace = 5_000 } = timeouts;
  let dispatcher: Promise<Dispatcher> | undefined;
  let stopped = false;
  let underWay = 0;
  let idle = () => {};

  const destroy = async () => (await dispatcher)?.destroy();

  const request = async ({ method, path, headers, body }: Exchange, signal: AbortSignal) => {
    const ready = await (dispatcher ??= connections(options));
    if (stopped) throw new TenantError("stopped", `Stopped before ${method} ${path} was sent.`, { unsent: true });
    const answer = await ready.request({ origin, method, path, headers, body: body ?? null, signal });
    return { status: answer.statusCode, headers: firstOfEach(answer.headers), text: await answer.body.text() };
  };

  return {
    async exchange(asked) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new Late(`it took longer than ${deadline} ms`)), deadline);
      underWay++;
      try {
        return await request(asked, late.signal);
      } catch (cause) {
        if (cause instanceof TenantError) throw cause;
        throw stopped ? cutOff(asked) : brokenError(origin, asked, cause as NodeJS.ErrnoException);
      } finally {
        clearTimeout(timer);
        if (--underWay === 0) idle();
      }
    },
    stop() {
      stopped = true;
      if (underWay === 0) return void destroy();
      const over = new AbortController();
      idle = () => over.abort();
      clock.sleep(grace, over.signal).then(destroy, destroy);
    },
    async close() {
      stopped = true;
      const ready = (await dispatcher) as (Dispatcher & { destroyed?: boolean }) | undefined;
      if (ready && !ready.destroyed) await ready.close();
    },
  };
}

/** Loading undici takes some 45 ms, which a process that only tells its schema should not pay. */
async function connections({
  origin,
  proxy,
  timeouts = {},
  certificateAuthority,
}: TransportOptions): Promise<Dispatcher> {
  const { Pool, ProxyAgent } = await import("./undici.js");
  // Said in so many words, since NODE_TLS_REJECT_UNAUTHORIZED=0 would else turn it off.
  const tls = {
    rejectUnauthorized: true,
    secureContext: trust(certificateAuthority),
    timeout: timeouts.connect ?? 10_000,
  };
  const common = { headersTimeout: timeouts.headers ?? 30_000, bodyTimeout: 0, maxResponseSize: largest };
  return proxy === undefined
    ? new Pool(origin, { ...common, connections: 128, connect: tls })
    : new ProxyAgent({ ...common, uri: proxy, requestTls: tls, proxyTls: tls });
}

class Late extends Error {
  readonly code = "ETIMEDOUT";
}

function cutOff({ method, path }: Exchange): TenantError {
  const effect = method === "GET" ? "it was answered" : "it was answered: it may have taken effect";
  return new TenantError("stopped", `Stopped ${method} ${path} before ${effect}.`, { method, path });
}

/** Errors after which the request certainly has not reached the service. */
const unsentCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const timeoutCodes = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "ETIMEDOUT"]);

function brokenError(origin: string, { method, path }: Exchange, cause: NodeJS.ErrnoException): TenantError {
  const { code = "", message } = cause;
  const why = message || code || cause.name;
  const unsent = unsentCodes.has(code) || isTlsFailure(code);
  const details = { method, path, unsent, cause };
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    const size = `more than ${largest / 1024 / 1024} MiB`;
    return new TenantError(
      "unlike_service",
      `${origin} answers ${method} ${path} unlike the service: ${size}.`,
      details,
    );
  }
  if (timeoutCodes.has(code)) return new TenantError("timeout", `${origin} gave no answer in time: ${why}.`, details);
  const what = unsent ? "could not be reached" : "broke the connection";
  return new TenantError("connection_failed", `${origin} ${what}: ${why}.`, details);
}

const isTlsFailure = (code: string) =>
  /^ERR_(TLS|SSL)_/.test(code) || code.includes("CERT") || code.startsWith("UNABLE_TO_");

function firstOfEach(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const first: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const one = Array.isArray(value) ? value[0] : value;
    if (one !== undefined) first[name.toLowerCase()] = one;
  }
  return first;
}
