/** An error that the user can correct. The message is a sentence for the terminal. */
export class InitError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "InitError";
  }
}
