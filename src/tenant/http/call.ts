/** What the layers of a call hand to each other, from the endpoint family down to the exchange and back. */
import type { Exchange, RawResponse } from "./transport";

/** The quotas the service counts apart. */
export type Bucket = "global" | "members-read" | "members-write";

/** The body as what it must be; undefined where it is not. */
export type Decoder<T> = (body: unknown) => T | undefined;

/** How to tell whether a try whose answer was lost took effect. */
export interface Confirmation<T> {
  /** Names the effect, for messages: `created the network ACL "x" with priority 7`. */
  readonly what: string;
  /** Looks for the effect of tries that began at `since`, in our milliseconds; undefined where there is none. */
  find(since: number): Promise<T | undefined>;
}

/** What an endpoint family asks for. */
export interface Call<T> {
  readonly method: Exchange["method"];
  /** Below the API's base, encoded: `/network-acls/acl_1`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** The statuses that the operation documents as success, each with what its body must be. A 204 has none. */
  readonly decoders: Readonly<Record<number, Decoder<T>>>;
  /** Default: global. */
  readonly bucket?: Bucket;
  /** Whether sending it twice does what sending it once does. Default: all but POST. */
  readonly idempotent?: boolean;
  readonly confirmation?: Confirmation<T>;
}

/** A call on its way down. */
export interface Request<T> extends Exchange, Pick<Call<T>, "decoders" | "confirmation"> {
  /** The path below the API's base and without query, for messages. */
  readonly name: string;
  readonly bucket: Bucket;
  readonly idempotent: boolean;
  /** What it has been through, over all its tries. */
  readonly attempts: { count: number; waitedMs: number };
}

export interface Reply<T> {
  readonly body: T;
  /** The service's clock when it answered, in milliseconds since the epoch; exact to a second. */
  readonly at: number;
  /** Bytes of the response's body; absent where the effect was found otherwise. */
  readonly bytes?: number;
}

/** The lower layers: any status is an answer. Throws connection_failed, timeout, stopped, unlike_service. */
export type Dispatch = (request: Request<unknown>) => Promise<RawResponse>;

/** The upper layers: what is not a documented success is thrown. */
export type Send = <T>(request: Request<T>) => Promise<Reply<T>>;
