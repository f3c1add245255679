/** Reads an option that has a fixed list of values. */
import { ReviewError } from "./error";

/** Throws a ReviewError for another value. */
export function oneOf<Option extends string>(text: string, options: readonly Option[], flag: string): Option {
  const found = options.find((option) => option === text);
  if (found) return found;
  throw new ReviewError(`${flag} ${JSON.stringify(text)} is not known: choose one of ${options.join(", ")}.`, "usage");
}
