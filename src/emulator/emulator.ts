/** The embedded tenant: a stand-in for the tenant-management service, in memory, on a port or called directly. */
import { kinds, operations, seedSchema, type Seed, type Snapshot } from "./api/families";
import { networkAclKeyKind, type NetworkAclKey } from "./api/network-acl-keys";
import { networkAclKind, type NetworkAcl } from "./api/network-acls";
import { addOrganization, organizationKind, type NewOrganization, type Organization } from "./api/organizations";
import { rateLimitPolicyKind, type RateLimitPolicy } from "./api/rate-limit-policies";
import { userKind, type User } from "./api/users";
import type { Tokens } from "./auth/claims";
import { clientKind, type Client } from "./auth/client";
import { sharedKeys } from "./auth/key";
import { createTokens } from "./auth/token";
import { enforce } from "./enforcement/enforce";
import type { Flag } from "./flag";
import { errorAnswer, ServiceError } from "./http/response";
import { createExchange } from "./http/request-handler";
import { createHostCheck } from "./http/host";
import { createInjectedFaults, type InjectedFault, type InjectedFaults } from "./http/fault";
import { createLimiter, type Tier } from "./http/limit";
import { pathOf } from "./http/path";
import { createRecord, type RequestEntry } from "./http/request-log";
import { createRouter } from "./http/router";
import { serve, type Listening } from "./http/server";
import { brokenOff, ConnectionReset } from "./http/broken-response";
import { createCertificate } from "./http/tls";
import { createControl, isControl } from "./page/control";
import { clientId, clientSecret, secureRandom, type Random } from "./state/identity";
import { openPersistence } from "./state/persistence";
import { checkSeed, contentsOf } from "./state/seed";
import { createStore, type Collection, type Contents, type Store as Holdings } from "./state/store";
import { createClock } from "./state/time";
import type { Tenant } from "./tenant";

export type { Seed, Snapshot } from "./api/families";
export type { Flag } from "./flag";
export type { InjectedFault, InjectedFaults } from "./http/fault";
export type { Tier } from "./http/limit";
export type { RequestEntry } from "./http/request-log";
export type { Listening } from "./http/server";

export interface EmulatorOptions {
  /** Rate limits of a subscription; "none" by default. */
  readonly tier?: Tier;
  /** Milliseconds every answer takes at least; 0 by default. The real service takes about 280. */
  readonly latency?: number;
  /** What the tenant holds at the beginning and after a reset. A seed that cannot be used throws. */
  readonly seed?: Seed;
  /** A file the tenant is kept in; what it holds already wins over the seed. A damaged one, or one in use, throws. */
  readonly data?: string;
  /** Refuse members that are not users of the tenant; as the seed says by default, else false. */
  readonly trackUsers?: boolean;
  /** Injected faults in force from the start and after a reset, behind those of the seed. */
  readonly faults?: readonly InjectedFault[];
  /** Do to requests what the network ACLs say; the header X-Tenantform-Origin says where one comes from. */
  readonly enforce?: boolean;
  /** What the service rolls out tenant by tenant, beside what the seed says. */
  readonly flags?: readonly Flag[];
  /** Names under which the tenant is reached, beside the loopback's: requests to any other are refused. */
  readonly hostNames?: readonly string[];
  /** Told of every request when its answer begins. */
  readonly onRequest?: (entry: RequestEntry) => void;
  /** Told what a person should know of the data file, such as a torn line at its end that was dropped. */
  readonly warn?: (message: string) => void;
  /** Milliseconds since 1970; Date.now by default. */
  readonly now?: () => number;
  /** Numbers in [0, 1) for ids and secrets; unpredictable by default. */
  readonly random?: Random;
}

/** Direct access to what the tenant holds, past validation and limits. */
export interface Store extends Holdings {
  readonly clients: Collection<Client>;
  readonly users: Collection<User>;
  readonly networkAcls: Collection<NetworkAcl>;
  readonly networkAclKeys: Collection<NetworkAclKey>;
  readonly rateLimitPolicies: Collection<RateLimitPolicy>;
  readonly organizations: Collection<Organization>;
  addOrganization(organization?: NewOrganization): Organization;
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
  listen(options?: { readonly port?: number; readonly tls?: boolean }): Promise<Listening>;
  /** Back to what it started with: no requests, the faults of the start, full rate limits. The ready client stays. */
  reset(): void;
  /** All that the tenant holds but its secrets; a seed for another one. */
  snapshot(): Snapshot;
  /** The last requests to the service, oldest first, as many as 8 MiB hold; empty it with `length = 0`. */
  readonly requests: RequestEntry[];
  readonly faults: InjectedFaults;
  readonly store: Store;
  /** Signs tokens of any make with the tenant's key. */
  readonly tokens: Tokens;
  /** Ends the use of the data file. */
  close(): void;
}

const openStore = (holdings: Holdings): Store => ({
  ...holdings,
  clients: holdings.of(clientKind),
  users: holdings.of(userKind),
  networkAcls: holdings.of(networkAclKind),
  networkAclKeys: holdings.of(networkAclKeyKind),
  rateLimitPolicies: holdings.of(rateLimitPolicyKind),
  organizations: holdings.of(organizationKind),
  addOrganization: (organization) => addOrganization(holdings, organization),
});

/** What may be shown of the tenant's contents. */
function withoutSecrets(contents: Contents): Snapshot {
  const shown = kinds.map(({ name, secrets = [] }) => {
    const hidden: readonly string[] = secrets;
    const entities = contents[name] ?? [];
    const open = entities.map((entity) =>
      Object.fromEntries(Object.entries(entity).filter(([property]) => !hidden.includes(property))),
    );
    return [name, hidden.length === 0 ? entities : open];
  });
  return Object.fromEntries(shown) as Snapshot;
}

/** The time of day with a fraction of a millisecond, as the service writes it. */
const precise = () => Date.now() + (performance.now() % 1);

export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const { tier = "none", latency = 0, now = Date.now, random = secureRandom, seed = {} } = options;
  checkSeed(seedSchema, seed);
  const clock = createClock(options.now ?? precise);
  const initial = contentsOf(kinds, seed, { clock, random });
  const store = openStore(createStore(kinds, { clock, random }));
  const faults = createInjectedFaults();
  const arm = () => {
    for (const fault of [...(seed.faults ?? []), ...(options.faults ?? [])]) faults.add(fault);
  };
  arm();
  const persistence =
    options.data === undefined ? undefined : openPersistence(options.data, store, options.warn ?? process.emitWarning);
  const keys = persistence?.keys ?? sharedKeys;
  const requests: RequestEntry[] = [];
  const keep = createRecord(requests);
  const watchers = new Set<() => void>();
  const ready: Client = persistence?.ready ?? {
    client_id: clientId(random),
    client_secret: clientSecret(random),
    name: "Ready client",
    global: true,
  };
  const tenant: Tenant = {
    store,
    tokens: createTokens(store, keys, now),
    keys,
    now,
    flags: new Set([...(seed.flags ?? []), ...(options.flags ?? [])]),
    trackUsers: options.trackUsers ?? seed.track_users ?? false,
    publicKeyOf: async (client) =>
      client.client_id === ready.client_id ? (await keys.client()).publicPem : client.public_key,
  };
  let limiter = createLimiter(tier, now);

  const plant = () => store.replace({ ...initial, clients: [{ ...ready }, ...(initial.clients ?? [])] });
  if (persistence?.ready === undefined) plant();
  persistence?.begin(ready);

  const tell = () => {
    for (const watcher of watchers) watcher();
  };
  store.onChange(tell);

  const reset = () => {
    plant();
    faults.clear();
    arm();
    requests.length = 0;
    limiter = createLimiter(tier, now);
    tell();
  };

  const router = createRouter(operations, tenant, () => limiter);
  const exchange = createExchange({
    // The service knows no HEAD; the router would answer it like GET.
    answer: async (request, env) => {
      const stopped = options.enforce ? await enforce(store, request, env.entry) : undefined;
      if (stopped) return stopped;
      return request.method === "HEAD" ? errorAnswer(new ServiceError(404, "Not Found")) : router.fetch(request, env);
    },
    faults,
    latency,
    now,
    random,
    record: (entry) => {
      keep(entry);
      options.onRequest?.(entry);
      tell();
    },
  });
  const snapshot = () => withoutSecrets(store.contents());
  const control = createControl({
    store,
    enforces: options.enforce ?? false,
    faults,
    requests,
    reset,
    snapshot,
    watch: (listener) => {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
  });
  const checkHost = createHostCheck(options.hostNames ?? []);
  const fetch = async (request: Request): Promise<Response> => {
    const answer =
      checkHost(request) ?? (await (isControl(pathOf(request)) ? control.fetch(request) : exchange(request)));
    // Whatever page of another site asks for it, a browser takes it for what it is and shows it to no one else.
    answer.headers.set("x-content-type-options", "nosniff");
    answer.headers.set("cross-origin-resource-policy", "same-origin");
    return answer;
  };

  return {
    clientId: ready.client_id,
    clientSecret: ready.client_secret,
    clientPrivateKey: async () => (await keys.client()).privatePem,
    // Without a port there is no connection that could break in the middle: the body's stream does.
    fetch: (request) =>
      fetch(request).catch((error: unknown) => {
        const broken = error instanceof ConnectionReset ? brokenOff(error) : undefined;
        if (broken === undefined) throw error;
        return broken;
      }),
    listen: async ({ port = 0, tls = false } = {}) =>
      serve({ port, fetch, certificate: tls ? createCertificate(now(), options.hostNames ?? []) : undefined }),
    reset,
    snapshot,
    requests,
    faults,
    store,
    tokens: tenant.tokens,
    close: () => persistence?.close(),
  };
}
