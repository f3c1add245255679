/** The contents of a tenant. Every change is first written to the data file, then applied, then announced. */
import { createContents, type Change, type Contents, type MemberEntry } from "./contents";
import type { JsonObject, Kind, Making } from "./kind";
import type { Membership } from "./membership";

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

export function createStore(kinds: readonly Kind[], { clock, random }: Making): Store {
  const contents = createContents(kinds, clock);
  const keepers: ((change: Change) => void)[] = [];
  const listeners: (() => void)[] = [];

  const commit = (change: Change) => {
    for (const keep of keepers) keep(change);
    contents.apply(change);
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
          commit({ put: name, value: entity as JsonObject });
          return entity;
        },
        drop: (id) => commit({ drop: name, id }),
      };
    },
    members: (organization) => contents.memberships.get(organization),
    addMembers: (organization, entries) => {
      const present = contents.memberships.get(organization);
      const added = entries
        .map((entry): readonly [string, number] => (typeof entry === "string" ? [entry, clock()] : entry))
        .filter(([user]) => !present?.has(user));
      if (added.length > 0) commit({ organization, added });
    },
    removeMembers: (organization, gone) => {
      const removed = gone.filter((user) => contents.memberships.get(organization)?.has(user));
      if (removed.length > 0) commit({ organization, removed });
    },
    contents: contents.toJson,
    replace: (next) => commit({ replace: next }),
    commit,
    onCommit: (keep) => void keepers.push(keep),
    onChange: (listener) => void listeners.push(listener),
  };
}
