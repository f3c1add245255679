/** Converts names of attributes to the names in constructs and their messages. */

/** The attribute as the generated classes call it. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

/** The attribute as the constructs call it. The block of one expectation stands in a list. */
export const propertyName = (name: string): string => (name === "expectation" ? "expectations" : camelCase(name));

/** The type as the generated classes call it. */
export function pascalCase(name: string): string {
  return camelCase(`_${name}`);
}

/** Renames attributes in a message. Quoted values stay unchanged. */
export function inCamelCase(text: string, names: readonly string[]): string {
  const assigned = text
    .replace(/`(\w+) = (true|false|\[\])`/g, "`$1: $2`")
    .replace(/\bexpectation(?=\[)/g, "expectations");
  return assigned.replace(/"(?:[^"\\]|\\.)*"|\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (found) =>
    names.includes(found) ? camelCase(found) : found,
  );
}
