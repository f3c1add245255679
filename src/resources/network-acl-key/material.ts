/** Checks the material of a key, and computes its fingerprint. */
import { createHash } from "node:crypto";

const [shortest, longest] = [32, 512];

/** The problem of a text as key material, without quoting it; undefined if it is valid. */
export function problemOf(text: string): string | undefined {
  if (/\s/.test(text)) return "it contains spaces or line breaks: remove them, for example with trimspace(…)";
  if (/^[\w-]*={0,2}$/.test(text) && /[-_]/.test(text)) return "it is base64url: write + and / instead of - and _";
  const bare = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(bare)) return "it contains characters that base64 does not have";
  if (bare.length % 4 === 1 || (bare !== text && text.length % 4 !== 0)) {
    return "it is not complete base64: the end lacks characters or has too many";
  }
  const { length } = bytesOf(text);
  if (length >= shortest && length <= longest) return undefined;
  return `it has ${length} bytes instead of ${shortest} to ${longest}: generate it with openssl rand -base64 ${shortest}`;
}

/** The reason why somebody could guess the material from its fingerprint; undefined for good material. */
export function weaknessOf(text: string): string | undefined {
  const { size } = new Set(bytesOf(text));
  return size < 10 ? `it has only ${size} different bytes, so it can be guessed from its fingerprint` : undefined;
}

/** SHA-256 in lower-case hexadecimal, as the service returns it. */
export function fingerprintOf(text: string): string {
  return createHash("sha256").update(bytesOf(text)).digest("hex");
}

/** Digits of the fingerprint in a derived name. */
export const digits = 8;

export const derivedName = (prefix: string, fingerprint: string) => prefix + fingerprint.slice(0, digits);

const bytesOf = (text: string) => Buffer.from(text, "base64");
