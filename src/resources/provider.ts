/** The provider "tenant": everything it manages, and how it gets its client. */
import type { Fault } from "../sdk/attribute";
import type { Provider } from "../sdk/resource";
import { createTenant, type TenantOptions } from "../tenant/tenant";
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

export interface Edge extends Pick<TenantOptions, "patience"> {
  /** Is given what is to be called when the process ends. */
  readonly atEnd?: (report: () => void) => void;
}

export function tenantProvider(
  version: string,
  environment: Environment,
  { atEnd = () => {}, patience }: Edge = {},
): Provider<Client> {
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
        patience,
        userAgent: `tenantform/${version} terraform/${terraformVersion}`,
        log,
      });
      const guard = createGuard(written as GuardSettings, () => tenant.networkAcls.list());
      atEnd(() => log("info", "Requests of this process", { ...tenant.usage() }));
      return { tenant, guard, takenOver: new Set(), seenTo: new Map(), stop: () => tenant.stop() };
    },
    explain,
    remarks: ({ tenant }) => longWait(tenant.usage().waitedMs),
  };
}

/** Milliseconds of waiting for the quota that are worth a word. */
const long = 30_000;

function longWait(waited: number): Omit<Fault, "path">[] {
  if (waited < long) return [];
  return [
    {
      severity: "warning",
      summary: "Waited for the tenant's quota",
      detail:
        `${Math.round(waited / 1000)} s so far: the tenant's quota is small for this stack, or others use it up. ` +
        "TF_LOG_PROVIDER=info tells each wait.",
    },
  ];
}
