/** Requests, limits and members in the names that programs use. */

export type { Requests } from "../bindings/requests";

type OneOrMore<T> = T | readonly T[];

/** The callers of a policy, and the bounds of its limit in requests per second. */
export interface Limit {
  /** `client`, or a selector such as `third_party_clients`. */
  readonly consumer: string;
  /** The callers of this consumer, such as `client_id:abc`. */
  readonly consumerSelector?: string;
  /** The limit exists, and is at most this many requests per second. */
  readonly atMost?: number;
  /** The limit is at least this many requests per second, or there is none. */
  readonly atLeast?: number;
}

/** The user ids that an organization has or lacks, and the bounds of their number. */
export interface Members {
  /** The organization has each of these users. */
  readonly include?: OneOrMore<string>;
  /** The organization has none of these users. */
  readonly exclude?: OneOrMore<string>;
  /** The organization has at least this many members. */
  readonly atLeast?: number;
  /** The organization has at most this many members. */
  readonly atMost?: number;
}
