/** Reads the root URL of a tenant, gives all its spellings one name, and compares it with patterns of domains. */
import { urlIn } from "../../../formats/text/url";
import { quoted } from "../../../judge/access/access";
import type { Rule } from "../../sdk/attribute";

interface Located {
  readonly domain?: string;
  /** Counts before `domain`. */
  readonly endpoint?: string;
}

/** Undefined if the text is not the URL of a web server. No server has port 0. */
export function rootOf({ domain, endpoint }: Located): URL | undefined {
  // Other providers take a domain with its scheme.
  const text = endpoint ?? (domain !== undefined && hasScheme(domain) ? domain : `https://${domain}`);
  const root = urlIn(text);
  if (!root || root.hostname === "" || root.port === "0") return undefined;
  return ["http:", "https:"].includes(root.protocol) ? root : undefined;
}

const hasScheme = (domain: string) => /^\s*https?:[\\/]{2}/i.test(domain);

/**
 * Host and port, the same for all spellings of one server: letter case, default port, trailing dot, user and password, and
 * the names of this machine make no difference. The class URL normalizes the rest: international names, 127.1, 0x7f.1.
 */
export function hostOf({ protocol, hostname, port }: URL): string {
  const name = withoutMapping(hostname).replace(/\.+$/, "");
  const number = port === "" ? { "http:": "80" }[protocol] : port;
  const host = isThisMachine(name) ? "localhost" : name;
  return number === undefined || number === "443" ? host : `${host}:${number}`;
}

/** The port that a connection uses, also if the URL leaves it out. */
const portOf = ({ protocol, port }: URL): number => (port === "" ? (protocol === "http:" ? 80 : 443) : Number(port));

/** The path before `/api/v2`; empty for most tenants. */
export function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, "");
}

/** An IPv4 address in the form of IPv6, [::ffff:7f00:1], reaches the same server as the address itself. */
function withoutMapping(hostname: string): string {
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname;
  const parts = [high, low].map((part) => parseInt(part, 16));
  return parts.flatMap((part) => [part >> 8, part & 255]).join(".");
}

function isThisMachine(name: string): boolean {
  return /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^0\.0\.0\.0$|^\[::1?\]$/.test(name);
}

/* Reads the patterns of `allowed_domains`. */

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
