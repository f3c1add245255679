/** Reads the claims of a token without verifying them. */
import { isRecord, parseJson } from "../http/json";

type Claims = Readonly<Record<string, unknown>>;

/** Undefined if the token is not a JWT. */
export function claimsOf(token: string): Claims | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  const claims = parseJson(Buffer.from(payload, "base64url").toString("utf8"))?.json;
  return isRecord(claims) ? claims : undefined;
}

export function scopesOf(claims: Claims | undefined): string[] | undefined {
  if (typeof claims?.scope === "string") return words(claims.scope);
  const { permissions } = claims ?? {};
  return Array.isArray(permissions) ? permissions.filter((one) => typeof one === "string") : undefined;
}

/** In milliseconds since the epoch. */
export function expiryOf(claims: Claims | undefined): number | undefined {
  const end = typeof claims?.exp === "number" ? claims.exp * 1000 : Number.NaN;
  return Math.abs(end) <= 8.64e15 ? end : undefined;
}

/** The words of a scope. */
export const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
