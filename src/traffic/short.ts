/** Shortens the texts of events, so that a long text cannot fill the memory, and remembers what was found for short ones. */

/** Longer texts are not kept for a later event either. */
export const longest = 500;

export function shortened(text: string, most = longest): string {
  // A copy, because a part of a text keeps the whole text in memory.
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}

const mostCached = 20_000;

/** Most events have the same few values. The cache forgets everything when it is full. */
export function cached<Value>(find: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (text.length > longest) return find(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= mostCached) known.clear();
    const made = find(text);
    known.set(text, made);
    return made;
  };
}
