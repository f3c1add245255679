/** Reads from plans what is known of Terraform's own requests and of the tenant's hosts. */
import type { Terraform } from "../impact/lockout/lockout";
import type { PlannedAcl } from "../impact/network-acl/acl";
import { countries } from "../access/access";
import { rootOf } from "../resources/provider-block/root";
import { version } from "../version";
import { knownValue, providerBlocks } from "./expression";
import type { Plan } from "./input/plan";

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
    countries,
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
