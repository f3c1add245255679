// Network access control lists: at most one per priority, 1..100, so that one page holds them all.
import type { Client } from "./client";
import { isTenantError, TenantError } from "./error";
import { segment } from "./id";
import { createOnce, isRecent, sameJson, type CreationContext } from "./lost";
import { createPriorities, type Patience } from "./priorities";
import { createSnapshot, dropping } from "./snapshot";

/** Signals of the service are lists of strings or numbers, or objects; new ones pass unread. */
export type NetworkAclMatch = Record<string, unknown>;

export interface NetworkAclRule {
  action: { block?: true; allow?: true; log?: true; redirect?: true; redirect_uri?: string };
  match?: NetworkAclMatch;
  not_match?: NetworkAclMatch;
  scope: string;
}

export interface NetworkAclBody {
  description: string;
  active: boolean;
  /** 1..100, unique in the tenant. */
  priority: number;
  rule: NetworkAclRule;
}

export interface NetworkAcl extends NetworkAclBody {
  id: string;
  created_at: string;
  updated_at: string;
}

export interface NetworkAcls {
  /** All of them, in the service's order; one request however many ask, until something is written. */
  list(): Promise<NetworkAcl[]>;
  /** Answered from the list; one that is not in it is asked for by itself. undefined: gone. */
  get(id: string): Promise<NetworkAcl | undefined>;
  /** Throws PriorityTaken; `already_there` where the list that holds the priority is the same in everything. */
  create(body: NetworkAclBody): Promise<NetworkAcl>;
  /**
   * Replaces the whole. `prior` tells which priority this list stands at, so that others who want it know that it is about
   * to be free. Waits while the wanted priority is held by a list that is itself about to move or to go. Throws
   * PriorityTaken, whose `standing` is the list as it is now if it was written at another priority.
   */
  replace(id: string, body: NetworkAclBody, prior?: { priority: number }): Promise<NetworkAcl>;
  /** One that is gone already counts as done. `prior` as for `replace`. */
  delete(id: string, prior?: { priority: number }): Promise<void>;
}

const base = "/network-acls";
const one = (id: string) => `${base}/${segment("access control list", id)}`;

export function createNetworkAcls(client: Client, context: CreationContext & { patience?: Patience }): NetworkAcls {
  const { clock } = context;
  /** Ids that this process knows to belong to something: not to be adopted by a create whose answer was lost. */
  const claimed = new Set<string>();

  const fetchAll = async () => {
    const { body, at } = await client.send({ method: "GET", path: base, query: { page: 0, per_page: 100 } });
    if (Array.isArray(body)) return { acls: body as NetworkAcl[], at };
    throw new TenantError("unreadable_answer", "The list of access control lists is not a list.", {
      method: "GET",
      path: base,
    });
  };
  const snapshot = createSnapshot(async () => {
    const { acls } = await fetchAll();
    return new Map(acls.map((acl) => [acl.id, acl]));
  });
  const priorities = createPriorities({ ...context, list: async () => (await fetchAll()).acls });

  const send = async (method: "POST" | "PUT", path: string, body: NetworkAclBody) => {
    const reply = await client.send({ method, path, body });
    const acl = reply.body as NetworkAcl | undefined;
    if (typeof acl?.id === "string") return acl;
    throw new TenantError("unreadable_answer", `The answer to ${method} ${path} has no id.`, { method, path });
  };

  const findCreated = (body: NetworkAclBody) => async (since: number) => {
    const { acls, at } = await fetchAll();
    const elapsed = clock.now() - since;
    return acls.find((acl) => !claimed.has(acl.id) && isRecent(acl.created_at, at, elapsed) && isSame(acl, body));
  };

  /** Without this a create after a killed apply would wait for its own list to move away. */
  const unlessThere = (body: NetworkAclBody, post: () => Promise<NetworkAcl>) => async () => {
    try {
      return await post();
    } catch (error) {
      if (!isTenantError(error, "conflict")) throw error;
      const twin = (await fetchAll()).acls.find((acl) => !claimed.has(acl.id) && isSame(acl, body));
      if (!twin) throw error;
      throw new TenantError("already_there", `${twin.id} is the same in everything.`, error);
    }
  };

  return {
    async list() {
      return [...(await snapshot.read()).values()];
    },
    async get(id) {
      const path = one(id);
      const acl = (await snapshot.read()).get(id);
      if (acl) return acl;
      try {
        return (await client.send({ method: "GET", path })).body as NetworkAcl;
      } catch (error) {
        if (isTenantError(error, "not_found")) return undefined;
        throw error;
      }
    },
    create: (body) =>
      dropping(snapshot, async () => {
        const what = `the access control list "${body.description}" with priority ${body.priority}`;
        const creation = { what, send: () => send("POST", base, body), find: findCreated(body) };
        const acl = await priorities.create(
          body,
          unlessThere(body, () => createOnce(creation, context)),
        );
        claimed.add(acl.id);
        return acl;
      }),
    async replace(id, body, prior) {
      const path = one(id);
      claimed.add(id);
      return dropping(snapshot, () =>
        priorities.move(id, body, prior?.priority, (priority) => send("PUT", path, { ...body, priority })),
      );
    },
    async delete(id, prior) {
      const path = one(id);
      return dropping(snapshot, () =>
        priorities.leave(id, prior?.priority, async () => {
          try {
            await client.send({ method: "DELETE", path });
          } catch (error) {
            if (!isTenantError(error, "not_found")) throw error;
          }
        }),
      );
    },
  };
}

/** The service gives back what it was given; only fields of its own may be added. */
function isSame({ description, active, priority, rule }: NetworkAcl, body: NetworkAclBody): boolean {
  return sameJson({ description, active, priority, rule }, body);
}
