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
