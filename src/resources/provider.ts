/** The provider "tenant": everything it manages, and how it gets its client. */
import type { Provider } from "../sdk/resource";
import { createTenant } from "../tenant/tenant";
import type { Client } from "./client";
import { block, connectionFrom, type Environment } from "./connection";
import { explain } from "./explain";
import { createGuard, type GuardSettings } from "./guard";
import { networkAcl } from "./network-acl";
import { networkAcls } from "./network-acls";
import { organizationMemberSet } from "./organization-member-set";
import { organizationMembers } from "./organization-members";
import { rateLimitPolicies } from "./rate-limit-policies";
import { rateLimitPolicy } from "./rate-limit-policy";

export function tenantProvider(version: string, environment: Environment): Provider<Client> {
  return {
    name: "tenant",
    version,
    config: block,
    resources: [networkAcl, rateLimitPolicy, organizationMemberSet],
    dataSources: [networkAcls, rateLimitPolicies, organizationMembers],
    configure(written, { terraformVersion, log }) {
      const connection = connectionFrom(written as Parameters<typeof connectionFrom>[0], environment);
      if (!connection) return undefined;
      const tenant = createTenant({
        ...connection,
        userAgent: `tenantform/${version} terraform/${terraformVersion}`,
        log,
      });
      const settings = written as GuardSettings;
      const guard = createGuard(settings, () => tenant.networkAcls.list());
      return { tenant, guard, stop: () => tenant.stop() };
    },
    explain,
  };
}
