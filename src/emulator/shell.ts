/** Settings handed on to other programs: lines that a shell evaluates, files that programs read. */
import { shellWord } from "../text/shell-word";

export const shells = ["posix", "fish", "powershell"] as const;
/** `posix` is also what fish 3 and newer evaluate. */
export type Shell = (typeof shells)[number];

const asExport: Record<Shell, (name: string, value: string) => string> = {
  posix: (name, value) => `export ${name}=${shellWord(value)}`,
  fish: (name, value) => `set -gx ${name} ${shellWord(value)}`,
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
