/** Calls the Management API through layers: token, retry, decoding, limit and count. */
import type { Tokens } from "../auth/token";
import { isTenantError, TenantError, unlessGone } from "../error";
import type { Call, Decoder, Reply, Request, Send } from "./call";
import { withRateLimiter, type RateLimiter } from "./limit";
import { legible } from "../secrets";
import { apiError, withDecoding, withUsage } from "./response";
import { withRetry, type RetryOptions } from "./retry";
import type { Transport } from "./transport";

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
  /** Ends waiting calls and refuses new ones with this error. */
  stopWith(error: TenantError): void;
}

export function createClient(options: ClientOptions): Client {
  const { base, tokens, rateLimiter, userAgent, transport, clock, signal, stopWith } = options;
  // From the outside in: token, retry, decoding, rate limiter, usage, transport.
  const counted = withUsage(options)((request) => transport.exchange(request));
  const dispatch = withRateLimiter(rateLimiter, options)(counted);
  const send = withToken(tokens)(withRetry(options)(withDecoding(apiError, clock)(dispatch)));
  const lastAcl = createLastAcl();
  return {
    async send(call) {
      signal.throwIfAborted();
      try {
        const reply = await send(requestOf(call, base, userAgent));
        lastAcl.noteWrite(call);
        return reply;
      } catch (error) {
        if (!isTenantError(error, "blocked_by_acl") || signal.aborted) throw error;
        const blocked = lastAcl.blaming(error);
        stopWith(afterBlock(blocked));
        throw blocked;
      }
    },
  };
}

/** The ACL would refuse every later call too, and Auth0 counts each of them. */
const afterBlock = (error: TenantError) =>
  new TenantError(error.code, `Not sent, because an ACL refused ${error.method} ${error.path}: ${error.message}`, {
    unsent: true,
    cause: error,
  });

/** Remembers the network ACL that this run wrote last: if an ACL refuses a later call, it is probably that one. */
function createLastAcl() {
  let last: string | undefined;
  return {
    noteWrite({ method, path, body }: Call<unknown>): void {
      if (method === "GET" || !path.startsWith("/network-acls")) return;
      const { description, priority, active } = (body ?? {}) as Readonly<Record<string, unknown>>;
      if (method === "DELETE" || active === false) return;
      last = `${legible(String(description ?? path))}${typeof priority === "number" ? ` (priority ${priority})` : ""}`;
    },
    blaming(error: TenantError): TenantError {
      if (last === undefined) return error;
      const words = `${error.message.replace(/\.$/, "")}. This run wrote the network ACL ${last} last: it probably blocks this machine.`;
      return new TenantError(error.code, words, { ...error, cause: error.cause });
    },
  };
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
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

/** Adds the token to every request, and repeats a refused request once with a new token. */
function withToken(tokens: Tokens): (next: Send) => Send {
  return (next) => async (request) => {
    const sendWith = async (token: string) => {
      const reply = await next({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
      tokens.accepted(token);
      return reply;
    };
    const token = await tokens.current();
    try {
      return await sendWith(token);
    } catch (error) {
      const isRefused = isTenantError(error, "unauthorized");
      if (!isRefused && !isTenantError(error, "insufficient_scope")) throw error;
      const other = await tokens.renewed(token, isRefused ? "unauthorized" : "insufficient_scope");
      if (other === undefined) throw isRefused ? withEnd(error, tokens.expiry()) : error;
      return sendWith(other);
    }
  };
}

function withEnd(error: TenantError, end: number | undefined): TenantError {
  if (end === undefined) return error;
  return new TenantError(error.code, `${error.message} (the token ends at ${new Date(end).toISOString()})`, error);
}
