/** Attributes in the names of the constructs, which messages use too. */

/** The attribute as the generated classes call it. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

/** The type as the generated classes call it. */
export function pascalCase(name: string): string {
  return camelCase(`_${name}`);
}

/** Attributes as the author writes them; what stands in quotation marks is a value and stays. */
export function inCamelCase(text: string, names: readonly string[]): string {
  const assigned = text.replace(/`(\w+) = (true|false|\[\])`/g, "`$1: $2`");
  return assigned.replace(/"(?:[^"\\]|\\.)*"|\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (found) =>
    names.includes(found) ? camelCase(found) : found,
  );
}
