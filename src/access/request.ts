/** A request to the tenant. Facts may be missing. */
import type { Ternary } from "./ternary";
import { canonicalPath } from "./path";

export type Api = "management" | "authentication" | "dynamic_client_registration";

/**
 * The facts that rules match. A missing fact is unknown. An empty text or list means that the request has none, for example
 * no signature.
 */
export interface AccessRequest {
  readonly api: Api;
  /**
   * IPv4 or IPv6 address of the end user, or a CIDR block if any of its addresses is possible. Other texts count as unknown;
   * `problemOf` refuses them in input.
   */
  readonly ip?: string;
  /** Address of the host that connects to the service, for example a reverse proxy. */
  readonly connecting_ip?: string;
  readonly asn?: number;
  /** ISO 3166-1 alpha-2, such as DE. */
  readonly country?: string;
  /** ISO 3166-2, such as US-CA. */
  readonly subdivision?: string;
  /** The whole header that the service gets. On self-managed domains it gets none. */
  readonly user_agent?: string;
  /** The TLS server name. */
  readonly hostname?: string;
  readonly ja3?: string;
  readonly ja4?: string;
  /** All curated lists that contain the request, such as auth0.tor. */
  readonly managed?: readonly string[];
  /** Id of the key of its HTTP message signature. */
  readonly signature_key?: string;
}

/** A symbol stands for an unknown value. */
type PossiblyUnknown<T> = symbol | undefined | (T extends readonly (infer E)[] ? readonly PossiblyUnknown<E>[] : T);

export type Facts = { readonly [K in Exclude<keyof AccessRequest, "api">]?: PossiblyUnknown<AccessRequest[K]> };

/** The request for a path. The default of `connecting_ip` is `ip`. */
export function requestOf(path: string, facts: Facts): AccessRequest {
  const given = { ...facts, connecting_ip: facts.connecting_ip ?? facts.ip };
  const known = Object.entries(given).filter(([, fact]) => fact !== undefined && isKnown(fact));
  return { ...Object.fromEntries(known), api: apiOf(path) };
}

function isKnown(fact: unknown): boolean {
  return Array.isArray(fact) ? fact.every(isKnown) : typeof fact !== "symbol";
}

/** The API of a path or URL. The first slash may be missing, and a query may follow. */
export function apiOf(path: string): Api {
  const bare = canonicalPath(path);
  if (/^\/(api\/v2|scim)(\/|$)/.test(bare)) return "management";
  return /^\/oidc\/register\/?$/.test(bare) ? "dynamic_client_registration" : "authentication";
}

/** A path of the API. */
export function pathTo(api: Api): string {
  return { management: "/api/v2/", authentication: "/authorize", dynamic_client_registration: "/oidc/register" }[api];
}

const scopes: Record<Api, readonly string[]> = {
  management: ["management", "tenant"],
  authentication: ["authentication", "tenant"],
  dynamic_client_registration: ["dynamic_client_registration", "authentication", "tenant"],
};

export const apis = Object.keys(scopes) as readonly Api[];

export function scopeIsKnown(scope: string): boolean {
  return Object.values(scopes).some((known) => known.includes(scope));
}

/** Whether a rule of the scope applies to requests to the API. An unknown scope may apply. */
export function scopeCovers(scope: string, api: Api): Ternary {
  if (scopes[api].includes(scope)) return "yes";
  return scopeIsKnown(scope) ? "no" : "perhaps";
}
