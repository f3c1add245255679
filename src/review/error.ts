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
