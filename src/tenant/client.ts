// One call of the management API: token, pace, exchange, retries and the reading of the answer, around one dispatch.
import type { Clock } from "./clock";
import { codeOf, isTenantError, TenantError, type TenantErrorDetails } from "./error";
import type { Log } from "./log";
import { isTransient, maxTries, retryDelay } from "./retry-timing";
import type { Tokens } from "./token";
import type { Exchange, RawAnswer, Transport } from "./transport";
import type { Usage } from "./usage";

/** The quotas the service counts apart. */
export type Bucket = "global" | "members-read" | "members-write";

export interface Call {
  method: Exchange["method"];
  /** Below the API's base, encoded: `/network-acls/acl_1`. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  bucket?: Bucket;
  /** Whether sending it twice does what sending it once does. Default: all but POST. */
  repeatable?: boolean;
}

export interface Client {
  /** The parsed body of a 2xx answer, undefined where it is empty. Throws TenantError. */
  send(call: Call): Promise<unknown>;
}

export interface ClientOptions {
  /** Path of the API's base from the origin: `/api/v2`. */
  base: string;
  tokens: Tokens;
  transport: Transport;
  userAgent: string;
  /** Milliseconds a call may wait for the quota in all. */
  maxRetryWait: number;
  clock: Clock;
  random: () => number;
  log: Log;
  usage: Usage;
  signal: AbortSignal;
}

export function createClient(options: ClientOptions): Client {
  const { base, tokens, transport, userAgent, maxRetryWait, clock, random, log, usage, signal } = options;

  const exchange = async (call: Call, token: string, tries: number): Promise<RawAnswer | TenantError> => {
    const { method } = call;
    const path = base + call.path + search(call.query);
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      "user-agent": userAgent,
    };
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    if (body !== undefined) headers["content-type"] = "application/json";
    const started = clock.now();
    const outcome = await transport
      .exchange({ method, path, headers, ...(body === undefined ? {} : { body }) })
      .catch((error: unknown) => {
        if (isTenantError(error, "connection_failed", "timeout")) return error;
        throw error;
      });
    const answered = outcome instanceof TenantError ? undefined : outcome;
    log("debug", `${method} ${path}`, {
      method,
      path,
      status: answered?.status ?? (outcome as TenantError).code,
      ms: clock.now() - started,
      requestId: answered && requestId(answered),
      bucket: call.bucket ?? "global",
      remaining: answered?.headers["x-ratelimit-remaining"],
      limit: answered?.headers["x-ratelimit-limit"],
      reset: answered?.headers["x-ratelimit-reset"],
      tries,
    });
    return outcome;
  };

  const wait = async (ms: number) => {
    usage.waitedMs += ms;
    await clock.sleep(ms, signal);
  };

  return {
    async send(call) {
      const repeatable = call.repeatable ?? call.method !== "POST";
      let token = await tokens.current();
      let failures = 0;
      let throttled = 0;
      let waited = 0;
      let renewed = false;
      for (let tries = 1; ; tries++) {
        if (tries > 1) usage.retries++;
        const outcome = await exchange(call, token, tries);
        const { status } = outcome;
        const answer = outcome instanceof TenantError ? undefined : outcome;
        if (answer && answer.status < 400) {
          tokens.accepted(token);
          return readBody(answer, call);
        }
        const headers = answer?.headers;
        if (status === 401 && !renewed) {
          const other = await tokens.renewed(token);
          if (other !== undefined) {
            token = other;
            renewed = true;
            continue;
          }
        }
        if (status === 429) {
          const delay = retryDelay({ failures: ++throttled, status, headers, now: clock.now(), random });
          if (waited + delay > maxRetryWait) throw throttledError(answer as RawAnswer, call, waited, delay);
          waited += delay;
          log(delay >= 5_000 ? "warn" : "info", `The tenant's quota is used up: waiting ${Math.ceil(delay)} ms`, {
            method: call.method,
            path: call.path,
          });
          await wait(delay);
          continue;
        }
        const safe = repeatable || (outcome instanceof TenantError && outcome.unsent);
        if (isTransient(status) && safe && ++failures < maxTries) {
          await clock.sleep(retryDelay({ failures, status, headers, now: clock.now(), random }), signal);
          continue;
        }
        throw answer ? refusal(answer, call, tokens) : outcome;
      }
    },
  };
}

function search(query: Call["query"] = {}): string {
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString();
  return text === "" ? "" : `?${text}`;
}

function readBody(answer: RawAnswer, call: Call): unknown {
  if (answer.text === "") return undefined;
  try {
    return JSON.parse(answer.text);
  } catch (cause) {
    throw new TenantError("unreadable_answer", `The answer to ${call.method} ${call.path} is not JSON.`, {
      ...detailsOf(answer, call),
      cause,
    });
  }
}

function refusal(answer: RawAnswer, call: Call, tokens: Tokens): TenantError {
  let told: { message?: unknown; errorCode?: unknown } = {};
  try {
    told = (JSON.parse(answer.text) as typeof told) ?? {};
  } catch {
    // what a proxy or a load balancer says in HTML is told by its status
  }
  const serviceCode = typeof told.errorCode === "string" ? told.errorCode : undefined;
  const code = codeOf(answer.status, serviceCode);
  const message = typeof told.message === "string" ? told.message : `HTTP status ${answer.status}`;
  return new TenantError(code, code === "unauthorized" ? withExpiry(message, tokens) : message, {
    ...detailsOf(answer, call),
    serviceCode,
  });
}

function withExpiry(message: string, tokens: Tokens): string {
  const expiry = tokens.expiry();
  return expiry === undefined ? message : `${message} (the token's end: ${new Date(expiry).toISOString()})`;
}

function throttledError(answer: RawAnswer, call: Call, waited: number, delay: number): TenantError {
  return new TenantError(
    "rate_limited",
    `The tenant's quota is used up: ${call.method} ${call.path} waited ${seconds(waited)} and would have to wait ${seconds(delay)} more.`,
    detailsOf(answer, call),
  );
}

const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;

const requestId = ({ headers }: RawAnswer) =>
  headers["x-request-id"] ?? headers["x-auth0-requestid"] ?? headers["cf-ray"];

function detailsOf(answer: RawAnswer, { method, path }: Call): TenantErrorDetails {
  return { status: answer.status, requestId: requestId(answer), method, path };
}
