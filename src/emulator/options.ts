/** The options of an embedded tenant. */
import type { Seed } from "./api/families";
import type { Flag } from "./flag";
import type { InjectedFault } from "./http/fault";
import type { Tier } from "./http/limit";
import type { RequestEntry } from "./http/request-log";
import type { Random } from "./state/identity";

/** The options of an embedded tenant. */
export interface EmulatorOptions {
  /** Rate limits of a subscription. Default: "none". */
  readonly tier?: Tier;
  /** Milliseconds that every response takes at least. Default: 0. The real service takes about 280. */
  readonly latency?: number;
  /** The contents of the tenant at the start and after a reset. Throws if it is invalid. */
  readonly seed?: Seed;
  /** A file that keeps the tenant; its contents replace the seed. Throws if the file is damaged or in use. */
  readonly data?: string;
  /** Refuses members that are not users of the tenant. Default: as in the seed, otherwise false. */
  readonly trackUsers?: boolean;
  /** Faults that are injected at the start and after a reset, after those of the seed. */
  readonly faults?: readonly InjectedFault[];
  /**
   * Enforces the network ACLs and rate limit policies, and logs requests. The header X-Tenantform-Origin states the origin of a
   * request. Default: false.
   */
  readonly enforce?: boolean;
  /** Flags of the tenant, in addition to those of the seed. */
  readonly flags?: readonly Flag[];
  /** Host names of the tenant, in addition to the loopback names. Requests with other names are refused. */
  readonly hostNames?: readonly string[];
  /** Gets every request when its response begins. */
  readonly onRequest?: (entry: RequestEntry) => void;
  /** Milliseconds since 1970. Default: Date.now. */
  readonly now?: () => number;
  /** Numbers in [0, 1) for ids and secrets. Default: unpredictable ones. */
  readonly random?: Random;
}
