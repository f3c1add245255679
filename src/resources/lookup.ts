/** What a review looks up on the tenant, besides the objects of the plan. */
import type { ReviewContext } from "../sdk/resource";
import { isTenantError, type TenantErrorCode } from "../tenant/error";

/** Whether a look is worth a request. Once an apply goes on, its own writes find out, without one. */
export function mayLook({ plan }: Pick<ReviewContext<unknown>, "plan">): boolean {
  return plan.phase === "plan";
}

/** What `ask` finds. A token that may not look is no reason to stop, nor is what else is given. */
export async function ifReadable<T>(
  ask: () => Promise<T | undefined>,
  ...others: readonly TenantErrorCode[]
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isTenantError(error, "insufficient_scope", ...others)) return undefined;
    throw error;
  }
}
