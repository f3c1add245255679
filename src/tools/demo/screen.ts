/** The output of `npm start`: numbered steps, commands with their times, and colours if the terminal has them. */
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** A terminal obeys NO_COLOR and FORCE_COLOR by itself. A pipe has no colours by default. */
const isColoured = () => process.stdout.hasColors?.() ?? Boolean(process.env.FORCE_COLOR);

export const paint = (style: Style, text: string): string =>
  isColoured() ? styleText(style, text, { validateStream: false } as object) : text;

export interface Screen {
  /** A numbered heading. */
  step(title: string): void;
  lines(text: readonly string[]): void;
  /** Shows the title, and then how long the work took. */
  during<T>(title: string, work: () => Promise<T>): Promise<T>;
}

export function openScreen(write: (text: string) => void, now: () => number): Screen {
  const began = now();
  let steps = 0;
  const since = (start: number, before: string) => paint("dim", `${before}${((now() - start) / 1000).toFixed(1)} s`);
  return {
    lines: (text) => write(text.map((line) => `  ${line}`.trimEnd() + "\n").join("")),
    step: (title) => write(`\n${paint(["bold", "cyan"], `${++steps}. ${title}`)}${since(began, " ")}\n`),
    async during(title, work) {
      const start = now();
      write(`  ${paint("dim", `$ ${title}`)}`);
      try {
        return await work();
      } finally {
        write(`${since(start, "  ")}\n`);
      }
    },
  };
}
