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
