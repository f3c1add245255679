/** The provider "tenant": its resources, data sources and lists, and which tenant a state belongs to. The provider block makes its client. */
import type { Diagnostic } from "../sdk/diagnostic";
import type { Kind } from "../../judge/kinds/kind";
import { kinds } from "../../judge/kinds/kinds";
import type { Account, Accounts, DataSource, ListResource, Provider, Resource } from "../sdk/resource";
import type { Usage } from "../../tenant/tenant";
import type { Client } from "./client";
import { explain } from "./explain";
import type { Edge } from "./provider-block/configure";
import type { Environment } from "./provider-block/connection";
import { hostOf, rootOf } from "./provider-block/root";

/** What the provider serves for a kind. */
interface Service {
  readonly resource: Resource<Client>;
  readonly list: ListResource<Client>;
  /** Reads all objects of the kind, or one list. */
  readonly dataSource: DataSource<Client>;
}

/** By kind; loaded with the first call for it. */
const services: Readonly<Record<string, () => Promise<Service>>> = {
  network_acl: () => import("./network-acl/service.js"),
  network_acl_key: () => import("./network-acl-key/service.js"),
  rate_limit_policy: () => import("./rate-limit-policy/service.js"),
  organization_member_set: () => import("./organization-member-set/service.js"),
};

/** One part of each kind's service, by name. */
const ofKinds = <Part extends keyof Service>(part: Part, nameOf = ({ name }: Kind) => name) =>
  Object.fromEntries(kinds.map((kind) => [nameOf(kind), async () => (await services[kind.name]!())[part]]));

export function tenantProvider(version: string, environment: Environment, edge: Edge = {}): Provider<Client> {
  return {
    name: "tenant",
    version,
    block: async () => (await import("./provider-block/configure.js")).providerBlock(version, environment, edge),
    resources: ofKinds("resource"),
    dataSources: {
      ...ofKinds("dataSource", ({ dataSource }) => dataSource.type.replace("tenant_", "")),
      network_acl_key: async () => (await import("./network-acl-key/service.js")).dataSourceOfOne,
      organization: async () => (await import("./organization-member-set/service.js")).dataSourceOfOne,
    },
    lists: ofKinds("list"),
    explain,
    accounts: accountsOf(environment),
    warnings: ({ tenant }) => longWaits(tenant.usage()),
  };
}

/** The sum of waiting times, in milliseconds, that causes a warning. API calls can wait at the same time. */
const long = 30_000;

function longWaits({ waitedMs, longestWaitMs }: Readonly<Usage>): Omit<Diagnostic, "path">[] {
  if (waitedMs < long) return [];
  return [
    {
      severity: "warning",
      code: "TNF-QUOTA-WAITED",
      detail:
        `API calls waited ${Math.round(waitedMs / 1000)} s in total for the quota, and one of them ${Math.ceil(longestWaitMs / 1000)} s. ` +
        "The tenant's quota is small for this stack, or other clients use it. TF_LOG_PROVIDER=info logs each wait.",
    },
  ];
}

/* Tells the tenants of states apart. */

const variable = "TENANT_ACCEPT_MOVED";

function accountsOf(environment: Environment): Accounts<Client> {
  const known = ({ tenant, tenantAddress }: Client): Account | undefined => {
    const id = tenant.tokens.issuer();
    if (id === undefined) return undefined;
    return { id, name: id === tenantAddress ? id : `${id} (${tenantAddress})` };
  };
  return {
    known,
    async current(client) {
      const found = known(client);
      if (found) return found;
      await client.tenant.tokens.authorize();
      return known(client);
    },
    stay: ({ tenant }) => tenant.tokens.stay(),
    isExpected({ tenantAddress }, { id }) {
      const expected = environment[variable]?.trim();
      if (!expected) return false;
      const root = rootOf({ domain: expected });
      return expected === id || (root !== undefined && [id, tenantAddress].includes(hostOf(root)));
    },
    remedy: ({ id }) =>
      "To use this state for a restored copy or a renamed tenant, run the plan once with " +
      `${variable}=${id}. To manage both tenants, give each resources of its own, in another state (another workspace or backend key) ` +
      "or with another `provider`: no object moves from one tenant to another. " +
      `Otherwise correct domain, endpoint or TENANT_DOMAIN.${id.startsWith("embedded-") ? embedded : ""}`,
  };
}

const embedded =
  " An embedded tenant is a new one at each start, unless `tenantform emulate --data FILE` keeps it in a file.";
