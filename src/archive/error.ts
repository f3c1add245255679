/** The error for an archive that cannot be trusted. */
export class ArchiveError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ArchiveError";
  }
}

/** Quotes and shortens text from an archive, and escapes characters that could control a terminal. */
export function quoted(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return JSON.stringify(short).replace(
    /[^\x20-\x7e…]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
