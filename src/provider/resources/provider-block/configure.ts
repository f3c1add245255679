/** Makes the client from the provider block. A process that only validates objects does not load this. */
import { builtIn, protectedRequest } from "../../../judge/impact/statement/built-in";
import { unknown } from "../../../formats/cty/value";
import type { Written } from "../../sdk/definition";
import type { ProviderBlock } from "../../sdk/resource";
import type { Log, TenantOptions } from "../../../tenant/tenant";
import type { Terraform } from "../../../judge/impact/statement/lockout";
import type { Client } from "../client";
import type { Statements } from "../statements/statements";
import { type Connection, connectionFrom, type Environment } from "./connection";
import { block } from "./definition";
import { expectationsIn } from "./expectation";
import { hostOf, pathOf, rootOf } from "./root";

export interface Edge extends Pick<TenantOptions, "priorityTimeouts"> {
  /** Registers a function that runs when the process ends. */
  readonly atEnd?: (report: () => void) => void;
  /** Keeps the tokens of a subject for later processes that have the secret. Default: each process fetches a token. */
  readonly keptTokens?: (subject: string, secret: string) => TenantOptions["tokenStore"];
}

export function providerBlock(
  version: string,
  environment: Environment,
  edge: Edge,
): ProviderBlock<Client, typeof block> {
  return {
    config: block,
    async configure(written, { terraformVersion, log }) {
      const connection = connectionFrom(written, environment);
      return connection && clientFor(connection, written, edge, { version, terraformVersion, log });
    },
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
  // `terraform validate` checks the block and does not load these modules.
  const { createTenant } = await import("../../../tenant/tenant.js");
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

export const statementsIn = (
  { protected_request, lockout_guard, expectation }: Written<typeof block>,
  own: Terraform,
): Statements => ({
  own,
  builtIn: lockout_guard === "off" ? [] : builtIn(lockout_guard, requestsIn(protected_request)),
  expectations: expectationsIn(expectation),
  asked: new Set(),
});

const requestsIn = (written: Written<typeof block>["protected_request"] = []) =>
  written === unknown
    ? [unknown]
    : written.map((one) => protectedRequest(one === undefined || one === unknown ? { path: unknown } : one));
