// The tenant over HTTP: one client, one token, and the endpoint families on top of it.
import { setMaxListeners } from "node:events";
import { createClient } from "./client";
import { systemClock, type Clock } from "./clock";
import type { Credentials } from "./credentials";
import { TenantError } from "./error";
import { silent, type Log } from "./log";
import { createNetworkAcls, type NetworkAcls } from "./network-acls";
import { createOrganizationMembers, type OrganizationMembers } from "./organization-members";
import { createRateLimitPolicies, type RateLimitPolicies } from "./rate-limit-policies";
import { createPace } from "./pace";
import type { Patience } from "./priorities";
import { proxyFor, type Environment } from "./proxy";
import { createTokens } from "./token";
import { createTransport, type Timeouts, type Transport } from "./transport";
import { noUsage, type Usage } from "./usage";

export type { Credentials } from "./credentials";
export type { Log } from "./log";
export type { Usage } from "./usage";

export interface TenantOptions {
  /** Root URL: https://acme.eu.auth0.com. `/api/v2` and `/oauth/token` hang below it. */
  endpoint: string;
  credentials: Credentials;
  /** Of the tokens to fetch. Default: the endpoint's `/api/v2/`. */
  audience?: string;
  /** Product and version. */
  userAgent: string;
  /** Milliseconds for which one call may be held up by 429s in all. Default 600 000. */
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
  patience?: Patience;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read from. Default: that of the process. */
  environment?: Environment;
}

export interface Tenant {
  readonly networkAcls: NetworkAcls;
  readonly rateLimitPolicies: RateLimitPolicies;
  readonly organizationMembers: OrganizationMembers;
  /**
   * The scopes of the token at hand, without a request: of a ready access token read from its claims; undefined where
   * unknown, as before the first token of client credentials is fetched.
   */
  scopes(): Promise<string[] | undefined>;
  usage(): Usage;
  /** Aborts what is in flight and refuses the rest; every call throws `stopped`. */
  stop(): void;
  /** Lets what is in flight end, then lets the connections go. */
  close(): Promise<void>;
}

export function createTenant(options: TenantOptions): Tenant {
  const { credentials, userAgent, log = silent, clock = systemClock, random = Math.random } = options;
  const root = new URL(options.endpoint);
  const endpoint = (root.origin + root.pathname).replace(/\/+$/, "");
  const prefix = endpoint.slice(root.origin.length);
  const usage = noUsage();
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal);

  const proxy = proxyFor(root.origin, options.environment ?? process.env);
  const transport = counted(createTransport({ origin: root.origin, timeouts: options.timeouts, proxy }), usage);
  const context = { clock, random, log, signal };
  const shared = { ...context, transport, userAgent };
  const tokens = createTokens({
    ...shared,
    credentials,
    endpoint,
    path: `${prefix}/oauth/token`,
    audience: options.audience ?? `${endpoint}/api/v2/`,
  });
  const client = createClient({
    ...shared,
    base: `${prefix}/api/v2`,
    tokens,
    usage,
    pace: createPace({
      clock,
      signal,
      maxConcurrency: options.maxConcurrency ?? 32,
      maxRequestsPerSecond: options.maxRequestsPerSecond,
    }),
    maxRetryWait: options.maxRetryWait ?? 600_000,
  });

  return {
    networkAcls: createNetworkAcls(client, { ...context, patience: options.patience }),
    rateLimitPolicies: createRateLimitPolicies(client, context),
    organizationMembers: createOrganizationMembers(client),
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

function counted(transport: Transport, usage: Usage): Transport {
  return {
    ...transport,
    async exchange(request) {
      usage.requests++;
      usage.bytesSent += Buffer.byteLength(request.body ?? "");
      const answer = await transport.exchange(request);
      usage.bytesReceived += Buffer.byteLength(answer.text);
      return answer;
    },
  };
}
