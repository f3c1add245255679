/** Gives a file to each long list. */
import type { Existing } from "./already-declared";
import { free } from "./files";
import type { Words } from "./naming";
import { Reference, type Arranged, type Declaration, type ListFile, type Written } from "./stack";

/** The most entries of a list that stays in its declaration. */
const mostInPlace = 30;

/** `fileOf`: the preferred file of a long list. */
export function withListFiles(
  declarations: readonly Declaration[],
  existing: Pick<Existing, "has">,
  fileOf: (attribute: string, name: Words) => string,
): Arranged {
  const listFiles: ListFile[] = [];
  const arranged = declarations.map((declaration): Declaration => {
    if (declaration.refused.length > 0) return declaration;
    const { name, values } = declaration;
    const entries = Object.entries(values).map(([attribute, value]): [string, Written] => {
      if (!Array.isArray(value) || value.length <= mostInPlace) return [attribute, value];
      const isTaken = (each: string) => existing.has(each) || listFiles.some(({ file }) => file === each);
      const file = free(fileOf(attribute, name), isTaken);
      listFiles.push({ kind: "file", attribute, name, file, entries: value as string[] });
      return [attribute, new Reference(listFiles.at(-1)!)];
    });
    return { ...declaration, values: Object.fromEntries(entries) };
  });
  return { declarations: arranged, listFiles };
}
