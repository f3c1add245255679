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
