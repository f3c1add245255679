/** Values that a plan does not know, parts of rules that this version cannot read, and logic with such values. */

/** Stands for a value that a plan does not know. All unknown parts of one ACL have the same name. */
export const notKnown = (name: string): symbol => Symbol(name);

/** A text that is equal for values that are the same, whatever is not known. */
export const nameOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "symbol" ? { unknown: part.description } : part)) ?? "";

/** The first unknown part of a value. */
export function unknownIn(value: unknown): symbol | undefined {
  if (typeof value === "symbol") return value;
  if (typeof value !== "object" || value === null) return undefined;
  for (const part of Object.values(value)) {
    const hidden = unknownIn(part);
    if (hidden) return hidden;
  }
  return undefined;
}

/** "perhaps" becomes "yes" or "no" once all facts are known. */
export type Ternary = "yes" | "perhaps" | "no";

export function all(values: readonly Ternary[]): Ternary {
  if (values.includes("no")) return "no";
  return values.includes("perhaps") ? "perhaps" : "yes";
}

export function any(values: readonly Ternary[]): Ternary {
  if (values.includes("yes")) return "yes";
  return values.includes("perhaps") ? "perhaps" : "no";
}

export function not(value: Ternary): Ternary {
  if (value === "perhaps") return "perhaps";
  return value === "yes" ? "no" : "yes";
}
