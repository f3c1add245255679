/** The tenant over HTTP: one client, one token, and the endpoint families on top of it. */
import { setMaxListeners } from "node:events";
import { unescape } from "node:querystring";
import type { Credentials } from "./auth/credentials";
import { fetchedTokens, readyToken } from "./auth/token";
import { createTokenRequest } from "./auth/token-request";
import { systemClock, type Clock } from "./clock";
import { TenantError } from "./error";
import { createClient } from "./http/client";
import { createRateLimiter } from "./http/rate-limiter";
import { proxyFor, type Environment } from "./http/proxy";
import { createTransport, type Timeouts, type Transport } from "./http/transport";
import { noUsage, type Usage } from "./http/usage";
import { legibleLog, type Log } from "./log";
import { createNetworkAclKeys, type NetworkAclKeys } from "./network-acl-keys";
import { createNetworkAcls, type NetworkAcls } from "./network-acls";
import { createOrganizationMembers, type OrganizationMembers } from "./organization-members";
import { createOrganizations, type Organizations } from "./organizations";
import type { PriorityTimeouts } from "./priorities";
import { createRateLimitPolicies, type RateLimitPolicies } from "./rate-limit-policies";
import { keepSecret } from "./secrets";
import { urlIn } from "../text/url";

export type { Credentials } from "./auth/credentials";
export type { Log } from "./log";
export type { Usage } from "./http/usage";

export interface TenantOptions {
  /** Root URL: https://acme.eu.auth0.com. `/api/v2` and `/oauth/token` hang below it. */
  endpoint: string;
  credentials: Credentials;
  /** Of the tokens to fetch. Default: the endpoint's `/api/v2/`. */
  audience?: string;
  /** Product and version. */
  userAgent: string;
  /** Milliseconds for which one call may be held up in all, by quotas and repetitions. Default 600 000. */
  maxRetryWait?: number;
  /** Requests a second, whatever the quota allows. Default: as the quota allows. */
  maxRequestsPerSecond?: number;
  /** Requests under way at once. Default 32. */
  maxConcurrency?: number;
  log?: Log;
  clock?: Clock;
  /** Uniform in [0, 1). */
  random?: () => number;
  timeouts?: Timeouts;
  /** How long lists that change places wait for each other. */
  priorityTimeouts?: PriorityTimeouts;
  /** PEM text of authorities whose certificates are believed, besides those of the machine and NODE_EXTRA_CA_CERTS. */
  certificateAuthority?: string;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read from. Default: that of the process. */
  environment?: Environment;
  /** What carries requests and answers. Default: HTTP to the endpoint. */
  transport?: Transport;
}

export interface Tenant {
  readonly networkAcls: NetworkAcls;
  readonly networkAclKeys: NetworkAclKeys;
  readonly rateLimitPolicies: RateLimitPolicies;
  readonly organizationMembers: OrganizationMembers;
  readonly organizations: Organizations;
  /** Fetches a token where none is at hand, as the next request would. Throws for a ready one that has ended, too. */
  authorize(): Promise<void>;
  /**
   * The scopes of the token at hand, without a request: of a ready access token read from its claims; undefined where
   * unknown, as before the first token of client credentials is fetched.
   */
  scopes(): Promise<string[] | undefined>;
  usage(): Usage;
  /** Ends what waits and refuses what is new with `stopped`; requests under way have a grace to be answered in. */
  stop(): void;
  /** Lets what is in flight end, then lets the connections go. */
  close(): Promise<void>;
}

export function createTenant(options: TenantOptions): Tenant {
  const { credentials, userAgent, clock = systemClock, random = Math.random } = options;
  const { maxConcurrency = 32, maxRequestsPerSecond, maxRetryWait = 600_000, certificateAuthority, timeouts } = options;
  const log = options.log ? legibleLog(options.log) : () => {};
  const root = new URL(options.endpoint);
  const endpoint = (root.origin + root.pathname).replace(/\/+$/, "");
  const prefix = endpoint.slice(root.origin.length);
  const proxy = proxyFor(root.origin, options.environment ?? process.env);
  keepSecret(...secretsOf(credentials), ...passwordsIn(options.endpoint), ...passwordsIn(proxy));

  const usage = noUsage();
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal);
  const { transport = createTransport({ origin: root.origin, clock, timeouts, proxy, certificateAuthority }) } =
    options;
  const layers = { clock, random, log, signal, usage, maxRetryWait, transport, userAgent };
  const audience = options.audience ?? `${endpoint}/api/v2/`;
  const tokens =
    credentials.kind === "access_token"
      ? readyToken(credentials.accessToken, clock)
      : fetchedTokens(
          createTokenRequest({ ...layers, endpoint, path: `${prefix}/oauth/token`, audience }, credentials),
          layers,
        );
  const rateLimiter = createRateLimiter({ clock, signal, log, maxConcurrency, maxRequestsPerSecond });
  const client = createClient({ ...layers, base: `${prefix}/api/v2`, tokens, rateLimiter });

  return {
    networkAcls: createNetworkAcls(client, { ...layers, timeouts: options.priorityTimeouts }),
    networkAclKeys: createNetworkAclKeys(client, layers),
    rateLimitPolicies: createRateLimitPolicies(client, layers),
    organizationMembers: createOrganizationMembers(client),
    organizations: createOrganizations(client),
    authorize: async () => void (await tokens.authorize()),
    scopes: () => tokens.scopes(),
    usage: () => ({ ...usage }),
    stop() {
      stopping.abort(new TenantError("stopped", "Stopped while waiting."));
      transport.stop();
    },
    async close() {
      stopping.abort(new TenantError("stopped", "The client is closed."));
      await transport.close();
    },
  };
}

function secretsOf(credentials: Credentials): string[] {
  if (credentials.kind === "access_token") return [credentials.accessToken];
  return [credentials.kind === "client_secret" ? credentials.clientSecret : credentials.privateKey];
}

/** As it is written in the URL, and as it is meant. */
function passwordsIn(url: string | undefined): string[] {
  const { password } = urlIn(url ?? "") ?? { password: "" };
  return [password, unescape(password)];
}
