/** Addresses in the documentation of one version. */

/** The versions that have a tag. Until a version has one, links lead to `main`. */
const tagged: readonly string[] = [];

/** The branch or tag with the documentation of the version. */
export const refOf = (version: string): string => (tagged.includes(version) ? `v${version}` : "main");

/** `name`: of a guide, such as `messages`. */
export const guideAt = (name: string, version: string) =>
  `https://github.com/tenantform/tenantform/blob/${refOf(version)}/docs/guides/${name}.md`;

export const documentation = (version: string) =>
  `https://github.com/tenantform/tenantform/blob/${refOf(version)}/docs/README.md`;

const commandPage = (version: string, command: string) => `${guideAt("cli", version)}#tenantform-${command}`;

export const withCommandPage = (message: string, command: string, version: string) =>
  `${message} ${commandPage(version, command)}\n`;

/** `command`: undefined if the user typed none that exists. */
export function withHelp(usageError: string, command: string | undefined, version: string): string {
  const isKnown = command !== undefined;
  const help = isKnown ? `tenantform ${command} --help` : "tenantform --help";
  const page = isKnown ? commandPage(version, command) : `${guideAt("cli", version)}#commands`;
  const sentence = usageError.trimEnd().replace(/[^.)]$/, "$&.");
  return `${sentence} Run \`${help}\` for the ${isKnown ? "options" : "commands"}. ${page}\n`;
}
