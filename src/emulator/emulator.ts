/** The embedded tenant: a stand-in for the tenant-management service, on a port or called directly. */
import { createHash, createPublicKey } from "node:crypto";
import { checkSeed, contentsOf, kinds, operations, type Seed, type Snapshot } from "./api/families";
import { networkAclKeyKind, type NetworkAclKey } from "./api/network-acl-keys";
import { networkAclKind, type NetworkAcl } from "./api/network-acls";
import { addOrganization, organizationKind, type NewOrganization, type Organization } from "./api/organizations";
import { rateLimitPolicyKind, type RateLimitPolicy } from "./api/rate-limit-policies";
import { userKind, type User } from "./api/users";
import { clientKind, type Client } from "./auth/client";
import { pemOf, sharedKeys, type Keys } from "./auth/key";
import { createTokens } from "./auth/token";
import { type InjectedFaults, createInjectedFaults, type InjectedFault } from "./http/fault";
import { createHostCheck, pathOf } from "./http/path";
import { brokenFetch, createRequestHandler } from "./http/request-handler";
import { appendTo, type RequestEntry } from "./http/request-log";
import { createCertificate, serve, type Listening } from "./http/server";
import { secureRandom, type Random } from "./state/identity";
import { openPersistence } from "./state/persistence";
import { withoutSecrets } from "./schema";
import { createStore, type Collection, type Contents, type Store as TenantStore } from "./state/store";
import { createClock } from "./state/time";
import type { Tenant, Tokens } from "./tenant";
import type { Flag } from "./auth/scope";
import { createEnforcement } from "./enforcement/enforce";
import { createRateLimits } from "./enforcement/rate-limit";
import { createLimiter, type Tier } from "./http/limit";
import { createRouter } from "./http/router";
import { errorResponse, noContent, ServiceError } from "./http/response";

export type { Seed, Snapshot } from "./api/families";
export type { Flag } from "./auth/scope";
export type { InjectedFault, InjectedFaults } from "./http/fault";
export type { Tier } from "./http/limit";
export type { RequestEntry } from "./http/request-log";
export type { Listening } from "./http/server";

/** Direct access to the contents of the tenant, without validation and rate limits. */
export interface Store extends TenantStore {
  readonly clients: Collection<Client>;
  readonly users: Collection<User>;
  readonly networkAcls: Collection<NetworkAcl>;
  readonly networkAclKeys: Collection<NetworkAclKey>;
  readonly rateLimitPolicies: Collection<RateLimitPolicy>;
  readonly organizations: Collection<Organization>;
  /** Adds an organization with a new id and a name of its own, unless they are given. */
  addOrganization(organization?: NewOrganization): Organization;
}

/** An embedded tenant in this process. */
export interface Emulator {
  /** The id of a client with all scopes. */
  readonly clientId: string;
  /** The secret of that client. */
  readonly clientSecret: string;
  /** PKCS #8 PEM of the key with which that client can sign assertions (private_key_jwt). */
  clientPrivateKey(): Promise<string>;
  /** Handles a request without a port. Rejects as a client's fetch does if a fault breaks the connection. */
  fetch(request: Request): Promise<Response>;
  /** Opens a port on 127.0.0.1, by default a free one. With TLS, returns the certificate of the authority. */
  listen(options?: { readonly port?: number; readonly tls?: boolean }): Promise<Listening>;
  /** Restores the contents, faults and rate limits of the start, and empties the log. The ready client stays. */
  reset(): void;
  /** The whole tenant except its secrets; usable as a seed. */
  snapshot(): Snapshot;
  /** The last requests to the service, oldest first: at most 10,000. Empty the list with `length = 0`. */
  readonly requests: RequestEntry[];
  /** Faults that the tenant injects into its responses. */
  readonly faults: InjectedFaults;
  /** The contents of the tenant. */
  readonly store: Store;
  /** Signs any tokens with the tenant's key. */
  readonly tokens: Tokens;
  /** Releases the data file. */
  close(): void;
}

const openStore = (store: TenantStore): Store => ({
  ...store,
  clients: store.of(clientKind),
  users: store.of(userKind),
  networkAcls: store.of(networkAclKind),
  networkAclKeys: store.of(networkAclKeyKind),
  rateLimitPolicies: store.of(rateLimitPolicyKind),
  organizations: store.of(organizationKind),
  addOrganization: (organization) => addOrganization(store, organization),
});

const visible = (contents: Contents) =>
  Object.fromEntries(
    kinds.map(({ name, seed }) => [name, contents[name]!.map((one) => withoutSecrets(seed, one))]),
  ) as Snapshot;

/** The time of day with a fraction of a millisecond, as the service writes it. */
const preciseNow = () => Date.now() + (performance.now() % 1);

function createTenant(options: EmulatorOptions, store: Store, keys: Keys, ready: Client): Tenant {
  const { now = Date.now, seed = {} } = options;
  // The data file keeps the ready client.
  const instance = createHash("sha256").update(ready.client_id).digest("hex").slice(0, 12);
  return {
    store,
    tokens: createTokens({ store, keys, instance, now }),
    keys,
    instance,
    now,
    flags: new Set([...(seed.flags ?? []), ...(options.flags ?? [])]),
    trackUsers: options.trackUsers ?? seed.track_users ?? false,
    async publicKeyOf({ client_id, public_key }) {
      if (client_id === ready.client_id) return (await keys.client()).publicKey;
      return public_key === undefined ? undefined : createPublicKey(public_key);
    },
  };
}

type Fetch = Emulator["fetch"];

/** Checks the host name of every request, and protects every response from pages of other sites. */
function protect(hostNames: readonly string[], fetch: Fetch): Fetch {
  const checkHost = createHostCheck(hostNames);
  return async (request) => {
    const response = checkHost(request) ?? (await fetch(request));
    response.headers.set("x-content-type-options", "nosniff");
    response.headers.set("cross-origin-resource-policy", "same-origin");
    return response;
  };
}

/**
 * An embedded tenant.
 * @throws Error if the seed is invalid, or if the data file is damaged or in use
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const { data, hostNames = [], random = secureRandom, seed = {} } = options;
  checkSeed(seed);
  const making = { clock: createClock(options.now ?? preciseNow), random };
  const initial = contentsOf(seed, making);
  const store = openStore(createStore(kinds, making));
  const persistence = data === undefined ? undefined : openPersistence(data, store);
  const keys = persistence?.keys ?? sharedKeys;
  const ready = persistence?.ready ?? clientKind.complete({ name: "Ready client" }, making);
  const restore = () => store.replace({ ...initial, clients: [{ ...ready }, ...(initial.clients ?? [])] });
  if (persistence?.ready === undefined) restore();
  persistence?.begin(ready);

  const tenant = createTenant(options, store, keys, ready);
  const service = createService(options, tenant);
  const { requests, faults } = service;
  const reset = () => {
    restore();
    service.reset();
  };
  const fetch = protect(hostNames, async (request) =>
    isUnlock(request) ? unlock(store, request) : service.fetch(request),
  );

  return {
    clientId: ready.client_id,
    clientSecret: ready.client_secret,
    clientPrivateKey: async () => pemOf((await keys.client()).privateKey),
    fetch: (request) => fetch(request).catch(brokenFetch),
    listen: async ({ port = 0, tls = false } = {}) =>
      serve({ port, fetch, certificate: tls ? createCertificate(tenant.now(), hostNames) : undefined }),
    reset,
    snapshot: () => visible(store.contents()),
    requests,
    faults,
    store,
    tokens: tenant.tokens,
    close: () => persistence?.close(),
  };
}

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
  /** Enforces the network ACLs and rate limit policies. The header X-Tenantform-Origin states the origin of a request. Default: false. */
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

/** The service for one tenant, with its faults and its log. */
function createService(options: EmulatorOptions, tenant: Tenant) {
  const { tier = "none", latency = 0, seed } = options;
  const { now, store } = tenant;
  const faults = createInjectedFaults();
  const requests: RequestEntry[] = [];
  const append = appendTo(requests);
  const rateLimits = createRateLimits();
  let limiter = createLimiter(tier, now);
  /** Empties the log, fills the rate limits, and injects the faults of the start. */
  const reset = () => {
    faults.clear();
    for (const fault of [...(seed?.faults ?? []), ...(options.faults ?? [])]) faults.add(fault);
    requests.length = 0;
    rateLimits.clear();
    limiter = createLimiter(tier, now);
  };
  reset();
  const route = createRouter(operations, tenant, () => limiter);
  const fetch = createRequestHandler({
    respond: options.enforce ? createEnforcement({ tenant, rateLimits, serve: route }) : route,
    faults,
    latency,
    now,
    random: store.random,
    log(entry) {
      append(entry);
      options.onRequest?.(entry);
    },
  });
  return { faults, requests, fetch, reset };
}

// `POST /_tenantform/unlock`: the one operation that no ACL blocks, for a tenant that locks everybody out.

const isUnlock = (request: Request) => request.method === "POST" && pathOf(request) === "/_tenantform/unlock";

/** Deactivates all network ACLs, and lets rate limit policies only log. */
function unlock(store: TenantStore, request: Request): Response {
  const origin = request.headers.get("origin");
  // A browser sends requests from pages of other sites.
  if (origin !== null && origin !== new URL(request.url).origin)
    return errorResponse(new ServiceError(403, "A page of another site cannot unlock the tenant."));
  const [acls, policies] = [store.of(networkAclKind), store.of(rateLimitPolicyKind)];
  for (const acl of acls.values()) if (acl.active) acls.put({ ...acl, active: false });
  for (const policy of policies.values()) {
    const { action, limit } = policy.configuration;
    if (action === "block" || action === "redirect")
      policies.put({ ...policy, configuration: { action: "log", limit } });
  }
  return noContent();
}
