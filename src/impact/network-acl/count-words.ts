/** Words how many more or fewer entries or addresses a rule matches. */
import { criterionRows } from "../../access/access";
import { amountWords } from "../amount";

const nouns = new Map<string, readonly [one: string, many: string]>(
  criterionRows.map((row) => [row.property, row.nouns]),
);

/** `2 more countries` and `1 fewer country`. */
export function countWords(property: string, { more, fewer }: { readonly more: bigint; readonly fewer: bigint }) {
  const noun = nouns.get(property) ?? (["entry", "entries"] as const);
  return [...amountWords(more, noun, "more"), ...amountWords(fewer, noun, "fewer")];
}
