/** Network access control lists: at most one per priority, 1..100, so that one page holds them all. */
import type { Clock } from "./clock";
import { unlessGone } from "./error";
import type { Decoder } from "./http/call";
import type { Client } from "./http/client";
import { isRecord, noBody } from "./http/json";
import { segment } from "./id";
import type { Log } from "./log";
import { decodeNetworkAcls, decodeNetworkAcl, type NetworkAcl, type NetworkAclBody } from "./network-acl";
import { createPriorities, type PriorityTimeouts } from "./priorities";
import type { AclAtPriority } from "./priority-board";
import { PriorityTaken } from "./priority-taken";
import { findCreated, sameJson } from "./lost-create";
import { createSnapshot, dropping } from "./snapshot";

export type { NetworkAcl, NetworkAclBody, NetworkAclMatch, NetworkAclRule } from "./network-acl";

export interface NetworkAcls {
  /** All of them, in the service's order; one request however many ask, until something is written. */
  list(): Promise<NetworkAcl[]>;
  /** Answered from the list; one that is not in it is asked for by itself. undefined: gone. */
  get(id: string): Promise<NetworkAcl | undefined>;
  /** Throws PriorityTaken, which tells whether the list that holds the priority is the same in everything. */
  create(body: NetworkAclBody): Promise<NetworkAcl>;
  /**
   * Replaces the whole. `prior` tells which priority this list stands at, so that others who want it know that it is about
   * to be free; it may be wrong. Waits while the wanted priority is held by a list that is itself about to move or to go. Throws
   * PriorityTaken or SteppedAside, whose `standing` is the list as it is now if it was written at another priority. After a
   * PriorityTaken the list may still be written, when another call frees the wanted priority or wants that of the list.
   */
  replace(id: string, body: NetworkAclBody, prior?: { priority: number }): Promise<NetworkAcl>;
  /** One that is gone already counts as done. `prior` as for `replace`. */
  delete(id: string, prior?: { priority: number }): Promise<void>;
}

const base = "/network-acls";
const one = (id: string) => `${base}/${segment("access control list", id)}`;

export interface NetworkAclsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly timeouts?: PriorityTimeouts;
}

export function createNetworkAcls(client: Client, options: NetworkAclsOptions): NetworkAcls {
  const { clock } = options;
  /** Ids that this process knows to belong to something: not to be adopted by a create whose answer was lost. */
  const claimed = new Set<string>();

  const fetchAll = () =>
    client.send({
      method: "GET",
      path: base,
      query: { page: 0, per_page: 100 },
      decoders: { 200: decodeNetworkAcls },
    });
  const list = async () => (await fetchAll()).body;
  const snapshot = createSnapshot(async () => new Map((await list()).map((acl) => [acl.id, acl])));
  const priorities = createPriorities({ ...options, list });

  const post = async (body: NetworkAclBody, isDuplicate: (holder: AclAtPriority) => boolean) => {
    const what = `created the access control list "${body.description}" with priority ${body.priority}`;
    const confirmation = { what, find: findCreated(clock, fetchAll, isDuplicate) };
    const decoders = { 201: decodeNetworkAcl };
    return (await client.send({ method: "POST", path: base, body, decoders, confirmation })).body;
  };

  return {
    async list() {
      return [...(await snapshot.read()).values()];
    },
    async get(id) {
      const path = one(id);
      const acl = (await snapshot.read()).get(id);
      if (acl) return acl;
      return unlessGone(
        async () => (await client.send({ method: "GET", path, decoders: { 200: decodeNetworkAcl } })).body,
      );
    },
    create: (body) =>
      dropping(snapshot, async () => {
        const isDuplicate = (holder: AclAtPriority) => !claimed.has(holder.id) && isSameAcl(holder, body);
        try {
          const acl = await priorities.create(body, () => post(body, isDuplicate), isDuplicate);
          claimed.add(acl.id);
          return acl;
        } catch (error) {
          if (error instanceof PriorityTaken && error.identical) claimed.add(error.existing.id);
          throw error;
        }
      }),
    async replace(id, body, prior) {
      const path = one(id);
      claimed.add(id);
      const put = async (priority: number) => {
        const call = { method: "PUT", path, body: { ...body, priority }, decoders: { 200: decodeNetworkAcl } } as const;
        return (await client.send(call)).body;
      };
      return dropping(snapshot, () => priorities.move(id, body, prior?.priority, put));
    },
    async delete(id, prior) {
      const path = one(id);
      const call = { method: "DELETE", path, decoders: { 200: deleted, 204: noBody } } as const;
      await dropping(snapshot, () =>
        priorities.remove(id, prior?.priority, async () => void (await unlessGone(() => client.send(call)))),
      );
    },
  };
}

/** What the deletion of a list is answered with in place of a 204. */
const deleted: Decoder<true> = (body) => (isRecord(body) && body.code === 204 ? true : undefined);

/** Whether a list is what is wanted: the service gives back what it was given, and only adds fields of its own. */
export function isSameAcl({ description, active, priority, rule }: AclAtPriority, body: NetworkAclBody): boolean {
  return sameJson({ description, active, priority, rule }, body);
}
