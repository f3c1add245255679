/** Deletes a policy that moves to other applications only if the new policy can be created. */
import { attributePath } from "../../cty/path";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { Callers, RateLimitPolicies, RateLimitPolicy } from "../../tenant/rate-limit-policies";

/** Facts from the plan of the new policy that the deletion of the old one needs. */
interface Succession {
  readonly callers: Callers;
  /** The policy that has these callers now and leaves them in the same plan. */
  readonly yielding?: string;
}

type Kept = Record<string, unknown>;

export function noteSuccession(kept: Kept, callers: Callers, holder: RateLimitPolicy | undefined): void {
  kept.succession = { callers, yielding: holder?.id } satisfies Succession;
}

export function forgetSuccession(kept: Kept): void {
  delete kept.succession;
}

/** Throws if another policy got the callers after the plan. */
export async function demandFree(kept: Kept, old: RateLimitPolicy, policies: RateLimitPolicies): Promise<void> {
  const succession = kept.succession as Succession | undefined;
  if (!succession) return;
  const { callers, yielding } = succession;
  const holder = await policies.holder(callers);
  if (!holder || holder.id === old.id || holder.id === yielding) return;
  throw new DiagnosticError(
    "TNF-CALLERS-HAVE-POLICY",
    `The plan moves policy ${old.id} (${old.consumer_selector}) to ${callers.consumer_selector}, but policy ${holder.id} now has ` +
      "this selector. The old policy did not change. Plan again with another selector, or remove that policy first.",
    attributePath("consumer_selector"),
  );
}
