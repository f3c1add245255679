/** Reads the claims of a token without verifying them. */
import { urlIn } from "../../text/url";
import { isRecord, parseJson } from "../http/json";

export type Claims = Readonly<Record<string, unknown>>;

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

/**
 * The tenant that issued the token, the same for all its domains. The audience of the Management API names the canonical domain. The
 * issuer is the domain of the token request. An embedded tenant, which has no domain of its own, gives a name.
 */
export function tenantOf(claims: Claims | undefined): string | undefined {
  const { instance, aud, iss } = claims ?? {};
  if (typeof instance === "string" && instance !== "") return `embedded-${instance}`;
  const audience = [aud].flat().find((one) => typeof one === "string" && /\/api\/v2\/?$/.test(one));
  return hostIn(audience) ?? hostIn(iss);
}

const hostIn = (text: unknown) =>
  (typeof text === "string" && urlIn(text)?.host.toLowerCase().replace(/\.$/, "")) || undefined;

/** The words of a scope. */
export const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
