/** Creates, reads, replaces and deletes network ACLs. Priorities are unique and at most 100, so one page holds all ACLs. */
import type { Clock } from "./clock";
import { unlessGone } from "./error";
import { type Decoder, isRecord, noBody } from "./http/call";
import { type Client, getIfExists } from "./http/client";
import { segment } from "./id";
import type { Log } from "./secrets";
import { findCreated, PriorityTaken } from "./conflict";
import { equal } from "../formats/cty/value";
import { decodeNetworkAcl, decodeNetworkAcls, type NetworkAcl, type NetworkAclBody, type Prior } from "./network-acl";
import { createPriorities } from "./gate/priorities";
import type { AclAtPriority, AclCall, PriorityTimeouts } from "./gate/changes";
import { createSnapshot, dropping } from "./cursor";

export type { NetworkAcl, NetworkAclBody, NetworkAclMatch, NetworkAclRule } from "./network-acl";

/** The guard of a call holds or refuses a write, with an error of its own. */
export interface NetworkAcls {
  /** All ACLs, in the service's order. Calls share one request until a write. */
  list(): Promise<NetworkAcl[]>;
  /** From the list, or by its own request if the list does not have it. undefined: deleted. */
  get(id: string): Promise<NetworkAcl | undefined>;
  /** Throws PriorityTaken. */
  create(body: NetworkAclBody, call?: AclCall): Promise<NetworkAcl>;
  /**
   * Replaces all properties. `prior` is the previous priority, which may be outdated: other calls then know that it gets free.
   * Waits while the ACL that has the new priority is about to move or to be deleted. Throws PriorityTaken or SteppedAside;
   * `currentAcl` is the ACL as it is now if it got another priority. After PriorityTaken another call may still carry out the
   * move, if it frees the new priority or needs the previous one.
   */
  replace(id: string, body: NetworkAclBody, prior?: Prior, call?: AclCall): Promise<NetworkAcl>;
  /** Succeeds if the ACL is deleted already. `prior` as for `replace`. */
  delete(id: string, prior?: Prior, call?: AclCall): Promise<void>;
}

const base = "/network-acls";
const pathOf = (id: string) => `${base}/${segment("network ACL", id)}`;

export interface NetworkAclsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly timeouts?: PriorityTimeouts;
}

export function createNetworkAcls(client: Client, options: NetworkAclsOptions): NetworkAcls {
  const { clock } = options;
  /** ACLs that this process manages. A create whose response was lost must not adopt them. */
  const managed = new Set<string>();
  const query = { page: 0, per_page: 100 };
  const fetchAll = () => client.send({ method: "GET", path: base, query, decoders: { 200: decodeNetworkAcls } });
  const list = async () => (await fetchAll()).body;
  const snapshot = createSnapshot(async () => new Map((await list()).map((acl) => [acl.id, acl])));
  const shared = async () => [...(await snapshot.read()).values()];
  const priorities = createPriorities({ ...options, list, shared });

  const put = async (id: string, body: NetworkAclBody) => {
    const call = { method: "PUT", path: pathOf(id), body, decoders: { 200: decodeNetworkAcl } } as const;
    return (await dropping(snapshot, () => client.send(call))).body;
  };

  const create = async (body: NetworkAclBody, own?: AclCall) => {
    const isDuplicate = (acl: AclAtPriority) => !managed.has(acl.id) && isSameAcl(acl, body);
    let created: string | undefined;
    const post = async (priority: number) => {
      if (created !== undefined) return put(created, { ...body, priority });
      const what = `created the network ACL "${body.description}" with priority ${priority}`;
      const isCreated = (acl: NetworkAcl) => !managed.has(acl.id) && isSameAcl(acl, { ...body, priority });
      const confirmation = { what, find: findCreated(clock, fetchAll, isCreated) };
      const decoders = { 201: decodeNetworkAcl };
      const call = { method: "POST", path: base, body: { ...body, priority }, decoders, confirmation } as const;
      const acl = (await dropping(snapshot, () => client.send(call))).body;
      created = acl.id;
      managed.add(acl.id);
      return acl;
    };
    try {
      return await priorities.create(body, post, isDuplicate, own);
    } catch (error) {
      if (error instanceof PriorityTaken && error.identical) managed.add(error.existing.id);
      throw error;
    }
  };

  return {
    list: shared,
    async get(id) {
      const path = pathOf(id);
      return (await snapshot.read()).get(id) ?? getIfExists(client, path, decodeNetworkAcl);
    },
    create,
    async replace(id, body, prior, call) {
      // Throws for an impossible id before anything is managed.
      pathOf(id);
      managed.add(id);
      const write = (priority: number) => put(id, { ...body, priority });
      return priorities.move(id, body, prior, write, call);
    },
    async delete(id, prior, own) {
      const call = { method: "DELETE", path: pathOf(id), decoders: { 200: decodeDeletion, 204: noBody } } as const;
      const remove = () => dropping(snapshot, async () => void (await unlessGone(() => client.send(call))));
      const moveAside = (priority: number) => put(id, { ...(prior as NetworkAclBody), priority });
      await priorities.remove(id, prior, remove, moveAside, own);
    },
  };
}

/** Some versions of the service send this body instead of a 204. */
const decodeDeletion: Decoder<true> = (body) => (isRecord(body) && body.code === 204 ? true : undefined);

/** Whether an ACL equals the body that was sent. The service only adds properties to it. */
function isSameAcl({ description, active, priority, rule }: AclAtPriority, body: NetworkAclBody): boolean {
  return equal({ description, active, priority, rule }, body);
}
