/** Quotes text from elsewhere as one word of a command that people copy. */

/** Quoted so that sh, bash, zsh and fish read the same: backslashes and quotes are outside the quotes. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  const parts = text.split(/(['\\])/).filter((part) => part !== "");
  return parts.map((part) => (/^['\\]$/.test(part) ? `\\${part}` : `'${part}'`)).join("") || "''";
}
