/** Refuses plans for another tenant than the pipeline's (`review --domain`). */
import { quoted } from "../access/access";
import { hostOf, pathOf, rootOf } from "../resources/provider-block/root";
import { ReviewError } from "./error";
import type { Tenant } from "./tenants";

/** Throws a ReviewError unless every provider configuration of the plans names this tenant. */
export function requireDomain(tenants: readonly Tenant[], domain: string): void {
  const root = rootOf({ domain });
  if (!root)
    throw new ReviewError(`--domain ${quoted(domain)} is not a domain: give a name such as acme.eu.auth0.com.`, 1);
  const wanted = hostOf(root) + pathOf(root);
  for (const { name, sites } of tenants) {
    for (const site of sites) {
      const found = site.kind === "host" ? site.host + site.path : undefined;
      if (found === wanted) continue;
      throw new ReviewError(
        found === undefined
          ? `${name} does not name its tenant, so it may be for another one than ${wanted}: give the provider block a \`domain\`, as text or as \`var.NAME\`.`
          : `${name} is for the tenant ${found}, but --domain names ${wanted}: plan again on the right tenant.`,
      );
    }
  }
}
