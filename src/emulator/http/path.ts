/** The path and the host name of a request. The router, the network ACLs, the faults and the log all use the same path. */
import { urlIn } from "../../formats/text/url";
import { errorResponse, ServiceError } from "./response";

/**
 * Decodes once the characters that mean the same when decoded (letters, digits and `-._~`). The rest stays encoded: `%7C` belongs
 * to an id, and `%2F` is not a separator.
 */
const canonical = (path: string): string =>
  path.replace(/%[\da-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
  });

/** The path of a request. The URL parser has removed dot segments, encoded ones too. */
export const pathOf = ({ url }: Request): string => canonical(new URL(url).pathname);

/** Throws the 400 for a path that is not percent-encoded UTF-8. */
export function checkEncoding(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw new ServiceError(400, `Path validation error: ${path} is not percent-encoded UTF-8`, "invalid_uri");
  }
}

export const isLoopback = (hostname: string) =>
  hostname === "[::1]" || /^(.+\.)?localhost$/.test(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname);

/**
 * Refuses a request with a host name that is neither a loopback name nor one of those given. Without the check, a page of another
 * site could let its own name resolve to this machine, and the browser would take the tenant for a part of that site.
 */
export function createHostCheck(hostNames: readonly string[]): (request: Request) => Response | undefined {
  const own = new Set(hostNames.map((name) => urlIn(`http://${name}`)?.hostname ?? name));
  return (request) => {
    const header = request.headers.get("host");
    const hosts = [request.url, ...(header === null ? [] : [`http://${header}`])].map((url) => urlIn(url)?.hostname);
    const unknown = hosts.find((host) => host === undefined || !(isLoopback(host) || own.has(host)));
    if (!hosts.includes(undefined) && unknown === undefined) return undefined;
    const problem = `This tenant does not have the host name ${unknown ?? header}; add it with --host-name or hostNames`;
    return errorResponse(new ServiceError(421, problem));
  };
}
