/** A network access control list as the service writes it. */
import { hasFields } from "./http/json";
import type { Decoder } from "./http/call";

/** Signals of the service are lists of strings or numbers, or objects; new ones pass unread. */
export type NetworkAclMatch = Record<string, unknown>;

export interface NetworkAclRule {
  action: { block?: true; allow?: true; log?: true; redirect?: true; redirect_uri?: string };
  match?: NetworkAclMatch;
  not_match?: NetworkAclMatch;
  /** Every request of the scope, in the place of the two. */
  match_all?: true;
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

const fields = {
  id: "string",
  description: "string",
  active: "boolean",
  priority: "number",
  rule: "record",
  created_at: "string",
  updated_at: "string",
} as const;

const isNetworkAcl = (body: unknown): body is NetworkAcl =>
  hasFields(body, fields) && hasFields(body.rule, { action: "record", scope: "string" });

export const decodeNetworkAcl: Decoder<NetworkAcl> = (body) => (isNetworkAcl(body) ? body : undefined);

export const decodeNetworkAcls: Decoder<NetworkAcl[]> = (body) =>
  Array.isArray(body) && body.every(isNetworkAcl) ? body : undefined;
