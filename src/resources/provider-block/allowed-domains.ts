/** Limits the tenants of a configuration to the domains that it allows. */
import { quoted } from "../../access/access";
import { attributePath } from "../../cty/path";
import { unknown } from "../../cty/value";
import type { Rule } from "../../sdk/attribute";
import { DiagnosticError } from "../../sdk/diagnostic";
import { urlIn } from "../../text/url";
import { hostOf, rootOf } from "./root";

type Known<T> = T | typeof unknown;

/** Refuses what can match no domain. */
export const readableDomains: Rule = (value, report) => {
  for (const [index, pattern] of (value as readonly unknown[]).entries()) {
    if (typeof pattern !== "string" || matcherOf(pattern)) continue;
    const problem = `\`allowed_domains[${index}]\` is ${quoted(pattern)}: give a host name, such as acme.eu.auth0.com or *.example.com.`;
    report(problem, [{ index }]);
  }
};

/** False while a needed value is unknown. Throws a DiagnosticError for a domain that is not allowed. */
export function isAllowed(endpoint: Known<string>, patterns: unknown): boolean {
  if (patterns === undefined || patterns === null) return true;
  if (endpoint === unknown || patterns === unknown) return false;
  const list = patterns as readonly Known<string>[];
  const root = rootOf({ endpoint })!;
  if (list.some((pattern) => pattern !== unknown && matcherOf(pattern)?.(root))) return true;
  if (list.includes(unknown)) return false;
  throw new DiagnosticError(
    "The tenant is not allowed",
    `The configuration names the tenant ${quoted(hostOf(root))}, but \`allowed_domains\` has only ` +
      `${list.map((pattern) => quoted(pattern as string)).join(", ") || "no entry"}. The provider sent no API call. Check domain, endpoint ` +
      "and TENANT_DOMAIN. If the tenant is right, add its domain to `allowed_domains`.",
    attributePath("allowed_domains"),
  );
}

/** Undefined if the pattern is not a host name. */
function matcherOf(pattern: string): ((root: URL) => boolean) | undefined {
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
