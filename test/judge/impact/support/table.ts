/** The lines of a template string. */
export const rows = (text: string): string[] => text.trim().split(/\n\s*/);

type Given<T> = T extends readonly [string, ...infer Rest] ? Rest : never;

/** One line for each case, and one, which begins with `silence`, for all cases of which nothing is told. */
export function table<T extends readonly [string, ...unknown[]]>(
  cases: readonly T[],
  told: (...given: Given<T>) => readonly string[],
  silence = "nothing",
): string {
  const lines = cases.map(([what, ...given]) => ({ what, found: told(...(given as Given<T>)) }));
  const silent = lines.flatMap(({ what, found }) => (found.length === 0 ? [what] : []));
  const loud = lines.flatMap(({ what, found }) => (found.length > 0 ? [`${what}: ${found.join(" | ")}`] : []));
  return `\n${[...loud, ...(silent.length > 0 ? [`${silence}: ${silent.join("; ")}`] : [])].join("\n")}\n`;
}
