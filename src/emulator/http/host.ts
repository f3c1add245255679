/**
 * The names a tenant answers to. A page of another site can have its own name resolve to this machine (DNS rebinding), and
 * the browser then takes the tenant for a part of that site: whatever comes under a name that is not ours is refused.
 */
import { errorAnswer, ServiceError } from "./response";
import { urlIn } from "../../text/url";

export const isLoopback = (hostname: string) =>
  hostname === "[::1]" || /^(.+\.)?localhost$/.test(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname);

/** Refuses a request under another name than the loopback's and those given; undefined lets it pass. */
export function createHostCheck(hostNames: readonly string[]): (request: Request) => Response | undefined {
  const own = new Set(hostNames.map((name) => urlIn(`http://${name}`)?.hostname ?? name));
  return (request) => {
    const named = request.headers.get("host");
    const hosts = [request.url, ...(named === null ? [] : [`http://${named}`])].map((url) => urlIn(url)?.hostname);
    const stranger = hosts.find((host) => host === undefined || !(isLoopback(host) || own.has(host)));
    if (!hosts.includes(undefined) && stranger === undefined) return undefined;
    const problem = `This tenant does not answer to the name ${stranger ?? named}; give it by --host-name or hostNames`;
    return errorAnswer(new ServiceError(421, problem));
  };
}
