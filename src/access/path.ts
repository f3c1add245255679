/** Normalizes the path of a request, so that no encoding makes it belong to another API. Also runs in pages without `URL`. */

const unreserved = (encoded: string): string => {
  const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : encoded;
};

/**
 * Takes a path or a whole URL. Removes the query and dot segments, and decodes once the characters that mean the same when
 * decoded (letters, digits and `-._~`). The first slash may be missing.
 */
export function canonicalPath(text: string): string {
  const [path = ""] = text.replace(/^https?:\/\/[^/?#\\]*/i, "").split(/[?#]/);
  const segments: string[] = [];
  const [, ...parts] = path.replaceAll("\\", "/").replace(/^\/?/, "/").split("/");
  for (const [index, part] of parts.entries()) {
    const segment = part.replace(/%[\da-f]{2}/gi, unreserved);
    if (segment === "..") segments.pop();
    if (segment !== "." && segment !== "..") segments.push(segment);
    else if (index === parts.length - 1) segments.push("");
  }
  return `/${segments.join("/")}`;
}

export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
