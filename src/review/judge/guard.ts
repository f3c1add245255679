/** Reads from the provider blocks of a plan the lock-out guard and what is known of Terraform's own requests, as far as the plan shows them. */
import { acts, type Values } from "../../judge/impact/model";
import { joined, type PlanGuards } from "../../judge/impact/statement/guard";
import { protectedRequest, type Guard, type ProtectedRequest } from "../../judge/impact/statement/protected-request";
import { hasUnknown } from "../../judge/impact/statement/statement";
import type { Terraform } from "../../judge/impact/statement/lockout";
import type { PlannedAcl } from "../../judge/impact/network-acl/acl";
import type { Kind } from "../../judge/kinds/kind";
import { typesOf } from "../../judge/kinds/kinds";
import { rootOf } from "../../provider/resources/provider-block/root";
import { version } from "../../version";
import { aclTypes } from "../input/acls";
import { knownValue, providerBlocks } from "../input/expression";
import { bare, type Plan, type ProviderConfig } from "../input/plan";
import { homesIn, idleIn } from "../input/share";

/** The guard of one provider configuration. */
export interface ProviderGuard extends Guard {
  readonly key: string;
}

/** One for each provider block of the plan. */
export function guardsOf(plan: Plan): ProviderGuard[] {
  const idle = idleIn(plan);
  return providerBlocks(plan, ["tenant"]).map((provider) => {
    const blocks = (provider.expressions?.["protected_request"] ?? []) as Values | readonly Values[];
    return {
      key: provider.key,
      ...(idle.has(provider.key) && { isIdle: true as const }),
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

export function planGuards(plan: Plan): PlanGuards {
  const guards = guardsOf(plan);
  const dynamic = guards.flatMap(({ key }) => (plan.dynamic_guards?.has(key) ? [key] : []));
  return {
    ...(plan.name !== undefined && { plan: plan.name }),
    guards,
    ...(dynamic.length > 0 && { dynamic }),
    acting: actingGuards(plan, guards),
    changesAcls: aclChangesOf(plan).some(({ change }) => acts(change)),
  };
}

function actingGuards(plan: Plan, guards: readonly ProviderGuard[]): readonly Guard[] {
  const acls = aclChangesOf(plan);
  if (acls.length === 0) return [];
  const homes = homesIn(plan);
  const keys = new Set(acls.map(({ address }) => homes.get(bare(address))));
  const acting = guards.filter(({ key }) => keys.has(key));
  return acting.length > 0 ? acting : [joined(guards)];
}

const aclChangesOf = (plan: Plan) => changesOf(plan, aclTypes);

const changesOf = ({ resource_changes: changes }: Plan, types: readonly string[]) =>
  changes.filter(({ mode = "managed", type }) => mode === "managed" && types.includes(type));

/** The provider configuration that judges the changes of a kind. */
export interface Judge {
  /** Undefined: a configuration of another provider, which judges nothing. */
  readonly key?: string;
  readonly guard: Guard;
}

const noJudge: Judge = { guard: { strength: "off", requests: [] } };

/** Undefined: the plans do not show it, or there are several, and each of them sees a part of the changes. */
export function judgeOf(plans: readonly Plan[], kind: Kind): Judge | undefined {
  const [plan, ...others] = plans;
  if (!plan || others.length > 0) return undefined;
  const changes = changesOf(plan, typesOf(kind)).filter(({ change }) => acts(change));
  const own = changes.filter(({ type }) => type === kind.type);
  if (own.length === 0) return noJudge;
  const homes = homesIn(plan);
  const guards = guardsOf(plan);
  const [sole, ...more] = guards;
  const usual = more.length === 0 ? (sole?.key ?? "tenant") : undefined;
  const [key, ...rest] = new Set(own.map(({ address }) => homes.get(bare(address)) ?? usual));
  if (own.length < changes.length || key === undefined || rest.length > 0) return undefined;
  const guard = guards.find((one) => one.key === key) ?? { strength: "error", requests: [] };
  // A request that the review does not know may be one that the provider does not know yet.
  const isKnown = !guard.requests.some(({ statement }) => hasUnknown(statement)) && !plan.dynamic_guards?.has(key);
  return { key, guard: isKnown ? guard : { requests: guard.requests } };
}

/** Credentials in the environment are not known: they count as client credentials, for which the provider requests a token. */
export function terraformOf(plans: readonly Plan[]): Terraform {
  const hosts = [...new Set(plans.flatMap(hostsOf))];
  const versions = [...new Set(plans.flatMap(({ terraform_version: found }) => found ?? []))];
  const providers = plans.flatMap((plan) => providerBlocks(plan, ["tenant"]));
  const hasToken =
    providers.length > 0 && providers.every(({ expressions }) => isWritten(expressions?.["access_token"]));
  return {
    ...(hosts.length === 1 && { hostname: hosts[0] }),
    userAgents: versions.map((found) => `tenantform/${version} terraform/${found}`),
    asksToken: !hasToken,
  };
}

/** The client for which the provider requests tokens; undefined: not known, or not the same one everywhere. */
export function ownClientOf(plans: readonly Plan[]): string | undefined {
  const ids = plans.flatMap((plan) =>
    providerBlocks(plan, ["tenant"]).map((block) => {
      const { expressions } = block;
      return isWritten(expressions?.["access_token"])
        ? undefined
        : knownValue(expressions?.["client_id"], plan, block)?.value;
    }),
  );
  const [id, ...others] = [...new Set(ids)];
  return typeof id === "string" && others.length === 0 ? id : undefined;
}

const isWritten = (expression: unknown) =>
  typeof expression === "object" &&
  expression !== null &&
  !("constant_value" in expression && expression.constant_value === null);

/** The hosts of provider blocks, and the host names that rules match. */
export function ownHosts(plans: readonly Plan[], acls: readonly PlannedAcl[]): Set<string> {
  const listed = acls.flatMap(({ rule }) => {
    const hostnames: unknown = rule.match?.["hostnames"];
    return Array.isArray(hostnames) ? hostnames.filter((host): host is string => typeof host === "string") : [];
  });
  return new Set([...plans.flatMap(hostsOf), ...listed]);
}

function hostsOf(plan: Plan): string[] {
  return providerBlocks(plan, ["tenant", "auth0"]).flatMap((provider) =>
    (["domain", "endpoint"] as const).flatMap((name) => {
      const text = knownValue(provider.expressions?.[name], plan, provider)?.value;
      return typeof text === "string" && text !== "" ? (rootOf({ [name]: text })?.hostname ?? []) : [];
    }),
  );
}
