/** Draws the first lines of a review as they appear on a pull request. */
import { pictureOf } from "../start/picture";
import { wrap } from "../start/screen";

const width = 96;
const paint = (code: number, text: string) => `\u001b[${code}m${text}\u001b[0m`;

/** `text`: the review in the format text. */
export function verdictPicture(text: string): string {
  const end = text.indexOf("\n\nOrder of evaluation");
  const [, ...lines] = text.slice(0, end).split("\n");
  const shown = lines.flatMap((line) => wrapped(line));
  const head = [`${paint(1, "tenantform")} ${paint(2, "commented on the pull request")}`, ""];
  return pictureOf([...head, ...shown].join("\n"), "A review says what a plan does to people");
}

function wrapped(line: string): string[] {
  if (line === "") return [""];
  const lines = wrap(line, width);
  if (line.startsWith("✖")) return lines.map((part) => paint(31, part));
  if (line.startsWith("-")) return lines.map((part, index) => (index === 0 ? part : `  ${part}`));
  return lines.map((part) => paint(1, part));
}
