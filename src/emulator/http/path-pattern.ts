/** Paths with wildcards: `*` for any text within a segment, `**` for any number of segments. */

/**
 * Whether pattern and parts agree one by one, a wildcard taking any number of parts. Only the last wildcard is ever
 * tried again with one part more, so that the time is at most the product of both lengths.
 */
function agrees<P, T>(pattern: readonly P[], parts: readonly T[], isWild: (one: P) => boolean, fits: Fits<P, T>) {
  let at = 0;
  let wild = -1;
  let taken = 0;
  for (let part = 0; part < parts.length;) {
    if (at < pattern.length && isWild(pattern[at]!)) {
      wild = at++;
      taken = part;
    } else if (at < pattern.length && fits(pattern[at]!, parts[part]!)) {
      at++;
      part++;
    } else if (wild >= 0) {
      at = wild + 1;
      part = ++taken;
    } else return false;
  }
  return pattern.slice(at).every(isWild);
}

type Fits<P, T> = (one: P, part: T) => boolean;

const segmentAgrees = (pattern: string, segment: string) =>
  agrees(
    [...pattern],
    [...segment],
    (character) => character === "*",
    (character, other) => character === other,
  );

/** A slash at the end of the path makes no difference. */
export function pathMatcher(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined) return () => true;
  const segments = pattern.split("/");
  const matches = (path: string) => agrees(segments, path.split("/"), (segment) => segment === "**", segmentAgrees);
  return (path) => matches(path) || (path.endsWith("/") && matches(path.slice(0, -1)));
}
