/** Escapes text from other sources, so that it cannot control a terminal, a log or a page, and shortens it. */

/**
 * Characters that control a terminal, end a line, change the direction of writing, or are invisible. Joiners stay, because letters and emoji
 * need them.
 */
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** On one line. Escapes unprintable characters as JSON does: `\n`, `\u001b`. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => (character === "\n" ? "\\n" : escaped(character)));
}

/** The same, with a blank for each line end. */
export function oneLine(text: string): string {
  return printable(text.replace(/\r?\n/g, " "));
}

/** The same over several lines: line ends and tabs stay, and no line is a command to the runner of a workflow. */
export function printableLines(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(unprintable, (character) => (/[\n\t]/.test(character) ? character : escaped(character)))
    .replace(workflowCommands, (found) => [...found].map((sign) => (/\s/.test(sign) ? sign : escaped(sign))).join(""));
}

/** With a blank for each character that cannot be printed, for places where an escape would not be read as one. */
export function blanked(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd").replace(unprintable, " ");
}

/** Whether the text holds nothing but what can be printed on one line. */
export function isPrintable(text: string): boolean {
  return text.search(unprintable) < 0;
}

/** The only way to print a text that may hold text from elsewhere to standard output or standard error. */
export function print(stream: { write(text: string): unknown }, text: string): void {
  stream.write(printableLines(text));
}

/** GitHub obeys `::name key=value::text` at the start of a line, GitHub, Azure and TeamCity `##[name]`, `##vso[name]` and `##teamcity[name]` anywhere. */
const workflowCommands = /^[^\S\n]*::(?=[a-z][\w-]*(?:[ \t][^\n]*)?::)|##(?=\w*\[)/gim;

/** By code units, so that JSON and JavaScript read back the character that it was. */
function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** One word of a command that people copy, quoted so that sh, bash, zsh and fish read the same: backslashes and quotes are outside the quotes. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  const parts = text.split(/(['\\])/).filter((part) => part !== "");
  return parts.map((part) => (/^['\\]$/.test(part) ? `\\${part}` : `'${part}'`)).join("") || "''";
}

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
