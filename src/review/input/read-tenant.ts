/** Reads the remote state of a tenant, with the provider's environment variables. */
import { andWords } from "../../formats/text/lists";
import type { Values } from "../../judge/impact/model";
import { connectionFrom } from "../../provider/resources/provider-block/connection";
import { hostOf, rootOf } from "../../provider/resources/provider-block/root";
import { ifReadable } from "../../provider/resources/scopes";
import { kindOf, kindRead, kinds } from "../../judge/kinds/kinds";
import { networkAcl } from "../../judge/kinds/network-acl";
import { namesKey } from "../../judge/impact/network-acl/keys";
import { isTenantError, unlessGone } from "../../tenant/error";
import type { Member } from "../../tenant/organization-members";
import { createTenant, type Tenant as Client } from "../../tenant/tenant";
import { version } from "../../version";
import { UserError } from "../../formats/text/user-error";
import { objectIdentity, importedAs } from "../../judge/impact/objects/duplicates";
import { organizationIds } from "../../judge/impact/organization-member-set/changes";
import { setsIn } from "../../judge/impact/organization-member-set/set";
import type { PlanInput } from "./plan-input";
import { families, type Family, type Refusal, type RemoteState } from "./remote";
import type { TenantAddress } from "./tenant-address";
import type { Tenant } from "./tenants";

/** The remote state of each tenant of the plans that the environment names, under the prefix of its provider blocks or without one. */
export async function remoteStates(
  environment: NodeJS.ProcessEnv,
  tenants: readonly Tenant[],
  wanted: (tenant: Tenant) => Wanted = () => ({}),
): Promise<ReadonlyMap<Tenant, RemoteState>> {
  const all = tenants.map((tenant) => ({ tenant, named: namedIn(environment, tenant) }));
  const found = all.flatMap(({ tenant, named }) => {
    const own = named.find(({ isHere }) => isHere) ?? (tenants.length === 1 ? named[0] : undefined);
    return own ? [{ tenant, ...own }] : [];
  });
  if (found.length === 0)
    throw nothingNamed(
      environment,
      tenants,
      all.flatMap(({ named }) => named),
    );
  return new Map(
    await Promise.all(
      found.map(async ({ tenant, host, prefix, isCertain }) => {
        const remote = await remoteStateOf(environment, tenant.plans, { ...wanted(tenant), prefix });
        const ids = identitiesOf(remote);
        const isCommon = tenant.plans.some((plan) => [...identitiesIn(plan)].some((id) => ids.has(id)));
        const uncertainty = { is: "read from", host } as const;
        const state = { ...remote, from: { host, isCommon }, ...(!isCommon && !isCertain && { uncertainty }) };
        return [tenant, state] as const;
      }),
    ),
  );
}

/** A tenant that the environment names for the provider blocks of a tenant. */
interface NamedTenant {
  readonly prefix: string;
  readonly host: string;
  /** The provider blocks name it. */
  readonly isHere: boolean;
  /** They certainly do. */
  readonly isCertain: boolean;
}

/** Only the environment names a host that gets credentials. */
function namedIn(environment: NodeJS.ProcessEnv, { tenantAddress }: Tenant): NamedTenant[] {
  const prefixes = new Set([...prefixOf(tenantAddress), ...(tenantAddress.kind === "environment" ? [] : [""])]);
  return [...prefixes].flatMap((prefix) => {
    try {
      const host = hostOf(rootOf(connectionOf(environment, prefix))!);
      if (tenantAddress.kind !== "host") {
        const isHere = tenantAddress.kind === "environment";
        return [{ prefix, host, isHere, isCertain: isHere }];
      }
      const isHere = tenantAddress.host === host;
      return [{ prefix, host, isHere, isCertain: isHere && tenantAddress.isCertain }];
    } catch (error) {
      if (error instanceof UserError) return [];
      throw error;
    }
  });
}

const prefixOf = (tenantAddress: TenantAddress) =>
  tenantAddress.kind === "environment" || tenantAddress.kind === "host"
    ? [tenantAddress.prefix].filter((prefix) => prefix !== undefined)
    : [];

function nothingNamed(environment: NodeJS.ProcessEnv, tenants: readonly Tenant[], named: readonly NamedTenant[]) {
  const hosts = andWords(new Set(named.map(({ host }) => host)));
  if (hosts !== "")
    return new UserError(
      `--tenant: the environment names ${hosts}, and no provider configuration of the plans is known to be that tenant's.`,
      "usage",
    );
  const [prefix = ""] = tenants.flatMap(({ tenantAddress }) => prefixOf(tenantAddress));
  connectionOf(environment, prefix);
  return new UserError("--tenant: the environment names no tenant of the plans.", "usage");
}

const identitiesOf = (remote: RemoteState): ReadonlySet<unknown> =>
  new Set(
    kinds.flatMap(({ family, type }) => {
      const list = remote[family as Family];
      return Array.isArray(list) ? list.map((values: Values) => objectIdentity(type, values)) : [];
    }),
  );

export interface Wanted {
  /** Organizations to read, in addition to those whose members the plans change. */
  readonly organizations?: readonly string[];
  /** Left out: those that the plans may affect. */
  readonly families?: ReadonlySet<Family>;
  /** The prefix of the environment variables. Default: none. */
  readonly prefix?: string;
}

/** Families with objects in the plans. */
export function familiesIn(plans: readonly PlanInput[]): Set<Family> {
  const types = plans.flatMap(({ objects, drift }) => [...objects, ...drift].map(({ type }) => type));
  const found = new Set<string | undefined>(types.flatMap((type) => [kindOf(type)?.family, kindOf(type)?.actsThrough]));
  return new Set(families.filter((family) => found.has(family)));
}

/** Reads the ACLs, the policies, and the organizations whose members matter, as far as the plans may affect them. */
export function remoteStateOf(
  environment: NodeJS.ProcessEnv,
  plans: readonly PlanInput[],
  { organizations: others = [], families: wanted = familiesIn(plans), prefix = "" }: Wanted = {},
): Promise<RemoteState> {
  const sets = setsIn(plans.flatMap(({ objects }) => objects)).filter(({ acts }) => acts);
  const changing = wanted.has("organization_members") ? organizationIds(sets).filter((id) => id !== undefined) : [];
  const organizations = [...new Set([...changing, ...others])];
  const read = async (tenant: Client): Promise<RemoteState> => {
    await requireScopes(tenant, organizations.length > 0 ? [...wanted] : [...wanted].filter(isWholeList));
    const refused: Refusal[] = [];
    const ifOffered = async <T>(family: Family, list: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await list();
      } catch (error) {
        if (!isTenantError(error, "forbidden")) throw error;
        refused.push({ family, reason: error.message });
        return undefined;
      }
    };
    const [acls, keys, policies, members] = await Promise.all([
      wanted.has("network_acls") ? ifOffered("network_acls", () => tenant.networkAcls.list()) : undefined,
      // Without them, the review does not say whether the tenant has the keys that a rule names.
      wanted.has("network_acls") && nameKeys(plans)
        ? ifReadable(() => tenant.networkAclKeys.list(), "forbidden", "not_found")
        : undefined,
      wanted.has("rate_limit_policies")
        ? ifOffered("rate_limit_policies", () => tenant.rateLimitPolicies.list())
        : undefined,
      ifOffered("organization_members", () =>
        Promise.all(organizations.map(async (id) => [id, await membersOf(tenant, id, changing.includes(id))] as const)),
      ),
    ]);
    return {
      ...(acls && { network_acls: plainly(acls) }),
      ...(keys && { network_acl_keys: plainly(keys) }),
      ...(policies && { rate_limit_policies: plainly(policies) }),
      ...(members && {
        organization_members: new Map(members.map(([id, people]) => [id, people?.map(({ user_id: user }) => user)])),
        people: new Map(
          members.flatMap(([, people = []]) => people.map(({ user_id: user, ...person }) => [user, person])),
        ),
      }),
      organization_names: await namesOf(tenant, organizations),
      unaffected: families.filter((family) => !wanted.has(family)),
      ...(refused.length > 0 && { refused }),
    };
  };
  return ask(environment, read, prefix);
}

const nameKeys = (plans: readonly PlanInput[]): boolean =>
  plans.some(({ objects }) =>
    objects.some(({ type, after }) => kindOf(type) === networkAcl && namesKey(after?.["rule"])),
  );

const isWholeList = (family: Family) => family !== "organization_members";

/** Names all missing scopes at once. The service names only the first one. */
async function requireScopes(tenant: Client, read: readonly Family[]): Promise<void> {
  await tenant.tokens.authorize();
  const scopes = await tenant.tokens.scopes();
  const missing = read.map((family) => `read:${family}`).filter((scope) => scopes?.includes(scope) === false);
  if (missing.length === 0) return;
  const what = missing.length === 1 ? "the scope" : "the scopes";
  throw new UserError(`--tenant: the token lacks ${what} ${andWords(missing)}. Grant ${what} to the application.`);
}

const plainly = (list: readonly object[]) => list as readonly Values[];

const noMembers: readonly Member[] = [];

/** A deleted organization whose set the plans change has no members. Undefined: the tenant has no such organization. */
const membersOf = async (tenant: Client, organization: string, isChanging: boolean) =>
  (await unlessGone(() => tenant.organizationMembers.people(organization))) ?? (isChanging ? noMembers : undefined);

/** The display names, with one request for each organization. Empty if the token must not read organizations. */
async function namesOf(tenant: Client, organizations: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const scopes = await tenant.tokens.scopes();
  if (scopes?.includes("read:organizations") === false) return new Map();
  const nameOf = async (id: string): Promise<[string, string][]> => {
    const found = await ifReadable(() => tenant.organizations.get(id));
    return found ? [[id, found.display_name ?? found.name]] : [];
  };
  return new Map((await Promise.all(organizations.map(nameOf))).flat());
}

/** `prefix`: of the environment variables. */
async function ask<T>(environment: NodeJS.ProcessEnv, read: (tenant: Client) => Promise<T>, prefix = ""): Promise<T> {
  const connection = connectionOf(environment, prefix);
  const tenant = createTenant({ ...connection, userAgent: `tenantform/${version}`, log: () => {} });
  try {
    return await read(tenant);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`--tenant: the tenant could not be read: ${(error as Error).message}`);
  } finally {
    tenant.stop();
  }
}

function connectionOf(environment: NodeJS.ProcessEnv, prefix: string) {
  try {
    return connectionFrom(prefix === "" ? {} : { environment_prefix: prefix }, environment)!;
  } catch (error) {
    const { message, detail } = error as Error & { readonly detail?: string };
    throw new UserError(`--tenant: ${detail ?? message}`, "usage");
  }
}

/** The identities of all objects in the plan: managed, or read by data sources. */
function identitiesIn({ objects, drift, data }: PlanInput): Set<string> {
  const own = [...objects, ...drift].filter(({ tenantUnknown }) => !tenantUnknown);
  const found = [
    ...own.flatMap(({ type, before, after, importId }) => [
      objectIdentity(type, before),
      // A new object has no id yet, but an organization exists before its members.
      ...(kindOf(type)?.list ? [objectIdentity(type, after)] : []),
      importedAs(type, importId),
    ]),
    ...data.flatMap(({ type, values }) => {
      const kind = kindRead(type);
      const { objects: list = "" } = kind?.dataSource ?? {};
      return [
        objectIdentity(type, values),
        ...((values[list] ?? []) as Values[]).map((one) => objectIdentity(kind!.type, one)),
      ];
    }),
  ];
  return new Set(found.filter((identity) => identity !== undefined));
}
