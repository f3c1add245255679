/** Reads the remote state of a tenant, with the provider's environment variables. */
import { andWords } from "../impact/list-words";
import type { Values } from "../impact/model";
import { connectionFrom } from "../resources/provider-block/connection";
import { hostOf, rootOf } from "../resources/provider-block/root";
import { ifReadable } from "../resources/lookup";
import type { Member } from "../tenant/member-list";
import type { NetworkAcl } from "../tenant/network-acls";
import { createTenant, type Tenant as Client } from "../tenant/tenant";
import { version } from "../version";
import { ReviewError } from "./error";
import { identityOf } from "../impact/objects/identity";
import { organizationIds } from "../impact/organization-member-set/changes";
import { setsIn } from "../impact/organization-member-set/set";
import { identitiesIn } from "./identity";
import { objectsOf } from "./objects";
import type { Plan } from "./plan";
import { families, type Family, type RemoteState } from "./remote";
import type { Site } from "./site";
import type { Tenant } from "./tenants";

/** All network ACLs, also those that no stack manages. */
export function remoteAcls(environment: NodeJS.ProcessEnv): Promise<readonly Values[]> {
  return ask(environment, async (tenant) => plainly(await tenant.networkAcls.list()));
}

/** The remote state of the environment's tenant, for each tenant of the plans that is that tenant. */
export async function remoteStates(
  environment: NodeJS.ProcessEnv,
  tenants: readonly Tenant[],
  wanted?: Wanted,
): Promise<ReadonlyMap<Tenant, RemoteState>> {
  const host = hostOf(rootOf(connectionOf(environment))!);
  const isHere = (site: Site) => site.kind === "environment" || (site.kind === "host" && site.host === host);
  const own = tenants.filter(({ sites }) => tenants.length === 1 || sites.some(isHere));
  if (own.length === 0) {
    throw new ReviewError(
      `--tenant: the environment names ${host}, and no provider configuration of the plans is known to be that tenant's.`,
      1,
    );
  }
  const remote = await remoteStateOf(
    environment,
    own.flatMap(({ plans }) => plans),
    wanted,
  );
  const ids = identitiesOf(remote);
  return new Map(
    own.map((tenant) => {
      const isSame = tenant.sites.every((site) => site.kind !== "host") || tenant.sites.some(isHere);
      const hasCommon = tenant.plans.some((plan) => [...identitiesIn(plan)].some((id) => ids.has(id)));
      const found = { ...remote, from: { host, isCommon: hasCommon } };
      return [tenant, isSame || hasCommon ? found : { ...found, uncertainty: uncertainWords(host) }];
    }),
  );
}

function identitiesOf({
  network_acls: acls = [],
  rate_limit_policies: policies = [],
}: RemoteState): ReadonlySet<unknown> {
  const identities = [
    ...acls.map((acl) => identityOf("tenant_network_acl", acl)),
    ...policies.map((policy) => identityOf("tenant_rate_limit_policy", policy)),
  ];
  return new Set(identities);
}

const uncertainWords = (host: string) =>
  `--tenant: the environment names ${host}, but the provider configurations of the plans name another host, and no object of the plans ` +
  "exists there. The review may have read another tenant, so nothing is proven. Name the same tenant in both places.";

export interface Wanted {
  /** Organizations to read, in addition to those whose members the plans change. */
  readonly organizations?: readonly string[];
  /** Left out: all. */
  readonly families?: ReadonlySet<Family>;
}

/** Reads all network ACLs, all rate limit policies, and the organizations whose members matter. */
export function remoteStateOf(
  environment: NodeJS.ProcessEnv,
  plans: readonly Plan[],
  { organizations: others = [], families: wanted = new Set(families) }: Wanted = {},
): Promise<RemoteState> {
  const sets = setsIn(plans.flatMap((plan) => objectsOf(plan))).filter(({ acts }) => acts);
  const changing = wanted.has("organization_members") ? organizationIds(sets).filter((id) => id !== undefined) : [];
  const organizations = [...new Set([...changing, ...others])];
  return ask(environment, async (tenant) => {
    await requireScopes(tenant, organizations.length > 0 ? [...wanted] : [...wanted].filter(isWholeList));
    const [acls, policies, members] = await Promise.all([
      wanted.has("network_acls") ? tenant.networkAcls.list() : undefined,
      wanted.has("rate_limit_policies") ? tenant.rateLimitPolicies.list() : undefined,
      Promise.all(organizations.map(async (id) => [id, await membersOf(tenant, id)] as const)),
    ]);
    return {
      ...(acls && { network_acls: plainly(acls) }),
      ...(policies && { rate_limit_policies: policies as unknown as readonly Values[] }),
      organization_members: new Map(members.map(([id, people]) => [id, people.map(({ user_id: user }) => user)])),
      people: new Map(members.flatMap(([, people]) => people.map(({ user_id: user, ...person }) => [user, person]))),
      organization_names: await namesOf(tenant, organizations),
    };
  });
}

const isWholeList = (family: Family) => family !== "organization_members";

/** Names all missing scopes at once. The service names only the first one. */
async function requireScopes(tenant: Client, read: readonly Family[]): Promise<void> {
  await tenant.authorize();
  const scopes = await tenant.scopes();
  const missing = read.map((family) => `read:${family}`).filter((scope) => scopes?.includes(scope) === false);
  if (missing.length === 0) return;
  const what = missing.length === 1 ? "the scope" : "the scopes";
  throw new ReviewError(`--tenant: the token lacks ${what} ${andWords(missing)}. Grant ${what} to the application.`);
}

const plainly = (acls: readonly NetworkAcl[]) => acls as unknown as readonly Values[];

/** A deleted organization has no members. */
async function membersOf(tenant: Client, organization: string): Promise<readonly Member[]> {
  try {
    return await tenant.organizationMembers.people(organization);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "not_found") return [];
    throw error;
  }
}

/** The display names, with one request for each organization. Empty if the token must not read organizations. */
async function namesOf(tenant: Client, organizations: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const scopes = await tenant.scopes();
  if (scopes?.includes("read:organizations") === false) return new Map();
  const nameOf = async (id: string): Promise<[string, string][]> => {
    const found = await ifReadable(() => tenant.organizations.get(id));
    return found ? [[id, found.display_name ?? found.name]] : [];
  };
  return new Map((await Promise.all(organizations.map(nameOf))).flat());
}

export async function ask<T>(environment: NodeJS.ProcessEnv, read: (tenant: Client) => Promise<T>): Promise<T> {
  const connection = connectionOf(environment);
  const tenant = createTenant({ ...connection, userAgent: `tenantform/${version}`, log: () => {} });
  try {
    return await read(tenant);
  } catch (error) {
    if (error instanceof ReviewError) throw error;
    throw new ReviewError(`The tenant could not be read: ${(error as Error).message}`);
  } finally {
    tenant.stop();
  }
}

function connectionOf(environment: NodeJS.ProcessEnv) {
  try {
    return connectionFrom({}, environment)!;
  } catch (error) {
    const { message, detail } = error as Error & { readonly detail?: string };
    throw new ReviewError(`--tenant: ${detail ?? message}`, 1);
  }
}
