/** Notes on objects that need a decision when they are adopted. */
import { neverMatches } from "../../judge/access/access";
import type { Kind } from "../../judge/kinds/kind";
import { earlyAccessIn, networkAcl } from "../../judge/kinds/network-acl";
import { networkAclKey } from "../../judge/kinds/network-acl-key";
import { rateLimitPolicy } from "../../judge/kinds/rate-limit-policy";
import type { Values } from "../../judge/impact/model";
import { aclFrom } from "../../judge/impact/network-acl/acl";
import { unreachableAcls } from "../../judge/impact/network-acl/analysis";
import { samePriority } from "../../judge/impact/network-acl/changes";
import { keysIn } from "../../judge/impact/network-acl/keys";
import { titleOf } from "../../judge/impact/network-acl/words";
import { shadowWords } from "../../judge/impact/words/acl";
import { neverWords } from "../../judge/impact/words/match";
import { keyOf, policyFrom } from "../../judge/impact/rate-limit-policy/policy";

/** Returns the notes by id. `objects`: the adopted objects of a kind, with their ids. */
export function adoptionNotes(objects: (kind: Kind) => readonly Values[]): Map<unknown, readonly string[]> {
  return new Map([...aclNotes(objects(networkAcl), objects(networkAclKey)), ...policyNotes(objects(rateLimitPolicy))]);
}

/** `keys`: signature keys, to name those that a rule uses. */
function aclNotes(acls: readonly Values[], keys: readonly Values[]): Map<unknown, string[]> {
  const planned = acls.flatMap((acl) => aclFrom({ ...acl, description: escaped(acl["description"]) }));
  const shadowed = new Map(
    unreachableAcls(planned).map(({ acl, shadowedBy }) => [acl, shadowWords(shadowedBy.map(titleOf))]),
  );
  const colliding = new Set(samePriority(planned).flat());
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return new Map(
    planned.map((acl) => {
      const never = neverMatches(acl.rule);
      const reasons = never
        ? [`It can never match: ${neverWords(never)}. Narrow not_match, or remove this network ACL.`]
        : [shadowed.get(acl) ?? []]
            .flat()
            .map((words) => `It can never match: ${words}. Give it a lower priority number, or remove it.`);
      const collisions = colliding.has(acl)
        ? [`Another network ACL also has priority ${String(acl.priority)}. Change one of the two.`]
        : [];
      return [
        acl.id,
        [...reasons, ...collisions, ...earlyAccessNote(earlyAccessIn(acl.rule)), ...keysNote(keysIn(acl.rule), names)],
      ];
    }),
  );
}

/** A description with quotation marks could imitate code in a comment. */
const escaped = (description: unknown) =>
  typeof description === "string" ? JSON.stringify(description).slice(1, -1) : description;

function earlyAccessNote(features: readonly string[]): string[] {
  if (features.length === 0) return [];
  const are = features.length > 1 ? "are Early Access features" : "is an Early Access feature";
  return [`${features.join(" and ")} ${are}, which Auth0 may change.`];
}

function keysNote(keys: readonly unknown[], names: ReadonlyMap<unknown, unknown>): string[] {
  if (keys.length === 0) return [];
  const named = keys.map((id) => (names.has(id) ? `${JSON.stringify(names.get(id))} (${String(id)})` : String(id)));
  const [noun, ids] = keys.length > 1 ? ["keys", "their ids"] : ["key", "its id"];
  return [
    `It names the ${noun} ${named.join(" and ")} by ${ids}, because Auth0 does not show the secret of a key. You can refer to a ` +
      "tenant_network_acl_key resource instead.",
  ];
}

function policyNotes(policies: readonly Values[]): Map<unknown, string[]> {
  const all = policies.map((values) => ({ id: values["id"], ...policyFrom({ address: "" }, values) }));
  const byKey = new Map(all.map((policy) => [keyOf(policy), policy]));
  const isSuperfluous = (policy: (typeof all)[number]) => {
    const usual = byKey.get(keyOf({ ...policy, by: "default" }));
    return usual !== undefined && usual !== policy && usual.meaning === policy.meaning;
  };
  const note = "It is the same as the default policy. Keep it only if it must stay when the default changes.";
  return new Map(all.map((policy) => [policy.id, isSuperfluous(policy) ? [note] : []]));
}
