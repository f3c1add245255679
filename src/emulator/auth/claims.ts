/** The claims of access tokens. */
import { ServiceError } from "../http/response";

export interface Claims {
  readonly [claim: string]: unknown;
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: string | string[];
  readonly exp?: number;
  readonly iat?: number;
  readonly nbf?: number;
  readonly jti?: string;
  /** Granted scopes, separated by spaces. */
  readonly scope?: string;
  /** The client that got the token. */
  readonly azp?: string;
}

export interface Tokens {
  /** Signs claims with the tenant's key, for the token endpoint and for tests that need special tokens. */
  sign(claims: Claims): Promise<string>;
  /** The claims of the token in an Authorization header, or the 401. */
  verify(authorization: string | null, requestUrl: string): Promise<Claims>;
}

/** Throws the 403 for a token that lacks any of the scopes. */
export function checkScope({ scope = "" }: Claims, ...needed: readonly string[]): void {
  const granted = String(scope).split(" ");
  if (needed.every((one) => granted.includes(one))) return;
  throw new ServiceError(403, `Insufficient scope, expected any of: ${needed.join(", ")}`, "insufficient_scope");
}
