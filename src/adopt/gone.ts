/** Notes objects that the tenant no longer has. */
import type { Existing } from "./existing";
import { free, type Files } from "./files";
import { isOfOrganization } from "../resources/survey";
import type { Survey, Wanted } from "./survey";

/** Objects that the directory imports, and the tenant no longer has. */
export function goneFrom(
  existing: Existing,
  { read, ids }: Pick<Survey, "read" | "ids">,
  { organizations }: Pick<Wanted, "organizations">,
): { readonly files: Files; readonly notes: readonly string[] } {
  const lost = existing.imported.filter(({ kind, id }) => {
    if (!read.has(kind) || !id.startsWith(kind.identity.prefix) || ids.has(id)) return false;
    return !isOfOrganization(kind) || organizations.length === 0 || organizations.includes(id);
  });
  if (lost.length === 0) return { files: new Map(), notes: [] };
  const lines = lost.map(({ id, place }) => `${place}: ${id} is gone from the tenant`);
  const isNoted = existing.goneNotes.some((text) => lines.every((line) => text.includes(line)));
  const text = [
    "# Gone from the tenant",
    "",
    "These objects were adopted, and the tenant no longer has them. Remove their declarations together with the imports. Or remove",
    "only the imports: the next apply then creates the objects again.",
    "",
    ...lines.map((line) => `- ${line}`),
    "",
  ].join("\n");
  return {
    files: isNoted ? new Map() : new Map([[free("gone.md", (name) => existing.has(name)), text]]),
    notes: lines,
  };
}
