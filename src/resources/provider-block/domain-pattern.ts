/** Reads the patterns of `allowed_domains`. */
import { quoted } from "../../access/access";
import type { Rule } from "../../sdk/attribute";
import { hostOf, portOf, rootOf } from "./root";

/** Refuses what can match no domain. */
export const readableDomains: Rule = (value, report) => {
  for (const [index, pattern] of (value as readonly unknown[]).entries()) {
    if (typeof pattern !== "string" || domainPattern(pattern)) continue;
    const problem = `\`allowed_domains[${index}]\` is ${quoted(pattern)}: give a host name, such as acme.eu.auth0.com or *.example.com, perhaps with a port from 1 to 65535.`;
    report(problem, [{ index }]);
  }
};

/** Whether the text is a bare host name, perhaps with a port from 1 to 65535. */
export const isDomain = (text: string): boolean =>
  /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?$/i.test(text) && rootOf({ domain: text }) !== undefined;

/** Undefined if the pattern is not a host name, or its port is impossible. A pattern without a port allows all ports. */
export function domainPattern(pattern: string): ((root: URL) => boolean) | undefined {
  const [, wildcard, name = "", port] = /^(\*\.)?((?:\[[^\s\]]+\]|[^\s/@?#*\\:[\]]+))(?::(\d+))?$/.exec(pattern) ?? [];
  const url = name === "" ? undefined : rootOf({ endpoint: `https://${name}${port === undefined ? "" : `:${port}`}` });
  if (!url) return undefined;
  const host = nameOf(url);
  return (root) => {
    if (port !== undefined && Number(port) !== portOf(root)) return false;
    return wildcard ? nameOf(root).endsWith(`.${host}`) : nameOf(root) === host;
  };
}

/** The host without its port. */
function nameOf(url: URL): string {
  const withoutPort = new URL(url);
  withoutPort.protocol = "https:";
  withoutPort.port = "";
  return hostOf(withoutPort);
}
