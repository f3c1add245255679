/** Lists all operations and all kinds of object; checks a seed, and completes it to the contents of a tenant. */
import { isRecord } from "../../formats/text/record";
import { clientKind } from "../auth/client";
import { discovery, tokenEndpoint } from "../auth/endpoints";
import { flags, type Flag } from "../auth/scope";
import type { Operation } from "../http/operation";
import { injectedFaultSchema, type InjectedFault } from "../http/fault";
import { boolean, listOf, oneOf, optional, problemIn, type Schema } from "../schema";
import {
  memberOf,
  type Contents,
  type EntityOf,
  type JsonObject,
  type Kind,
  type Making,
  type MemberEntry,
} from "../state/store";
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

const seedProperties: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(kinds.map(({ name, seed }) => [name, listOf(seed)])),
  flags: listOf(oneOf(...flags)),
  track_users: boolean,
  faults: listOf(injectedFaultSchema),
};

const unusable = (problem: string) => new Error(`The seed cannot be used: ${problem}`);

/** Compiling the schemas of all kinds takes longer than the rest of a start, so only those that a seed uses are compiled. */
const compiled = new Map<string, Schema>();

/** Throws an error that names the first problem of a seed and its place. */
export function checkSeed(seed: unknown): void {
  const used = isRecord(seed) ? Object.keys(seedProperties).filter((name) => name in seed) : [];
  const schema =
    compiled.get(used.join()) ?? optional(Object.fromEntries(used.map((name) => [name, seedProperties[name]!])));
  compiled.set(used.join(), schema);
  const problem = problemIn(schema, seed);
  if (problem) throw unusable(problem);
}

/** The contents of the tenant that a seed describes. */
export function contentsOf(seed: Seed, making: Making): Contents {
  const complete = (kind: Kind, { members, ...given }: JsonObject, index: number): JsonObject => {
    try {
      const entity = kind.complete(given, making) as JsonObject;
      if (members === undefined) return entity;
      return { ...entity, members: (members as readonly MemberEntry[]).map((entry) => memberOf(entry, making)) };
    } catch (error) {
      throw unusable(`${kind.name}[${index}]: ${(error as Error).message}`);
    }
  };
  const partOf = (kind: Kind) => (seed[kind.name as keyof Seed] ?? []) as readonly JsonObject[];
  return Object.fromEntries(
    kinds.map((kind: Kind) => [kind.name, partOf(kind).map((given, index) => complete(kind, given, index))]),
  );
}
