/** Looks up objects of the tenant that are not in the plan. */
import type { Remote, Values } from "../../judge/impact/model";
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";
import { isTenantError, type TenantErrorCode } from "../../tenant/error";

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

type ListName = Exclude<keyof Remote, "organization_members" | "organization_names" | "people">;

/** Keeps a list of the tenant for the judge of the plan. Undefined if the token may not read it, unless the list `isNeeded`. */
export async function readList<T extends object>(
  { remote }: Pick<Client, "remote">,
  name: ListName,
  list: () => Promise<readonly T[]>,
  isNeeded = false,
): Promise<readonly T[] | undefined> {
  const found = await (isNeeded ? list() : ifReadable(list));
  if (found) remote[name] = found as readonly object[] as readonly Values[];
  return found;
}
