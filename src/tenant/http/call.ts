/** What the layers of a call pass to each other, and checks of the JSON from outside that the code relies on. */
import { isRecord } from "../../formats/text/record";

export interface Exchange {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the origin, with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawResponse {
  readonly status: number;
  /** Names are in lower case. A repeated header keeps its first value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The quotas that the service counts separately. */
export type Bucket = "global" | "members-read" | "members-write";

/** The typed body, or undefined if it has another type. */
export type Decoder<T> = (body: unknown) => T | undefined;

/** Finds out whether an attempt took effect if its response was lost. */
export interface Confirmation<T> {
  /** Names the effect, for messages: `created the network ACL "x" with priority 7`. */
  readonly what: string;
  /** Looks for the effect of attempts since this time of the local clock. Undefined if there is none. */
  find(since: number): Promise<T | undefined>;
}

/** A call as an endpoint family describes it. */
export interface Call<T> {
  readonly method: Exchange["method"];
  /** Encoded path below the API's base: `/network-acls/acl_1`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** A decoder of the body for each status that the operation documents as success. A 204 has no body. */
  readonly decoders: Readonly<Record<number, Decoder<T>>>;
  /** Default: global. */
  readonly bucket?: Bucket;
  /** Whether sending it twice has the same effect as sending it once. Default: all but POST. */
  readonly idempotent?: boolean;
  readonly confirmation?: Confirmation<T>;
}

/** A call in the layers above the exchange. */
export interface Request<T> extends Exchange, Pick<Call<T>, "decoders" | "confirmation"> {
  /** The path below the API's base and without query, for messages. */
  readonly name: string;
  readonly bucket: Bucket;
  readonly idempotent: boolean;
  /** Counted over all attempts. */
  readonly attempts: { count: number; waitedMs: number };
}

export interface Reply<T> {
  readonly body: T;
  /** The time of the response by the service's clock, in milliseconds since the epoch, with a precision of one second. */
  readonly at: number;
}

/** A lower layer returns a response of any status. Throws connection_failed, timeout, stopped or unlike_service. */
export type Dispatch = (request: Request<unknown>) => Promise<RawResponse>;

/** An upper layer returns a documented success, and throws an error for everything else. */
export type Send = <T>(request: Request<T>) => Promise<Reply<T>>;

export interface Usage {
  /** Requests sent, including token requests and retries. */
  requests: number;
  retries: number;
  /** Responses with status 429. */
  throttled: number;
  /** Milliseconds that all requests together waited for rate limits. */
  waitedMs: number;
  longestWaitMs: number;
}

export const noUsage = (): Usage => ({
  requests: 0,
  retries: 0,
  throttled: 0,
  waitedMs: 0,
  longestWaitMs: 0,
});

/** Counts a wait for a rate limit. */
export function noteWait(usage: Usage, ms: number): void {
  usage.waitedMs += ms;
  usage.longestWaitMs = Math.max(usage.longestWaitMs, ms);
}

export { isRecord };

interface Kinds {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  /** An object that is not an array. */
  readonly record: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, keyof Kinds>>;
type Having<F extends Fields> = Kinds["record"] & { readonly [K in keyof F]: Kinds[F[K]] };

/** Whether a value is an object with all these fields. It may have others. */
export function hasFields<const F extends Fields>(value: unknown, fields: F): value is Having<F> {
  if (!isRecord(value)) return false;
  return Object.entries(fields).every(([name, kind]) =>
    kind === "record" ? isRecord(value[name]) : typeof value[name] === kind,
  );
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

export const listOf =
  <T>(isItem: (value: unknown) => value is T) =>
  (value: unknown): value is T[] =>
    Array.isArray(value) && value.every(isItem);

export const decoderOf =
  <T>(isBody: (value: unknown) => value is T): Decoder<T> =>
  (body) =>
    isBody(body) ? body : undefined;

/** Decodes a response without a body. */
export const noBody = () => true as const;
