/** An archive that cannot be trusted, and why. */
export class ArchiveError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ArchiveError";
  }
}

/** Foreign text in a message: in quotes, short, and without a character that a terminal would act on. */
export function quoted(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return JSON.stringify(short).replace(
    /[^\x20-\x7e…]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
