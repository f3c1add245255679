/** Looks up objects of the tenant that are not in the plan. */
import type { ReviewContext } from "../sdk/resource";
import { isTenantError, type TenantErrorCode } from "../../tenant/error";
import type { OrganizationMembers } from "../../tenant/organization-members";

/** Whether a lookup is worth an API call. During an apply, the writes find conflicts without a lookup. */
export function canLookUp({ plan }: Pick<ReviewContext<unknown>, "plan">): boolean {
  return plan.phase === "plan" || plan.phase === "destroy";
}

/** The result of `ask`; undefined if the token lacks the scope, or for another error in `others`. */
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

/** The members of an organization; undefined if it does not exist. `expected`: the last known number of members. */
export async function listOrNothing(
  endpoint: OrganizationMembers,
  organizationId: string,
  expected?: number,
): Promise<string[] | undefined> {
  try {
    return await endpoint.list(organizationId, expected);
  } catch (error) {
    if (isTenantError(error, "not_found")) return undefined;
    throw error;
  }
}
