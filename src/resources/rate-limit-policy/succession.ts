/** A policy that moves to other callers is removed and made anew: the old one goes only when the new one can be made. */
import { attributePath } from "../../cty/path";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { Callers, RateLimitPolicies, RateLimitPolicy } from "../../tenant/rate-limit-policies";

/** What the plan of the new policy leaves for the removal of the old one. */
interface Succession {
  readonly callers: Callers;
  /** The policy that serves these callers when it is planned, and makes way in the same plan. */
  readonly yielding?: string;
}

type Kept = Record<string, unknown>;

export function noteSuccession(kept: Kept, callers: Callers, holder: RateLimitPolicy | undefined): void {
  kept.succession = { callers, yielding: holder?.id } satisfies Succession;
}

export function forgetSuccession(kept: Kept): void {
  delete kept.succession;
}

/** Throws where the callers to whom the policy moves are served by another in the meantime. */
export async function demandFree(kept: Kept, old: RateLimitPolicy, policies: RateLimitPolicies): Promise<void> {
  const succession = kept.succession as Succession | undefined;
  if (!succession) return;
  const { callers, yielding } = succession;
  const holder = await policies.holder(callers);
  if (!holder || holder.id === old.id || holder.id === yielding) return;
  throw new DiagnosticError(
    "The callers have a policy",
    `Policy ${old.id} (${old.consumer_selector}) was to move to ${callers.consumer_selector}, which ${holder.id} serves since the ` +
      "plan was made. It stays as it was: plan again, with another selector or without that policy.",
    attributePath("consumer_selector"),
  );
}
