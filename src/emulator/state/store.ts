/** The contents of a tenant. Every change is first written to the data file, then applied, then announced. */
import type { JsonObject, Kind, Making } from "./kind";
import { createMembership, type Membership } from "./membership";

export type MemberEntry = string | readonly [user: string, micros: number];

/** The whole tenant as JSON, by the names of its kinds. Organizations have their members. */
export type Contents = { readonly [kind: string]: readonly JsonObject[] };

/** A step in the history of the tenant. All of them in order give its contents. */
export type Change =
  | { readonly put: string; readonly value: JsonObject }
  | { readonly drop: string; readonly id: string }
  | { readonly organization: string; readonly added: readonly (readonly [user: string, micros: number])[] }
  | { readonly organization: string; readonly removed: readonly string[] }
  | { readonly replace: Contents };

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
  /** Makes any change. */
  commit(change: Change): void;
  /** `keep` gets each change before it is applied, and prevents it by throwing. */
  onCommit(keep: (change: Change) => void): void;
  onChange(listener: () => void): void;
}

interface Shelf {
  readonly kind: Kind;
  readonly entities: Map<string, object>;
}

const organizations = "organizations";
const users = "users";

export function createStore(kinds: readonly Kind[], { clock, random }: Making): Store {
  const shelves = new Map<string, Shelf>(kinds.map((kind) => [kind.name, { kind, entities: new Map() }]));
  const memberships = new Map<string, Membership>();
  const keepers: ((change: Change) => void)[] = [];
  const listeners: (() => void)[] = [];

  const shelfOf = (name: string): Shelf => {
    const shelf = shelves.get(name);
    if (shelf === undefined) throw new Error(`An embedded tenant has no ${name}`);
    return shelf;
  };

  const put = (name: string, value: object) => {
    const { kind, entities } = shelfOf(name);
    const id = kind.idOf(value);
    entities.set(id, value);
    if (name === organizations && !memberships.has(id)) memberships.set(id, createMembership());
  };

  const drop = (name: string, id: string) => {
    shelfOf(name).entities.delete(id);
    if (name === organizations) memberships.delete(id);
    if (name === users) for (const members of memberships.values()) members.remove(id, clock());
  };

  const clear = () => {
    for (const { entities } of shelves.values()) entities.clear();
    memberships.clear();
  };

  const fill = (contents: Contents) => {
    for (const [name, entities] of Object.entries(contents)) {
      for (const entity of entities) {
        const { members, ...organization } = entity;
        if (name !== organizations) put(name, entity);
        else {
          put(name, organization);
          const membership = memberships.get(shelfOf(name).kind.idOf(organization));
          for (const [user, micros] of (members ?? []) as [string, number][]) membership?.add(user, micros);
        }
      }
    }
  };

  const apply = (change: Change) => {
    if ("put" in change) put(change.put, change.value);
    else if ("drop" in change) drop(change.drop, change.id);
    else if ("replace" in change) {
      clear();
      fill(change.replace);
    } else {
      const members = memberships.get(change.organization);
      if ("added" in change) for (const [user, micros] of change.added) members?.add(user, micros);
      else for (const user of change.removed) members?.remove(user, clock());
    }
  };

  const commit = (change: Change) => {
    for (const keep of keepers) keep(change);
    apply(change);
    for (const listener of listeners) listener();
  };

  return {
    clock,
    random,
    of<Entity extends object>({ name }: Kind<string, Entity>): Collection<Entity> {
      // Objects under the name of a kind are of that kind.
      const entities = shelfOf(name).entities as Map<string, Entity>;
      return {
        get size() {
          return entities.size;
        },
        get: (id) => entities.get(id),
        values: () => [...entities.values()],
        put: (entity) => {
          commit({ put: name, value: entity as JsonObject });
          return entity;
        },
        drop: (id) => commit({ drop: name, id }),
      };
    },
    members: (organization) => memberships.get(organization),
    addMembers: (organization, entries) => {
      const present = memberships.get(organization);
      const added = entries
        .map((entry): readonly [string, number] => (typeof entry === "string" ? [entry, clock()] : entry))
        .filter(([user]) => !present?.has(user));
      if (added.length > 0) commit({ organization, added });
    },
    removeMembers: (organization, gone) => {
      const removed = gone.filter((user) => memberships.get(organization)?.has(user));
      if (removed.length > 0) commit({ organization, removed });
    },
    contents: () =>
      Object.fromEntries(
        Array.from(shelves, ([name, { kind, entities }]) => {
          const all = [...entities.values()] as JsonObject[];
          if (name !== organizations) return [name, all];
          return [name, all.map((entity) => ({ ...entity, members: [...memberships.get(kind.idOf(entity))!] }))];
        }),
      ),
    replace: (contents) => commit({ replace: contents }),
    commit,
    onCommit: (keep) => void keepers.push(keep),
    onChange: (listener) => void listeners.push(listener),
  };
}
