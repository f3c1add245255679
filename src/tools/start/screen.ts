/** The output of `npm start`: steps with times, progress, and colours if the terminal has them. */
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

export interface Screen {
  paint(style: Style, text: string): string;
  /** A numbered heading. */
  step(title: string): void;
  lines(text: readonly string[]): void;
  /** Shows progress on a terminal, and then how long the work took. */
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

/** Without a clock it shows no times, so that two runs have the same output. */
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
        const line = `${frames[frame++ % frames.length]} ${title}${detail && `, ${detail}`} ${seconds(started)}`;
        stream.write(`\r\x1b[2K  ${paint("dim", line.slice(0, (stream.columns ?? 80) - 3))}`);
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

/** Obeys NO_COLOR and FORCE_COLOR, like Node. A pipe has no colours by default. */
function hasColours(stream: Stream, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0";
  return Boolean(stream.isTTY) && TERM !== "dumb";
}

/** Breaks the text at blanks, to lines of at most `width` characters. Each line keeps the indentation of the line that it is from. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const indentation = /^ */.exec(paragraph)![0];
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.slice(indentation.length).split(" ")) {
      if (line !== "" && indentation.length + line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    return [...lines, line].map((one) => indentation + one);
  });
}
