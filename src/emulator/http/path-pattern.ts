/** Paths with wildcards: `*` matches any text within a segment, `**` any number of segments. */

/**
 * Whether a pattern matches a list of parts, where a wildcard matches any number of parts. Only the last wildcard is tried again
 * with one more part, so the time is at most the product of both lengths.
 */
function matchesList<P, T>(
  pattern: readonly P[],
  parts: readonly T[],
  isWild: (one: P) => boolean,
  matches: (one: P, part: T) => boolean,
) {
  let at = 0;
  let wild = -1;
  let matched = 0;
  for (let part = 0; part < parts.length;) {
    if (at < pattern.length && isWild(pattern[at]!)) {
      wild = at++;
      matched = part;
    } else if (at < pattern.length && matches(pattern[at]!, parts[part]!)) {
      at++;
      part++;
    } else if (wild >= 0) {
      at = wild + 1;
      part = ++matched;
    } else return false;
  }
  return pattern.slice(at).every(isWild);
}

const isSegment = (pattern: string, segment: string) =>
  matchesList(
    [...pattern],
    [...segment],
    (character) => character === "*",
    (character, other) => character === other,
  );

/** A slash at the end of the path makes no difference. */
export function pathMatcher(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined) return () => true;
  const segments = pattern.split("/");
  const matches = (path: string) => matchesList(segments, path.split("/"), (segment) => segment === "**", isSegment);
  return (path) => matches(path) || (path.endsWith("/") && matches(path.slice(0, -1)));
}
