/** Chooses the proxy by the usual environment variables. */
import { isLoopback } from "../../text/url";

export type Environment = Readonly<NodeJS.ProcessEnv>;

/** The proxy's URL, or undefined for a direct connection. Connections to this machine are always direct. */
export function proxyFor(origin: string, environment: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(origin);
  const named = (name: string) => environment[name] || environment[name.toLowerCase()] || undefined;
  const proxy = named(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (proxy === undefined || isLoopback(hostname)) return undefined;
  const exempt = (named("NO_PROXY") ?? "").split(/[\s,]+/);
  const actual = port || (protocol === "https:" ? "443" : "80");
  if (exempt.some((entry) => matches(entry.toLowerCase(), hostname, actual))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function matches(entry: string, hostname: string, port: string): boolean {
  if (entry === "*") return true;
  const [, host = "", only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const domain = host.replace(/^\*?\./, "");
  if (domain === "") return false;
  return (only === undefined || only === port) && (hostname === domain || hostname.endsWith(`.${domain}`));
}
