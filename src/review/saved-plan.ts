/** Checks how large a saved plan inflates, before Terraform reads the plan, and finds files that changed since. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { ArchiveError, openArchive } from "../archive/archive";
import { ReviewError } from "./error";

const mostEntries = 10_000;
/** Starts the end of a directory. */
const end = "PK\u0005\u0006";

export const isSavedPlan = (bytes: Buffer) => bytes.toString("latin1", 0, 4) === "PK\u0003\u0004";

/** Where Terraform and OpenTofu keep the files of the root module. */
const root = "tfconfig/m-/";

/**
 * File name -> the content with which the plan was made, for each file of its root module. Throws a ReviewError if the archive inflates to
 * more, or if its directory declares a false size.
 */
export function plannedFiles(bytes: Buffer, mostBytes: number, name: string): ReadonlyMap<string, Buffer> {
  // Without a directory nothing can be inflated, and Terraform says what is wrong.
  if (!bytes.includes(end)) return new Map();
  try {
    // Terraform inflates everything, even if the directory declares less.
    const files = openArchive(bytes, { entries: mostEntries, bytes: mostBytes }).map(
      (entry) => [entry.name, entry.read()] as const,
    );
    const own = files.filter(([file]) => file.startsWith(root));
    return new Map(own.map(([file, content]) => [file.slice(root.length), content]));
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new ReviewError(
      `${name} is not a saved plan that Terraform wrote: ${error.message}. Create the plan again with \`terraform plan -out\`.`,
    );
  }
}

/** The configuration files of the folder that are not those with which the plan was made. */
export function changedSince(planned: ReadonlyMap<string, Buffer>, folder: string): string[] {
  const here = existsSync(folder) ? readdirSync(folder) : [];
  // Somebody may keep plans in a folder of their own.
  if (!here.some((name) => planned.has(name))) return [];
  const changed = [...planned].filter(([name, content]) => !isSameFile(path.join(folder, name), content));
  // OpenTofu prefers x.tofu to x.tf, and Terraform reads only x.tf.
  const isAdded = (name: string) =>
    /^[^.].*\.tf(\.json)?$/s.test(name) &&
    !planned.has(name) &&
    !here.includes(name.replace(/\.tf(\.json)?$/, ".tofu$1"));
  return [...changed.map(([name]) => name), ...here.filter(isAdded)];
}

function isSameFile(file: string, content: Buffer): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === content.length && readFileSync(file).equals(content);
}
