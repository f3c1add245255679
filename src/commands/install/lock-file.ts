/** Reads and writes `.terraform.lock.hcl`: the version of each provider that a stack uses, and the hashes of its files. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writeWhole } from "../../formats/text/whole-file";

export interface LockEntry {
  readonly version: string;
  /** The text of the entry in the file, from `provider` to the closing brace. */
  readonly text: string;
}

const header =
  '# This file is maintained automatically by "terraform init".\n# Manual edits may be lost in future updates.\n';

/** The entries of a lock file, by the provider's full source address. Read line by line, in time linear to the text. */
export function parseLock(text: string): Map<string, LockEntry> {
  const entries = new Map<string, LockEntry>();
  let open: { source: string; version: string; lines: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, source] = /^provider "([^"]+)" \{$/.exec(line) ?? [];
    if (source !== undefined) open = { source, version: "", lines: [] };
    if (!open) continue;
    open.lines.push(line);
    open.version ||= /^ *version *= *"([^"]*)"$/.exec(line)?.[1] ?? "";
    if (line !== "}") continue;
    entries.set(open.source, { version: open.version, text: open.lines.join("\n") });
    open = undefined;
  }
  return entries;
}

export function formatLock(entries: ReadonlyMap<string, LockEntry>): string {
  const inOrder = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [header, ...inOrder.map(([, { text }]) => `${text}\n`)].join("\n");
}

/** An entry for exactly this version. If it has no hashes, Terraform adds those of the first package that it installs. */
export function lockEntry(source: string, version: string, hashes: readonly string[] = []): LockEntry {
  const list = hashes.toSorted().map((hash) => `    "${hash}",\n`);
  const hashed = hashes.length > 0 ? `  hashes = [\n${list.join("")}  ]\n` : "";
  const text = `provider "${source}" {\n  version     = "${version}"\n  constraints = "${version}"\n${hashed}}`;
  return { version, text };
}

/**
 * Removes the entry of this version from a lock file if it has only hashes of another build, which `terraform init` would refuse.
 * Returns the line of the command's output about it.
 */
export function unlock(file: string, source: string, version: string, hashes: readonly string[]): string[] {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const entry = parseLock(text).get(source);
  if (entry?.version !== version || !entry.text.includes('"h1:')) return [];
  if (hashes.some((hash) => entry.text.includes(JSON.stringify(hash)))) return [];
  writeWhole(file, text.replaceAll("\r\n", "\n").replace(`${entry.text}\n`, ""));
  return [`Removed the entry of ${source} from ${file}, because its hashes are those of another build.`];
}

/** Terraform's `h1` hash of a package: from the names and contents of its files. */
export function packageHash(files: Readonly<Record<string, string | Uint8Array>>): string {
  const lines = Object.keys(files)
    .toSorted()
    .map((name) => `${sha256(files[name]!).digest("hex")}  ${name}\n`);
  return `h1:${sha256(lines.join("")).digest("base64")}`;
}

function sha256(content: string | Uint8Array) {
  return createHash("sha256").update(content);
}
