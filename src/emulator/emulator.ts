// The embedded tenant: a stand-in for the tenant-management service, in memory, on a port or called directly.

import { Hono } from "hono";
import { checkScope, familyOf, neededScope } from "./access";
import { errorAnswer, errorBody, json, ServiceError } from "./answer";
import type { Environment, RequestEntry } from "./context";
import { addDiscovery } from "./discovery";
import { createExchange } from "./exchange";
import { createFaults, type FaultRule, type Faults } from "./faults";
import { clientId, clientSecret, secureRandom, type Random } from "./identity";
import { sharedKeys } from "./key";
import { createLimiter, type Tier } from "./limit";
import { addNetworkAcls } from "./network-acls";
import { addOrganizationMembers } from "./organization-members";
import { addOrganizations } from "./organizations";
import { addRateLimitPolicies } from "./rate-limit-policies";
import { serve, type Listening } from "./server";
import { createStore, type Seed, type Snapshot, type Store } from "./store";
import { createClock } from "./time";
import { addTokenEndpoint, createTokens, type Tokens } from "./token";
import { addUsers } from "./users";

export interface EmulatorOptions {
  /** Rate limits of a subscription; "none" by default. */
  tier?: Tier;
  /** Milliseconds every answer takes at least; 0 by default. The real service takes about 280. */
  latency?: number;
  /** What the tenant holds at the beginning and after a reset. */
  seed?: Seed;
  /** Refuse members that are not users of the tenant; false by default. */
  trackUsers?: boolean;
  /** Faults in force from the start and after a reset. */
  faults?: FaultRule[];
  /** Milliseconds since 1970; Date.now by default. */
  now?: () => number;
  /** Numbers in [0, 1) for ids and secrets; unpredictable by default. */
  random?: Random;
}

export interface Emulator {
  /** A client that may do everything. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** PKCS #8 PEM of the key that the ready client may sign its assertions with (private_key_jwt). */
  clientPrivateKey(): Promise<string>;
  /** Answers a request without a port. A fault that breaks connections rejects as fetch would. */
  fetch(request: Request): Promise<Response>;
  /** Opens a port on 127.0.0.1; a free one unless told. */
  listen(options?: { port?: number; tls?: boolean }): Promise<Listening>;
  /** Back to the seed: no requests, the faults of the start, full rate limits. */
  reset(): void;
  snapshot(): Snapshot;
  /** Every request to the service's paths, oldest first; the last ten thousand. */
  readonly requests: RequestEntry[];
  readonly faults: Faults;
  /** Direct access to what the tenant holds, past validation and limits. */
  readonly store: Store;
  readonly tokens: Tokens;
}

const rememberedRequests = 10_000;
/** A choice: what an ACL's tenant_id looks like is known to be the tenant's name. */
const tenantId = "embedded-tenant";

const unknown = () => errorAnswer(new ServiceError(404, "Not Found"));

export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const { tier = "none", latency = 0, now = Date.now, random = secureRandom, seed = {} } = options;
  const store = createStore(createClock(now), random);
  const keys = sharedKeys;
  const faults = createFaults();
  const requests: RequestEntry[] = [];
  const tokens = createTokens(store, keys, now);
  const ready = {
    client_id: clientId(random),
    client_secret: clientSecret(random),
    name: "Ready client",
    global: true,
  };
  let limiter = createLimiter(tier, now);

  const begin = () => {
    store.clients.put(ready);
    store.plant(seed);
    for (const rule of options.faults ?? []) faults.add(rule);
  };
  begin();

  const api = new Hono<Environment>();
  api.use(async (c, next) => {
    const path = new URL(c.req.url).pathname.slice("/api/v2".length);
    c.env.limits = limiter.count(familyOf(c.req.method, path));
    const scope = neededScope(c.req.method, path);
    if (scope !== undefined) {
      const claims = await tokens.verify(c.req.header("authorization") ?? null, c.req.url);
      checkScope(claims, scope);
      c.set("claims", claims);
    }
    await next();
  });
  addNetworkAcls(api, store, tenantId);
  addRateLimitPolicies(api, store);
  addOrganizations(api, store);
  addOrganizationMembers(api, store, { trackUsers: () => options.trackUsers ?? false });
  addUsers(api, store);

  const app = new Hono<Environment>();
  addTokenEndpoint(app, store, tokens, now, async (client) =>
    client.client_id === ready.client_id ? (await keys.client()).publicPem : client.public_key,
  );
  addDiscovery(app, keys);
  app.route("/api/v2", api);
  app.notFound(unknown);
  app.onError((error) =>
    error instanceof ServiceError
      ? errorAnswer(error)
      : json(500, errorBody(500, `The embedded tenant failed: ${error.stack}`)),
  );

  const fetch = createExchange({
    // The service knows no HEAD; the router would answer it like GET.
    answer: async (request, env) => (request.method === "HEAD" ? unknown() : app.fetch(request, env)),
    faults,
    latency,
    random,
    record: (entry) => {
      requests.push(entry);
      if (requests.length > rememberedRequests) requests.splice(0, requests.length - rememberedRequests);
    },
  });

  const emulator: Emulator = {
    clientId: ready.client_id,
    clientSecret: ready.client_secret,
    clientPrivateKey: async () => (await keys.client()).privatePem,
    fetch,
    listen: ({ port = 0 } = {}) => serve({ port, fetch }),
    reset() {
      store.clear();
      faults.clear();
      requests.length = 0;
      limiter = createLimiter(tier, now);
      begin();
    },
    snapshot: () => store.snapshot(),
    requests,
    faults,
    store,
    tokens,
  };
  return emulator;
}
