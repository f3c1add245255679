/** Shortens the texts of events, so that a long text cannot fill the memory. */

/** Longer texts are not kept for a later event either. */
export const longest = 500;

export function shortened(text: string, most = longest): string {
  // A copy, because a part of a text keeps the whole text in memory.
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}
