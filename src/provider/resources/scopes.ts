/** Reports the scopes that the token lacks, together and before anything is changed, and looks up objects that are not in the plan. */
import type { PlannedObject, Remote, Values } from "../../judge/impact/model";
import { scopesFor } from "../../judge/impact/objects/actions";
import { wholePlan } from "../sdk/diagnostic";
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";
import type { Report } from "./plan-report";
import { isTenantError, type TenantErrorCode } from "../../tenant/error";

/**
 * Notes the scopes that the change needs and the token lacks. A token that is not fetched yet is not checked. An apply that creates objects
 * fetches the token here, so that wrong credentials are reported once and not by each write.
 */
export async function noteScopes(
  object: PlannedObject,
  { client, plan }: Pick<ReviewContext<Client>, "client" | "plan">,
  members?: Remote["organization_members"],
): Promise<void> {
  const needed = scopesFor(object, members).certain;
  const creates = needed.some((scope) => scope.startsWith("create:"));
  if (creates && plan.phase === undefined) await client?.tenant.tokens.authorize();
  const granted = await client?.tenant.tokens.scopes(needed);
  if (!granted) return;
  for (const scope of needed) if (!granted.includes(scope)) client!.missing.add(scope);
}

/** Those that no call has reported, in one error. */
export function missingScopes(
  { missing }: Client,
  { reported }: Pick<ReviewContext<Client>["plan"], "reported">,
): Report[] {
  const keys = [...missing].filter((scope) => !reported.has(scope)).toSorted();
  if (keys.length === 0) return [];
  const [noun, are, them] = keys.length === 1 ? ["a scope", "is", "it"] : ["scopes", "are", "them"];
  const detail =
    `${wholePlan} ${keys.join(", ")} ${are} missing, and this plan needs ${them}: grant ${them} to the client (Applications > APIs > ` +
    "Management API) or give another token.";
  return [{ severity: "error", code: ["TNF-SCOPE-MISSING", noun!], detail, path: [], keys, waits: true }];
}

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
