/** Fills in the files of `templates`, which the package has as they are. */
import { readFileSync } from "node:fs";
import path from "node:path";

/** Replaces each `__name__`. One that is a whole line stands for whole lines, or none. */
export function filled(template: string, values: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(path.join(__dirname, "templates", `${template}.template`), "utf8");
  const replaced = (found: string, name: string) => (Object.hasOwn(values, name) ? values[name]! : found);
  return text.replace(/^__(\w+?)__\n/gm, replaced).replace(/__(\w+?)__/g, replaced);
}
