/** Ends a long reading at Ctrl-C, so that the numbers so far are not lost. */
import { setFlagsFromString } from "node:v8";

export interface Stopping {
  readonly signal: AbortSignal;
  end(): void;
}

/** The first Ctrl-C ends the reading, the second one the process. */
export function stopAtInterrupt(): Stopping {
  // Events are garbage at once. A small young generation keeps the memory low, and costs no time.
  setFlagsFromString("--semi-space-growth-factor=1");
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop);
  return { signal: stopping.signal, end: () => void process.removeListener("SIGINT", stop) };
}
