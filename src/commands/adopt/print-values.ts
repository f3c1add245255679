/** Prints values for HCL and TypeScript: on one line if it is short enough, else an entry on each line, as formatters do. */
import { Reference, type Values, type Written } from "./stack";

/** What the languages do differently. */
export interface Syntax {
  readonly width: number;
  /** Between the name and the value of an entry. */
  readonly sign: ": " | " = ";
  nameOf(attribute: string): string;
  text(value: string): string;
  reference(value: Reference): string;
}

const isList = (value: Written): value is readonly Written[] => Array.isArray(value);

/** Whether the value has named parts. */
export const isValues = (value: Written): value is Values =>
  typeof value === "object" && !isList(value) && !(value instanceof Reference);

/** `before`: the number of characters on the first line. `isOpen`: always on several lines. */
export function print(value: Written, syntax: Syntax, indent = 0, before = 0, isOpen = false): string {
  const line = isOpen ? undefined : flat(value, syntax);
  // A comma follows.
  if (line !== undefined && indent + before + line.length < syntax.width) return line;
  const inner = indent + 2;
  const block = (open: string, items: readonly string[], close: string) =>
    `${open}${items.map((item) => `\n${" ".repeat(inner)}${item},`).join("")}\n${" ".repeat(indent)}${close}`;
  const named = ([name, part]: readonly [string, Written]) => {
    const start = syntax.nameOf(name) + syntax.sign;
    return start + print(part, syntax, inner, start.length);
  };
  if (isValues(value)) return block("{", Object.entries(value).map(named), "}");
  return isList(value)
    ? block(
        "[",
        value.map((item) => print(item, syntax, inner)),
        "]",
      )
    : line!;
}

/** Prints on one line; undefined for an object that contains another one. */
function flat(value: Written, syntax: Syntax): string | undefined {
  if (value instanceof Reference) return syntax.reference(value);
  if (typeof value === "string") return syntax.text(value);
  if (isList(value)) {
    const items = value.map((item) => flat(item, syntax));
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  if (!isValues(value)) return String(value);
  const entries = Object.entries(value).map(([name, part]) => [syntax.nameOf(name), flat(part, syntax)] as const);
  if (Object.values(value).some(isValues) || entries.some(([, text]) => text === undefined)) return undefined;
  return entries.length === 0 ? "{}" : `{ ${entries.map(([name, text]) => name + syntax.sign + text).join(", ")} }`;
}
