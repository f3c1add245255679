/** The address of the section that explains the errors of a command, for one version. */

const messages = (version: string) =>
  `https://github.com/tenantform/tenantform/blob/v${version}/docs/guides/messages.md`;

const commandPage = (version: string, command: string) => `${messages(version)}#tenantform-${command}`;

export const withCommandPage = (message: string, command: string, version: string) =>
  `${message} ${commandPage(version, command)}\n`;

/** `command`: undefined if the user typed none that exists. */
export function withHelp(usageError: string, command: string | undefined, version: string): string {
  const isKnown = command !== undefined;
  const help = isKnown ? `tenantform ${command} --help` : "tenantform --help";
  const page = isKnown ? commandPage(version, command) : `${messages(version)}#commands`;
  const sentence = usageError.trimEnd().replace(/[^.)]$/, "$&.");
  return `${sentence} Run \`${help}\` for the ${isKnown ? "options" : "commands"}. ${page}\n`;
}
