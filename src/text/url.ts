/** URLs in text from elsewhere. */

/**
 * Undefined where the text is no URL. `URL.canParse` is not asked: once compiled, Node 20 and 22 refuse every text with a letter such
 * as "ü".
 */
export function urlIn(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
