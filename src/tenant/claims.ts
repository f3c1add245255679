// JSON from outside, unverified: what a token tells about itself, and objects in texts that may hold none.

/** The claims of a JWT, unverified; undefined where the token is none. */
export function claimsOf(token: string): Record<string, unknown> | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  return parsedObject(Buffer.from(payload, "base64url").toString("utf8"));
}

export function scopesOf(told: Record<string, unknown> | undefined): string[] | undefined {
  if (typeof told?.scope === "string") return words(told.scope);
  if (Array.isArray(told?.permissions)) return told.permissions.filter((one) => typeof one === "string");
  return undefined;
}

export function expiryOf(told: Record<string, unknown> | undefined): number | undefined {
  return typeof told?.exp === "number" ? told.exp * 1000 : undefined;
}

/** The words of a scope. */
export const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

/** The JSON object in a text; undefined where there is none. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const told: unknown = JSON.parse(text);
    return typeof told === "object" && told !== null ? (told as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
