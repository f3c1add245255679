/** Three-valued logic: "perhaps" becomes "yes" or "no" once all facts are known. */

export type Ternary = "yes" | "perhaps" | "no";

export function all(answers: readonly Ternary[]): Ternary {
  if (answers.includes("no")) return "no";
  return answers.includes("perhaps") ? "perhaps" : "yes";
}

export function any(answers: readonly Ternary[]): Ternary {
  if (answers.includes("yes")) return "yes";
  return answers.includes("perhaps") ? "perhaps" : "no";
}

export function not(answer: Ternary): Ternary {
  if (answer === "perhaps") return "perhaps";
  return answer === "yes" ? "no" : "yes";
}
