/** Takes bytes, and gives JSON values. */

export interface ValueReader {
  push(chunk: Buffer): void;
  /** `isTorn`: the stream ended too early. */
  end(isTorn?: boolean): void;
}

export interface ValueSink {
  value(value: unknown): void;
  /** A line or an object that is not JSON, or is too large. */
  broken(): void;
  /** The last line or object is incomplete. */
  torn(): void;
}
