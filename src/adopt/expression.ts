/** Prints expressions of TypeScript in the format of prettier. */

export type Node =
  | { readonly kind: "literal"; readonly text: string }
  /** The braces of an import. */
  | { readonly kind: "names"; readonly list: readonly string[] }
  | { readonly kind: "array"; readonly items: readonly Node[]; readonly numbers: boolean }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Node[] }
  /** `open`: always on several lines. */
  | {
      readonly kind: "object";
      readonly entries: readonly (readonly [name: string, value: Node])[];
      readonly open: boolean;
    };

const width = 80;

export const literal = (text: string): Node => ({ kind: "literal", text });

export const array = (items: readonly Node[], numbers = false): Node => ({ kind: "array", items, numbers });

export const call = (name: string, ...args: readonly Node[]): Node => ({ kind: "call", name, args });

export const object = (entries: Extract<Node, { kind: "object" }>["entries"], open = false): Node => ({
  kind: "object",
  entries,
  open,
});

/** `indent`: the indentation of the first line. `before`, `after`: the number of other characters on that line. */
export function print(node: Node, indent: number, before: number, after = 1): string {
  const line = flat(node);
  if (line !== undefined && indent + before + line.length + after <= width) return line;
  const inner = indent + 2;
  const lines = (items: readonly string[]) => items.map((item) => `\n${" ".repeat(inner)}${item},`).join("");
  const close = `\n${" ".repeat(indent)}`;
  switch (node.kind) {
    case "literal":
      return node.text;
    case "names":
      return `{${lines(node.list)}${close}}`;
    case "array":
      if (node.numbers) return `[${filled(node.items.map(flat) as string[], inner)}${close}]`;
      return `[${lines(node.items.map((item) => print(item, inner, 0)))}${close}]`;
    case "call":
      return `${node.name}(${lines(node.args.map((item) => print(item, inner, 0)))}${close})`;
    case "object":
      return `{${lines(node.entries.map(([name, value]) => `${name}: ${print(value, inner, name.length + 2)}`))}${close}}`;
  }
}

/** Prints on one line; undefined for a node that always has several. */
function flat(node: Node): string | undefined {
  if (node.kind === "literal") return node.text;
  if (node.kind === "names") return `{ ${node.list.join(", ")} }`;
  if (node.kind === "object") {
    if (node.open) return undefined;
    const entries = node.entries.map(([name, value]) => [name, flat(value)] as const);
    if (entries.some(([, value]) => value === undefined)) return undefined;
    return entries.length === 0 ? "{}" : `{ ${entries.map(([name, value]) => `${name}: ${value}`).join(", ")} }`;
  }
  const items = (node.kind === "array" ? node.items : node.args).map(flat);
  if (items.includes(undefined)) return undefined;
  return node.kind === "array" ? `[${items.join(", ")}]` : `${node.name}(${items.join(", ")})`;
}

/** Fills lines with numbers. */
function filled(items: readonly string[], indent: number): string {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + item.length + 2 <= width)
      lines[lines.length - 1] = `${last} ${item},`;
    else lines.push(`${item},`);
  }
  return lines.map((line) => `\n${" ".repeat(indent)}${line}`).join("");
}
