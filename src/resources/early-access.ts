/** Features that the service may still change: said once, however many objects use them, unless they are meant. */
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";

export function warnOfEarlyAccess({ client, report }: Pick<ReviewContext<Client>, "client" | "report">): void {
  if (!client?.sayEarlyAccess()) return;
  report({
    severity: "warning",
    summary: "Early Access",
    detail:
      "Rate limit policies, curated lists, message signatures and their keys, and match_all are in Early Access: the service may change " +
      "them, and a tenant may have to be enabled for them. `early_access = true` in the provider's configuration says that they are meant.",
  });
}
