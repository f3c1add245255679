/** A request to the tenant, as far as it is known. */
import type { Ternary } from "./ternary";
import { canonicalPath } from "./path";

export type Api = "management" | "authentication" | "dynamic_client_registration";

/**
 * The facts that rules look at. One that is left out is not known; an empty text (or list) says that the request is
 * known to have none, such as no signature.
 */
export interface AccessRequest {
  readonly api: Api;
  /**
   * Address of the end user, IPv4 or IPv6; or a CIDR block, when it may be any of its addresses. A text that is neither
   * counts as not known: `problemOf` refuses it where people write one.
   */
  readonly ip?: string;
  /** Address of the host that connects to the service, such as a reverse proxy; as above. */
  readonly connecting_ip?: string;
  readonly asn?: number;
  /** ISO 3166-1 alpha-2, such as DE. */
  readonly country?: string;
  /** ISO 3166-2, such as US-CA. */
  readonly subdivision?: string;
  /** The whole header as the service sees it: on self-managed domains it sees none. */
  readonly user_agent?: string;
  /** The name that the client asks for (TLS server name). */
  readonly hostname?: string;
  readonly ja3?: string;
  readonly ja4?: string;
  /** All curated lists that the request is on, such as auth0.tor. */
  readonly managed?: readonly string[];
  /** Id of the key of its HTTP message signature. */
  readonly signature_key?: string;
}

/** A symbol stands for what is not known yet. */
type PossiblyUnknown<T> = symbol | undefined | (T extends readonly (infer E)[] ? readonly PossiblyUnknown<E>[] : T);

/** The facts of a request as people name them. */
export type Facts = { readonly [K in Exclude<keyof AccessRequest, "api">]?: PossiblyUnknown<AccessRequest[K]> };

/** The request for a path. Where nothing is said of the host that connects, it is that of the end user. */
export function requestOf(path: string, facts: Facts): AccessRequest {
  const told = { ...facts, connecting_ip: facts.connecting_ip ?? facts.ip };
  const known = Object.entries(told).filter(([, fact]) => fact !== undefined && isKnown(fact));
  return { ...Object.fromEntries(known), api: apiOf(path) };
}

function isKnown(fact: unknown): boolean {
  return Array.isArray(fact) ? fact.every(isKnown) : typeof fact !== "symbol";
}

/** Which API a path of the tenant, or a URL, belongs to; the first slash may be missing, and a query follow. */
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

/** Whether this version knows what the scope covers. */
export function scopeIsKnown(scope: string): boolean {
  return Object.values(scopes).some((known) => known.includes(scope));
}

/** Whether a rule of the scope looks at requests to the API; perhaps, for a scope that this version does not know. */
export function scopeCovers(scope: string, api: Api): Ternary {
  if (scopes[api].includes(scope)) return "yes";
  return scopeIsKnown(scope) ? "no" : "perhaps";
}
