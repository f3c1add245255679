/** The facts of requests, in the names that programs use. */

type OneOrMore<T> = T | readonly T[];

/** All requests with these facts. A list means any of its values; a fact that you leave out may have any value. */
export interface Requests {
  /** As the `scope` of network ACLs. `authentication` also has the requests of `dynamic_client_registration`. */
  readonly scopes?: OneOrMore<"authentication" | "management" | "dynamic_client_registration">;
  /** Addresses and CIDR blocks of end users, IPv4 and IPv6 mixed. */
  readonly ipCidrs?: OneOrMore<string>;
  /** Addresses and CIDR blocks of hosts that connect to the service, such as your reverse proxy. */
  readonly connectingIpCidrs?: OneOrMore<string>;
  /** ISO 3166-1 alpha-2 codes, such as DE. */
  readonly countries?: OneOrMore<string>;
  /** ISO 3166-2 codes, such as US-CA. */
  readonly subdivisions?: OneOrMore<string>;
  /** AS numbers. */
  readonly asns?: OneOrMore<number>;
  /** User agents. The whole header must be equal. */
  readonly userAgents?: OneOrMore<string>;
  /** Host names of requests, such as login.example.com. */
  readonly hostnames?: OneOrMore<string>;
  /** JA3 fingerprints of TLS clients. */
  readonly ja3?: OneOrMore<string>;
  /** JA4 fingerprints of TLS clients. */
  readonly ja4?: OneOrMore<string>;
  /** Curated lists that contain the client, such as auth0.tor. */
  readonly managed?: OneOrMore<string>;
  /** Ids of the keys that sign the request. */
  readonly signatureKeys?: OneOrMore<string>;
}

/** The callers of a rate limit policy, and the bounds of its limit in requests per second. */
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
