/** An error that the person at the terminal can fix. `usage`: an option is wrong. `input`: a plan or another file is. */
export class UserError extends Error {
  override readonly name = "UserError";
  constructor(
    message: string,
    readonly of: "usage" | "input" = "input",
  ) {
    super(message);
  }
}

/** The value of an option that has a fixed list of values. Throws for another value. */
export function oneOf<Option extends string>(text: string, options: readonly Option[], flag: string): Option {
  const found = options.find((option) => option === text);
  if (found) return found;
  throw new UserError(`${flag} ${JSON.stringify(text)} is not known: choose one of ${options.join(", ")}.`, "usage");
}
