/** What the client has spent so far. */

export interface Usage {
  /** Requests sent, those for tokens and repetitions included. */
  requests: number;
  /** Requests that repeated an earlier one. */
  retries: number;
  /** Answers of status 429. */
  throttled: number;
  /** Milliseconds that requests waited for the quota, summed over all of them. */
  waitedMs: number;
  /** The longest of these waits. */
  longestWaitMs: number;
  /** Bytes of request bodies. */
  bytesSent: number;
  /** Bytes of answer bodies. */
  bytesReceived: number;
}

export const noUsage = (): Usage => ({
  requests: 0,
  retries: 0,
  throttled: 0,
  waitedMs: 0,
  longestWaitMs: 0,
  bytesSent: 0,
  bytesReceived: 0,
});

/** Counts a wait for the quota. */
export function noteWait(usage: Usage, ms: number): void {
  usage.waitedMs += ms;
  usage.longestWaitMs = Math.max(usage.longestWaitMs, ms);
}
