/** The contents of a tenant: its objects and memberships in memory, and the changes to them. */
import type { JsonObject, Kind, Making } from "./kind";
import { createMembership, type Membership } from "./membership";

export type MemberEntry = string | readonly [user: string, micros: number];

/** The whole tenant as JSON, by the names of its kinds. Organizations have their members. */
export type Contents = { readonly [kind: string]: readonly JsonObject[] };

export interface Collection<Entity> {
  readonly size: number;
  get(id: string): Entity | undefined;
  /** In order of creation. */
  values(): Entity[];
  /** Adds an object, or replaces the one with the same id. */
  put(entity: Entity): Entity;
  drop(id: string): void;
}

export interface Store extends Making {
  of<Entity extends object>(kind: Kind<string, Entity>): Collection<Entity>;
  /** The members of an organization; undefined for an unknown organization. */
  members(organization: string): Membership | undefined;
  addMembers(organization: string, users: readonly MemberEntry[]): void;
  removeMembers(organization: string, users: readonly string[]): void;
  /** Everything, including secrets. */
  contents(): Contents;
  /** Replaces everything. */
  replace(contents: Contents): void;
  /** `keep` gets the contents after each change. If it throws, the change is undone. */
  keepWith(keep: (contents: Contents) => void): void;
  onChange(listener: () => void): void;
}

const organizations = "organizations";
const users = "users";

function createContents(kinds: readonly Kind[], { clock }: Making) {
  const objects = new Map(kinds.map(({ name }) => [name, new Map<string, object>()]));
  const idOf = new Map(kinds.map(({ name, idOf: own }) => [name, own]));
  const memberships = new Map<string, Membership>();

  const of = (name: string) => {
    const entities = objects.get(name);
    if (entities === undefined) throw new Error(`An embedded tenant has no ${name}`);
    return entities;
  };

  const put = (name: string, value: object) => {
    const entities = of(name);
    const id = idOf.get(name)!(value);
    entities.set(id, value);
    if (name === organizations && !memberships.has(id)) memberships.set(id, createMembership());
    return id;
  };

  const drop = (name: string, id: string) => {
    of(name).delete(id);
    if (name === organizations) memberships.delete(id);
    if (name === users) for (const members of memberships.values()) members.remove(id, clock());
  };

  const replace = (contents: Contents) => {
    for (const entities of objects.values()) entities.clear();
    memberships.clear();
    for (const [name, entities] of Object.entries(contents)) {
      for (const entity of entities) {
        if (name !== organizations) put(name, entity);
        else {
          const { members, ...organization } = entity;
          const membership = memberships.get(put(name, organization))!;
          for (const [user, micros] of (members ?? []) as [string, number][]) membership.add(user, micros);
        }
      }
    }
  };

  const toJson = (): Contents => {
    const all = Array.from(objects, ([name, entities]) => [name, [...entities.values()]]);
    const withMembers = Array.from(of(organizations), ([id, entity]) => ({
      ...entity,
      members: [...memberships.get(id)!],
    }));
    return { ...Object.fromEntries(all), [organizations]: withMembers } as Contents;
  };

  return { of, memberships, put, drop, replace, toJson };
}

export function createStore(kinds: readonly Kind[], making: Making): Store {
  const { clock, random } = making;
  const contents = createContents(kinds, making);
  const { memberships } = contents;
  const listeners: (() => void)[] = [];
  let keep: ((contents: Contents) => void) | undefined;
  let kept: Contents;

  const commit = (change: () => void) => {
    change();
    if (keep) {
      const next = contents.toJson();
      try {
        keep(next);
      } catch (error) {
        contents.replace(kept);
        throw error;
      }
      kept = next;
    }
    for (const listener of listeners) listener();
  };

  return {
    clock,
    random,
    of<Entity extends object>({ name }: Kind<string, Entity>): Collection<Entity> {
      // Objects under the name of a kind are of that kind.
      const entities = contents.of(name) as Map<string, Entity>;
      return {
        get size() {
          return entities.size;
        },
        get: (id) => entities.get(id),
        values: () => [...entities.values()],
        put: (entity) => {
          commit(() => contents.put(name, entity));
          return entity;
        },
        drop: (id) => commit(() => contents.drop(name, id)),
      };
    },
    members: (organization) => memberships.get(organization),
    addMembers: (organization, entries) => {
      const members = memberships.get(organization);
      const added = entries
        .map((entry): readonly [string, number] => (typeof entry === "string" ? [entry, clock()] : entry))
        .filter(([user]) => !members?.has(user));
      if (added.length > 0) commit(() => added.forEach(([user, micros]) => members?.add(user, micros)));
    },
    removeMembers: (organization, gone) => {
      const members = memberships.get(organization);
      const removed = gone.filter((user) => members?.has(user));
      if (removed.length > 0) commit(() => removed.forEach((user) => members?.remove(user, clock())));
    },
    contents: contents.toJson,
    replace: (next) => commit(() => contents.replace(next)),
    keepWith(given) {
      keep = given;
      kept = contents.toJson();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
