/** The package.json of a project: gets the entries that it lacks, and keeps the others. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { isThere } from "../adopt/files";
import { ownDependency } from "../install/own-package";
import { UserError } from "../text/user-error";

type Manifest = Readonly<Record<string, unknown>>;

const parts = ["scripts", "dependencies", "devDependencies"] as const;

/** The new text, or undefined if the file lacks nothing. `wanted`: the text of the template, of which `onlyTool` takes this package alone. */
export function completed(folder: string, wanted: string, onlyTool: boolean): string | undefined {
  const template = JSON.parse(wanted) as Manifest;
  const existing = read(path.join(folder, "package.json"));
  const has = Object.assign({}, ...parts.slice(1).map((part) => existing?.[part])) as object;
  const whole: Record<string, unknown> = { ...(existing?.name === undefined && !onlyTool && template), ...existing };
  for (const part of parts) {
    const present = (existing?.[part] ?? {}) as Record<string, string>;
    const lacking = Object.entries(template[part] ?? {}).filter(
      ([name]) => !(name in (part === "scripts" ? {} : has)) && (!onlyTool || name === "tenantform"),
    );
    // `npm init` writes a test that only fails.
    const own = Object.entries(present).filter(([, text]) => !text.includes("no test specified"));
    const all = Object.fromEntries([...lacking, ...own]);
    if (part !== "scripts" && lacking.some(([name]) => name === "tenantform")) all.tenantform = ownDependency(folder);
    if (Object.keys(all).length > 0) whole[part] = all;
  }
  const text = JSON.stringify(whole, undefined, 2);
  // A person's file keeps its form.
  return text === JSON.stringify(existing, undefined, 2) ? undefined : `${text}\n`;
}

/** undefined: there is none. */
function read(file: string): Manifest | undefined {
  if (!isThere(file)) return undefined;
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isObject(found) && parts.every((part) => found[part] === undefined || isObject(found[part]))) return found;
  } catch {
    // The error below says the same for a text that is no JSON at all.
  }
  throw new UserError(`${file} is not the JSON of a package: correct the file, or name another folder.`);
}

const isObject = (value: unknown): value is Manifest =>
  typeof value === "object" && value !== null && !Array.isArray(value);
