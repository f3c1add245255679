/** A URL or host name as messages show it: without user, password and query, however it is spelled. */

/** Only these are shown: in another place a name before a colon may be that of a user. */
const scheme = /^\s*(?:https?|wss?|socks\w*):/i;

/** As people, browsers and proxies write it. */
const at = /^[^]*(?:@|%(?:25)*40|\uff20|\ufe6b)/i;

/** Everything before the last `@` may belong to a password. */
export function masked(text: string): string {
  const [begin = ""] = scheme.exec(text) ?? [];
  const afterScheme = text.slice(begin.length);
  const [slashes = ""] = /^[/\\\s]*/.exec(afterScheme) ?? [];
  const host = afterScheme.slice(slashes.length).replace(at, "…@");
  return withoutQuery(begin + slashes + host.replace(noPort, "$1:…"));
}

/** A query or fragment may hold a token. */
export const withoutQuery = (url: string) => url.replace(/[?#][^]*$/, "?…");

/** What follows a host name and a colon, and is no port; an IPv6 address has several colons. */
const noPort = /^(?![\da-f]*:[\da-f]*:[\da-f:.]*$)((?:…@)?[^:/\\?#[\]]*):(?!\d*(?:[/\\?#]|$))[^]*/i;

/** A sentence in which URLs may stand: without the user and password of each. */
export function withoutPasswords(text: string): string {
  return text.replace(/\b((?:https?|wss?|socks\w*):[/\\]*)[^\s/\\"'<>@]*:(?!\d+[/?#])[^\s"'<>]*@/gi, "$1…@");
}
