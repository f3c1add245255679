/** The objects and memberships of a tenant in memory, and the changes to them. */
import type { JsonObject, Kind } from "./kind";
import { createMembership, type Membership } from "./membership";
import type { Clock } from "./time";

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

export interface TenantContents {
  /** The objects of a kind by their ids. */
  of(kind: string): Map<string, object>;
  readonly memberships: ReadonlyMap<string, Membership>;
  apply(change: Change): void;
  toJson(): Contents;
}

const organizations = "organizations";
const users = "users";

export function createContents(kinds: readonly Kind[], clock: Clock): TenantContents {
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

  return {
    of,
    memberships,
    apply(change) {
      if ("put" in change) put(change.put, change.value);
      else if ("drop" in change) drop(change.drop, change.id);
      else if ("replace" in change) replace(change.replace);
      else {
        const members = memberships.get(change.organization);
        if ("added" in change) for (const [user, micros] of change.added) members?.add(user, micros);
        else for (const user of change.removed) members?.remove(user, clock());
      }
    },
    toJson() {
      const all = Array.from(objects, ([name, entities]) => [name, [...entities.values()]]);
      const withMembers = Array.from(of(organizations), ([id, entity]) => ({
        ...entity,
        members: [...memberships.get(id)!],
      }));
      return { ...Object.fromEntries(all), [organizations]: withMembers } as Contents;
    },
  };
}
