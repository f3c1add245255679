/** Refuses plans for another tenant than the pipeline's (`review --domain`). */
import { quoted } from "../access/access";
import { hostOf, pathOf, rootOf } from "../resources/provider-block/root";
import { masked } from "../text/masked";
import { ReviewError } from "./error";
import type { Tenant } from "./tenants";

/** The name of the tenant. Throws a ReviewError unless every provider configuration of the plans names this tenant. */
export function requireDomain(tenants: readonly Tenant[], domain: string): string {
  const root = rootOf({ domain });
  if (!root)
    throw new ReviewError(`--domain ${quoted(domain)} is not a domain: give a name such as acme.eu.auth0.com.`, 1);
  const wanted = hostOf(root) + pathOf(root);
  for (const { name, sites } of tenants) {
    for (const site of sites) {
      // Text around a variable makes another name of its value.
      const found = site.kind === "host" && site.variable?.isWhole !== false ? site.host + site.path : undefined;
      if (found === wanted) continue;
      const isSecret = site.kind === "host" && site.variable?.isSecret === true;
      throw new ReviewError(
        found === undefined
          ? `${name} does not name its tenant, so it may be for another one than ${wanted}: give the provider block a \`domain\`, as text or as \`var.NAME\`.`
          : `${name} is for ${isSecret ? "another tenant" : `the tenant ${masked(found)}`}, but --domain names ${wanted}: plan again on the right tenant.`,
      );
    }
  }
  return wanted;
}
