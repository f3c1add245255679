/** Shows on standard error how far a long reading is. */
import { print } from "../../text/printable";
import { durationWords } from "./report";

export interface Progress {
  /** `share`: from 0 to 1. Undefined if it is not known. */
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

/** `412,000 events, 41 %, 6 seconds left` */
function progressWords(events: number, share: number | undefined, elapsed: number): string {
  const known =
    share === undefined || share <= 0
      ? []
      : [`${Math.floor(share * 100)} %`, `${durationWords((elapsed * (1 - share)) / share)} left`];
  return [`${events.toLocaleString("en-US")} events`, ...known].join(", ");
}
