/** Finds the tenant that a provider block names: by its domain or endpoint, or by the prefix of its environment variables. */
import { clipped, hidden } from "../../formats/text/lists";
import type { Values } from "../../judge/impact/model";
import { textOf } from "../../formats/hcl/tree";
import { hostOf, pathOf, rootOf } from "../../provider/resources/provider-block/root";
import { maskedUrl } from "../../formats/text/masked";
import { knownValue, providerOf, referencesOf, variableIn } from "./expression";
import type { Plan, ProviderConfig } from "./plan";

export type TenantAddress =
  | HostAddress
  /** The provider block names no tenant, so the environment of the plan does. Prefix: "" or such as `ACME`. */
  | EnvironmentAddress
  /** One block with several keys, as OpenTofu allows. The plan does not show the key of an object. */
  | { readonly kind: "several" }
  /** The plan does not show the value. */
  | { readonly kind: "unknown" };

export interface EnvironmentAddress {
  readonly kind: "environment";
  readonly prefix: string;
  /** The provider is auth0/auth0, which has other variables. */
  readonly isAuth0?: boolean;
}

export interface HostAddress {
  readonly kind: "host";
  /** Host and port, the same for all spellings. Tenants on one machine differ by port. */
  readonly host: string;
  /** A server may have tenants in several folders. */
  readonly path: string;
  /** Whether the domain is a constant or nothing but the variable. Otherwise, a text around the variable may make another name of it. */
  readonly isCertain: boolean;
  readonly variable?: { readonly name: string; readonly isSecret: boolean };
  /** The prefix of the environment variables that may hold its credentials. Left out: not known. */
  readonly prefix?: string;
}

/** `key` names the configuration in the plan. */
export function tenantAddressOf(config: ProviderConfig, plan: Plan, key: string): TenantAddress {
  const { expressions = {} } = config;
  /** An absent attribute is null. */
  const isWritten = (name: string) =>
    expressions[name] !== undefined && (expressions[name] as Values | null)?.["constant_value"] !== null;
  const [only, ...others] = plan.provider_blocks?.get(key) ?? [];
  const isWhole = (name: string) => {
    const variable = variableIn(expressions[name]);
    if (!variable) return referencesOf(expressions[name]).length === 0;
    return variable.isExact || (others.length === 0 && textOf(only?.attributes.get(name)) === `var.${variable.name}`);
  };
  const read = (name: string) => knownValue(expressions[name], plan, config);
  const named = (["endpoint", "domain"] as const).find(isWritten);
  if (referencesOf(expressions[named ?? "environment_prefix"]).some((one) => /^each\b/.test(String(one))))
    return { kind: "several" };
  const known = isWhole("environment_prefix") ? read("environment_prefix") : undefined;
  const own = known?.isSecret === false && typeof known.value === "string" ? known.value : undefined;
  const prefix = isWritten("environment_prefix") ? own : "";
  if (named === undefined)
    return prefix === undefined
      ? { kind: "unknown" }
      : { kind: "environment", prefix, isAuth0: providerOf(config) === "auth0" };
  const { value, isSecret = false } = read(named) ?? {};
  const root = typeof value === "string" && value !== "" ? rootOf({ [named]: value }) : undefined;
  if (!root) return { kind: "unknown" };
  const variable = variableIn(expressions[named]);
  return {
    kind: "host",
    host: hostOf(root),
    path: pathOf(root),
    isCertain: isWhole(named),
    ...(variable && { variable: { name: variable.name, isSecret } }),
    ...(prefix !== undefined && { prefix }),
  };
}

/** Whether two provider blocks name the same tenant. undefined: they do not say it. */
export function areOne(one: TenantAddress, other: TenantAddress): boolean | undefined {
  if (one.kind === "host" && other.kind === "host" && one.isCertain && other.isCertain)
    return one.host === other.host && one.path === other.path;
  return one.kind === "environment" && other.kind === "environment" && one.prefix === other.prefix ? true : undefined;
}

/** The one tenantAddress of blocks that name one tenant. A secret name stays secret. */
export const commonAddress = (candidates: readonly [TenantAddress, ...TenantAddress[]]): TenantAddress =>
  candidates.find((tenantAddress) => tenantAddress.kind === "host" && tenantAddress.variable?.isSecret) ??
  candidates[0];

export interface TenantName {
  /** The domain. null: it is sensitive, or nothing names it. */
  readonly name: string | null;
  /** Whether the plans are certainly for the tenant with this name. */
  readonly certain: boolean;
  readonly source: "constant" | "variable" | "remote" | "environment" | "unknown";
  /** For people. */
  readonly words: string;
  /** Of the environment variables that name the tenant, if `source` is "environment". */
  readonly prefix?: string;
}

/** The tenant that `--tenant` read. */
export interface RemoteName {
  readonly host: string;
  /** Whether it has objects of the plans. */
  readonly isCommon: boolean;
}

/** `tenantAddress`: of all plans of the tenant. */
export function tenantNameOf(tenantAddress: TenantAddress, remote?: RemoteName): TenantName {
  if (tenantAddress.kind === "host") return nameOfHost(tenantAddress);
  if (remote) {
    const { host: name, isCommon } = remote;
    const words = isCommon ? shown(name) : `${shown(name)} (from the environment of this review)`;
    return { name, certain: isCommon, source: "remote", words };
  }
  if (tenantAddress.kind !== "environment") return { name: null, certain: false, source: "unknown", words: "" };
  const { prefix } = tenantAddress;
  return { name: null, certain: false, source: "environment", words: variablesOf(tenantAddress), prefix };
}

/** The tenant of a provider block that names none. */
export function variablesOf({ prefix, isAuth0 }: EnvironmentAddress): string {
  const variable = isAuth0 ? ", AUTH0_DOMAIN" : prefix === "" ? "" : `, ${clipped(prefix)}_TENANT_DOMAIN`;
  return `the tenant of the environment${variable}`;
}

function nameOfHost({ host, path, isCertain: certain, variable }: HostAddress): TenantName {
  const source = variable ? "variable" : "constant";
  const from = variable && shown(`var.${variable.name}`);
  if (variable?.isSecret) return { name: null, certain: false, source, words: `the tenant of ${from} ${hidden}` };
  const name = maskedUrl(host + path);
  return { name, certain, source, words: certain ? shown(name) : `${shown(name)} (from ${from})` };
}

const mostOfName = 100;
const shown = (name: string) => clipped(name, mostOfName);

interface Named {
  readonly name: string;
  readonly tenant?: TenantName;
}

/** `, for acme.eu.auth0.com`. Empty if nothing names the tenant, or if the name of the review does. */
export function forTenant(review: Named): string {
  const { name, tenant } = review;
  return tenant === undefined || tenant.words === "" || hasName(name, tenant) ? "" : `, for ${tenant.words}`;
}

/** The name of the review, and that of its tenant. */
export function titleOfTenant({ name, tenant }: Named): string {
  return tenant?.name == null || hasName(name, tenant) ? clipped(name) : `${clipped(name)} (${clipped(tenant.words)})`;
}

/** Part of a name is not enough: not-acme.example ends with the name of another tenant. */
const hasName = (name: string, { name: tenant, certain }: TenantName) =>
  certain && [tenant, `all plans of ${tenant}`].includes(name);
