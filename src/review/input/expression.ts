/** Reads the values of provider block expressions: constants, and variables of the root module. */
import type { Values } from "../../judge/impact/model";
import type { Plan, ProviderConfig } from "./plan";

export interface Known {
  readonly value: unknown;
  /** The plan marks the variable of the value as sensitive. */
  readonly isSecret: boolean;
}

/** The name of the provider in its registry, such as `tenant`. Its local name may differ. */
export function providerOf({ name, full_name: source }: ProviderConfig): string {
  return source?.split("/").at(-1) ?? name ?? "";
}

/** undefined: the plan does not show the value. The value of a variable is no list and no object. */
export function knownValue(expression: unknown, plan: Plan, config: ProviderConfig = {}): Known | undefined {
  const known = knownOrList(expression, plan, config);
  return typeof known?.value === "object" && variableIn(expression) ? undefined : known;
}

/** The same, and the value of a variable may be a list. */
export function knownOrList(
  expression: unknown,
  plan: Plan,
  { module_address: module }: ProviderConfig = {},
): Known | undefined {
  if (typeof expression !== "object" || expression === null) return undefined;
  const { constant_value: value } = expression as Values;
  if (value !== undefined && referencesOf(expression).length === 0)
    return hasTemplate(value) ? undefined : { value, isSecret: false };
  // Only "var.ip" alone, because a larger expression may need other values.
  const { name } = variableIn(expression) ?? {};
  if (name === undefined || module !== undefined) return undefined;
  const held = plan.variables?.[name]?.value;
  if (held === undefined || held === null) return undefined;
  return { value: held, isSecret: plan.configuration?.root_module?.variables?.[name]?.sensitive === true };
}

interface Variable {
  readonly name: string;
  /** The expression is nothing but the variable. Otherwise, the plan does not show whether it is. */
  readonly isExact: boolean;
}

/** The only variable of an expression. undefined: it is a constant, has other references, or has text around the variable. */
export function variableIn(expression: unknown): Variable | undefined {
  const [only, ...others] = referencesOf(expression);
  const [, name] = /^var\.([\w-]+)$/.exec(typeof only === "string" ? only : "") ?? [];
  if (name === undefined || others.length > 0) return undefined;
  // JSON syntax: the plan shows the text of the expression.
  const { constant_value: text } = expression as Values;
  if (text === undefined) return { name, isExact: false };
  const isExact = typeof text === "string" && text.replace(/\s/g, "") === `\${var.${name}}`;
  return isExact ? { name, isExact } : undefined;
}

export function referencesOf(expression: unknown): readonly unknown[] {
  const { references } = (expression ?? {}) as Values;
  return Array.isArray(references) ? (references as unknown[]) : [];
}

/** JSON syntax: the plan shows an expression as a constant text. */
export function hasTemplate(value: unknown): boolean {
  if (typeof value === "string") return /[$%]\{/.test(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasTemplate);
}
