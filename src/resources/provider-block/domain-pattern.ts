/** Reads the patterns of `allowed_domains`. */
import { quoted } from "../../access/access";
import type { Rule } from "../../sdk/attribute";
import { urlIn } from "../../text/url";
import { hostOf } from "./root";

/** Refuses what can match no domain. */
export const readableDomains: Rule = (value, report) => {
  for (const [index, pattern] of (value as readonly unknown[]).entries()) {
    if (typeof pattern !== "string" || domainPattern(pattern)) continue;
    const problem = `\`allowed_domains[${index}]\` is ${quoted(pattern)}: give a host name, such as acme.eu.auth0.com or *.example.com.`;
    report(problem, [{ index }]);
  }
};

/** Whether the text is a bare host name, perhaps with a port. */
export const isDomain = (text: string): boolean => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?$/i.test(text);

/** Undefined if the pattern is not a host name. */
export function domainPattern(pattern: string): ((root: URL) => boolean) | undefined {
  const [, wildcard, name] = /^(\*\.)?([^\s/@?#*\\]+)$/.exec(pattern) ?? [];
  const url = name === undefined ? undefined : urlIn(`https://${name}`);
  if (!url || url.hostname === "") return undefined;
  const host = nameOf(url);
  return (root) => {
    // A pattern without a port allows all ports.
    if (url.port !== "" && url.port !== root.port) return false;
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
