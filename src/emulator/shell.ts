/** Settings handed on to other programs: lines that a shell evaluates, files that programs read, words for a terminal. */

export const shells = ["posix", "fish", "powershell"] as const;
/** `posix` is also what fish 3 and newer evaluate. */
export type Shell = (typeof shells)[number];

/** Quoted so that sh, bash, zsh and fish read the same: backslashes and quotes stand outside the quotes. */
function quoted(value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  const parts = value.split(/(['\\])/).filter((part) => part !== "");
  return parts.map((part) => (/^['\\]$/.test(part) ? `\\${part}` : `'${part}'`)).join("") || "''";
}

const asExport: Record<Shell, (name: string, value: string) => string> = {
  posix: (name, value) => `export ${name}=${quoted(value)}`,
  fish: (name, value) => `set -gx ${name} ${quoted(value)}`,
  // PowerShell takes typographic quotes for quotes.
  powershell: (name, value) => `$env:${name} = '${value.replace(/['‘’‚‛]/g, "$&$&")}'`,
};

export const exportLine = (shell: Shell, name: string, value: string) => `${asExport[shell](name, value)}\n`;

/** A line of a file for `node --env-file`, direnv and their like. They know no escapes: a quote of the three is free. */
export function envLine(name: string, value: string): string {
  if (/^[\w@%+=:,./-]*$/.test(value)) return `${name}=${value}\n`;
  const quote = ["'", '"', "`"].find((one) => !value.includes(one));
  if (quote === undefined) throw new Error(`${name} cannot be written to a file: it holds every kind of quotes`);
  return `${name}=${quote}${value}${quote}\n`;
}

/** What a terminal would obey, or not show; joiners belong to letters and emoji. */
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text from elsewhere on one line of a terminal: control characters are shown, not obeyed. */
export const visible = (text: string) =>
  text.replace(unprintable, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
