/** Names the tenant of plans as far as the plans show it. */
import { clipped } from "../impact/clipped";
import { hidden } from "../impact/hidden";
import { masked } from "../text/masked";
import type { HostSite, Site } from "./site";

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

export function tenantNameOf(sites: readonly Site[], remote?: RemoteName): TenantName {
  const hosts = sites.filter((site): site is HostSite => site.kind === "host");
  if (hosts.length > 0) return namedBy(hosts, hosts.length === sites.length);
  if (remote) {
    const { host: name, isCommon } = remote;
    const words = isCommon ? shown(name) : `${shown(name)} (from the environment of this review)`;
    return { name, certain: isCommon, source: "remote", words };
  }
  const [first, ...others] = new Set(sites.map((site) => (site.kind === "environment" ? site.prefix : undefined)));
  return first !== undefined && others.length === 0
    ? { name: null, certain: false, source: "environment", words: variablesOf(first), prefix: first }
    : { name: null, certain: false, source: "unknown", words: "" };
}

/** The tenant of a provider block that names none. */
export const variablesOf = (prefix: string) =>
  `the tenant from ${prefix === "" ? "" : `${clipped(prefix)}_`}TENANT_DOMAIN`;

function namedBy(hosts: readonly HostSite[], areAll: boolean): TenantName {
  const variables = [...new Set(hosts.flatMap(({ variable }) => (variable ? `var.${variable.name}` : [])))];
  const source = variables.length > 0 ? "variable" : "constant";
  if (hosts.some(({ variable }) => variable?.isSecret)) {
    return { name: null, certain: false, source, words: `the tenant of ${variables.map(shown).join(", ")} ${hidden}` };
  }
  const names = [...new Set(hosts.map(({ host, path }) => masked(host + path)))];
  const isWhole = hosts.every(({ isCertain }) => isCertain);
  const reason = isWhole ? (areAll ? "" : " (not every plan names it)") : ` (from ${variables.map(shown).join(", ")})`;
  return {
    name: names.join(" and "),
    certain: isWhole && areAll && names.length === 1,
    source,
    words: names.map(shown).join(" and ") + reason,
  };
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
