// What the tenant holds. Everything changes through `commit`, so that whoever listens can keep or show each change.

import { organizationId, type Random } from "./identity";
import { createMembership, type Membership } from "./membership";
import type { Clock } from "./time";

export type JsonObject = { [key: string]: unknown };

export interface NetworkAcl {
  id: string;
  description: string;
  active: boolean;
  priority: number;
  /** Verbatim as it was sent, but for the order of its keys. */
  rule: JsonObject;
  created_at: string;
  updated_at: string;
}

export interface RateLimitPolicy {
  id: string;
  resource: string;
  consumer: string;
  consumer_selector: string;
  configuration: JsonObject;
  created_at: string;
  updated_at: string;
}

export interface Organization extends JsonObject {
  id: string;
  name: string;
  display_name: string;
}

export interface User extends JsonObject {
  user_id: string;
  email?: string;
  name?: string;
  picture?: string;
}

export interface Client {
  client_id: string;
  client_secret: string;
  name: string;
  /** A client that is not global gets tokens, and is then refused by the management API with 401. */
  global: boolean;
  /** Scopes it may be granted; absent: the whole catalogue. */
  scopes?: string[];
  /** PEM of the public key its private_key_jwt assertions are checked with. */
  public_key?: string;
}

export interface Entities {
  clients: Client;
  users: User;
  network_acls: NetworkAcl;
  rate_limit_policies: RateLimitPolicy;
  organizations: Organization;
}
export type Kind = keyof Entities;

/** One step of the tenant's history; applying all of them in order gives the tenant. */
export type Change =
  | { [K in Kind]: { put: K; value: Entities[K] } }[Kind]
  | { drop: Kind; id: string }
  | { organization: string; added: [user: string, micros: number][] }
  | { organization: string; removed: string[] }
  | { clear: true };

/** The whole tenant as JSON. */
export interface Snapshot {
  clients: Client[];
  users: User[];
  network_acls: NetworkAcl[];
  rate_limit_policies: RateLimitPolicy[];
  organizations: (Organization & { members: [user: string, micros: number][] })[];
}

export interface Collection<T> {
  readonly size: number;
  get(id: string): T | undefined;
  /** In order of creation. */
  values(): T[];
  /** Adds, or replaces what has the same id. */
  put(value: T): T;
  drop(id: string): void;
}

export interface NewOrganization {
  id?: string;
  name?: string;
  display_name?: string;
  /** User ids, or pairs of a user id and the microsecond since 1970 of joining. */
  members?: (string | [user: string, micros: number])[];
  [key: string]: unknown;
}

export interface Store {
  readonly clients: Collection<Client>;
  readonly users: Collection<User>;
  readonly networkAcls: Collection<NetworkAcl>;
  readonly rateLimitPolicies: Collection<RateLimitPolicy>;
  readonly organizations: Collection<Organization>;
  readonly clock: Clock;
  readonly random: Random;
  /** The members of an organization; undefined when there is no such organization. */
  members(organization: string): Membership | undefined;
  addMembers(organization: string, users: string[]): void;
  removeMembers(organization: string, users: string[]): void;
  addOrganization(organization?: NewOrganization): Organization;
  snapshot(): Snapshot;
  clear(): void;
  /** Applies a change and tells the listeners. */
  commit(change: Change): void;
  onChange(listener: (change: Change) => void): void;
}

const idOf: { [K in Kind]: (value: Entities[K]) => string } = {
  clients: (client) => client.client_id,
  users: (user) => user.user_id,
  network_acls: (acl) => acl.id,
  rate_limit_policies: (policy) => policy.id,
  organizations: (organization) => organization.id,
};

export function createStore(clock: Clock, random: Random): Store {
  const entities: { [K in Kind]: Map<string, Entities[K]> } = {
    clients: new Map(),
    users: new Map(),
    network_acls: new Map(),
    rate_limit_policies: new Map(),
    organizations: new Map(),
  };
  const memberships = new Map<string, Membership>();
  const listeners: ((change: Change) => void)[] = [];

  const put = <K extends Kind>(kind: K, value: Entities[K]) => {
    const id = idOf[kind](value);
    entities[kind].set(id, value);
    if (kind === "organizations" && !memberships.has(id)) memberships.set(id, createMembership());
  };

  const drop = (kind: Kind, id: string) => {
    entities[kind].delete(id);
    if (kind === "organizations") memberships.delete(id);
    if (kind === "users") for (const members of memberships.values()) members.remove(id, clock());
  };

  const clear = () => {
    for (const map of Object.values(entities)) map.clear();
    memberships.clear();
  };

  const apply = (change: Change) => {
    if ("put" in change) put(change.put, change.value);
    else if ("drop" in change) drop(change.drop, change.id);
    else if ("clear" in change) clear();
    else {
      const members = memberships.get(change.organization);
      if ("added" in change) for (const [user, micros] of change.added) members?.add(user, micros);
      else for (const user of change.removed) members?.remove(user, clock());
    }
  };

  const commit = (change: Change) => {
    apply(change);
    for (const listener of listeners) listener(change);
  };

  const collection = <K extends Kind>(kind: K): Collection<Entities[K]> => ({
    get size() {
      return entities[kind].size;
    },
    get: (id) => entities[kind].get(id),
    values: () => [...entities[kind].values()],
    put: (value) => {
      commit({ put: kind, value } as Change);
      return value;
    },
    drop: (id) => commit({ drop: kind, id }),
  });

  const organizations = collection("organizations");

  const addMembers = (organization: string, users: NonNullable<NewOrganization["members"]>) => {
    const present = memberships.get(organization);
    const added = users
      .map((user): [string, number] => (typeof user === "string" ? [user, clock()] : user))
      .filter(([user]) => !present?.has(user));
    if (added.length > 0) commit({ organization, added });
  };

  return {
    clients: collection("clients"),
    users: collection("users"),
    networkAcls: collection("network_acls"),
    rateLimitPolicies: collection("rate_limit_policies"),
    organizations,
    clock,
    random,
    members: (organization) => memberships.get(organization),
    addMembers,
    removeMembers: (organization, users) => {
      const removed = users.filter((user) => memberships.get(organization)?.has(user));
      if (removed.length > 0) commit({ organization, removed });
    },
    addOrganization: ({ members = [], ...given } = {}) => {
      const id = given.id ?? organizationId(random);
      const name = given.name ?? id.replace("_", "-").toLowerCase();
      // A choice: an organization nobody gave a display name shows its name.
      const organization = organizations.put({ ...given, id, name, display_name: given.display_name ?? name });
      addMembers(id, members);
      return organization;
    },
    snapshot: () => ({
      clients: [...entities.clients.values()],
      users: [...entities.users.values()],
      network_acls: [...entities.network_acls.values()],
      rate_limit_policies: [...entities.rate_limit_policies.values()],
      organizations: organizations
        .values()
        .map((organization) => ({ ...organization, members: [...memberships.get(organization.id)!] })),
    }),
    clear: () => commit({ clear: true }),
    commit,
    onChange: (listener) => void listeners.push(listener),
  };
}
