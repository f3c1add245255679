/** Shows the progress: a bar on a terminal, lines in a pipe. */
import { firstLines } from "../text/excerpt";
import { print } from "../text/printable";

export interface Progress {
  line(text: string): void;
  /** Draws the bar, only on a terminal. */
  show(done: number, all: number, what: string): void;
  /** Removes the bar. */
  clear(): void;
}

const bar = 24;
/** The most characters of a message, which may contain the output of another program. */
const most = 16_000;
/** Milliseconds between two drawings. */
const beat = 80;

export function openProgress(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv, now = Date.now): Progress {
  const isMoving = stream.isTTY === true && env.TERM !== "dumb" && !env.CI;
  let drawn = false;
  let drawnAt = 0;
  const clear = () => {
    if (drawn) stream.write("\r\x1b[2K");
    drawn = false;
  };
  return {
    clear,
    line(text) {
      clear();
      print(stream, `${firstLines(text, most)}\n`);
    },
    show(done, all, what) {
      if (!isMoving || (drawn && now() - drawnAt < beat)) return;
      const full = Math.round((bar * Math.min(done, all)) / Math.max(1, all));
      const text = `${"█".repeat(full)}${"░".repeat(bar - full)} ${Math.min(done, all)} of ${all} ${what}`;
      stream.write(`\r\x1b[2K${text.slice(0, (stream.columns ?? 80) - 1)}`);
      drawn = true;
      drawnAt = now();
    },
  };
}
