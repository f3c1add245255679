/** Writes settings as lines that a shell evaluates or that programs read from a file. */
import { shellWord } from "../text/shell-word";

export const shells = ["posix", "fish", "powershell"] as const;
/** Fish evaluates `posix` from version 3 on. */
export type Shell = (typeof shells)[number];

const asExport: Record<Shell, (name: string, value: string) => string> = {
  posix: (name, value) => `export ${name}=${shellWord(value)}`,
  fish: (name, value) => `set -gx ${name} ${shellWord(value)}`,
  // PowerShell treats typographic quotes as quotes.
  powershell: (name, value) => `$env:${name} = '${value.replace(/['‘’‚‛]/g, "$&$&")}'`,
};

export const exportLine = (shell: Shell, name: string, value: string) => `${asExport[shell](name, value)}\n`;

/** A line of a file for `node --env-file` or direnv. They know no escapes, so this picks a quote that the value does not contain. */
export function envLine(name: string, value: string): string {
  if (/^[\w@%+=:,./-]*$/.test(value)) return `${name}=${value}\n`;
  const quote = ["'", '"', "`"].find((one) => !value.includes(one));
  if (quote === undefined) throw new Error(`${name} cannot be written to a file: it contains every kind of quote`);
  return `${name}=${quote}${value}${quote}\n`;
}
