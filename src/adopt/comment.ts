/** Remarks as comments, which nothing in them can end; and what no reader of a source would see. */
const width = 96;

/** Each remark from a new line on, broken at blanks. */
export function commented(mark: string, remarks: readonly string[]): string[] {
  return remarks.flatMap((remark) => wrapped(legible(remark))).map((line) => `${mark} ${line}`);
}

/** Controls, and what turns the direction of writing; joiners belong to letters and emoji. */
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A source that holds such a character reads as another. */
export function isInvisible(character: string): boolean {
  return unprintable.test(character);
}

/** On one line, with what cannot be seen written out. */
export function legible(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .replace(/./gsu, (character) =>
      isInvisible(character) ? `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}` : character,
    );
}

function wrapped(remark: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of remark.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
