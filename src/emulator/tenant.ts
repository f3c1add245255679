/** What an operation can count on: the tenant's state, its keys, its switches. */
import type { Client } from "./auth/client";
import type { Keys } from "./auth/key";
import type { Tokens } from "./auth/claims";
import type { Flags } from "./flag";
import type { Store } from "./state/store";

export interface Tenant {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly keys: Keys;
  readonly now: () => number;
  /** Refuse to add members that the tenant does not know as users. */
  readonly trackUsers: boolean;
  readonly flags: Flags;
  /** PEM of the key that a client's assertions are checked with. */
  publicKeyOf(client: Client): Promise<string | undefined>;
}
