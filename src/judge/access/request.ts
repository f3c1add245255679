/** A request to the tenant. Facts may be missing. */
import { factNames, rowOf } from "./fact";
import type { FactName, FactTable } from "./facts";
import { canonicalPath } from "./fact-forms";
import { isUnknown } from "../../formats/cty/value";

export type Api = "management" | "authentication" | "dynamic_client_registration";

type ValueOf<Kind> = Kind extends "number" ? number : Kind extends "list" ? readonly string[] : string;

/**
 * The facts that rules match. A missing fact is unknown. An empty text or list means that the request has none, for example
 * no signature. An address may be a CIDR block if any of its addresses is possible. Texts that `problemOf` refuses count as unknown.
 */
export type FactValues = { readonly [N in Exclude<FactName, "path">]?: ValueOf<FactTable[N]["kind"]> };

export interface AccessRequest extends FactValues {
  readonly api: Api;
}

/** A request with all facts known. It does not have facts that are undefined or empty. */
export type WholeRequest = AccessRequest & {
  readonly path: string;
  readonly ip: string;
  readonly connecting_ip: string;
};

/** The values of a request that no rule is about: it has `text` and `number` where most requests have a value. */
export function unnamedFacts(text: string, number: number): FactValues {
  const named = factNames.flatMap((name) => {
    const { kind, isRare, criteria } = rowOf(name);
    if (kind === "address" || Object.keys(criteria).length === 0) return [];
    return [[name, kind === "list" ? [] : isRare ? "" : kind === "number" ? number : text] as const];
  });
  return Object.fromEntries(named);
}

/** A symbol stands for an unknown value. */
type PossiblyUnknown<T> = symbol | undefined | (T extends readonly (infer E)[] ? readonly PossiblyUnknown<E>[] : T);

export type Facts = { readonly [N in keyof FactValues]?: PossiblyUnknown<FactValues[N]> };

/** The request for a path. The default of `connecting_ip` is `ip`. */
export function requestOf(path: string, facts: Facts): AccessRequest {
  const given = { ...facts, connecting_ip: facts.connecting_ip ?? facts.ip };
  const known = Object.entries(given).filter(([, fact]) => fact !== undefined && isKnown(fact));
  return { ...Object.fromEntries(known), api: apiOf(path) };
}

function isKnown(fact: unknown): boolean {
  return Array.isArray(fact) ? fact.every(isKnown) : !isUnknown(fact);
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
export function scopeCovers(scope: string | symbol, api: Api): Ternary {
  if (isUnknown(scope)) return "perhaps";
  if (scopes[api].includes(scope)) return "yes";
  return scopeIsKnown(scope) ? "no" : "perhaps";
}

// Logic with values that a plan does not know, and with parts of rules that this version cannot read.

/** "perhaps" becomes "yes" or "no" once all facts are known. */
export type Ternary = "yes" | "perhaps" | "no";

export function any(values: readonly Ternary[]): Ternary {
  if (values.includes("yes")) return "yes";
  return values.includes("perhaps") ? "perhaps" : "no";
}

export function not(value: Ternary): Ternary {
  if (value === "perhaps") return "perhaps";
  return value === "yes" ? "no" : "yes";
}
