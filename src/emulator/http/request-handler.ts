/**
 * Handles a request from its arrival to its log entry: delay, injected faults, response and common headers. A fault can make the response
 * arrive late, in pieces, or incomplete.
 */
import { setTimeout as pause } from "node:timers/promises";
import { requestId, type Random } from "../state/identity";
import type { InjectedFault, InjectedFaults } from "./fault";
import { pathOf } from "./path";
import type { RequestEntry } from "./request-log";
import { errorBody, json, tokenError } from "./response";
import type { RequestState } from "./router";

const pieces = 10;

async function* inPieces(bytes: Uint8Array, ms: number): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length; at += size) {
    await pause(ms / pieces);
    yield bytes.subarray(at, at + size);
  }
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

/** Sends the body over `ms` milliseconds. */
async function slowed(response: Response, ms: number): Promise<Response> {
  const bytes = await bytesOf(response);
  return new Response(bytes.length === 0 ? null : ReadableStream.from(inPieces(bytes, ms)), response);
}

/** Sends half of the body as if it were complete. */
async function malformed(response: Response): Promise<Response> {
  const text = await response.text();
  return new Response(text === "" ? null : text.slice(0, Math.ceil(text.length / 2)), response);
}

/** Looks like the error that a client's own fetch throws when the connection breaks. */
export class ConnectionReset extends TypeError {
  /** `begun` is the part of a response that was sent before. */
  constructor(readonly begun?: { status: number; headers: Record<string, string>; part: Uint8Array }) {
    super("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });
  }
}

/** Announces the whole body, sends half of it, and breaks the connection. */
async function truncated(response: Response): Promise<never> {
  const bytes = await bytesOf(response);
  const headers = { ...Object.fromEntries(response.headers), "content-length": String(bytes.length) };
  throw new ConnectionReset({ status: response.status, headers, part: bytes.subarray(0, bytes.length >>> 1) });
}

async function* brokenAfter(part: Uint8Array): AsyncGenerator<Uint8Array> {
  yield part;
  throw new TypeError("terminated");
}

/** Shows a connection that broke in the middle of a response as a client's fetch shows it, or throws. */
export function brokenFetch(error: unknown): Response {
  if (!(error instanceof ConnectionReset) || error.begun === undefined) throw error;
  const { status, headers, part } = error.begun;
  return new Response(ReadableStream.from(brokenAfter(part)), { status, headers });
}

export interface RequestHandlerOptions {
  /** The service without delay, faults and log. */
  respond(request: Request, state: RequestState): Promise<Response>;
  faults: InjectedFaults;
  /** Milliseconds before every response. */
  latency: number;
  now: () => number;
  random: Random;
  /** Gets the complete entry of the request. */
  log(entry: RequestEntry): void;
}

const tokenPath = /^\/oauth\/token\/?$/;

/** The response of a fault with a status. Body and headers are those of the service, unless the rule has its own. */
function faultResponse(path: string, { status = 500, body, headers }: InjectedFault, now: () => number): Response {
  const isToken = tokenPath.test(path);
  const { message } = errorBody(status);
  if ([204, 205, 304].includes(status)) return new Response(null, { status, headers });
  if (status !== 429)
    return json(status, body ?? (isToken ? tokenError("server_error", message) : errorBody(status)), headers);
  if (isToken) {
    const usual = tokenError("too_many_requests", "Client quota exceeded");
    return json(status, body ?? usual, { "retry-after": "3600", ...headers });
  }
  const usual = errorBody(status, "Global limit has been reached", "too_many_requests");
  const limits = {
    "x-ratelimit-limit": "10",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(Math.floor(now() / 1000)),
  };
  return json(status, body ?? usual, { ...limits, ...headers });
}

export function createRequestHandler(options: RequestHandlerOptions): (request: Request) => Promise<Response> {
  const { respond, faults, latency, now, random, log } = options;

  const handle = async (request: Request, state: RequestState): Promise<Response> => {
    const { method, path } = state.entry;
    const rule = faults.strike(method, path);
    const wait = latency + (rule?.latency ?? 0);
    if (wait > 0) await pause(wait);
    if (rule?.reset === "before") throw new ConnectionReset();
    state.stale = rule?.stale ?? 0;
    const response = rule?.status === undefined ? await respond(request, state) : faultResponse(path, rule, now);
    if (rule?.reset === "after") throw new ConnectionReset();
    for (const [name, value] of Object.entries({ ...state.limits, ...rule?.headers })) {
      response.headers.set(name, value);
    }
    // Assumption: the id of a response is in the header that public clients read.
    response.headers.set("x-auth0-requestid", requestId(random));
    state.entry.status = response.status;
    if (rule?.spoil === "malformed") return malformed(response);
    if (rule?.spoil === "truncated") return truncated(response);
    return rule?.slow ? slowed(response, rule.slow) : response;
  };

  return async (request) => {
    const path = pathOf(request);
    const { search } = new URL(request.url);
    const started = performance.now();
    const entry: RequestEntry = {
      time: new Date(now()).toISOString(),
      method: request.method,
      path,
      query: search.slice(1),
      status: 0,
      ms: 0,
    };
    try {
      return await handle(request, { entry, stale: 0, limits: {} });
    } finally {
      entry.ms = Math.round((performance.now() - started) * 10) / 10;
      log(entry);
    }
  };
}
