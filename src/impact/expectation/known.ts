/** Tells whether every value of a statement is known. */
import { unknownIn } from "../../access/access";

export const hasUnknown = (statement: object): boolean => unknownIn(statement) !== undefined;

/** The names of the values that are not known: `request.countries`. */
export function unknownNames(name: string, value: unknown): string[] {
  if (typeof value === "symbol") return [name];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return [...new Set(value.flatMap((part) => unknownNames(name, part)))];
  return Object.entries(value).flatMap(([key, part]) => unknownNames(`${name}.${key}`, part));
}
