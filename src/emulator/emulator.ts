// The embedded tenant: a stand-in for the tenant-management service, in memory, on a port or called directly.

import { Hono } from "hono";
import { checkScope, familyOf, neededScope } from "./http/access";
import { errorAnswer, errorBody, json, ServiceError } from "./http/answer";
import type { Environment, RequestEntry } from "./http/context";
import { createControl, isControl } from "./page/control";
import { addDiscovery } from "./auth/discovery";
import { createExchange } from "./http/exchange";
import { createFaults, type FaultRule, type Faults } from "./http/injected-fault";
import { clientId, clientSecret, secureRandom, type Random } from "./state/identity";
import { sharedKeys } from "./auth/key";
import { createLimiter, type Tier } from "./http/limit";
import { addNetworkAcls } from "./api/network-acls";
import { addOrganizationMembers } from "./api/organization-members";
import { addOrganizations } from "./api/organizations";
import { addRateLimitPolicies } from "./api/rate-limit-policies";
import { serve, type Listening } from "./http/server";
import { openPersistence } from "./state/persistence";
import { checkSeed, plant, type Seed } from "./state/seed";
import { brokenOff, ConnectionReset } from "./http/spoil";
import { createStore, type Client, type Snapshot, type Store } from "./state/store";
import { createClock } from "./state/time";
import { createCertificate } from "./http/tls";
import { createTokens, type Tokens } from "./auth/token";
import { addTokenEndpoint } from "./auth/token-endpoint";
import { addUsers } from "./api/users";

export type { RequestEntry } from "./http/context";
export type { FaultRule, Faults } from "./http/injected-fault";
export type { Tier } from "./http/limit";
export type { Seed } from "./state/seed";
export type { Listening } from "./http/server";
export type { Snapshot, Store } from "./state/store";

export interface EmulatorOptions {
  /** Rate limits of a subscription; "none" by default. */
  tier?: Tier;
  /** Milliseconds every answer takes at least; 0 by default. The real service takes about 280. */
  latency?: number;
  /** What the tenant holds at the beginning and after a reset. A seed that cannot be used throws. */
  seed?: Seed;
  /** A file the tenant is kept in; what it holds already wins over the seed. A damaged one throws. */
  data?: string;
  /** Refuse members that are not users of the tenant; as the seed says by default, else false. */
  trackUsers?: boolean;
  /** Faults in force from the start and after a reset, behind those of the seed. */
  faults?: FaultRule[];
  /** Told of every request when its answer begins. */
  onRequest?: (entry: RequestEntry) => void;
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
  /** Answers a request without a port. A fault that breaks the connection rejects as a client's fetch would. */
  fetch(request: Request): Promise<Response>;
  /** Opens a port on 127.0.0.1: a free one unless told; with TLS, the authority's certificate is given back. */
  listen(options?: { port?: number; tls?: boolean }): Promise<Listening>;
  /** Back to the seed: no requests, the faults of the start, full rate limits. The ready client stays. */
  reset(): void;
  snapshot(): Snapshot;
  /** Every request to the service, oldest first, the last ten thousand of them; empty it with `length = 0`. */
  readonly requests: RequestEntry[];
  readonly faults: Faults;
  /** Direct access to what the tenant holds, past validation and limits. */
  readonly store: Store;
  /** Signs tokens of any make with the tenant's key. */
  readonly tokens: Tokens;
  /** Ends the use of the data file. */
  close(): void;
}

const rememberedRequests = 10_000;
/** A choice: that an ACL has a tenant_id is known, not what it looks like. */
const tenantId = "embedded-tenant";

const unknown = () => errorAnswer(new ServiceError(404, "Not Found"));

export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const { tier = "none", latency = 0, now = Date.now, random = secureRandom } = options;
  const seed = checkSeed(options.seed ?? {});
  const store = createStore(createClock(now), random);
  const persistence = options.data === undefined ? undefined : openPersistence(options.data, store);
  const keys = persistence?.keys ?? sharedKeys;
  const faults = createFaults();
  const requests: RequestEntry[] = [];
  const watchers = new Set<() => void>();
  const tokens = createTokens(store, keys, now);
  const ready: Client = persistence?.ready ?? {
    client_id: clientId(random),
    client_secret: clientSecret(random),
    name: "Ready client",
    global: true,
  };
  let limiter = createLimiter(tier, now);

  const plantAll = () => {
    store.clients.put(ready);
    plant(store, seed);
  };
  const arm = () => {
    for (const rule of [...(seed.faults ?? []), ...(options.faults ?? [])]) faults.add(rule);
  };
  if (persistence?.ready === undefined) plantAll();
  persistence?.begin(ready);
  arm();

  const tell = () => {
    for (const watcher of watchers) watcher();
  };
  store.onChange(tell);

  const reset = () => {
    store.clear();
    plantAll();
    faults.clear();
    arm();
    requests.length = 0;
    limiter = createLimiter(tier, now);
    tell();
  };

  const api = new Hono<Environment>();
  api.use(async (c, next) => {
    const path = new URL(c.req.url).pathname;
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
  addOrganizationMembers(api, store, { trackUsers: options.trackUsers ?? seed.track_users ?? false });
  addUsers(api, store);

  const app = new Hono<Environment>();
  addTokenEndpoint(app, {
    store,
    tokens,
    now,
    publicKeyOf: async (client) =>
      client.client_id === ready.client_id ? (await keys.client()).publicPem : client.public_key,
  });
  addDiscovery(app, keys);
  app.route("/api/v2", api);
  app.notFound(unknown);
  app.onError((error) =>
    error instanceof ServiceError
      ? errorAnswer(error)
      : json(500, errorBody(500, `The embedded tenant failed: ${error.stack}`)),
  );

  const exchange = createExchange({
    // The service knows no HEAD; the router would answer it like GET.
    answer: async (request, env) => (request.method === "HEAD" ? unknown() : app.fetch(request, env)),
    faults,
    latency,
    now,
    random,
    record: (entry) => {
      requests.push(entry);
      if (requests.length > rememberedRequests) requests.splice(0, requests.length - rememberedRequests);
      options.onRequest?.(entry);
      tell();
    },
  });
  const control = createControl({
    store,
    faults,
    requests,
    reset,
    watch: (listener) => {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
  });
  const fetch = async (request: Request): Promise<Response> =>
    isControl(new URL(request.url).pathname) ? control.fetch(request) : exchange(request);

  // Without a port there is no connection that could break in the middle: the body's stream does.
  const fetchDirectly = (request: Request): Promise<Response> =>
    fetch(request).catch((error: unknown) => {
      const broken = error instanceof ConnectionReset ? brokenOff(error) : undefined;
      if (broken === undefined) throw error;
      return broken;
    });

  return {
    clientId: ready.client_id,
    clientSecret: ready.client_secret,
    clientPrivateKey: async () => (await keys.client()).privatePem,
    fetch: fetchDirectly,
    listen: async ({ port = 0, tls = false } = {}) =>
      serve({ port, fetch, certificate: tls ? await createCertificate(now) : undefined }),
    reset,
    snapshot: () => store.snapshot(),
    requests,
    faults,
    store,
    tokens,
    close: () => persistence?.close(),
  };
}
