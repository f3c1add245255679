/** Prints values for HCL and TypeScript: on one line if it is short enough, else an entry on each line, as formatters do. */
import { Reference, type Written } from "./stack";

/** What the languages do differently. */
export interface Syntax {
  readonly width: number;
  /** Between the name and the value of an entry. */
  readonly sign: ": " | " = ";
  nameOf(attribute: string): string;
  text(value: string): string;
  reference(value: Reference): string;
}

export type Node =
  | { readonly kind: "literal"; readonly text: string }
  /** The braces of an import. */
  | { readonly kind: "names"; readonly list: readonly string[] }
  | { readonly kind: "array"; readonly items: readonly Node[] }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Node[] }
  /** `open`: always on several lines. */
  | {
      readonly kind: "object";
      readonly entries: readonly (readonly [name: string, value: Node])[];
      readonly open: boolean;
    };

const literal = (text: string): Node => ({ kind: "literal", text });

const array = (items: readonly Node[]): Node => ({ kind: "array", items });

export const call = (name: string, ...args: readonly Node[]): Node => ({ kind: "call", name, args });

export const object = (entries: Extract<Node, { kind: "object" }>["entries"], open = false): Node => ({
  kind: "object",
  entries,
  open,
});

export function nodeOf(value: Written, syntax: Syntax): Node {
  if (value instanceof Reference) return literal(syntax.reference(value));
  if (typeof value === "string") return literal(syntax.text(value));
  if (Array.isArray(value)) return array((value as readonly Written[]).map((item) => nodeOf(item, syntax)));
  if (typeof value !== "object") return literal(String(value));
  return object(Object.entries(value).map(([name, inner]) => [syntax.nameOf(name), nodeOf(inner as Written, syntax)]));
}

/** `indent`: the indentation of the first line. `before`, `after`: the number of other characters on that line. */
export function print(node: Node, syntax: Syntax, indent: number, before: number, after = 1): string {
  const { sign, width } = syntax;
  const line = flat(node, sign);
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
      return `[${lines(node.items.map((item) => print(item, syntax, inner, 0)))}${close}]`;
    case "call":
      return `${node.name}(${lines(node.args.map((item) => print(item, syntax, inner, 0)))}${close})`;
    case "object":
      return `{${lines(node.entries.map(([name, value]) => name + sign + print(value, syntax, inner, name.length + sign.length)))}${close}}`;
  }
}

/** Prints on one line; undefined for a node that always has several. */
function flat(node: Node, sign: string): string | undefined {
  if (node.kind === "literal") return node.text;
  if (node.kind === "names") return `{ ${node.list.join(", ")} }`;
  if (node.kind === "object") {
    if (node.open) return undefined;
    const entries = node.entries.map(([name, value]) => [name, flat(value, sign)] as const);
    if (entries.some(([, value]) => value === undefined)) return undefined;
    return entries.length === 0 ? "{}" : `{ ${entries.map(([name, value]) => name + sign + value).join(", ")} }`;
  }
  const items = (node.kind === "array" ? node.items : node.args).map((item) => flat(item, sign));
  if (items.includes(undefined)) return undefined;
  return node.kind === "array" ? `[${items.join(", ")}]` : `${node.name}(${items.join(", ")})`;
}
