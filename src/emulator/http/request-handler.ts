/** One request and its answer, with everything that surrounds them: delay, faults, the headers every answer has, the record. */
import { setTimeout as pause } from "node:timers/promises";
import { requestId, type Random } from "../state/identity";
import { errorBody, json, tokenError } from "./response";
import type { InjectedFault, InjectedFaults } from "./fault";
import { pathOf } from "./path";
import type { RequestEntry } from "./request-log";
import type { Surroundings } from "./router";
import { ConnectionReset, malformed, slowed, truncated } from "./broken-response";

export interface ExchangeOptions {
  /** The service without its surroundings. */
  answer(request: Request, env: Surroundings): Promise<Response>;
  faults: InjectedFaults;
  /** Milliseconds before every answer. */
  latency: number;
  now: () => number;
  random: Random;
  /** Takes the request's line when it is complete. */
  record(entry: RequestEntry): void;
}

const tokenPath = /^\/oauth\/token\/?$/;

/** A fault's status, in the words the service has for it at that path unless the rule brings its own. */
function faultAnswer(path: string, { status = 500, body, headers }: InjectedFault, now: () => number): Response {
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

export function createExchange({ answer, faults, latency, now, random, record }: ExchangeOptions) {
  const attempt = async (request: Request, env: Surroundings): Promise<Response> => {
    const { method, path } = env.entry;
    const rule = faults.strike(method, path);
    const wait = latency + (rule?.latency ?? 0);
    if (wait > 0) await pause(wait);
    if (rule?.reset === "before") throw new ConnectionReset();
    env.stale = rule?.stale ?? 0;
    const response = rule?.status === undefined ? await answer(request, env) : faultAnswer(path, rule, now);
    if (rule?.reset === "after") throw new ConnectionReset();
    for (const [name, value] of Object.entries({ ...env.limits, ...rule?.headers })) response.headers.set(name, value);
    // A choice: the service names every answer; under which header is not known, and public clients look at this one.
    response.headers.set("x-auth0-requestid", requestId(random));
    env.entry.status = response.status;
    if (rule?.spoil === "malformed") return malformed(response);
    if (rule?.spoil === "truncated") return truncated(response);
    return rule?.slow ? slowed(response, rule.slow) : response;
  };

  return async (request: Request): Promise<Response> => {
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
      bytes: path.length + search.length,
    };
    try {
      return await attempt(request, { entry, stale: 0, limits: {} });
    } finally {
      entry.ms = Math.round((performance.now() - started) * 10) / 10;
      record(entry);
    }
  };
}
