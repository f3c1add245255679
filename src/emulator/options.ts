/** The options of an embedded tenant. */
import type { Seed } from "./api/families";
import type { Flag } from "./flag";
import type { InjectedFault } from "./http/fault";
import type { Tier } from "./http/limit";
import type { RequestEntry } from "./http/request-log";
import type { Random } from "./state/identity";

export interface EmulatorOptions {
  /** Rate limits of a subscription; "none" by default. */
  readonly tier?: Tier;
  /** Milliseconds that every response takes at least; 0 by default. The real service takes about 280. */
  readonly latency?: number;
  /** The contents of the tenant at the start and after a reset. Throws if it is invalid. */
  readonly seed?: Seed;
  /** A file that keeps the tenant; its contents replace the seed. Throws if the file is damaged or in use. */
  readonly data?: string;
  /** Refuses members that are not users of the tenant; by default as in the seed, else false. */
  readonly trackUsers?: boolean;
  /** Faults that are injected at the start and after a reset, after those of the seed. */
  readonly faults?: readonly InjectedFault[];
  /** Enforces the network ACLs and rate limit policies, and logs requests; X-Tenantform-Origin states the origin of a request. */
  readonly enforce?: boolean;
  /** Flags of the tenant, in addition to those of the seed. */
  readonly flags?: readonly Flag[];
  /** Host names of the tenant, in addition to the loopback names. Requests with other names are refused. */
  readonly hostNames?: readonly string[];
  /** Gets every request when its response begins. */
  readonly onRequest?: (entry: RequestEntry) => void;
  /** Gets warnings about the data file, such as an unfinished line at its end. */
  readonly warn?: (message: string) => void;
  /** Milliseconds since 1970; Date.now by default. */
  readonly now?: () => number;
  /** Numbers in [0, 1) for ids and secrets; unpredictable by default. */
  readonly random?: Random;
}
