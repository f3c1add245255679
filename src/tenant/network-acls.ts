// Network access control lists: at most one per priority, 1..100, so that one page holds them all.
import type { Client } from "./client";
import { isTenantError, TenantError } from "./error";
import { segment } from "./id";

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
  /** All of them, in the service's order. */
  list(): Promise<NetworkAcl[]>;
  /** undefined: gone. */
  get(id: string): Promise<NetworkAcl | undefined>;
  create(body: NetworkAclBody): Promise<NetworkAcl>;
  /** Replaces the whole. `prior` tells which priority this list is about to vacate. */
  replace(id: string, body: NetworkAclBody, prior?: { priority: number }): Promise<NetworkAcl>;
  /** One that is gone already counts as done. */
  delete(id: string): Promise<void>;
}

const base = "/network-acls";
const one = (id: string) => `${base}/${segment("access control list", id)}`;

export function createNetworkAcls(client: Client): NetworkAcls {
  return {
    async list() {
      const page = await client.send({ method: "GET", path: base, query: { page: 0, per_page: 100 } });
      if (!Array.isArray(page)) throw new TenantError("unreadable_answer", "The list of access control lists is none.");
      return page as NetworkAcl[];
    },
    async get(id) {
      try {
        return (await client.send({ method: "GET", path: one(id) })) as NetworkAcl;
      } catch (error) {
        if (isTenantError(error, "not_found")) return undefined;
        throw error;
      }
    },
    async create(body) {
      return (await client.send({ method: "POST", path: base, body })) as NetworkAcl;
    },
    async replace(id, body) {
      return (await client.send({ method: "PUT", path: one(id), body })) as NetworkAcl;
    },
    async delete(id) {
      try {
        await client.send({ method: "DELETE", path: one(id) });
      } catch (error) {
        if (!isTenantError(error, "not_found")) throw error;
      }
    },
  };
}
