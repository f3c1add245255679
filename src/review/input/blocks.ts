/** Reads the provider blocks of a plan, as far as the plan shows them: the lock-out guard, the expectations, and the client of Terraform. */
import type { Values } from "../../judge/impact/model";
import {
  builtIn,
  protectedRequest,
  severities,
  type Guard,
  type Strength,
} from "../../judge/impact/statement/built-in";
import type { ProtectedRequest } from "../../judge/impact/statement/statement";
import { rootOf } from "../../provider/resources/provider-block/root";
import { expectationsIn, type ReadExpectation } from "./expectations";
import { knownValue, providerOf } from "./expression";
import type { Plan, ProviderConfig } from "./plan";

/** A provider "tenant" block. */
export interface ProviderBlock extends Guard {
  readonly key: string;
  readonly expectations: readonly ReadExpectation[];
  /** The names of its dynamic blocks, which plans leave out. */
  readonly dynamic: readonly string[];
  /** It names a token, so the provider requests none. */
  readonly hasToken: boolean;
  /** The client for which the provider requests tokens. Left out: not known. */
  readonly client?: string;
  readonly hidesEarlyAccess: boolean;
}

/** `idle`: the configurations that no resource uses. `name`: of the plan, if there are several plans. */
export function blocksIn(plan: Plan, idle: ReadonlySet<string>, name?: string): ProviderBlock[] {
  return providerBlocks(plan, ["tenant"]).map((config) => {
    const { key, expressions = {} } = config;
    const read = (attribute: string) => knownValue(expressions[attribute], plan, config)?.value;
    const requests = (expressions["protected_request"] ?? []) as Values | readonly Values[];
    const client = clientOf(config, plan);
    const written = (plan.provider_blocks?.get(key) ?? []).flatMap((one) => one.blocks);
    const dynamic = written.flatMap(({ type, labels: [label = ""] }) => (type === "dynamic" ? label : []));
    const isIdle = idle.has(key);
    return {
      key,
      ...(isIdle && { isIdle: true as const }),
      builtIn: builtIn(strengthOf(config), [
        ...[requests].flat().map((one) => requestOf(one, plan, config)),
        ...(dynamic.includes("protected_request") ? [notShown] : []),
      ]),
      expectations: expectationsIn({ plan, config, name }).map((one) => (isIdle ? { ...one, idle: key } : one)),
      dynamic,
      hasToken: isWritten(expressions["access_token"]),
      ...(client !== undefined && { client }),
      hidesEarlyAccess: read("hide_early_access_warning") === true,
    };
  });
}

/** Only a constant is known: an expression may compute anything from a variable, and plans do not show expressions. */
function strengthOf({ expressions }: ProviderConfig): Strength | symbol {
  const { constant_value: value } = (expressions?.["lockout_guard"] ?? { constant_value: "error" }) as Values;
  const strength = value ?? (value === null ? "error" : "");
  return typeof strength === "string" && Object.hasOwn(severities, strength) ? (strength as Strength) : notShown;
}

/** Replaces a fact that the plan does not show. */
const notShown = Symbol("not known from the plan");

function requestOf(block: Values, plan: Plan, provider: ProviderConfig): ProtectedRequest {
  const facts = Object.entries(block).flatMap(([name, written]) => {
    const known = knownValue(written, plan, provider) ?? { value: notShown, isSecret: false };
    return known.value === null ? [] : [{ name, ...known }];
  });
  const secrets = facts.flatMap(({ name, isSecret }) => (isSecret ? name : []));
  return protectedRequest(Object.fromEntries(facts.map(({ name, value }) => [name, value])), new Set(secrets));
}

const isWritten = (expression: unknown) =>
  typeof expression === "object" &&
  expression !== null &&
  !("constant_value" in expression && expression.constant_value === null);

/** The provider blocks of some providers. Default: all that may be about a tenant. */
export function providerBlocks(
  { configuration }: Plan,
  names = ["tenant", "auth0"],
): (ProviderConfig & { readonly key: string })[] {
  const written = Object.entries(configuration?.provider_config ?? {}).map(([key, config]) => ({ ...config, key }));
  return written.filter((config) => names.includes(providerOf(config)));
}

/** The client for which the provider requests tokens. undefined: the plan does not show it, or the block has a token. */
function clientOf(config: ProviderConfig, plan: Plan): string | undefined {
  const { access_token: token, api_token: theirs, client_id: client } = config.expressions ?? {};
  const id = isWritten(token) || isWritten(theirs) ? undefined : knownValue(client, plan, config)?.value;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** The clients of the provider blocks, those of the auth0 provider too. */
export const clientsIn = (plan: Plan): string[] =>
  providerBlocks(plan).flatMap((config) => clientOf(config, plan) ?? []);

/** The hosts of the provider blocks. */
export const hostsIn = (plan: Plan): string[] =>
  providerBlocks(plan).flatMap((provider) =>
    (["domain", "endpoint"] as const).flatMap((name) => {
      const text = knownValue(provider.expressions?.[name], plan, provider)?.value;
      return typeof text === "string" && text !== "" ? (rootOf({ [name]: text })?.hostname ?? []) : [];
    }),
  );
