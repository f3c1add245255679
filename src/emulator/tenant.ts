/** The tenant as operations see it: its state, its keys and its settings. */
import type { KeyObject } from "node:crypto";
import type { Client } from "./auth/client";
import type { Keys } from "./auth/key";
import type { Flags } from "./auth/scope";
import type { Store } from "./state/store";

/** The claims of an access token. */
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

export interface Tenant {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly keys: Keys;
  /** Tells this tenant from other embedded tenants, which have no domain of their own. A data file keeps it. */
  readonly instance: string;
  readonly now: () => number;
  /** Refuses to add members that are not users of the tenant. */
  readonly trackUsers: boolean;
  readonly flags: Flags;
  /** The key that verifies the assertions of a client. */
  publicKeyOf(client: Client): Promise<KeyObject | undefined>;
}
