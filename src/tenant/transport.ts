// One HTTP exchange over undici: connections, timeouts and bytes. Knows neither tokens nor retries.
import type { Pool } from "undici";
import { TenantError } from "./error";

export interface Exchange {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute path with query, from the origin. */
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
  /** Milliseconds from the request's last byte to the answer's headers. Default 60 000. */
  headers?: number;
  /** Milliseconds between two pieces of the answer's body. Default 30 000. */
  body?: number;
}

export interface Transport {
  /** Throws TenantError connection_failed, timeout or stopped; any status is an answer. */
  exchange(request: Exchange): Promise<RawAnswer>;
  /** Breaks what is in flight and refuses the rest. */
  stop(): void;
  /** Waits for what is in flight, then lets the connections go. */
  close(): Promise<void>;
}

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

export function createTransport(origin: string, timeouts: Timeouts = {}): Transport {
  let pool: Promise<Pool> | undefined;
  let stopped = false;

  const connected = () =>
    (pool ??= import("undici").then(
      ({ Pool }) =>
        new Pool(origin, {
          connections: 64,
          connectTimeout: timeouts.connect ?? 10_000,
          headersTimeout: timeouts.headers ?? 60_000,
          bodyTimeout: timeouts.body ?? 30_000,
        }),
    ));

  return {
    async exchange(request) {
      const ready = await connected();
      if (stopped) throw stopError(request, false);
      const { method, path } = request;
      try {
        const { statusCode, headers, body } = await ready.request(request);
        const text = await body.text();
        return { status: statusCode, headers: firstOfEach(headers), text };
      } catch (cause) {
        if (stopped) throw stopError(request, true);
        const { code = "", message } = cause as NodeJS.ErrnoException;
        const kind = timeoutCodes.has(code) ? "timeout" : "connection_failed";
        const what = kind === "timeout" ? "gave no answer in time" : "could not be reached";
        throw new TenantError(kind, `${origin} ${what}: ${message || code}.`, {
          method,
          path,
          unsent: unsentCodes.has(code) || isTlsFailure(code),
          cause,
        });
      }
    },
    stop() {
      stopped = true;
      void pool?.then((ready) => ready.destroy());
    },
    async close() {
      stopped = true;
      const open = await pool;
      if (open && !open.destroyed) await open.close();
    },
  };
}

const isTlsFailure = (code: string) =>
  code.startsWith("ERR_TLS_") || code.startsWith("ERR_SSL_") || code.includes("CERT");

function firstOfEach(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const first: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const one = Array.isArray(value) ? value[0] : value;
    if (one !== undefined) first[name.toLowerCase()] = one;
  }
  return first;
}

const stopError = ({ method, path }: Exchange, underWay: boolean) =>
  new TenantError(
    "stopped",
    underWay && method !== "GET"
      ? `Stopped while ${method} ${path} was under way: it may have taken effect.`
      : `Stopped before ${method} ${path} was answered.`,
    { method, path, unsent: !underWay },
  );
