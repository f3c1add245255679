/** Warns once of features that the service may still change. */
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";

export function warnOfEarlyAccess({ client, report }: Pick<ReviewContext<Client>, "client" | "report">): void {
  if (!client?.sayEarlyAccess()) return;
  report({
    severity: "warning",
    code: "TNF-EARLY-ACCESS",
    detail:
      "The service offers rate limit policies, curated lists, message signatures, their keys and match_all as Early Access. It may " +
      "change them, and enables them tenant by tenant. If you use them on purpose, set `acknowledge_early_access = true` in the " +
      "provider block. [TNF-EARLY-ACCESS]",
  });
}
