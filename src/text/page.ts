/** The address of the section that explains a message or a finding, for one version. */

const guides = (version: string) => `https://github.com/tenantform/tenantform/blob/v${version}/docs/guides`;

export const messagePage = (version: string, code: string) => `${guides(version)}/messages.md#${code}`;

export const findingPage = (version: string, code: string) => `${guides(version)}/findings.md#${code.toLowerCase()}`;

/** The page of a command explains its errors in one section. */
const commandPage = (version: string, command: string) => messagePage(version, `tenantform-${command}`);

export const withCommandPage = (message: string, command: string, version: string) =>
  `${message} ${commandPage(version, command)}\n`;

/** `command`: undefined if the user typed none that exists. */
export function withHelp(usageError: string, command: string | undefined, version: string): string {
  const isKnown = command !== undefined;
  const help = isKnown ? `tenantform ${command} --help` : "tenantform --help";
  const page = isKnown ? commandPage(version, command) : messagePage(version, "commands");
  const sentence = usageError.trimEnd().replace(/[^.)]$/, "$&.");
  return `${sentence} Run \`${help}\` for the ${isKnown ? "options" : "commands"}. ${page}\n`;
}
