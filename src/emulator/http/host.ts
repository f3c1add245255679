/** Checks the host name of a request, against DNS rebinding. */
import { urlIn } from "../../text/url";
import { errorResponse, ServiceError } from "./response";

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
