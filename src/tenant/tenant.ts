/** The tenant over HTTP: one client with one token, and an interface for each endpoint family. */
import { setMaxListeners } from "node:events";
import { unescape } from "node:querystring";
import { createTokenRequest, type Credentials, pemIn } from "./auth/credentials";
import { fetchedTokens, readyToken, type Tokens, type TokenStore } from "./auth/token";
import { type Clock, systemClock } from "./clock";
import { TenantError } from "./error";
import { createClient } from "./http/client";
import { createRateLimiter } from "./http/limit";
import { createTransport, type Environment, proxyFor, type Timeouts, type Transport } from "./http/transport";
import { noUsage, type Usage } from "./http/call";
import { keepSecret, legibleLog, type Log } from "./secrets";
import { createNetworkAclKeys, type NetworkAclKeys } from "./network-acl-keys";
import { createNetworkAcls, type NetworkAcls } from "./network-acls";
import { createOrganizationMembers, type OrganizationMembers } from "./organization-members";
import { createOrganizations, type Organizations } from "./organizations";
import type { PriorityTimeouts } from "./gate/changes";
import { createRateLimitPolicies, type RateLimitPolicies } from "./rate-limit-policies";
import { urlIn } from "../formats/text/url";

export type { Credentials } from "./auth/credentials";
export type { Log } from "./secrets";
export type { Usage } from "./http/call";

export interface TenantOptions {
  /** Root URL: https://acme.eu.auth0.com. The paths `/api/v2` and `/oauth/token` are below it. */
  endpoint: string;
  credentials: Credentials;
  /** The audience of fetched tokens. Default: the endpoint's `/api/v2/`. */
  audience?: string;
  /** Product and version. */
  userAgent: string;
  /** Milliseconds that one call may wait in total, for quotas and retries. Default 600 000. */
  maxRetryWait?: number;
  /** Requests per second, in addition to the quota. Default: only the quota. */
  maxRequestsPerSecond?: number;
  /** Requests under way at once. Default 32. */
  maxConcurrency?: number;
  log?: Log;
  clock?: Clock;
  /** Uniform in [0, 1). */
  random?: () => number;
  timeouts?: Timeouts;
  /** How long writes that need each other's unique values wait. */
  priorityTimeouts?: PriorityTimeouts;
  /** PEM text of authorities to trust in addition to those of the machine and of NODE_EXTRA_CA_CERTS. */
  certificateAuthority?: string;
  /** Has HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Default: the environment of the process. */
  environment?: Environment;
  /** Keeps the fetched token for later processes with the same credentials. Default: each process fetches a token. */
  tokenStore?: TokenStore | undefined;
  /** Carries requests and responses. Default: HTTP to the endpoint. */
  transport?: Transport;
}

export interface Tenant {
  readonly networkAcls: NetworkAcls;
  readonly networkAclKeys: NetworkAclKeys;
  readonly rateLimitPolicies: RateLimitPolicies;
  readonly organizationMembers: OrganizationMembers;
  readonly organizations: Organizations;
  readonly tokens: Pick<Tokens, "authorize" | "scopes" | "issuer" | "stay">;
  usage(): Usage;
  /** Ends waiting calls and refuses new ones with `stopped`. Requests under way get a grace period for their responses. */
  stop(): void;
  /** Waits for the requests under way, then closes the connections. */
  close(): Promise<void>;
}

export function createTenant(options: TenantOptions): Tenant {
  const { credentials, userAgent, clock = systemClock, random = Math.random } = options;
  const { maxConcurrency = 32, maxRequestsPerSecond, maxRetryWait = 600_000, certificateAuthority, timeouts } = options;
  const log = options.log ? legibleLog(options.log) : () => {};
  const root = new URL(options.endpoint);
  const endpoint = (root.origin + root.pathname).replace(/\/+$/, "");
  const prefix = endpoint.slice(root.origin.length);
  const { environment = process.env } = options;
  keepSecret(
    ...secretsOf(credentials),
    ...passwordsIn(options.endpoint),
    ...passwordsIn(proxyFor(root.origin, environment)),
  );

  const usage = noUsage();
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal);
  const { transport = createTransport({ origin: root.origin, clock, timeouts, environment, certificateAuthority }) } =
    options;
  const layers = { clock, random, log, signal, usage, maxRetryWait, transport, userAgent };
  const audience = options.audience ?? `${endpoint}/api/v2/`;
  const tokens =
    credentials.kind === "access_token"
      ? readyToken(credentials.accessToken, clock)
      : fetchedTokens(
          createTokenRequest({ ...layers, endpoint, path: `${prefix}/oauth/token`, audience }, credentials),
          { ...layers, tokenStore: options.tokenStore },
        );
  const rateLimiter = createRateLimiter({ ...layers, maxConcurrency, maxRequestsPerSecond, remembered: tokens });
  const client = createClient({
    ...layers,
    base: `${prefix}/api/v2`,
    tokens,
    rateLimiter,
    stopWith: (error) => stopping.abort(error),
  });

  const ordered = { ...layers, timeouts: options.priorityTimeouts };

  return {
    networkAcls: createNetworkAcls(client, ordered),
    networkAclKeys: createNetworkAclKeys(client, ordered),
    rateLimitPolicies: createRateLimitPolicies(client, ordered),
    organizationMembers: createOrganizationMembers(client),
    organizations: createOrganizations(client),
    tokens,
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
  if (credentials.kind === "client_secret") return [credentials.clientSecret];
  return [credentials.privateKey, ...readable(credentials.privateKey)];
}

/** The lines of a key that is not written in lines. */
function readable(privateKey: string): string[] {
  try {
    return [pemIn(privateKey)];
  } catch {
    return []; // the first request says why
  }
}

/** The password as it is written in the URL, and decoded. */
function passwordsIn(url: string | undefined): string[] {
  const { password } = urlIn(url ?? "") ?? { password: "" };
  return [password, unescape(password)];
}
