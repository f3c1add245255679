/** The tenant that a provider configuration names, as far as a plan tells. */
import { knownValue } from "./expression";
import type { Plan, ProviderConfig, Values } from "./plan";

export type Site =
  | {
      readonly kind: "host";
      readonly host: string;
      readonly written: string;
      /** A constant: what refers to one variable may be more than its value. */
      readonly isConstant: boolean;
    }
  /** Nothing is written: the environment of the run says it. */
  | { readonly kind: "environment" }
  /** One for each of several keys, as OpenTofu has it: which object is whose no plan tells. */
  | { readonly kind: "several" }
  | { readonly kind: "untold" };

/** Left out: what Terraform makes of nothing. */
export function siteOf(config: ProviderConfig = {}, plan: Plan): Site {
  const { domain, endpoint } = config.expressions ?? {};
  const expression = (endpoint ?? domain) as Values | undefined;
  if (expression === undefined) return { kind: "environment" };
  const references = (expression["references"] ?? []) as readonly unknown[];
  if (references.some((name) => /^each\b/.test(String(name)))) return { kind: "several" };
  const value = knownValue(expression, plan, config)?.value;
  if (typeof value !== "string" || value === "") return { kind: "untold" };
  return { kind: "host", host: hostOf(value), written: value, isConstant: references.length === 0 };
}

/** Of a domain, or of the URL of an endpoint; with the port, by which tenants of one machine differ. */
export function hostOf(text: string): string {
  return text.includes("//") && URL.canParse(text) ? new URL(text).host : text.toLowerCase();
}

/** Whether two configurations of one run name the same tenant; undefined: the plan does not tell. */
export function areOne(one: Site, other: Site): boolean | undefined {
  if (one.kind === "environment" && other.kind === "environment") return true;
  if (one.kind !== "host" || other.kind !== "host") return undefined;
  if (one.isConstant && other.isConstant) return one.host === other.host;
  if (one.host === other.host) return undefined;
  // A constant that holds the value of the variable may be what a text around the variable comes to.
  if (one.isConstant) return one.host.includes(other.host) ? undefined : false;
  return other.isConstant && other.host.includes(one.host) ? undefined : false;
}
