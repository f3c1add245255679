/** The service of a tenant: injected faults, network ACLs, rate limits, operations and request log. */
import { operations } from "./api/families";
import { createEdge } from "./enforcement/edge";
import { createEnforcement } from "./enforcement/enforce";
import { createInjectedFaults, type InjectedFaults } from "./http/fault";
import { createLimiter } from "./http/limit";
import { createRequestHandler } from "./http/request-handler";
import { createRequestLog, type RequestEntry } from "./http/request-log";
import { errorResponse, ServiceError } from "./http/response";
import { createRouter, type RequestState } from "./http/router";
import type { EmulatorOptions } from "./options";
import type { Tenant } from "./tenant";

export interface Service {
  readonly faults: InjectedFaults;
  readonly requests: RequestEntry[];
  fetch(request: Request): Promise<Response>;
  /** Empties both logs, fills the rate limits, and injects the faults of the start. */
  reset(): void;
}

/** `notify` is called after every request. */
export function createService(options: EmulatorOptions, tenant: Tenant, notify: () => void): Service {
  const { tier = "none", latency = 0, seed } = options;
  const { now, store } = tenant;
  const faults = createInjectedFaults();
  const requests: RequestEntry[] = [];
  const log = createRequestLog(requests);
  const edge = createEdge(tenant.log.append);
  let limiter = createLimiter(tier, now);
  const reset = () => {
    faults.clear();
    for (const fault of [...(seed?.faults ?? []), ...(options.faults ?? [])]) faults.add(fault);
    requests.length = 0;
    tenant.log.clear();
    edge.clear();
    limiter = createLimiter(tier, now);
  };
  reset();
  const router = createRouter(operations, tenant, () => limiter);
  const serve = async (request: Request, state: RequestState): Promise<Response> => {
    // The service has no HEAD, but the router would serve it like GET.
    if (request.method === "HEAD") return errorResponse(new ServiceError(404, "Not Found"));
    return router.fetch(request, state);
  };
  const fetch = createRequestHandler({
    respond: options.enforce ? createEnforcement({ tenant, edge, serve }) : serve,
    faults,
    latency,
    now,
    random: store.random,
    log(entry) {
      log(entry);
      options.onRequest?.(entry);
      notify();
    },
  });
  return { faults, requests, fetch, reset };
}
