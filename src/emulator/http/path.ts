/** Normalizes the path of a request. The router, the network ACLs, the faults and the log all use this path. */
import { ServiceError } from "./response";

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
