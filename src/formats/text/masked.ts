/** Masks user, password and query of a URL or host name for messages, in every spelling. */

/** Only these schemes are shown: any other name before a colon may be a user. */
const scheme = /^\s*(?:https?|wss?|socks\w*):/i;

/** As people, browsers and proxies write it. */
const at = /^[^]*(?:@|%(?:25)*40|\uff20|\ufe6b)/i;

/** Everything before the last `@` may belong to a password. */
export function maskedUrl(text: string): string {
  const [begin = ""] = scheme.exec(text) ?? [];
  const afterScheme = text.slice(begin.length);
  const [slashes = ""] = /^[/\\\s]*/.exec(afterScheme) ?? [];
  const host = afterScheme.slice(slashes.length).replace(at, "…@");
  return withoutQuery(begin + slashes + host.replace(noPort, "$1:…"));
}

/** A query or fragment may hold a token. */
export const withoutQuery = (url: string) => url.replace(/[?#][^]*$/, "?…");

/** Text that is not a port, after a host name and a colon. An IPv6 address has several colons. */
const noPort = /^(?![\da-f]*:[\da-f]*:[\da-f:.]*$)((?:\u2026@)?[^:/\\?#[\]]*):(?!\d*(?:[/\\?#]|$))[^]*/i;

/**
 * A sentence with the user and password of every URL masked, and what its query calls a secret. A token may replace the user. Looks at each
 * character only a few times, because a server may send a sentence of megabytes.
 */
export function withoutPasswords(text: string): string {
  return text.replace(/[^\s"<>]+/g, (word) => {
    const end = word.lastIndexOf("@");
    const start = end < 0 ? undefined : credentialsIn(word.slice(0, end + 1));
    return withoutTokens(start === undefined ? word : `${word.slice(0, start)}…${word.slice(end)}`);
  });
}

const withoutTokens = (url: string): string => url.replace(secretParameter, "$1…");

/** Of a query or fragment: `access_token`, `api-key`, `X-Amz-Signature`. */
const secretParameter =
  /([?&;#][\w.~%[\]-]{0,40}?(?:token|secret|pass|pwd|key|sig|auth|cred|code|jwt|bearer|%[\da-f]{2})[\w.~%[\]-]{0,40}=)[^&;#]+/gi;

/**
 * A text of a plan, without what gives access in its URLs: a webhook has its token in the path, and an own parameter has any name. An id of Auth0
 * or a UUID is shorter, or has dashes.
 */
export const withoutTokenParts = (text: string): string =>
  withoutPasswords(text).replace(/:\/\/[^\s"'<>]+/g, (url) =>
    url
      .split(/([/?&;#=])/)
      .map((part) => (isToken(part) ? "…" : part))
      .join(""),
  );

/** 24 letters and digits on end, of both kinds. */
const isToken = (part: string): boolean =>
  /^[\w~%-]+$/.test(part) && /[a-z\d]{24}/i.test(part) && /\d/.test(part) && /[a-z]/i.test(part);

/** Where the first user in a URL begins. undefined: no URL has a user. */
function credentialsIn(word: string): number | undefined {
  let from = 0;
  for (let colon = word.indexOf(":"); colon >= 0; colon = word.indexOf(":", from)) {
    from = colon + 1;
    while (/[/\\]/.test(word.charAt(from))) from++;
    const name = word.slice(Math.max(0, colon - longestScheme), colon);
    if (!(from > colon + 1 ? anyScheme : bareScheme).test(name)) continue;
    const start = from;
    const authority = stickyAt(/[^/\\@?#]*/y, word, start);
    from += authority.length;
    const isUser = authority !== "" && word.charAt(from) === "@";
    if (isUser || hasPassword(word, start, from)) return start;
  }
  return undefined;
}

const longestScheme = 20;
const anyScheme = /[a-z][a-z\d+.-]*$/i;
/** Schemes, also without slashes after them. */
const bareScheme = /(?:https?|wss?|socks\w*)$/i;

/** Whether the word has a colon without a port after it. */
function hasPassword(word: string, start: number, end: number): boolean {
  for (let colon = word.indexOf(":", start); colon >= 0 && colon < end; colon = word.indexOf(":", colon + 1)) {
    if (stickyAt(/\d+[/?#]/y, word, colon + 1) === "") return true;
  }
  return false;
}

function stickyAt(pattern: RegExp, text: string, place: number): string {
  pattern.lastIndex = place;
  return pattern.exec(text)?.[0] ?? "";
}
