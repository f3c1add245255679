/** Comments for declarations of a tenant's objects that need a decision. */
import { isDeepStrictEqual } from "node:util";
import { neverMatches } from "../access/access";
import { aclFrom, type PlannedAcl } from "../impact/network-acl/acl";
import { earlyAccessIn } from "../impact/network-acl/early-access";
import { keysIn } from "../impact/network-acl/keys";
import { samePriority } from "../impact/network-acl/priorities";
import { unreachableAcls } from "../impact/network-acl/reachability";
import { shadowWords } from "../impact/network-acl/words";
import type { RateLimitPolicy } from "../tenant/rate-limit-policies";
import type { KnownKey } from "./draft";
import type { Survey } from "./survey";

/** Objects that are judged together. */
export type Judged = Pick<Survey, "acls" | "policies"> & { readonly keys: readonly KnownKey[] };

/** By id. */
export function remarksOn({ acls, policies, keys }: Judged): Map<string, string[]> {
  const read = acls.flatMap((acl) => aclFrom({ ...acl }));
  const shadowed = new Map(unreachableAcls(read).map(({ acl, shadowedBy }) => [acl, shadowedBy]));
  const unplaced = new Set(samePriority(read).flat());
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return new Map([
    ...read.map((acl) => {
      const remarks = [
        ...reachRemarks(acl, shadowed.get(acl)),
        ...(unplaced.has(acl) ? [`Another network ACL also has priority ${acl.priority}. Change one of the two.`] : []),
        ...earlyAccessRemarks(acl),
        ...keyRemarks(acl, names),
      ];
      return [acl.id!, remarks] as const;
    }),
    ...policies.map((policy) => [policy.id, policyRemarks(policy, policies)] as const),
  ]);
}

function reachRemarks({ rule }: PlannedAcl, shadowedBy: readonly PlannedAcl[] | undefined): string[] {
  const never = neverMatches(rule);
  if (never) return [`It can never match: ${never.because}. Narrow not_match, or remove this network ACL.`];
  if (!shadowedBy) return [];
  return [`It can never match: ${shadowWords(shadowedBy)}. Give it a lower priority number, or remove it.`];
}

function earlyAccessRemarks({ rule }: PlannedAcl): string[] {
  const early = earlyAccessIn(rule);
  if (early.length === 0) return [];
  const are = early.length > 1 ? "are Early Access features" : "is an Early Access feature";
  return [`${early.join(" and ")} ${are}, which the service may change.`];
}

function keyRemarks({ rule }: PlannedAcl, names: ReadonlyMap<string, string>): string[] {
  const keys = keysIn(rule).map(String);
  if (keys.length === 0) return [];
  const named = keys.map((id) => (names.has(id) ? `${JSON.stringify(names.get(id))} (${id})` : id));
  const [noun, ids] = keys.length > 1 ? ["keys", "their ids"] : ["key", "its id"];
  return [
    `It names the ${noun} ${named.join(" and ")} by ${ids}, because the service does not show key material. You can refer to a ` +
      "tenant_network_acl_key resource instead.",
  ];
}

function policyRemarks(policy: RateLimitPolicy, all: readonly RateLimitPolicy[]): string[] {
  const usual = all.find(
    ({ consumer_selector, resource, consumer }) =>
      consumer_selector === "default" && resource === policy.resource && consumer === policy.consumer,
  );
  if (!usual || usual === policy || !isDeepStrictEqual(usual.configuration, policy.configuration)) return [];
  return ["It says the same as the default policy. Keep it only if it must stay when the default changes."];
}
