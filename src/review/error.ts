/** An error that the person at the terminal can fix. One line explains it. */
export class ReviewError extends Error {
  /** `usage`: an option is wrong. `input`: a plan or another file is. */
  constructor(
    message: string,
    readonly of: "usage" | "input" = "input",
  ) {
    super(message);
    this.name = "ReviewError";
  }
}

/** The value of an option that has a fixed list of values. Throws a ReviewError for another value. */
export function oneOf<Option extends string>(text: string, options: readonly Option[], flag: string): Option {
  const found = options.find((option) => option === text);
  if (found) return found;
  throw new ReviewError(`${flag} ${JSON.stringify(text)} is not known: choose one of ${options.join(", ")}.`, "usage");
}
