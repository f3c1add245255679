/** The material of a key: base64 of 32 to 512 bytes, known to others by its fingerprint alone. */
import { createHash } from "node:crypto";

const [shortest, longest] = [32, 512];

/** What is wrong with a text that is to be material, without a letter of it. */
export function objectionTo(text: string): string | undefined {
  if (/\s/.test(text)) return "it holds blanks or line breaks: remove them, as by trimspace(…)";
  if (/^[\w-]*={0,2}$/.test(text) && /[-_]/.test(text)) return "it is base64url: write + and / in place of - and _";
  const bare = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(bare)) return "it holds characters that base64 does not have";
  if (bare.length % 4 === 1 || (bare !== text && text.length % 4 !== 0)) {
    return "it is no whole base64: characters are missing at the end, or there are too many";
  }
  const { length } = bytesOf(text);
  if (length >= shortest && length <= longest) return undefined;
  return `it holds ${length} bytes, and ${shortest} to ${longest} are taken: openssl rand -base64 ${shortest} makes such a text`;
}

/** What makes the fingerprint tell too much: few enough possibilities to try them all. */
export function doubtOf(text: string): string | undefined {
  const { size } = new Set(bytesOf(text));
  return size < 10 ? `it has only ${size} different bytes, and can be guessed from its fingerprint` : undefined;
}

/** SHA-256 in lower-case hexadecimal, as the service tells it. Of random bytes it tells nothing but whether they are the same. */
export function fingerprintOf(text: string): string {
  return createHash("sha256").update(bytesOf(text)).digest("hex");
}

/** Of the fingerprint, in a name that changes with it. */
export const digits = 8;

export const derivedName = (prefix: string, fingerprint: string) => prefix + fingerprint.slice(0, digits);

const bytesOf = (text: string) => Buffer.from(text, "base64");
