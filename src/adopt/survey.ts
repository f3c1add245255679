/** What the tenant has, asked in as few requests as its lists allow. */
import { isTenantError } from "../tenant/error";
import type { NetworkAclKey } from "../tenant/network-acl-keys";
import type { NetworkAcl } from "../tenant/network-acls";
import type { Organization } from "../tenant/organizations";
import type { RateLimitPolicy } from "../tenant/rate-limit-policies";
import type { Tenant } from "../tenant/tenant";

export const kinds = ["acls", "policies", "members", "keys"] as const;
export type Kind = (typeof kinds)[number];

export interface Membership {
  readonly organization: Organization;
  /** User ids, sorted. */
  readonly members: readonly string[];
}

export interface Survey {
  /** In the order in which they are asked. */
  readonly acls: readonly NetworkAcl[];
  /** By consumer selector. */
  readonly policies: readonly RateLimitPolicy[];
  /** By the name of the organization; those without members are left out, unless they were asked for. */
  readonly memberships: readonly Membership[];
  readonly emptyOrganizations: number;
  /** By name. */
  readonly keys: readonly NetworkAclKey[];
  /** The ids of all that is there, organizations without members included. */
  readonly living: ReadonlySet<string>;
  /** The kinds that could not be read, each with the reason. */
  readonly leftOut: ReadonlyMap<Kind, string>;
}

/** What is known after the first look, and what is left to be read. */
export interface Outlook {
  readonly acls?: number;
  readonly keys?: number;
  /** `more`: there are further pages. */
  readonly policies?: { readonly count: number; readonly more: boolean };
  readonly organizations?: number;
  /** `more`: of organizations that have a thousand members or more, or were not looked at yet, only so many are counted. */
  readonly members?: { readonly count: number; readonly more: boolean };
  /** Requests that are left, at least; `inARow`: those of them that wait for each other. */
  readonly requests: number;
  readonly inARow: number;
}

export interface Wanted {
  readonly kinds: ReadonlySet<Kind>;
  /** Ids; none: all of the tenant. */
  readonly organizations: readonly string[];
}

/** Organizations whose first page of members belongs to the first look. */
const lookedAt = 50;
const pageSize = 100;
/** Members that an organization has at least whose number the service does not tell. */
const many = 1000;

/** `found` is told once, before the bulk is read. Throws a TenantError where it is not about one kind alone. */
export async function survey(tenant: Tenant, wanted: Wanted, found: (outlook: Outlook) => void): Promise<Survey> {
  const leftOut = new Map<Kind, string>();
  const unlessRefused = async <T>(kind: Kind, read: () => Promise<T>): Promise<T | undefined> => {
    if (!wanted.kinds.has(kind) || leftOut.has(kind)) return undefined;
    try {
      return await read();
    } catch (error) {
      // A tenant without Early Access may not know of keys at all.
      const isUnknown = kind === "keys" && isTenantError(error, "not_found");
      if (!isUnknown && !isTenantError(error, "insufficient_scope", "forbidden")) throw error;
      leftOut.set(kind, error.message);
      return undefined;
    }
  };

  const pages = tenant.rateLimitPolicies.pages()[Symbol.asyncIterator]();
  const [acls, firstPolicies, organizations, keys] = await Promise.all([
    unlessRefused("acls", () => tenant.networkAcls.list()),
    unlessRefused("policies", () => pages.next()),
    unlessRefused("members", async () => {
      const named = await organizationsOf(tenant, wanted.organizations);
      return Promise.all(
        named.map(async (organization, index) => ({ organization, roll: await roll(organization, index) })),
      );
    }),
    unlessRefused("keys", () => tenant.networkAclKeys.list()),
  ]);

  /** Of the first ones; the others are opened when their turn comes, so that the first look stays one. */
  async function roll({ id }: Organization, index: number) {
    return index < lookedAt ? tenant.organizationMembers.open(id) : undefined;
  }

  found({ ...outlookOf(acls, firstPolicies, organizations), ...(keys && { keys: keys.length }) });

  const [policies, memberships] = await Promise.all([
    unlessRefused("policies", async () => {
      const read: RateLimitPolicy[] = [];
      for (let page = firstPolicies!; !page.done; page = await pages.next()) read.push(...page.value);
      return read;
    }),
    unlessRefused("members", () =>
      Promise.all(
        organizations!.map(async ({ organization, roll: known }): Promise<Membership> => {
          const opened = known ?? (await tenant.organizationMembers.open(organization.id));
          return { organization, members: (await opened.list()).toSorted() };
        }),
      ),
    ),
  ]);
  const asked = new Set(wanted.organizations);
  const filled = (memberships ?? []).filter(
    ({ organization, members }) => members.length > 0 || asked.has(organization.id),
  );
  return {
    acls: (acls ?? []).toSorted((a, b) => a.priority - b.priority),
    policies: (policies ?? []).toSorted(by(({ consumer_selector }) => consumer_selector)),
    memberships: filled.toSorted(by(({ organization }) => organization.name)),
    emptyOrganizations: (memberships?.length ?? 0) - filled.length,
    keys: (keys ?? []).toSorted(by(({ name }) => name)),
    living: new Set(
      [
        ...(acls ?? []),
        ...(policies ?? []),
        ...(organizations ?? []).map(({ organization }) => organization),
        ...(keys ?? []),
      ].map(({ id }) => id),
    ),
    leftOut,
  };
}

async function organizationsOf(tenant: Tenant, ids: readonly string[]): Promise<Organization[]> {
  if (ids.length > 0) return Promise.all([...new Set(ids)].map((id) => organizationOf(tenant, id)));
  const all: Organization[] = [];
  for await (const page of tenant.organizations.pages()) all.push(...page);
  return all;
}

/** Its name makes a better one for the set, where the token may read it. */
async function organizationOf(tenant: Tenant, id: string): Promise<Organization> {
  try {
    return (await tenant.organizations.get(id)) ?? { id, name: id };
  } catch (error) {
    if (!isTenantError(error, "insufficient_scope", "forbidden")) throw error;
    return { id, name: id };
  }
}

type Opened = readonly { readonly roll?: { readonly total: number | undefined } }[];

function outlookOf(
  acls: readonly NetworkAcl[] | undefined,
  policies: IteratorResult<readonly RateLimitPolicy[], unknown> | undefined,
  organizations: Opened | undefined,
): Outlook {
  const count = policies && !policies.done ? policies.value.length : 0;
  const more = count >= pageSize;
  const left = (organizations ?? []).map(({ roll }) =>
    roll ? (roll.total === undefined ? many / pageSize + 1 : Math.max(0, Math.ceil(roll.total / pageSize) - 1)) : 1,
  );
  return {
    ...(acls && { acls: acls.length }),
    ...(policies && { policies: { count, more } }),
    ...(organizations && {
      organizations: organizations.length,
      members: {
        count: organizations.reduce((sum, { roll }) => sum + (roll ? (roll.total ?? many) : 0), 0),
        more: organizations.some(({ roll }) => roll?.total === undefined),
      },
    }),
    requests: left.reduce((sum, requests) => sum + requests, more ? 1 : 0),
    inARow: Math.max(
      more ? 1 : 0,
      ...(organizations ?? []).map(({ roll }) => (roll && roll.total !== undefined ? 1 : many / pageSize + 1)),
    ),
  };
}

function by<T>(key: (one: T) => string) {
  return (a: T, b: T) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}
