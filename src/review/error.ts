import { UserError } from "../text/user-error";

/** The value of an option that has a fixed list of values. Throws a UserError for another value. */
export function oneOf<Option extends string>(text: string, options: readonly Option[], flag: string): Option {
  const found = options.find((option) => option === text);
  if (found) return found;
  throw new UserError(`${flag} ${JSON.stringify(text)} is not known: choose one of ${options.join(", ")}.`, "usage");
}
