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

/** Reports the scopes that the token is known to lack, each once a plan. A token that is not fetched yet is not judged. */
export async function demandScopes(needed: readonly string[], context: ReviewContext<Client>): Promise<void> {
  const { client, plan, report } = context;
  const granted = await client?.tenant.scopes();
  if (!granted) return;
  for (const scope of needed) {
    if (granted.includes(scope) || !plan.isFirst(`scope ${scope}`)) continue;
    report({
      severity: "error",
      summary: "The token lacks a scope",
      detail:
        `${scope} is missing, and this plan needs it: grant it to the client (Applications > APIs > Management API) or give ` +
        "another token. Nothing was changed.",
    });
  }
}
