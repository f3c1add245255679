/** Shows on standard error how far a long reading is, and ends it at Ctrl-C, so that the numbers so far are not lost. */
import { setFlagsFromString } from "node:v8";
import { print } from "../../text/printable";
import { durationWords } from "./report";

export interface Progress {
  /** `share`: from 0 to 1; undefined: not known. */
  update(events: number, share: number | undefined): void;
  end(): void;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** On a terminal the line changes twice a second. Elsewhere a line appears every ten seconds. */
export function createProgress(stream: Output, now: () => number): Progress {
  const start = now();
  const pause = stream.isTTY ? 500 : 10_000;
  let last = start;
  let isShown = false;
  return {
    update(events, share) {
      const time = now();
      if (time - last < pause) return;
      last = time;
      const line = progressWords(events, share, time - start);
      if (stream.isTTY) stream.write(`\r\u001b[K${line}`);
      else print(stream, `${line}\n`);
      isShown = true;
    },
    end() {
      if (isShown && stream.isTTY) stream.write("\r\u001b[K");
    },
  };
}

/** `412,000 events, 41 %, 98,000 events/s, 6 seconds left` */
export function progressWords(events: number, share: number | undefined, elapsed: number): string {
  const rate = elapsed > 0 ? Math.round((events * 1000) / elapsed) : 0;
  const left = share === undefined || share <= 0 ? undefined : (elapsed * (1 - share)) / share;
  return [
    `${events.toLocaleString("en-US")} events`,
    ...(share === undefined ? [] : [`${Math.floor(share * 100)} %`]),
    `${rate.toLocaleString("en-US")} events/s`,
    ...(left === undefined ? [] : [`${durationWords(left)} left`]),
  ].join(", ");
}

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
