/** The provider "tenant" with its resources, and the client for the tenant. */
import type { Written } from "../sdk/definition";
import type { Diagnostic } from "../sdk/diagnostic";
import type { Kind } from "../../judge/kinds/kind";
import { kinds } from "../../judge/kinds/kinds";
import type { Account, Accounts, DataSource, ListResource, Provider, Resource } from "../sdk/resource";
import type { Log, TenantOptions, Usage } from "../../tenant/tenant";
import type { Client } from "./client";
import { explain } from "./explain";
import { type Connection, connectionFrom, type Environment } from "./provider-block/connection";
import { block } from "./provider-block/definition";
import { hostOf, pathOf, rootOf } from "./provider-block/root";
import { statementsIn } from "./statements/statements";

export interface Edge extends Pick<TenantOptions, "priorityTimeouts"> {
  /** Registers a function that runs when the process ends. */
  readonly atEnd?: (report: () => void) => void;
  /** Keeps the tokens of a subject for later processes that have the secret. Default: each process fetches a token. */
  readonly keptTokens?: (subject: string, secret: string) => TenantOptions["tokenStore"];
}

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

export function tenantProvider(
  version: string,
  environment: Environment,
  edge: Edge = {},
): Provider<Client, typeof block> {
  return {
    name: "tenant",
    version,
    config: block,
    resources: ofKinds("resource"),
    dataSources: {
      ...ofKinds("dataSource", ({ dataSource }) => dataSource.type.replace("tenant_", "")),
      network_acl_key: async () => (await import("./network-acl-key/service.js")).dataSourceOfOne,
      organization: async () => (await import("./organization-member-set/service.js")).dataSourceOfOne,
    },
    lists: ofKinds("list"),
    async configure(written, { terraformVersion, log }) {
      const connection = connectionFrom(written, environment);
      return connection && clientFor(connection, written, edge, { version, terraformVersion, log });
    },
    explain,
    accounts: accountsOf(environment),
    warnings: ({ tenant }) => longWaits(tenant.usage()),
  };
}

/** What the requests of the client say about their sender. */
interface Sender {
  readonly version: string;
  readonly terraformVersion: string;
  readonly log: Log;
}

async function clientFor(
  connection: Connection,
  written: Written<typeof block>,
  { atEnd = () => {}, priorityTimeouts, keptTokens }: Edge,
  { version, terraformVersion, log }: Sender,
): Promise<Client> {
  // A process that only validates does not load these modules.
  const { createTenant } = await import("../../tenant/tenant.js");
  const userAgent = `tenantform/${version} terraform/${terraformVersion}`;
  const root = rootOf(connection)!;
  const tokenStore = keptTokens && tokenStoreFor(connection, keptTokens);
  const tenant = createTenant({ ...connection, tokenStore, priorityTimeouts, userAgent, log });
  const ownRequests = {
    hostname: new URL(connection.endpoint).hostname,
    userAgents: [userAgent],
    asksToken: connection.credentials.kind !== "access_token",
    client: connection.credentials.kind === "access_token" ? undefined : connection.credentials.clientId,
  };
  atEnd(() => log("info", "Requests of this process", { ...tenant.usage() }));
  const { plan_warnings: warnings, hide_early_access_warning: hidesEarlyAccess } = written;
  return {
    tenant,
    statements: statementsIn(written, ownRequests),
    tenantAddress: hostOf(root) + pathOf(root),
    planWarnings: typeof warnings === "string" ? warnings : "medium",
    meansEarlyAccess: hidesEarlyAccess === true,
    remote: {},
    missing: new Set(),
    judgement: {},
    stop: () => tenant.stop(),
  };
}

/** A token depends on the tenant, the audience and the client. */
function tokenStoreFor(
  { endpoint, audience, credentials }: Connection,
  keptTokens: NonNullable<Edge["keptTokens"]>,
): TenantOptions["tokenStore"] {
  if (credentials.kind === "access_token") return undefined;
  const secret = credentials.kind === "client_secret" ? credentials.clientSecret : credentials.privateKey;
  return keptTokens(JSON.stringify([endpoint, audience, credentials.clientId]), secret);
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
