/** What goes wrong for a reason that the person at the terminal can mend: told in a sentence. */
export class AdoptError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AdoptError";
  }
}
