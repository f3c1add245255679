/** What of a living tenant needs a decision, in words for whoever reads the declaration. */
import { type Acl, createComparison, neverMatches, type Rule, unreachable } from "../access/access";
import { isDeepStrictEqual } from "node:util";
import type { NetworkAcl } from "../tenant/network-acls";
import type { RateLimitPolicy } from "../tenant/rate-limit-policies";
import type { KnownKey } from "./draft";
import type { Survey } from "./survey";

/** What is declared is judged together. */
export type Judged = Pick<Survey, "acls" | "policies"> & { readonly keys: readonly KnownKey[] };

/** By id. */
export function remarksOn({ acls, policies, keys }: Judged): Map<string, string[]> {
  const hidden = shadowedBy(acls);
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return new Map([
    ...acls.map((acl) => [acl.id, aclRemarks(acl, hidden.get(acl.id), names)] as const),
    ...policies.map((policy) => [policy.id, policyRemarks(policy, policies)] as const),
  ]);
}

function aclRemarks(
  { rule }: NetworkAcl,
  hidden: readonly NetworkAcl[] | undefined,
  names: ReadonlyMap<string, string>,
): string[] {
  const remarks: string[] = [];
  const never = neverMatches(rule as unknown as Rule);
  if (never) remarks.push(`It can never match: ${never.because}. Narrow not_match, or remove the list.`);
  else if (hidden && hidden.length > 0) {
    const others = hidden.map(({ description, priority }) => `${JSON.stringify(description)} (priority ${priority})`);
    const decide = others.length > 1 ? "decide" : "decides";
    remarks.push(
      `It can never match: ${others.join(" and ")} ${decide} every request that it is about. Move it before, or remove it.`,
    );
  }
  const early = [...new Set([rule.match, rule.not_match].flatMap((side) => Object.keys(side ?? {})))].filter((signal) =>
    ["auth0_managed", "http_message_signature"].includes(signal),
  );
  if ("match_all" in rule) early.unshift("match_all");
  if (early.length > 0) {
    const are =
      early.length > 1
        ? "are Early Access features: the service may change them."
        : "is an Early Access feature: the service may change it.";
    remarks.push(`${early.join(" and ")} ${are}`);
  }
  const keys = [rule.match, rule.not_match].flatMap((side) => keysOf(side?.http_message_signature));
  if (keys.length > 0) {
    const named = keys.map((id) => (names.has(id) ? `${JSON.stringify(names.get(id))} (${id})` : id));
    const [noun, each, them] = keys.length > 1 ? ["keys", "their ids", "them"] : ["key", "its id", "it"];
    remarks.push(
      `It names the ${noun} ${named.join(" and ")} by ${each}, as the service tells no material: a reference can stand there where ` +
        `a tenant_network_acl_key declares ${them}.`,
    );
  }
  return remarks;
}

function keysOf(signature: unknown): string[] {
  const { keys } = (signature ?? {}) as { keys?: readonly { id: string }[] };
  return (keys ?? []).map(({ id }) => id);
}

/** The lists that decide everything a list is about, by its id. */
function shadowedBy(acls: readonly NetworkAcl[]): Map<string, NetworkAcl[]> {
  const known = acls.map((acl) => ({ ...acl, key: acl.id })) as unknown as (NetworkAcl & Acl)[];
  const found = unreachable(createComparison(known, known));
  return new Map(found.map(({ acl, shadowedBy: by }) => [acl.id, [...by]]));
}

function policyRemarks(policy: RateLimitPolicy, all: readonly RateLimitPolicy[]): string[] {
  const usual = all.find(
    ({ consumer_selector, resource, consumer }) =>
      consumer_selector === "default" && resource === policy.resource && consumer === policy.consumer,
  );
  if (!usual || usual === policy || !isDeepStrictEqual(usual.configuration, policy.configuration)) return [];
  return ["It says the same as the default policy: keep it only if it is to stay when the default changes."];
}
