/** Reads the configuration files of a folder, within limits: the folder may come from somebody else. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import path from "node:path";
import { readHcl } from "./hcl";
import { readJson } from "./json";
import type { Block } from "./tree";

export interface FileBlock extends Block {
  /** The path of its file. */
  readonly file: string;
  /** Terraform merges the block into one of another file. */
  readonly isOverride: boolean;
}

/** A file that a person writes is far smaller. Programs write JSON. */
const mostInHcl = 2 * 1024 * 1024;

/** How much is read for one plan, in about eight seconds at worst. */
const mostInAll = 8 * 1024 * 1024;

/** Reads each folder once. */
export class Files {
  private left = mostInAll;
  private readonly known = new Map<string, readonly FileBlock[]>();

  /** The blocks of all files that Terraform or OpenTofu may read. A file that cannot be read counts as empty. */
  blocksOf(folder: string): readonly FileBlock[] {
    const known = this.known.get(folder);
    if (known) return known;
    const found = namesIn(folder).flatMap((name) => this.blocksIn(path.join(folder, name)));
    this.known.set(folder, found);
    return found;
  }

  private blocksIn(file: string): FileBlock[] {
    const isJson = file.endsWith(".json");
    const bytes = readRegular(file, isJson ? this.left : Math.min(this.left, mostInHcl));
    if (!bytes) return [];
    this.left -= bytes.length;
    try {
      const text = bytes.toString("utf8");
      return blocksIn(text, file).map((block) => ({
        ...block,
        file,
        isOverride: isOverride(file),
      }));
    } catch {
      // A file of another form is not what Terraform planned.
      return [];
    }
  }
}

/** The blocks of a file, in JSON if its name says so. Throws `Unreadable`. */
export const blocksIn = (text: string, file: string): readonly Block[] =>
  file.endsWith(".json") ? readJson(text) : readHcl(text).blocks;

/** Terraform merges the blocks of such a file into those of other files. */
export const isOverride = (file: string): boolean =>
  /^(?:.*_)?override\.(?:tf|tofu)(?:\.json)?$/s.test(path.basename(file));

/** The names of the files that Terraform or OpenTofu may read. */
export const configurationFiles = (names: readonly string[]): string[] =>
  names.filter((name) => /\.(?:tf|tofu)(?:\.json)?$/.test(name) && !name.startsWith(".")).toSorted();

function namesIn(folder: string): string[] {
  try {
    return configurationFiles(readdirSync(folder));
  } catch {
    return [];
  }
}

/** undefined: not a regular file, too large, or not readable. A pipe must not block the review. */
export function readRegular(file: string, most: number): Buffer | undefined {
  let handle: number | undefined;
  try {
    // Windows has no O_NONBLOCK.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > most) return undefined;
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(handle, bytes));
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
