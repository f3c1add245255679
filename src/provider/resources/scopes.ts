/** Reports the scopes that the token lacks, together and before anything is changed. */
import type { PlannedObject, Remote } from "../../judge/impact/model";
import { scopesFor } from "../../judge/impact/objects/scopes";
import { wholePlan } from "../sdk/diagnostic";
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";
import type { Report } from "./plan-report";

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
    "Management API) or give another token. Nothing was changed.";
  return [{ severity: "error", code: ["TNF-SCOPE-MISSING", noun!], detail, path: [], keys, waits: true }];
}
