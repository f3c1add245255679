/** Writes sentences as comments. */
import { commentText } from "./quoted";

const width = 96;

/** Each sentence starts on a new line and is wrapped at blanks. No text can end the comment. */
export function commented(sign: string, sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence) => wrapped(commentText(sentence))).map((line) => `${sign} ${line}`);
}

function wrapped(sentence: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of sentence.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
