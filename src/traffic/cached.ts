/** Remembers what was found for a text, because most events have the same few values. */
import { longest } from "./short";

const mostCached = 20_000;

/** A cache that forgets everything when it is full. */
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
