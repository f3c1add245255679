/** What a token must be allowed for a plan to be done, said while it is still a plan. */
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";

/** What a change does to its object. Of a replacement the new half is asked about by itself. */
export const verbs = {
  create: ["create"],
  keep: [],
  update: ["update"],
  replace: ["delete"],
  destroy: ["delete"],
} as const satisfies Record<string, readonly string[]>;

/**
 * Reports the scopes that the token is known to lack, all of a plan together. A token that is not fetched yet is not judged; but an
 * apply that makes new objects fetches it, so that wrong credentials are told by its plan, once, and not by each write; what
 * exists was read before, with the credentials that there are.
 */
export async function demandScopes(needed: readonly string[], context: ReviewContext<Client>): Promise<void> {
  const { client, plan, report } = context;
  const makes = needed.some((scope) => scope.startsWith("create:"));
  if (makes && plan.phase === undefined) await client?.tenant.authorize();
  const granted = await client?.tenant.scopes();
  if (!granted) return;
  const missing = needed.filter((scope) => !granted.includes(scope) && plan.isFirst(`scope ${scope}`));
  if (missing.length === 0) return;
  const scopes = (await plan.gathered("scopes", missing)).flat().toSorted();
  if (scopes.length === 0) return;
  report({
    severity: "error",
    summary: `The token lacks ${scopes.length === 1 ? "a scope" : "scopes"}`,
    detail:
      `${scopes.join(", ")} ${scopes.length === 1 ? "is" : "are"} missing, and this plan needs ${scopes.length === 1 ? "it" : "them"}: ` +
      `grant ${scopes.length === 1 ? "it" : "them"} to the client (Applications > APIs > Management API) or give another token. ` +
      "Nothing was changed.",
  });
}
