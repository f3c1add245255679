/** Calls the Management API through layers: token, retry, decoding, rate limiter and usage. */
import type { Tokens } from "../auth/token";
import { withToken } from "../auth/authorization";
import { unlessGone } from "../error";
import type { Call, Decoder, Reply, Request } from "./call";
import { withRateLimiter, type RateLimiter } from "./rate-limiter";
import { apiError, withDecoding } from "./decoding";
import { withRetry, type RetryOptions } from "./retry";
import type { Transport } from "./transport";
import { withUsage } from "./usage";

export interface Client {
  /** Retries what is safe to send twice, waits for the rate limit and renews the token. Throws TenantError. */
  send<T>(call: Call<T>): Promise<Reply<T>>;
}

export interface ClientOptions extends RetryOptions {
  /** Path of the API below the origin: `/api/v2`. */
  readonly base: string;
  readonly tokens: Tokens;
  readonly rateLimiter: RateLimiter;
  readonly userAgent: string;
  readonly transport: Pick<Transport, "exchange">;
}

export function createClient(options: ClientOptions): Client {
  const { base, tokens, rateLimiter, userAgent, transport, clock } = options;
  // From the outside in: token, retry, decoding, rate limiter, usage, transport.
  const counted = withUsage({ ...options, rate: (bucket) => rateLimiter.rate(bucket) });
  const dispatch = withRateLimiter(rateLimiter, options)(counted((request) => transport.exchange(request)));
  const send = withToken(tokens)(withRetry(options)(withDecoding(apiError, clock)(dispatch)));
  return { send: (call) => send(requestOf(call, base, userAgent)) };
}

/** The object at the path; undefined if the tenant does not have it. */
export function getIfExists<T>(client: Client, path: string, decoder: Decoder<T>): Promise<T | undefined> {
  return unlessGone(async () => (await client.send({ method: "GET", path, decoders: { 200: decoder } })).body);
}

function requestOf<T>(call: Call<T>, base: string, userAgent: string): Request<T> {
  const { method, path, bucket = "global", idempotent = method !== "POST", decoders, confirmation } = call;
  const body: string | undefined = JSON.stringify(call.body);
  return {
    method,
    path: base + path + search(call.query),
    name: path,
    headers: {
      accept: "application/json",
      "user-agent": userAgent,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body,
    bucket,
    idempotent,
    decoders,
    confirmation,
    attempts: { count: 0, waitedMs: 0 },
  };
}

function search(query: Call<unknown>["query"] = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? "" : `?${given.toString()}`;
}
