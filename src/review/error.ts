/** An error that the person at the terminal can fix. One line explains it. */
export class ReviewError extends Error {
  /** The exit code. 1: wrong usage. 2: no such plan. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.name = "ReviewError";
    this.exitCode = exitCode;
  }
}

/** The value of an option that has a fixed list of values. Throws a ReviewError with exit code 1 for another value. */
export function oneOf<Option extends string>(text: string, options: readonly Option[], flag: string): Option {
  const found = options.find((option) => option === text);
  if (found) return found;
  throw new ReviewError(`${flag} ${JSON.stringify(text)} is not known: choose one of ${options.join(", ")}.`, 1);
}
