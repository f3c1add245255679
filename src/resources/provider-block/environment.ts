/** Reads the options of the provider block from environment variables. */
import type * as z from "zod";
import { unknown } from "../../cty/value";
import type { Written } from "../../sdk/definition";
import { block } from "./definition";

export type Environment = Readonly<NodeJS.ProcessEnv>;
export type Option = keyof z.output<typeof block>;
export type Source = Written<typeof block>;

/** Names of the auth0 provider for our options. */
const otherNames: Readonly<Record<string, Option>> = { API_TOKEN: "access_token" };
/** Options that the environment cannot set. */
const blockAlone = new Set<Option>([
  "allowed_domains",
  "environment_prefix",
  "expectation",
  "protected_request",
  "lockout_guard",
  "plan_warnings",
  "acknowledge_early_access",
]);
const ours = new Set<Option>([
  "endpoint",
  "client_assertion_private_key_file",
  "certificate_authority",
  "certificate_authority_file",
  "max_retry_wait",
  "max_requests_per_second",
  "max_concurrency",
]);

export interface Sources {
  /** In the order of precedence. */
  readonly sources: readonly Source[];
  /** The name of the variable for an option. */
  variable(option: string): string;
}

/** Undefined while the prefix is unknown. With a prefix, only its variables count: those of other tenants must not complete them. */
export function sourcesOf(written: Source, environment: Environment): Sources | undefined {
  const prefix = written.environment_prefix;
  if (prefix === unknown) return undefined;
  const own = typeof prefix === "string" ? `${prefix}_TENANT_` : "TENANT_";
  return {
    sources: [
      written,
      fromEnvironment(environment, own),
      ...(typeof prefix === "string" ? [] : [fromEnvironment(environment, "AUTH0_")]),
    ],
    variable: (option) => own + option.toUpperCase(),
  };
}

function fromEnvironment(environment: Environment, prefix: string): Source {
  const isOther = prefix === "AUTH0_";
  const found = Object.entries(environment).flatMap(([name, value]) => {
    if (!name.startsWith(prefix) || !value) return [];
    const bare = name.slice(prefix.length);
    const option = ((isOther && otherNames[bare]) || bare.toLowerCase()) as Option;
    const meant = Object.hasOwn(block.shape, option) && !blockAlone.has(option) && !(isOther && ours.has(option));
    return meant ? [[option, value]] : [];
  });
  return Object.fromEntries(found) as Source;
}
