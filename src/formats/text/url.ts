/** Reads URLs from text that comes from elsewhere. */

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
