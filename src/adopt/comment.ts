/** Remarks as comments, which nothing in them can end. */
import { commentText } from "./quoted";

const width = 96;

/** Each remark from a new line on, broken at blanks. */
export function commented(mark: string, remarks: readonly string[]): string[] {
  return remarks.flatMap((remark) => wrapped(commentText(remark))).map((line) => `${mark} ${line}`);
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
