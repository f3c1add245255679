/** Finds the tenant that a provider configuration names. */
import type { Values } from "../impact/model";
import { hostOf, pathOf, rootOf } from "../resources/provider-block/root";
import { knownValue, variableIn } from "./expression";
import type { Plan, ProviderConfig } from "./plan";

export type Site =
  | HostSite
  /** The provider block names no tenant, so the environment does. */
  | { readonly kind: "environment" }
  /** One block with several keys, as OpenTofu allows. The plan does not show the key of an object. */
  | { readonly kind: "several" }
  | { readonly kind: "unknown" };

export interface HostSite {
  readonly kind: "host";
  /** Host and port, the same for all spellings. Tenants on one machine differ by port. */
  readonly host: string;
  /** A server may have tenants in several folders. */
  readonly path: string;
  /** As it is written, or as the variable holds it. */
  readonly written: string;
  /** Whether it is a constant. An expression with one variable may add text to the value of the variable. */
  readonly isConstant: boolean;
  readonly variable?: HostVariable;
}

export interface HostVariable {
  readonly name: string;
  /** Whether the expression is nothing but the variable. undefined: neither the plan nor a configuration next to it shows it. */
  readonly isWhole: boolean | undefined;
  readonly isSecret: boolean;
}

/** `config` left out: no provider block exists, so the environment names the tenant. `key` names the configuration in the plan. */
export function siteOf(config: ProviderConfig = {}, plan: Plan, key = ""): Site {
  const { endpoint, domain } = config.expressions ?? {};
  const name = isWritten(endpoint) ? "endpoint" : "domain";
  const expression = (name === "endpoint" ? endpoint : domain) as Values | undefined;
  if (!isWritten(expression)) return { kind: "environment" };
  const references = (expression?.["references"] ?? []) as readonly unknown[];
  if (references.some((reference) => /^each\b/.test(String(reference)))) return { kind: "several" };
  const known = knownValue(expression, plan, config);
  const value = known?.value;
  const root = typeof value === "string" && value !== "" ? rootOf({ [name]: value }) : undefined;
  if (!root) return { kind: "unknown" };
  const written = String(value).toLowerCase();
  const variable = variableIn(expression);
  return {
    kind: "host",
    host: hostOf(root),
    path: pathOf(root),
    written,
    isConstant: references.length === 0,
    ...(variable && {
      variable: {
        name: variable.name,
        isWhole: variable.isExact || isWhole(plan, key, name, variable.name),
        isSecret: known!.isSecret,
      },
    }),
  };
}

/** Whether the provider block has nothing but the variable. undefined: the configuration was not found, or has several such blocks. */
function isWhole({ provider_blocks: found }: Plan, key: string, name: string, variable: string): boolean | undefined {
  const [only, ...others] = found?.get(key) ?? [];
  return only && others.length === 0 ? only.texts.get(name) === `var.${variable}` : undefined;
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
    return isWholeName(one) && isWholeName(other) && one.path === other.path ? true : undefined;
  }
  return mayContain(one, other) || mayContain(other, one) ? undefined : false;
}

/** Whether no text around a variable can make another name of it. */
export const isWholeName = ({ isConstant, variable }: HostSite) => isConstant || variable?.isWhole === true;

/** Whether `whole` contains the value of the variable in `part`, so that an expression around the variable may equal `whole`. */
function mayContain(whole: HostSite, part: HostSite): boolean {
  return !isWholeName(part) && [whole.host, whole.written].some((text) => text.includes(part.written));
}

/** Whether two configurations name one host, though a text around a variable may make them two. */
export function haveOneHost(one: Site, other: Site): boolean {
  return one.kind === "host" && other.kind === "host" && one.host === other.host;
}
