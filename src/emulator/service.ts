/** The service of a tenant: its options, and what a request passes: injected faults, network ACLs, rate limits, operations and request log. */
import { operations, type Seed } from "./api/families";
import type { Flag } from "./auth/scope";
import { createEdge } from "./enforcement/edge";
import { appendTo, type LogEvent } from "./enforcement/event";
import { createEnforcement } from "./enforcement/enforce";
import { createInjectedFaults, type InjectedFault, type InjectedFaults } from "./http/fault";
import { createLimiter, type Tier } from "./http/limit";
import { createRequestHandler } from "./http/request-handler";
import { createRequestLog, type RequestEntry } from "./http/request-log";
import { createRouter } from "./http/router";
import type { Random } from "./state/identity";
import type { Tenant } from "./tenant";

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
   * Enforces the network ACLs and rate limit policies, and logs what they match. The header X-Tenantform-Origin states the origin of a
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

export interface Service {
  readonly faults: InjectedFaults;
  readonly requests: RequestEntry[];
  readonly log: LogEvent[];
  fetch(request: Request): Promise<Response>;
  /** Empties both logs, fills the rate limits, and injects the faults of the start. */
  reset(): void;
}

export function createService(options: EmulatorOptions, tenant: Tenant): Service {
  const { tier = "none", latency = 0, seed } = options;
  const { now, store } = tenant;
  const faults = createInjectedFaults();
  const requests: RequestEntry[] = [];
  const logRequest = createRequestLog(requests);
  const log: LogEvent[] = [];
  const edge = createEdge(appendTo(log));
  let limiter = createLimiter(tier, now);
  const reset = () => {
    faults.clear();
    for (const fault of [...(seed?.faults ?? []), ...(options.faults ?? [])]) faults.add(fault);
    requests.length = 0;
    log.length = 0;
    edge.clear();
    limiter = createLimiter(tier, now);
  };
  reset();
  const serve = createRouter(operations, tenant, () => limiter);
  const fetch = createRequestHandler({
    respond: options.enforce ? createEnforcement({ tenant, edge, serve }) : serve,
    faults,
    latency,
    now,
    random: store.random,
    log(entry) {
      logRequest(entry);
      options.onRequest?.(entry);
    },
  });
  return { faults, requests, log, fetch, reset };
}
