// One HTTP exchange over undici: connections, timeouts and bytes. Knows neither tokens nor retries.
import type { Dispatcher } from "undici";
import { TenantError } from "./error";

export interface Exchange {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the origin, with query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface RawAnswer {
  status: number;
  /** Names in lower case; of a repeated header the first value. */
  headers: Record<string, string>;
  text: string;
}

export interface Timeouts {
  /** Milliseconds to connect, TLS included. Default 10 000. */
  connect?: number;
  /** Milliseconds from the request's last byte to the answer's headers. Default 30 000. */
  headers?: number;
  /** Milliseconds for the answer's whole body. Default 30 000. */
  body?: number;
}

export interface Transport {
  /** Throws TenantError connection_failed, timeout or stopped; any status is an answer. */
  exchange(request: Exchange): Promise<RawAnswer>;
  /** Breaks what is under way and refuses the rest. */
  stop(): void;
  /** Waits for what is under way, then lets the connections go. */
  close(): Promise<void>;
}

export interface TransportOptions {
  origin: string;
  timeouts?: Timeouts;
  /** URL of the proxy to go through. */
  proxy?: string;
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
const timeoutCodes = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

export function createTransport({ origin, timeouts = {}, proxy }: TransportOptions): Transport {
  const { connect = 10_000, headers: headersTimeout = 30_000, body: bodyTimeout = 30_000 } = timeouts;
  let dispatcher: Promise<Dispatcher> | undefined;
  let stopped = false;

  // Loading undici takes some 45 ms, which a process that only tells its schema should not pay.
  const load = async (): Promise<Dispatcher> => {
    const { Pool, ProxyAgent } = await import("undici");
    const common = { headersTimeout, bodyTimeout };
    return proxy === undefined
      ? new Pool(origin, { ...common, connections: 128, connectTimeout: connect })
      : new ProxyAgent({ ...common, uri: proxy, requestTls: { timeout: connect }, proxyTls: { timeout: connect } });
  };

  const readWhole = async (body: Dispatcher.ResponseData["body"]) => {
    const slow = setTimeout(
      () => body.destroy(new BodyTimeout(`the body took longer than ${bodyTimeout} ms`)),
      bodyTimeout,
    );
    try {
      return await body.text();
    } finally {
      clearTimeout(slow);
    }
  };

  return {
    async exchange(request) {
      const { method, path, headers, body } = request;
      const ready = await (dispatcher ??= load());
      if (stopped) throw stopError(request, false);
      try {
        const answer = await ready.request({ origin, method, path, headers, body: body ?? null });
        return { status: answer.statusCode, headers: firstOfEach(answer.headers), text: await readWhole(answer.body) };
      } catch (cause) {
        throw stopped ? stopError(request, true) : brokenError(origin, request, cause as NodeJS.ErrnoException);
      }
    },
    stop() {
      stopped = true;
      void dispatcher?.then((ready) => ready.destroy());
    },
    async close() {
      stopped = true;
      const ready = (await dispatcher) as (Dispatcher & { destroyed?: boolean }) | undefined;
      if (ready && !ready.destroyed) await ready.close();
    },
  };
}

class BodyTimeout extends Error {
  readonly code = "UND_ERR_BODY_TIMEOUT";
}

function stopError({ method, path }: Exchange, underWay: boolean): TenantError {
  return new TenantError(
    "stopped",
    underWay && method !== "GET"
      ? `Stopped while ${method} ${path} was under way: it may have taken effect.`
      : `Stopped before ${method} ${path} was answered.`,
    { method, path, unsent: !underWay },
  );
}

function brokenError(origin: string, { method, path }: Exchange, cause: NodeJS.ErrnoException): TenantError {
  const { code = "", message } = cause;
  const why = message || code || cause.name;
  const unsent = unsentCodes.has(code) || isTlsFailure(code);
  const details = { method, path, unsent, cause };
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
