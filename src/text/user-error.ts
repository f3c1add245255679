/** An error that the user can correct. The message is a sentence for the terminal. */
export class UserError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UserError";
  }
}
