/** The requests served so far, as many as fit into a bounded memory. */

/** A request that was served, or broken off by an injected fault. */
export interface RequestEntry {
  /** When it arrived: ISO 8601, UTC. */
  readonly time: string;
  readonly method: string;
  /** As it was sent, undecoded: /api/v2/users/auth0%7C1. */
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  /** 0 when the connection was broken instead of an answer. */
  status: number;
  /** From the arrival of the request to the beginning of the answer. */
  ms: number;
  /** Bytes of its path, query and body, as far as they were read. */
  bytes: number;
  /** The body as it was read, its secrets blanked; absent when it was not looked at. */
  body?: unknown;
  /** What the network ACLs did to it, in a few words. */
  acl?: string;
  /** What the request changed, in a few words. */
  change?: string;
}

const mostRequests = 10_000;
const mostBytes = 8 * 1024 * 1024;

/** Adds entries to a list that others may empty, and drops the oldest that are too many or too much. */
export function createRecord(requests: RequestEntry[]): (entry: RequestEntry) => void {
  let counted = 0;
  let bytes = 0;
  return (entry) => {
    // Whoever holds the list may have taken entries out of it.
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
