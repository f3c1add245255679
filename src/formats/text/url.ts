/** Reads URLs from text that comes from elsewhere, and makes the addresses of the documentation of one version. */

/**
 * Undefined if the text is not a URL. Does not use `URL.canParse`: once compiled, Node 20 and 22 refuse every text with a letter such
 * as "ü".
 */
export function urlIn(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether nobody on the network can read along: https, or plain http that stays on this machine. */
export function isConfidential({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** `hostname` as URL has it, which writes 127.1 as 127.0.0.1. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

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
