/** Cuts texts that may be longer than anybody reads. */
import { printable } from "./printable";

/** How many characters of a service's text are shown. */
const usual = 2_000;

/** As much of the text on one line as `most` characters show, and how much is left out. No character is cut in two. */
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

/** The same of a text that keeps its lines. */
export function firstLines(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return shown + rest(text.length - shown.length);
}

const rest = (count: number) => `… (${count.toLocaleString("en")} more characters)`;
