/** Notes on policies that need a decision when they are adopted. */
import type { Values } from "../model";
import { keyOf, policyFrom } from "./policy";

export function policyNotes(policies: readonly Values[]): Map<unknown, string[]> {
  const all = policies.map((values) => ({ id: values["id"], ...policyFrom({ address: "" }, values) }));
  const byKey = new Map(all.map((policy) => [keyOf(policy), policy]));
  const isSuperfluous = (policy: (typeof all)[number]) => {
    const usual = byKey.get(keyOf({ ...policy, by: "default" }));
    return usual !== undefined && usual !== policy && usual.meaning === policy.meaning;
  };
  const note = "It is the same as the default policy. Keep it only if it must stay when the default changes.";
  return new Map(all.map((policy) => [policy.id, isSuperfluous(policy) ? [note] : []]));
}
