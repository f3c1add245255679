/** What steers a terminal, breaks a line, turns the direction of writing or cannot be seen: foreign text does none of that. */

/** But for joiners, which belong to letters and emoji. Every room that shows foreign text has the same. */
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** With such characters written out. */
export function plain(text: string): string {
  return text.replace(unprintable, (char) => `\\u${char.codePointAt(0)!.toString(16).padStart(4, "0")}`);
}

/** The same on one line, whatever there is in it. */
export function onOneLine(text: string): string {
  return plain(text.replaceAll("\n", " "));
}

/** With a blank in their place, where a page or comment has room for no more. */
export function blanked(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd").replace(unprintable, " ");
}
