/** The provider "tenant": everything it manages, and how it gets its client. */
import type { Provider } from "../sdk/resource";
import { createTenant, type Tenant } from "../tenant/tenant";
import { block, connectionFrom, type Environment } from "./connection";
import { explain } from "./explain";
import { networkAcl } from "./network-acl";
import { networkAcls } from "./network-acls";
import { organizationMemberSet } from "./organization-member-set";
import { organizationMembers } from "./organization-members";
import { rateLimitPolicies } from "./rate-limit-policies";
import { rateLimitPolicy } from "./rate-limit-policy";

export function tenantProvider(version: string, environment: Environment): Provider<Tenant> {
  return {
    name: "tenant",
    version,
    config: block,
    resources: [networkAcl, rateLimitPolicy, organizationMemberSet],
    dataSources: [networkAcls, rateLimitPolicies, organizationMembers],
    configure(written, { terraformVersion, log }) {
      const connection = connectionFrom(written as Parameters<typeof connectionFrom>[0], environment);
      if (!connection) return undefined;
      const userAgent = `tenantform/${version} terraform/${terraformVersion}`;
      return createTenant({ ...connection, userAgent, log });
    },
    explain,
  };
}
