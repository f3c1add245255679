/** Says what a person must add to files that init leaves unchanged. */
import path from "node:path";
import { textOf } from "./choices";

/** Whether the program of the project does not load the stack. */
export function lacksStack(directory: string): boolean {
  const main = textOf(path.join(directory, "main.ts"));
  return main !== "" && textOf(path.join(directory, "tenant.ts")) !== "" && !main.includes("./tenant");
}

export function leftLines(directory: string, wanted: ReadonlyMap<string, string>): string[] {
  const present = new Set(textOf(path.join(directory, ".gitignore")).split(/\r?\n/));
  const lacking = (wanted.get(".gitignore") ?? "").split("\n").filter((line) => line !== "" && !present.has(line));
  return [
    ...(lacksStack(directory)
      ? ['main.ts is yours: import TenantStack from "./tenant" there, and write new TenantStack(app, "tenant").']
      : []),
    ...(lacking.length > 0
      ? [`.gitignore is yours. Add lines for state, plans and credentials: ${lacking.join(" ")}`]
      : []),
  ];
}
