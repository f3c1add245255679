/** Reads the lock-out guard from the provider blocks of a plan, as far as the plan shows it. */
import type { Values } from "../impact/model";
import type { Guard } from "../impact/lockout/guard";
import type { ProtectedRequest } from "../impact/lockout/protected-request";
import { knownValue, providerBlocks } from "./expression";
import { hidden } from "../impact/hidden";
import type { Plan, ProviderConfig } from "./plan";

/** A protected request, as a review shows it. */
export interface ShownRequest extends ProtectedRequest {
  /** Whether one of its facts is sensitive. */
  readonly isSecret: boolean;
}

export interface PlanGuard extends Guard {
  /** The key of its provider configuration. */
  readonly key?: string;
  readonly requests: readonly ShownRequest[];
}

/** One for each provider block of the plan. */
export function guardsOf(plan: Plan): PlanGuard[] {
  return providerBlocks(plan, ["tenant"]).map((provider) => {
    const blocks = (provider.expressions?.["protected_requests"] ?? []) as Values | readonly Values[];
    return {
      key: provider.key,
      strength: strengthOf(provider),
      requests: [blocks].flat().map((written) => requestOf(written, plan, provider)),
    };
  });
}

/** Only a constant is known: an expression may compute anything from a variable, and plans do not show expressions. */
function strengthOf({ expressions }: ProviderConfig): Guard["strength"] {
  const written = expressions?.["lockout_guard"];
  if (written === undefined) return "error";
  const { constant_value: value } = written as Values;
  if (value === null) return "error";
  return (["error", "warn", "off"] as const).find((strength) => strength === value);
}

/** Stands for a fact that the plan does not show. */
export const untold = Symbol("not known from the plan");

function requestOf(block: Values, plan: Plan, provider: ProviderConfig): ShownRequest {
  const facts = Object.entries(block).flatMap(([name, written]) => {
    const known = knownValue(written, plan, provider) ?? { value: untold, isSecret: false };
    return known.value === null ? [] : [{ name, ...known }];
  });
  const find = (wanted: string) => facts.find(({ name }) => name === wanted);
  const [name, path] = [find("name"), find("path")];
  const others = facts.filter((fact) => fact !== name && fact !== path);
  const shown = name ? (name.isSecret || typeof name.value !== "string" ? hidden : name.value) : undefined;
  const told = [...(path ? [path] : []), ...others].filter(({ isSecret }) => !isSecret);
  return {
    called: shown ?? (told.map((fact) => `${fact.name} ${wordOf(fact.value)}`).join(", ") || hidden),
    ...(path && { path: typeof path.value === "string" ? path.value : untold }),
    facts: Object.fromEntries(others.map((fact) => [fact.name, fact.value])),
    isSecret: facts.some(({ isSecret }) => isSecret),
  };
}

const wordOf = (value: unknown) => (typeof value === "symbol" ? "not known" : String(value));

export function isTold({ path, facts }: ProtectedRequest): boolean {
  return typeof path !== "symbol" && Object.values(facts).every((fact) => typeof fact !== "symbol");
}
