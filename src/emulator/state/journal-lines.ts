/** Reads the file of a tenant: a first line with the whole tenant, and a line for each change since. */
import { closeSync, constants, lstatSync, openSync, readFileSync } from "node:fs";
import { isObject } from "../schema/schema";
import type { Change, Contents } from "./contents";

interface KeptKey {
  /** PKCS #8. */
  readonly privatePem: string;
}

/** The parts of a run that the file keeps in addition to the tenant. */
export interface Identity {
  /** The id by which the ready client is found among the clients. */
  readonly clientId: string;
  readonly keys: { readonly tenant?: KeptKey; readonly client?: KeptKey };
}

export const format = "tenantform tenant 1";

interface FirstLine {
  readonly format: typeof format;
  readonly identity: Identity;
  readonly tenant: Contents;
}
export type AppendedLine = { readonly change: Change } | { readonly keys: Identity["keys"] };
export type Line = FirstLine | AppendedLine;

/** Whether the file is there. Throws when it is anything but a regular file. */
export function checkFile(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  // The secrets of the tenant would be written to the target of the link.
  if (found.isSymbolicLink()) throw new Error(`${file} is a symbolic link; name the file itself`);
  if (!found.isFile()) throw new Error(`${file} is not a file`);
  return true;
}

export function damaged(file: string, line: number, cause?: unknown): Error {
  const problem = `${file} is not the file of an embedded tenant, or is damaged at line ${line}`;
  const remedy = "Nothing was changed. Choose another file, restore this one, or remove the line and lose its change";
  return new Error(`${problem}. ${remedy}.`, { cause });
}

function parse(bytes: Buffer): Line | undefined {
  try {
    // Earlier versions left NULs before a confirmed line if the disk had been full.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/^\0+(?=\{)/, "");
    const line: unknown = JSON.parse(text);
    if (!isObject(line)) return undefined;
    const isLine =
      "format" in line
        ? line["format"] === format && isObject(line["identity"]) && isObject(line["tenant"])
        : isObject(line["change"]) || isObject(line["keys"]);
    return isLine ? (line as unknown as Line) : undefined;
  } catch {
    return undefined;
  }
}

export interface Lines {
  /** None if there is no file yet. */
  readonly lines: readonly Line[];
  /** Describes in a sentence a last line that cannot be used. */
  readonly dropped?: string;
}

/** Throws when the file is something else or damaged. */
export function readLines(file: string): Lines {
  if (!checkFile(file)) return { lines: [] };
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  const bytes = readFileSync(descriptor);
  closeSync(descriptor);
  if (bytes.length === 0) return { lines: [] };
  // Latin-1 keeps every byte, so an invalid character cannot join two lines.
  const whole = bytes
    .toString("latin1")
    .split("\n")
    .map((text) => Buffer.from(text, "latin1"));
  const torn = whole.pop()!;
  const lines: Line[] = [];
  for (const [index, text] of whole.entries()) {
    const line = parse(text);
    // A disk that lost power can leave a whole line of garbage at the end.
    if (line === undefined && index > 0 && index === whole.length - 1) {
      const problem = `ends with line ${index + 1}, which is not a change`;
      return { lines, dropped: `${file} ${problem}. The embedded tenant drops its ${text.length} bytes.` };
    }
    if (line === undefined || (index === 0) !== "format" in line) throw damaged(file, index + 1);
    lines.push(line);
  }
  // The first line is whole before the file gets its name, so a file without one is something else.
  if (lines.length === 0) throw damaged(file, 1);
  if (torn.length === 0) return { lines };
  const problem = `ends with ${torn.length} bytes of an unfinished change, for which no response was sent`;
  return { lines, dropped: `${file} ${problem}. The embedded tenant drops them.` };
}
