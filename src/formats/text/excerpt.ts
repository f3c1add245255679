/** Shortens texts of any length for messages. */
import { printable } from "./printable";

/** How many characters of a service's text are shown. */
const usual = 2_000;

/** At most `most` characters of the text on one line, and the number of characters left out. Never cuts a character. */
export function excerpt(text: string, most = usual): string {
  let shown = "";
  let read = 0;
  for (const character of text) {
    const next = printable(character);
    if (shown.length + next.length > most) return shown + rest(text.length - read);
    shown += next;
    read += character.length;
  }
  return shown;
}

/** The same, but the text keeps its lines. */
export function firstLines(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return shown + rest(text.length - shown.length);
}

const rest = (count: number) => `… (${count.toLocaleString("en")} more characters)`;

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
