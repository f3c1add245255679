/** The requests to the service, as many as fit into limited memory. */

/** A request that got a response, or was broken off by an injected fault. */
export interface RequestEntry {
  /** Time of arrival: ISO 8601, UTC. */
  readonly time: string;
  readonly method: string;
  /** As it was sent, undecoded: /api/v2/users/auth0%7C1. */
  readonly path: string;
  /** As it was sent, without `?`. */
  readonly query: string;
  /** 0 if the connection was broken instead of a response. */
  status: number;
  /** From the arrival of the request to the beginning of the response. */
  ms: number;
  /** The body without its secrets; absent if it was not read, or is long. */
  body?: unknown;
  /** The effect of the network ACLs and rate limit policies, in a few words. */
  acl?: string;
  /** The change that the request made, in a few words. */
  change?: string;
}

const mostRequests = 10_000;
/** Characters of JSON. All bodies of the log take at most 160 MB of text. */
const longestBody = 16 * 1024;

/** Returns a function that adds an entry to the list without a long body, and drops the oldest one beyond the limit. */
export const appendTo = (requests: RequestEntry[]) => (entry: RequestEntry) => {
  if (JSON.stringify(entry.body ?? null).length > longestBody) delete entry.body;
  if (requests.push(entry) > mostRequests) requests.shift();
};
