/** What an access token says, who signs and checks it, and what it allows. */
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
  /** Granted scopes, separated by blanks. */
  readonly scope?: string;
  /** The client the token was granted to. */
  readonly azp?: string;
}

export interface Tokens {
  /** Signs claims with the tenant's key: for the token endpoint, and for tests that need a token of a special make. */
  sign(claims: Claims): Promise<string>;
  /** The claims behind an Authorization header, or the 401. */
  verify(authorization: string | null, requestUrl: string): Promise<Claims>;
}

/** Refuses a token that lacks any of the scopes. */
export function checkScope({ scope = "" }: Claims, ...needed: readonly string[]): void {
  const granted = String(scope).split(" ");
  if (needed.every((one) => granted.includes(one))) return;
  throw new ServiceError(403, `Insufficient scope, expected any of: ${needed.join(", ")}`, "insufficient_scope");
}
