/** Writes digests in the form of `sha256sum`, which registries read. */
import { createHash } from "node:crypto";

export const sha256 = (content: Uint8Array | string) => createHash("sha256").update(content).digest("hex");

/** `digests`: by name. */
export function checksumsOf(digests: Readonly<Record<string, string>>): string {
  return Object.keys(digests)
    .toSorted()
    .map((name) => `${digests[name]}  ${name}\n`)
    .join("");
}
