/** Words what an effect depends on. */
import { clipped } from "../phrases";
import type { Assumption } from "../effect";

const mostOfAssumption = 160;

/** ` Not certain: whether the tenant has a default policy is not known.` Nothing for a certain effect. */
export function assumptionWords(assumptions: readonly Assumption[]): string {
  const [first, ...others] = assumptions;
  if (!first) return "";
  const rest = others.length > 0 ? `, and ${others.length} more ${others.length === 1 ? "reason" : "reasons"}` : "";
  return ` Not certain: ${clipped(first.text, mostOfAssumption)}${rest}.`;
}
