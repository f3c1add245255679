/** Lists all operations and all kinds of object. */
import { clientKind } from "../auth/client";
import { discovery, tokenEndpoint } from "../auth/endpoints";
import { flags, type Flag } from "../auth/scope";
import type { Operation } from "../http/operation";
import { injectedFaultSchema, type InjectedFault } from "../http/fault";
import { boolean, listOf, oneOf } from "../schema";
import { seedSchemaOf } from "../state/seed";
import type { EntityOf, MemberEntry } from "../state/store";
import { networkAclKeyKind, networkAclKeys } from "./network-acl-keys";
import { networkAclKind, networkAcls } from "./network-acls";
import { organizationMembers } from "./organization-members";
import { organizationKind, organizations, type Organization } from "./organizations";
import { rateLimitPolicies, rateLimitPolicyKind } from "./rate-limit-policies";
import { userKind, users } from "./users";

export const operations: readonly Operation[] = [
  ...networkAcls,
  ...networkAclKeys,
  ...rateLimitPolicies,
  ...organizationMembers,
  ...organizations,
  ...users,
  ...tokenEndpoint,
  ...discovery,
];

export const kinds = [
  clientKind,
  userKind,
  networkAclKind,
  networkAclKeyKind,
  rateLimitPolicyKind,
  organizationKind,
] as const;

type KnownKind = (typeof kinds)[number];
type Plain = Exclude<KnownKind, typeof organizationKind>;

/** The whole tenant as JSON, without its secrets. */
export type Snapshot = { [K in Plain as K["name"]]: EntityOf<K>[] } & {
  organizations: (Organization & { members: [user: string, micros: number][] })[];
};

/** A tenant as JSON to start with. Every part and every id is optional, and a snapshot is a seed too. */
export type Seed = { readonly [K in Plain as K["name"]]?: readonly Partial<EntityOf<K>>[] } & {
  /** Members are user ids, or pairs of a user id and the microsecond since 1970 of joining. */
  readonly organizations?: readonly (Partial<Organization> & { readonly members?: readonly MemberEntry[] })[];
  readonly flags?: readonly Flag[];
  /** Refuses members that are not users of the tenant. */
  readonly track_users?: boolean;
  /** Faults that are injected at the start. */
  readonly faults?: readonly InjectedFault[];
};

export const seedSchema = seedSchemaOf(kinds, {
  flags: listOf(oneOf(...flags)),
  track_users: boolean,
  faults: listOf(injectedFaultSchema),
});
