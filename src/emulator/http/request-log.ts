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
  /** Bytes of its path and query, and of its body if that was read. */
  bytes: number;
  /** The body with its secrets blanked; absent if it was not read. */
  body?: unknown;
  /** The effect of the network ACLs and rate limit policies, in a few words. */
  acl?: string;
  /** The change that the request made, in a few words. */
  change?: string;
}

const mostRequests = 10_000;
const mostBytes = 8 * 1024 * 1024;

/** Returns a function that adds an entry to the list, and drops the oldest ones beyond the limits. */
export function createRequestLog(requests: RequestEntry[]): (entry: RequestEntry) => void {
  let counted = 0;
  let bytes = 0;
  return (entry) => {
    // The owner of the list may have removed entries.
    if (requests.length !== counted) bytes = requests.reduce((sum, each) => sum + each.bytes, 0);
    requests.push(entry);
    bytes += entry.bytes;
    let dropped = 0;
    while (requests.length - dropped > mostRequests || (bytes > mostBytes && requests.length - dropped > 1)) {
      bytes -= requests[dropped++]!.bytes;
    }
    if (dropped > 0) requests.splice(0, dropped);
    counted = requests.length;
  };
}
