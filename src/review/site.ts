/** Finds the tenant that a provider configuration names. */
import type { Values } from "../impact/model";
import { hostOf, pathOf, rootOf } from "../resources/provider-block/root";
import { knownValue } from "./expression";
import type { Plan, ProviderConfig } from "./plan";

export type Site =
  | HostSite
  /** The provider block names no tenant, so the environment does. */
  | { readonly kind: "environment" }
  /** One block with several keys, as OpenTofu allows. The plan does not show the key of an object. */
  | { readonly kind: "several" }
  | { readonly kind: "unknown" };

interface HostSite {
  readonly kind: "host";
  /** Host and port, the same for all spellings. Tenants on one machine differ by port. */
  readonly host: string;
  /** A server may have tenants in several folders. */
  readonly path: string;
  /** As it is written, or as the variable holds it. */
  readonly written: string;
  /** Whether it is a constant. An expression with one variable may add text to the value of the variable. */
  readonly isConstant: boolean;
}

/** `config` left out: no provider block exists, so the environment names the tenant. */
export function siteOf(config: ProviderConfig = {}, plan: Plan): Site {
  const { endpoint, domain } = config.expressions ?? {};
  const name = isWritten(endpoint) ? "endpoint" : "domain";
  const expression = (name === "endpoint" ? endpoint : domain) as Values | undefined;
  if (!isWritten(expression)) return { kind: "environment" };
  const references = (expression?.["references"] ?? []) as readonly unknown[];
  if (references.some((reference) => /^each\b/.test(String(reference)))) return { kind: "several" };
  const value = knownValue(expression, plan, config)?.value;
  const root = typeof value === "string" && value !== "" ? rootOf({ [name]: value }) : undefined;
  if (!root) return { kind: "unknown" };
  const written = String(value).toLowerCase();
  return { kind: "host", host: hostOf(root), path: pathOf(root), written, isConstant: references.length === 0 };
}

/** An absent attribute is null. */
function isWritten(expression: unknown): boolean {
  return expression !== undefined && (expression as Values | null)?.["constant_value"] !== null;
}

/** Whether two configurations of one run name the same tenant. undefined: the plan does not show it. */
export function areOne(one: Site, other: Site): boolean | undefined {
  if (one.kind === "environment" && other.kind === "environment") return true;
  if (one.kind !== "host" || other.kind !== "host") return undefined;
  if (one.host === other.host) {
    return one.isConstant && other.isConstant && one.path === other.path ? true : undefined;
  }
  return mayContain(one, other) || mayContain(other, one) ? undefined : false;
}

/** Whether `whole` contains the value of the variable in `part`, so that an expression around the variable may equal `whole`. */
function mayContain(whole: HostSite, part: HostSite): boolean {
  return !part.isConstant && [whole.host, whole.written].some((text) => text.includes(part.written));
}

/** Whether two configurations name one host, though a text around a variable may make them two. */
export function haveOneHost(one: Site, other: Site): boolean {
  return one.kind === "host" && other.kind === "host" && one.host === other.host;
}
