/** Reports the scopes that the token lacks, before anything is changed. */
import type { PlannedObject, Remote } from "../impact/model";
import { scopesFor } from "../impact/objects/scopes";
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";

/**
 * Reports the scopes of a plan together. A token that is not fetched yet is not checked. An apply that creates objects fetches the
 * token here, so that wrong credentials are reported once and not by each write.
 */
export async function demandScopes(
  object: PlannedObject,
  context: ReviewContext<Client>,
  members?: Remote["organization_members"],
): Promise<void> {
  const { client, plan, report } = context;
  const needed = scopesFor(object, members).certain;
  const creates = needed.some((scope) => scope.startsWith("create:"));
  if (creates && plan.phase === undefined) await client?.tenant.authorize();
  const granted = await client?.tenant.scopes(needed);
  if (!granted) return;
  const missing = needed.filter((scope) => !granted.includes(scope) && plan.isFirst(`scope ${scope}`));
  if (missing.length === 0) return;
  const { found } = await plan.gathered("scopes", () => missing);
  const scopes = found.flat().toSorted();
  if (scopes.length === 0) return;
  report({
    severity: "error",
    code: ["TNF-SCOPE-MISSING", scopes.length === 1 ? "a scope" : "scopes"],
    detail:
      `${scopes.join(", ")} ${scopes.length === 1 ? "is" : "are"} missing, and this plan needs ${scopes.length === 1 ? "it" : "them"}: ` +
      `grant ${scopes.length === 1 ? "it" : "them"} to the client (Applications > APIs > Management API) or give another token. ` +
      "Nothing was changed.",
  });
}
