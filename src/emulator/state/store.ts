/** The contents of a tenant: the kinds of its objects, the objects and memberships in memory, and the changes to them. */
import type { Schema } from "../schema";
import type { Random } from "./identity";
import { createMembership, type Membership } from "./membership";
import type { Clock } from "./time";

export type JsonObject = { [key: string]: unknown };

/** The sources of times and ids for new objects. */
export interface Making {
  readonly clock: Clock;
  readonly random: Random;
}

/** A kind of object: its id, and its form in a seed. */
export interface Kind<Name extends string = string, Entity extends object = object> {
  /** Its name in seeds, snapshots and scopes: network_acls. */
  readonly name: Name;
  idOf(entity: Entity): string;
  /** The schema of an object in a seed. Snapshots leave its writeOnly properties out. */
  readonly seed: Schema;
  /** Completes an object of a seed with generated values. */
  complete(given: Partial<Entity>, making: Making): Entity;
}

export type EntityOf<K> = K extends Kind<string, infer Entity> ? Entity : never;

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
}

const organizations = "organizations";
const users = "users";

/** A member, and when it joined: now, unless the entry says so. */
export function memberOf(entry: MemberEntry, { clock }: Making): readonly [user: string, micros: number] {
  if (typeof entry === "string") return [entry, clock()];
  const [user, micros] = entry;
  if (typeof user === "string" && Number.isSafeInteger(micros)) return entry;
  throw new Error(
    `a member is a user id, or a pair of one and the microsecond since 1970 of joining, not ${JSON.stringify(entry)}`,
  );
}

function createObjects(kinds: readonly Kind[]) {
  const objects = new Map(kinds.map((kind) => [kind.name, { kind, entities: new Map<string, object>() }]));
  const memberships = new Map<string, Membership>();

  const of = (name: string) => {
    const found = objects.get(name);
    if (found === undefined) throw new Error(`An embedded tenant has no ${name}`);
    return found;
  };
  const put = (name: string, entity: object) => {
    const { kind, entities } = of(name);
    const id = kind.idOf(entity);
    entities.set(id, entity);
    if (name === organizations && !memberships.has(id)) memberships.set(id, createMembership());
    return id;
  };
  const drop = (name: string, id: string, at: number) => {
    of(name).entities.delete(id);
    if (name === organizations) memberships.delete(id);
    if (name === users) for (const members of memberships.values()) members.remove(id, at);
  };
  const replace = (contents: Contents) => {
    for (const { entities } of objects.values()) entities.clear();
    memberships.clear();
    for (const [name, entities] of Object.entries(contents)) {
      for (const { members, ...entity } of entities) {
        const id = put(name, entity);
        for (const [user, micros] of (members ?? []) as [string, number][]) memberships.get(id)?.add(user, micros);
      }
    }
  };
  const contents = (): Contents =>
    Object.fromEntries(
      Array.from(objects, ([name, { entities }]) => [
        name,
        Array.from(entities, ([id, entity]): JsonObject =>
          name === organizations ? { ...entity, members: [...memberships.get(id)!] } : (entity as JsonObject),
        ),
      ]),
    );
  return { of, memberships, put, drop, replace, contents };
}

export function createStore(kinds: readonly Kind[], making: Making): Store {
  const objects = createObjects(kinds);
  const { memberships, contents } = objects;
  let keep: ((contents: Contents) => void) | undefined;
  let kept: Contents;

  const commit = (change: () => void) => {
    change();
    if (!keep) return;
    const next = contents();
    try {
      keep(next);
    } catch (error) {
      objects.replace(kept);
      throw error;
    }
    kept = next;
  };

  return {
    ...making,
    of<Entity extends object>({ name }: Kind<string, Entity>): Collection<Entity> {
      // Objects under the name of a kind are of that kind.
      const entities = objects.of(name).entities as Map<string, Entity>;
      return {
        get size() {
          return entities.size;
        },
        get: (id) => entities.get(id),
        values: () => [...entities.values()],
        put: (entity) => {
          commit(() => objects.put(name, entity));
          return entity;
        },
        drop: (id) => commit(() => objects.drop(name, id, making.clock())),
      };
    },
    members: (organization) => memberships.get(organization),
    addMembers: (organization, entries) =>
      commit(() => {
        for (const entry of entries) memberships.get(organization)?.add(...memberOf(entry, making));
      }),
    removeMembers: (organization, gone) =>
      commit(() => {
        for (const user of gone) memberships.get(organization)?.remove(user, making.clock());
      }),
    contents,
    replace: (next) => commit(() => objects.replace(next)),
    keepWith(given) {
      keep = given;
      kept = contents();
    },
  };
}
