/** The operations that most kinds of object have in the same form: list by pages, create, read, update and delete. */
import type { Flag } from "../auth/scope";
import { api, operation, type Call, type Operation, type PathId } from "../http/operation";
import { ServiceError } from "../http/response";
import { boolean, exactly, listOf, number, optional, text, type Schema } from "../schema";
import type { Kind, Store } from "../state/store";

/** Assumption: a page has 50 objects if the request names no size. */
const defaultSize = 50;

export interface OffsetQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly include_totals?: boolean;
}
export interface PagingQuery extends OffsetQuery {
  readonly from?: string;
  readonly take?: number;
}

const size: Schema = { type: "integer", minimum: 1, maximum: 100, default: defaultSize };
export const takeQuery = { take: size, from: text };
const pagingQuery = {
  page: { type: "integer", minimum: 0, maximum: 1000 } as Schema,
  per_page: size,
  include_totals: boolean,
  ...takeQuery,
};

export const offsetShape = (name: string, items: Schema): Schema =>
  exactly({ start: number, limit: number, total: number, [name]: listOf(items) });
export const checkpointShape = (name: string, items: Schema): Schema =>
  exactly({ [name]: listOf(items), next: text }, ["next"]);

export const sizeOf = ({ take = defaultSize }: PagingQuery) => take;

/** A page by offset: a bare list, or with totals under the name of the list. */
export function offsetPage<T>(
  name: string,
  all: readonly T[],
  { page = 0, per_page: limit = defaultSize, include_totals }: OffsetQuery,
  show: (entries: readonly T[]) => unknown[],
) {
  const start = page * limit;
  const entries = show(all.slice(start, start + limit));
  return include_totals ? { start, limit, total: all.length, [name]: entries } : entries;
}

/** The query and the response of a list that has pages by offset and by checkpoint. */
export const bothPages = (name: string, items: Schema, more: Record<string, Schema> = {}) => ({
  query: optional({ ...pagingQuery, ...more }),
  response: { oneOf: [listOf(items), offsetShape(name, items), checkpointShape(name, items)] },
});

/** `after` gives a page by checkpoint. Checkpoints win over offsets and totals, because clients send the defaults of those as well. */
export function pageOf<T>(
  name: string,
  all: readonly T[],
  query: PagingQuery,
  show: (entries: readonly T[]) => unknown[],
  after: (from: string | undefined, size: number) => { readonly page: readonly T[]; readonly next?: string },
) {
  if (query.take === undefined && query.from === undefined) return offsetPage(name, all, query, show);
  const { page, next } = after(query.from, sizeOf(query));
  return { [name]: show(page), ...(next !== undefined && { next }) };
}

interface CollectionOptions<Entity extends object> {
  readonly kind: Kind<string, Entity>;
  /** Below /api/v2. */
  readonly path: string;
  /** A network ACL is a "network ACL". */
  readonly noun: string;
  readonly flag?: Flag;
  readonly id?: PathId;
  /** The message and the code of the 404. */
  readonly notFound: readonly [message: string, errorCode?: string];
  /** The schema of an object in responses. */
  readonly shape: Schema;
  /** An object as responses have it. */
  show(entity: Entity): object;
  /** The name of an object in the request log, next to its id. */
  nameOf?(entity: Entity): string;
  /** What no two objects may share, and the refusal of the second one. */
  readonly unique?: { key(entity: Entity): unknown; taken(first: Entity): ServiceError };
  /** The most objects of a tenant. */
  readonly most?: number;
}

interface RemoveOptions {
  /** Throws if the tenant refuses to delete the object. */
  readonly check?: (call: Call) => void;
  /** Deleting an absent object succeeds. */
  readonly ignoreAbsent?: boolean;
}

/** The parts of an operation that differ from the usual form. */
type Details<Body, Query = unknown> = Partial<Operation<Body, Query>>;

export function collection<Entity extends object>(options: CollectionOptions<Entity>) {
  const { kind, path, noun, flag, id, notFound, shape, show, nameOf, unique, most = Infinity } = options;
  const all = { path: api(path), flag };
  const single = { path: api(`${path}/{id}`), flag, id, success: 200, response: shape, refusals: [404] };

  /** The object in the path of a request, or the 404. */
  const find = ({ tenant, id: wanted }: Call): Entity => {
    const entity = tenant.store.of(kind).get(wanted);
    if (!entity) throw new ServiceError(404, ...notFound);
    return entity;
  };
  const log = (call: Call, verb: string, entity: Entity) => {
    const name = nameOf ? ` (${nameOf(entity)})` : "";
    call.changed(`${verb} ${noun} ${kind.idOf(entity)}${name}`);
  };
  /** Throws if another object has the key that the given one did not have before. */
  const checkUnique = (store: Store, entity: Entity, before?: Entity) => {
    const key = unique?.key(entity);
    if (unique === undefined || (before && unique.key(before) === key)) return;
    const first = store
      .of(kind)
      .values()
      .find((other) => unique.key(other) === key);
    if (first) throw unique.taken(first);
  };
  const put = (call: Call, verb: string, entity: Entity, before?: Entity) => {
    const { store } = call.tenant;
    checkUnique(store, entity, before);
    if (before === undefined && store.of(kind).size >= most) {
      const problem = "You reached the limit of entities of this type for this tenant.";
      throw new ServiceError(403, problem, "too_many_entities");
    }
    store.of(kind).put(entity);
    log(call, verb, entity);
    return show(entity);
  };

  return {
    find,
    list: <Query = unknown>(details: Details<unknown, Query> & Pick<Operation<unknown, Query>, "handle">) =>
      operation<unknown, Query>({
        ...all,
        method: "GET",
        scope: `read:${kind.name}`,
        success: 200,
        ...details,
      }),
    /** `make` returns the new object, or throws if the tenant refuses it. */
    create: <Body>(body: Schema, make: (call: Call<Body>) => Entity) =>
      operation<Body>({
        ...all,
        method: "POST",
        scope: `create:${kind.name}`,
        body,
        success: 201,
        response: shape,
        refusals: [409],
        handle: (call) => put(call, "created", make(call)),
      }),
    read: (details: Details<unknown> = {}) =>
      operation({
        ...single,
        method: "GET",
        scope: `read:${kind.name}`,
        handle: (call) => show(find(call)),
        ...details,
      }),
    /** `change` returns the object as it should be, or throws if the tenant refuses the change. */
    update: <Body>(
      details: Details<Body> & Pick<Operation<Body>, "method" | "body">,
      change: (call: Call<Body>, entity: Entity) => Entity,
    ) =>
      operation<Body>({
        ...single,
        scope: `update:${kind.name}`,
        handle(call) {
          const before = find(call);
          return put(call, "updated", change(call, before), before);
        },
        ...details,
      }),
    remove: (details: Details<unknown> = {}, { check, ignoreAbsent }: RemoveOptions = {}) =>
      operation({
        ...single,
        method: "DELETE",
        scope: `delete:${kind.name}`,
        success: 204,
        response: undefined,
        ...details,
        handle(call) {
          if (ignoreAbsent && !call.tenant.store.of(kind).get(call.id)) return undefined;
          const entity = find(call);
          check?.(call);
          call.tenant.store.of(kind).drop(kind.idOf(entity));
          log(call, "deleted", entity);
          return details.handle?.(call);
        },
      }),
  };
}
