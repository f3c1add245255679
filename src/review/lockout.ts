/** Finds lock-outs: changes of network ACLs that block Terraform or a protected request. */
import { acts } from "../impact/model";
import { lockoutWords } from "../impact/lockout/words";
import { ownLockouts, requestLockouts, type AclChange, type Lockout, type Terraform } from "../impact/lockout/lockout";
import { speaksForTerraform, type ProtectedRequest } from "../impact/lockout/protected-request";
import { countries } from "../resources/country";
import { rootOf } from "../resources/provider/root";
import { version } from "../version";
import type { PlannedAcl } from "../impact/network-acl/acl";
import { knownValue, providerBlocks } from "./expression";
import { finding, type Finding } from "../impact/finding";
import { guardsOf, isTold, type ShownRequest } from "./guard";
import type { Plan } from "./plan";
import type { BaseGuard } from "./protect";
import { titleOf } from "../impact/network-acl/words";

/** `base`: the guard of the base branch, which also judges the change. */
export function lockoutFindings(
  plans: readonly Plan[],
  before: readonly PlannedAcl[],
  after: readonly PlannedAcl[],
  base: readonly BaseGuard[] = [],
): Finding[] {
  const own = plans.flatMap((plan) => guardsOf(plan).flatMap(({ requests }) => requests)).filter(isTold);
  const held = base.flatMap(({ requests }) => requests);
  const requests = [...own, ...held];
  const change: AclChange<PlannedAcl> = { before, after, isSame: (one, other) => one.key === other.key };
  const terraform = terraformOf(plans);
  const lockouts = [
    ...requestLockouts(change, requests),
    ...judgedBy(own, held, terraform).flatMap((guard) => ownLockouts(change, guard, terraform)),
  ];
  const secret = new Set(requests.filter(({ isSecret }) => isSecret).map(({ called }) => called));
  const isChanged = plans.some(changesAcls);
  const found = lockouts.flatMap((lockout) => findingOf(lockout, secret, isChanged));
  return found.filter(({ code, text }, index) => {
    return found.findIndex((other) => other.code === code && other.text === text) === index;
  });
}

/** A protected request that the change adds must not replace the check by the base branch. */
function judgedBy(
  own: readonly ShownRequest[],
  held: readonly ShownRequest[],
  terraform: Terraform,
): (readonly ProtectedRequest[])[] {
  if (held.length === 0) return [own];
  const isSpeaking = own.some((request) => speaksForTerraform(request, terraform.countries));
  return isSpeaking ? [held, own] : [held];
}

function findingOf(lockout: Lockout<PlannedAcl>, secret: ReadonlySet<string>, isChanged: boolean): Finding[] {
  const { kind, already, by, called = "" } = lockout;
  const isPossible = lockout.certainty === "possible";
  const isNews = !already || (isChanged && !isPossible) || kind !== "breadth";
  if (!isNews || (isPossible && already)) return [];
  const isHidden = secret.has(called) || by.some((acl) => acl.secret.size > 0);
  const shown = isHidden ? { ...lockout, because: undefined, shares: ["most requests"] } : lockout;
  const text = `${lockoutWords(shown, by.map(titleOf))}.${already ? " This was already so before the change." : ""}`;
  const isLess = isPossible || (kind === "breadth" && already);
  return [finding(isLess ? "TF-ACL-LOCKOUT-POSSIBLE" : "TF-ACL-LOCKOUT", text, by[0])];
}

const aclTypes = new Set(["tenant_network_acl", "auth0_network_acl"]);

/** Whether the plan changes what network ACLs say. */
export function changesAcls(plan: Plan): boolean {
  return plan.resource_changes.some(
    ({ mode = "managed", type, change }) => mode === "managed" && aclTypes.has(type) && acts(change),
  );
}

/** The facts about Terraform's own requests that the plans contain. */
function terraformOf(plans: readonly Plan[]): Terraform {
  const hosts = [...new Set(plans.flatMap(hostsOf))];
  const versions = [...new Set(plans.flatMap(({ terraform_version: found }) => found ?? []))];
  return {
    ...(hosts.length === 1 && { hostname: hosts[0] }),
    userAgents: versions.map((found) => `tenantform/${version} terraform/${found}`),
    asksToken: true,
    countries,
  };
}

/** Hosts that are the tenant's own, as far as the plans tell. */
export function ownHosts(plans: readonly Plan[], acls: readonly PlannedAcl[]): Set<string> {
  const hosts = plans.flatMap(hostsOf);
  const listed = acls.flatMap(({ rule }) => {
    const hostnames: unknown = rule.match?.["hostnames"];
    return Array.isArray(hostnames) ? hostnames.filter((host): host is string => typeof host === "string") : [];
  });
  return new Set([...hosts, ...listed]);
}

/** Hosts of the tenants that the provider blocks name. */
function hostsOf(plan: Plan): string[] {
  return providerBlocks(plan, ["tenant", "auth0"]).flatMap((provider) =>
    (["domain", "endpoint"] as const).flatMap((name) => {
      const text = knownValue(provider.expressions?.[name], plan, provider)?.value;
      return typeof text === "string" && text !== "" ? (rootOf({ [name]: text })?.hostname ?? []) : [];
    }),
  );
}
