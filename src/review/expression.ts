/** Reads the values of provider block expressions: constants, and variables of the root module. */
import type { Values } from "../impact/model";
import type { Plan, ProviderConfig } from "./plan";

export interface Known {
  readonly value: unknown;
  /** The plan marks the variable of the value as sensitive. */
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

/** undefined: the plan does not show the value. */
export function knownValue(
  expression: unknown,
  plan: Plan,
  { module_address: module }: ProviderConfig = {},
): Known | undefined {
  if (typeof expression !== "object" || expression === null) return undefined;
  const { constant_value: value, references } = expression as Values;
  if (value !== undefined) return { value, isSecret: false };
  // Only "var.ip" alone, because a larger expression may need other values.
  const [only, ...others] = Array.isArray(references) ? (references as unknown[]) : [];
  const [, name] = /^var\.([\w-]+)$/.exec(typeof only === "string" ? only : "") ?? [];
  if (name === undefined || others.length > 0 || module !== undefined) return undefined;
  const held = plan.variables?.[name]?.value;
  if (held === undefined || held === null || typeof held === "object") return undefined;
  return { value: held, isSecret: plan.configuration?.root_module?.variables?.[name]?.sensitive === true };
}
