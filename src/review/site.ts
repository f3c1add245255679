/** Finds the tenant that a provider configuration names: by its domain or endpoint, or by the prefix of its environment variables. */
import type { Values } from "../impact/model";
import { textOf, type Block } from "../hcl/tree";
import { hostOf, pathOf, rootOf } from "../resources/provider-block/root";
import { hasTemplate, knownValue, referencesOf, variableIn } from "./expression";
import type { Plan, ProviderConfig } from "./plan";

export type Site =
  | HostSite
  /** The provider block names no tenant, so the environment of the plan does. Prefix: "" or such as `ACME`. */
  | { readonly kind: "environment"; readonly prefix: string }
  /** The plan shows the expressions, and not their values. Equal texts in one plan name one tenant. */
  | { readonly kind: "expression"; readonly text: string }
  /** One block with several keys, as OpenTofu allows. The plan does not show the key of an object. */
  | { readonly kind: "several" }
  | { readonly kind: "unknown" };

export interface HostSite {
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
export function siteOf(config: ProviderConfig, plan: Plan, key: string): Site {
  const read = new Attributes(config, plan, key);
  const named = (["endpoint", "domain"] as const).find((one) => read.isWritten(one));
  if (named !== undefined && read.hasEach(named)) return { kind: "several" };
  const prefix = read.isWritten("environment_prefix") ? read.certain("environment_prefix") : "";
  if (named === undefined && prefix !== undefined) return { kind: "environment", prefix };
  const host = named && read.host(named, prefix);
  if (host) return host;
  if (named === undefined && read.hasEach("environment_prefix")) return { kind: "several" };
  const text = read.text();
  return text === undefined ? { kind: "unknown" } : { kind: "expression", text };
}

const attributes = ["endpoint", "domain", "environment_prefix"] as const;
type Attribute = (typeof attributes)[number];

class Attributes {
  private readonly expressions: Readonly<Record<string, unknown>>;
  /** The block in the configuration next to the plan. */
  private readonly source: Block | undefined;

  constructor(
    private readonly config: ProviderConfig,
    private readonly plan: Plan,
    key: string,
  ) {
    this.expressions = config.expressions ?? {};
    const [only, ...others] = plan.provider_blocks?.get(key) ?? [];
    this.source = others.length === 0 ? only : undefined;
  }

  /** An absent attribute is null. */
  isWritten(name: Attribute): boolean {
    const expression = this.expressions[name];
    return expression !== undefined && (expression as Values | null)?.["constant_value"] !== null;
  }

  hasEach(name: Attribute): boolean {
    return referencesOf(this.expressions[name]).some((reference) => /^each\b/.test(String(reference)));
  }

  /** The value of a constant, or of a variable that is not secret and has no text around it. */
  certain(name: Attribute): string | undefined {
    const known = this.isWhole(name) ? knownValue(this.expressions[name], this.plan, this.config) : undefined;
    return typeof known?.value === "string" && !known.isSecret ? known.value : undefined;
  }

  host(name: "endpoint" | "domain", prefix: string | undefined): HostSite | undefined {
    const known = knownValue(this.expressions[name], this.plan, this.config);
    const root = typeof known?.value === "string" && known.value !== "" ? rootOf({ [name]: known.value }) : undefined;
    if (!root) return undefined;
    const variable = variableIn(this.expressions[name]);
    return {
      kind: "host",
      host: hostOf(root),
      path: pathOf(root),
      isCertain: this.isWhole(name),
      ...(variable && { variable: { name: variable.name, isSecret: known!.isSecret } }),
      ...(prefix !== undefined && { prefix }),
    };
  }

  private isWhole(name: Attribute): boolean {
    const expression = this.expressions[name];
    const variable = variableIn(expression);
    if (variable) return variable.isExact || textOf(this.source?.attributes.get(name)) === `var.${variable.name}`;
    return referencesOf(expression).length === 0;
  }

  /** The texts of all three attributes. undefined: not shown, or a function such as `uuid()` may give two values. */
  text(): string | undefined {
    const texts = attributes.map((name) => (this.isWritten(name) ? this.textOf(name) : ""));
    const isShown = texts.every((text) => text !== undefined && !text.includes("("));
    return isShown ? JSON.stringify([this.config.module_address, texts]) : undefined;
  }

  private textOf(name: Attribute): string | undefined {
    const { constant_value: value } = this.expressions[name] as Values;
    // In JSON syntax, the plan shows the text of the expression.
    if (typeof value === "string" && (referencesOf(this.expressions[name]).length === 0 || hasTemplate(value)))
      return value;
    return textOf(this.source?.attributes.get(name));
  }
}

/** Whether two configurations name the same tenant. undefined: the plans do not say it. */
export function areOne(one: Site, other: Site): boolean | undefined {
  if (one.kind === "host" && other.kind === "host" && one.isCertain && other.isCertain) {
    return one.host !== other.host ? false : one.path === other.path ? true : undefined;
  }
  return one.kind === "environment" && other.kind === "environment" && one.prefix === other.prefix ? true : undefined;
}

/** The same for two configurations of one plan. */
export const areOneHere = (one: Site, other: Site): boolean | undefined =>
  one.kind === "expression" && other.kind === "expression" && one.text === other.text ? true : areOne(one, other);
