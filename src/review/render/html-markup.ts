/** Writes HTML in which every text is escaped. */
import { blanked } from "../../text/printable";

/** HTML that is complete and safe. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | undefined | readonly Part[];

/** Escapes every part that is not markup. A missing part leaves no trace. */
export function markup(texts: readonly string[], ...parts: readonly Part[]): Markup {
  return new Markup(texts.map((text, index) => text + written(parts[index])).join(""));
}

function written(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return part.map(written).join("");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return blanked(text).replace(/[&<>"']/g, (char) => entities[char]!);
}
