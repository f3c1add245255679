/** The tenant as operations see it: its state, its keys and its settings. */
import type { KeyObject } from "node:crypto";
import type { Client } from "./auth/client";
import type { Keys } from "./auth/key";
import type { Tokens } from "./auth/claims";
import type { Flags } from "./flag";
import type { EventLog } from "./logs/log";
import type { Store } from "./state/store";

export interface Tenant {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly keys: Keys;
  /** Tells this tenant from other embedded tenants, which have no domain of their own. A data file keeps it. */
  readonly instance: string;
  readonly now: () => number;
  /** The tenant's log of events; empty unless it enforces its network ACLs. */
  readonly log: EventLog;
  /** Refuses to add members that are not users of the tenant. */
  readonly trackUsers: boolean;
  readonly flags: Flags;
  /** The key that verifies the assertions of a client. */
  publicKeyOf(client: Client): Promise<KeyObject | undefined>;
}
