/** Texts that are equal for equal values. */

/** Equal for values that differ only in the order of their names and of lists of texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).toSorted().join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${parts
    .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`)
    .toSorted()
    .join()}}`;
}
