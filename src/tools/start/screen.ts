/** What people see of `npm start`: steps with their times, progress while something runs, colour where the terminal has it. */
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

export interface Screen {
  paint(style: Style, text: string): string;
  /** A numbered heading. */
  step(title: string): void;
  lines(text: readonly string[]): void;
  /** Shows what is going on while it lasts, on a terminal that moves; then how long it took. */
  during<T>(title: string, work: (tell: (detail: string) => void) => Promise<T>): Promise<T>;
}

/** A terminal, or a pipe. */
export interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): boolean;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const beat = 80;

/** Without a clock no times are shown, so that the same run reads the same. */
export function openScreen(stream: Stream, now?: () => number, env = process.env): Screen {
  const isColoured = hasColours(stream, env);
  const isMoving = stream.isTTY && env.TERM !== "dumb" && !env.CI;
  const began = now?.() ?? 0;
  let steps = 0;
  const paint: Screen["paint"] = (style, text) =>
    isColoured ? styleText(style, text, { validateStream: false } as object) : text;
  const seconds = (since: number) => (now ? `${((now() - since) / 1000).toFixed(1)} s` : "");
  const lines = (text: readonly string[]) =>
    void stream.write(text.map((line) => `  ${line}`.trimEnd() + "\n").join(""));
  return {
    paint,
    lines,
    step(title) {
      const at = now ? paint("dim", ` ${seconds(began)}`) : "";
      stream.write(`\n${paint(["bold", "cyan"], `${++steps}. ${title}`)}${at}\n`);
    },
    async during(title, work) {
      const started = now?.() ?? 0;
      let detail = "";
      let frame = 0;
      const draw = () => {
        const told = `${frames[frame++ % frames.length]} ${title}${detail && `, ${detail}`} ${seconds(started)}`;
        stream.write(`\r\x1b[2K  ${paint("dim", told.slice(0, (stream.columns ?? 80) - 3))}`);
      };
      const drawing = isMoving ? setInterval(draw, beat) : undefined;
      try {
        return await work((text) => (detail = text));
      } finally {
        clearInterval(drawing);
        if (isMoving) stream.write("\r\x1b[2K");
        lines([paint("dim", `$ ${title}  ${seconds(started)}`.trimEnd())]);
      }
    },
  };
}

/** NO_COLOR and FORCE_COLOR are what Node obeys, too; a pipe has no colour of its own. */
function hasColours(stream: Stream, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0";
  return Boolean(stream.isTTY) && TERM !== "dumb";
}

/** Broken at blanks, to lines of at most so many characters. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line !== "" && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}
