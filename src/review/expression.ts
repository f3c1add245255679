/** Expressions of a provider block, as far as a plan tells their values: constants, and variables of the root module. */
import type { Values } from "../impact/model";
import type { Plan, ProviderConfig } from "./plan";

export interface Known {
  readonly value: unknown;
  /** The plan marks the variable that it comes from. */
  readonly isSecret: boolean;
}

/** The provider blocks of some providers. */
export function providerBlocks(
  { configuration }: Plan,
  names: readonly string[],
): (ProviderConfig & { key: string })[] {
  const written = Object.entries(configuration?.provider_config ?? {}).map(([key, config]) => ({ ...config, key }));
  return written.filter((config) => names.includes(providerOf(config)));
}

/** The name of the provider in its registry, such as `tenant`. Its local name may differ. */
export function providerOf({ name, full_name: source }: ProviderConfig): string {
  return source?.split("/").at(-1) ?? name ?? "";
}

/** Undefined where the plan does not tell. */
export function knownValue(
  expression: unknown,
  plan: Plan,
  { module_address: module }: ProviderConfig = {},
): Known | undefined {
  if (typeof expression !== "object" || expression === null) return undefined;
  const { constant_value: value, references } = expression as Values;
  if (value !== undefined) return { value, isSecret: false };
  // "var.ip" alone, and not a part of an expression that needs others.
  const [only, ...others] = Array.isArray(references) ? (references as unknown[]) : [];
  const [, name] = /^var\.([\w-]+)$/.exec(typeof only === "string" ? only : "") ?? [];
  if (name === undefined || others.length > 0 || module !== undefined) return undefined;
  const held = plan.variables?.[name]?.value;
  if (held === undefined || held === null || typeof held === "object") return undefined;
  return { value: held, isSecret: plan.configuration?.root_module?.variables?.[name]?.sensitive === true };
}
