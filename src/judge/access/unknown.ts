/** Logic with values that a plan does not know, and with parts of rules that this version cannot read. */

/** "perhaps" becomes "yes" or "no" once all facts are known. */
export type Ternary = "yes" | "perhaps" | "no";

export function any(values: readonly Ternary[]): Ternary {
  if (values.includes("yes")) return "yes";
  return values.includes("perhaps") ? "perhaps" : "no";
}

export function not(value: Ternary): Ternary {
  if (value === "perhaps") return "perhaps";
  return value === "yes" ? "no" : "yes";
}
