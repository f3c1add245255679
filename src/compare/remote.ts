/** Reads one side of a comparison from a tenant. */
import type { Values } from "../impact/model";
import { kinds } from "../kinds/kinds";
import { networkAcl } from "../kinds/network-acl";
import { networkAclKey } from "../kinds/network-acl-key";
import { organizationMemberSet } from "../kinds/organization-member-set";
import { rateLimitPolicy } from "../kinds/rate-limit-policy";
import type { Kind } from "../kinds/kind";
import { ReviewError } from "../review/error";
import { connectionFrom } from "../resources/provider-block/connection";
import { hostOf, rootOf } from "../resources/provider-block/root";
import { isTenantError } from "../tenant/error";
import { createTenant, type Tenant } from "../tenant/tenant";
import { version } from "../version";
import type { Side, SideObject } from "./side";

/** `env` or `env:PREFIX`. */
export const isTenantName = (name: string): boolean => /^env(?::|$)/.test(name);

/** The variables of one tenant: with a prefix, only those that begin with it. */
export function environmentOf(name: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const prefix = name.slice("env:".length);
  if (prefix === "") return environment;
  if (!/^[A-Za-z]\w*$/.test(prefix)) {
    throw new ReviewError(
      `${name}: give a prefix of environment variables, such as env:STAGING for STAGING_TENANT_DOMAIN.`,
    );
  }
  const all = Object.entries(environment);
  // The variables of another tenant must not complete those of this one.
  const others = all.filter(([variable]) => !/^(?:TENANT|AUTH0)_/.test(variable));
  const own = all.filter(([variable]) => variable.startsWith(`${prefix}_TENANT_`));
  if (own.length === 0) {
    throw new ReviewError(
      `${name}: no variable begins with ${prefix}_TENANT_. Set ${prefix}_TENANT_DOMAIN and credentials.`,
    );
  }
  return Object.fromEntries([...others, ...own.map(([variable, value]) => [variable.slice(prefix.length + 1), value])]);
}

/** The organizations whose members are read. */
export interface Wanted {
  readonly ids: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

export interface RemoteOptions {
  /** Left out: all. */
  readonly organizations?: Wanted;
}

export async function readTenant(
  name: string,
  environment: NodeJS.ProcessEnv,
  { organizations }: RemoteOptions,
): Promise<Side> {
  const connection = connectionOf(name, environmentOf(name, environment));
  const tenant = createTenant({ ...connection, userAgent: `tenantform/${version}`, log: () => {} });
  const host = hostOf(rootOf({ endpoint: connection.endpoint })!);
  try {
    const found = await Promise.all(kinds.map((kind) => readKind(kind, tenant, organizations)));
    return {
      name: host,
      objects: found.flatMap(({ objects }) => objects),
      unknown: [],
      unread: kinds.filter((_, index) => found[index]!.isUnread),
      isTenant: true,
      isPartial: false,
    };
  } catch (error) {
    if (error instanceof ReviewError) throw error;
    throw new ReviewError(`${name}: the tenant could not be read: ${(error as Error).message}`);
  } finally {
    tenant.stop();
  }
}

interface Read {
  readonly objects: readonly SideObject[];
  readonly isUnread?: true;
}

/** A token may lack the scope for a kind. A tenant without an Early Access feature refuses its kind, so it has none. */
async function readKind(kind: Kind, tenant: Tenant, organizations: Wanted | undefined): Promise<Read> {
  try {
    const all = await lists.get(kind)!(tenant, organizations);
    return { objects: all.map(({ label, ...rest }) => ({ kind, label: `${kind.noun} ${label}`, ...rest })) };
  } catch (error) {
    if (kind.earlyAccess !== undefined && isTenantError(error, "not_found", "forbidden")) return { objects: [] };
    if (isTenantError(error, "insufficient_scope", "forbidden")) return { objects: [], isUnread: true };
    throw error;
  }
}

interface Listed {
  readonly label: string;
  readonly values: Values;
  readonly organization?: string;
}

type List = (tenant: Tenant, organizations: Wanted | undefined) => Promise<readonly Listed[]>;

const labelled = (all: readonly object[], labelOf: (values: Values) => unknown): Listed[] =>
  all.map((one) => ({ label: JSON.stringify(labelOf(one as Values)) ?? "", values: one as Values }));

const lists = new Map<Kind, List>([
  [networkAcl, async (tenant) => labelled(await tenant.networkAcls.list(), (acl) => acl["description"] || acl["id"])],
  [
    rateLimitPolicy,
    async (tenant) => labelled(await tenant.rateLimitPolicies.list(), (policy) => policy["consumer_selector"]),
  ],
  [networkAclKey, async (tenant) => labelled(await tenant.networkAclKeys.list(), (key) => key["name"])],
  [organizationMemberSet, membersOf],
]);

async function membersOf(tenant: Tenant, wanted: Wanted | undefined): Promise<Listed[]> {
  if (wanted && wanted.ids.size + wanted.names.size === 0) return [];
  const found: Listed[] = [];
  // One after the other: the lists of many organizations use up the rate limit of the API.
  for (const { id, name } of await organizationsOf(tenant, wanted)) {
    const people = await peopleOf(tenant, id);
    const values = { organization_id: id, members: people, exclusive: true };
    if (people) found.push({ label: name ?? id, values, ...(name !== undefined && { organization: name }) });
  }
  return found;
}

interface Organization {
  readonly id: string;
  /** Left out: the token must not read it. */
  readonly name?: string;
}

/** With a token that must not list organizations, those whose ids the other side has. */
async function organizationsOf(tenant: Tenant, wanted: Wanted | undefined): Promise<readonly Organization[]> {
  try {
    const all = await allOrganizations(tenant);
    return wanted ? all.filter(({ id, name }) => wanted.ids.has(id) || wanted.names.has(name!)) : all;
  } catch (error) {
    if (!wanted || wanted.ids.size === 0 || !isTenantError(error, "insufficient_scope", "forbidden")) throw error;
    return [...wanted.ids].map((id) => ({ id }));
  }
}

async function peopleOf(tenant: Tenant, id: string): Promise<string[] | undefined> {
  try {
    return (await tenant.organizationMembers.people(id)).map(({ user_id: user }) => user);
  } catch (error) {
    if (isTenantError(error, "not_found")) return undefined;
    throw error;
  }
}

async function allOrganizations(tenant: Tenant): Promise<Organization[]> {
  const all: Organization[] = [];
  for await (const page of tenant.organizations.pages()) all.push(...page.map(({ id, name }) => ({ id, name })));
  return all;
}

function connectionOf(name: string, environment: NodeJS.ProcessEnv) {
  try {
    return connectionFrom({}, environment)!;
  } catch (error) {
    const { message, detail } = error as Error & { readonly detail?: string };
    throw new ReviewError(`${name}: ${detail ?? message}`, "usage");
  }
}
