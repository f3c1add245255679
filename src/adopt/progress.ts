/** How far the work is: a bar where the terminal moves, lines in a pipe. */
import { firstLines } from "../text/excerpt";
import { print } from "../text/printable";

export interface Progress {
  line(text: string): void;
  /** So many of so many; on a terminal alone. */
  show(done: number, all: number, what: string): void;
  /** Takes the bar away. */
  clear(): void;
}

const bar = 24;
/** The most characters of one message, which may hold the whole output of another program. */
const most = 16_000;
/** Milliseconds between two pictures. */
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
