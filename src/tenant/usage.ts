// What the client has spent so far.

export interface Usage {
  /** Requests sent, those for tokens and repetitions included. */
  requests: number;
  /** Requests that repeated an earlier one. */
  retries: number;
  /** Milliseconds that requests waited for the quota, summed over all of them. */
  waitedMs: number;
  /** Bytes of request bodies. */
  bytesSent: number;
  /** Bytes of answer bodies. */
  bytesReceived: number;
}

export const noUsage = (): Usage => ({ requests: 0, retries: 0, waitedMs: 0, bytesSent: 0, bytesReceived: 0 });
