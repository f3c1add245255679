/** Reads the headers that describe a request: `ip=203.0.113.7; user_agent="a; b"`. */

/** `refuse` makes the error for a part that is not name=value. */
export function pairsIn(text: string, refuse: (problem: string) => Error): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  const part = /\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))\s*(?:;|$)/y;
  while (text.slice(part.lastIndex).trim() !== "") {
    const from = part.lastIndex;
    const [, name = "", quoted, bare = ""] = part.exec(text) ?? [];
    if (name === "") throw refuse(`"${text.slice(from).trim()}" is not name=value`);
    pairs.push([name, quoted === undefined ? bare.trim() : quoted.replace(/\\(.)/g, "$1")]);
  }
  return pairs;
}
