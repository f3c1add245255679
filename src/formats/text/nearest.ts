/** Finds the name that an author probably meant. */

/**
 * The closest name, ignoring case and punctuation, with at most two different letters; fewer for short names. Else the only name that begins
 * with the text, if that has four letters or more.
 */
export function nearest(written: string, names: readonly string[]): string | undefined {
  if (names.includes(written)) return written;
  const [best] = names
    .map((name) => ({ name, off: distance(plain(written), plain(name)) }))
    .filter(({ name, off }) => off <= Math.min(2, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.off - b.off);
  if (best) return best.name;
  const [begun, ...others] = names.filter((name) => plain(name).startsWith(plain(written)));
  return plain(written).length >= 4 && others.length === 0 ? begun : undefined;
}

const plain = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, "");

/** The number of inserted, removed or changed letters. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= b.length; column++) {
      const changed = row[column - 1]! + (letter === b[column - 1] ? 0 : 1);
      next[column] = Math.min(changed, row[column]! + 1, next[column - 1]! + 1);
    }
    row = next;
  }
  return row[b.length]!;
}
