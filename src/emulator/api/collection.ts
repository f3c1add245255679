/** The operations that most kinds of object have in the same form: list, create, read, update and delete. */
import type { Flag } from "../flag";
import { api, operation, type Call, type Operation, type PathId } from "../http/operation";
import { ServiceError } from "../http/response";
import type { Schema } from "../schema/schema";
import type { Kind } from "../state/kind";

interface CollectionOptions<Entity extends object> {
  readonly kind: Kind<string, Entity>;
  /** Below /api/v2. */
  readonly path: string;
  /** The noun with its article, and its plural: "a network ACL", "network ACLs". */
  readonly nouns: readonly [one: string, many: string];
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
  const { kind, path, nouns, flag, id, notFound, shape, show, nameOf } = options;
  const [one, many] = nouns;
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
    call.changed(`${verb} ${one.replace(/^an? /, "")} ${kind.idOf(entity)}${name}`);
  };
  const put = (call: Call, verb: string, entity: Entity) => {
    call.tenant.store.of(kind).put(entity);
    log(call, verb, entity);
    return show(entity);
  };

  return {
    find,
    list: <Query = unknown>(details: Details<unknown, Query> & Pick<Operation<unknown, Query>, "handle">) =>
      operation<unknown, Query>({
        ...all,
        method: "GET",
        summary: `List the ${many}`,
        scope: `read:${kind.name}`,
        success: 200,
        ...details,
      }),
    /** `make` returns the new object, or throws if the tenant refuses it. */
    create: <Body>(body: Schema, make: (call: Call<Body>) => Entity) =>
      operation<Body>({
        ...all,
        method: "POST",
        summary: `Create ${one}`,
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
        summary: `Read ${one}`,
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
        summary: `${details.method === "PUT" ? "Replace" : "Change parts of"} ${one}`,
        scope: `update:${kind.name}`,
        handle: (call) => put(call, "updated", change(call, find(call))),
        ...details,
      }),
    remove: (details: Details<unknown> = {}, { check, ignoreAbsent }: RemoveOptions = {}) =>
      operation({
        ...single,
        method: "DELETE",
        summary: `Delete ${one}`,
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
