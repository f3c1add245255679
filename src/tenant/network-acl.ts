/** A network ACL in the service's form. */
import { decoderOf, hasFields, listOf } from "./http/call";

/** Each signal is a list of strings or numbers, or an object. */
export type NetworkAclMatch = Record<string, unknown>;

export interface NetworkAclRule {
  action: { block?: true; allow?: true; log?: true; redirect?: true; redirect_uri?: string };
  match?: NetworkAclMatch;
  not_match?: NetworkAclMatch;
  /** Matches every request of the scope. Replaces `match` and `not_match`. */
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

/** The previous version of an ACL, or its priority alone. */
export type Prior = Pick<NetworkAclBody, "priority"> & Partial<NetworkAclBody>;

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

export const decodeNetworkAcl = decoderOf(isNetworkAcl);
export const decodeNetworkAcls = decoderOf(listOf(isNetworkAcl));
