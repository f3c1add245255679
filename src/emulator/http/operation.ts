// Every operation the tenant serves: its path, its scope, what it takes and what it answers.

import { networkAclPatchSchema, networkAclSchema } from "../api/network-acl-check";
import { networkAclsQuery } from "../api/network-acls";
import { membersQuery, membersSchema } from "../api/organization-member-check";
import { organizationPatchSchema, organizationSchema, organizationsQuery } from "../api/organizations";
import { rateLimitPoliciesQuery } from "../api/rate-limit-policies";
import { rateLimitPolicyPatchSchema, rateLimitPolicySchema } from "../api/rate-limit-policy-check";
import type { Schema } from "./schema";
import {
  memberListShape,
  networkAclDeletedShape,
  networkAclInFullShape,
  networkAclListShape,
  networkAclShape,
  organizationListShape,
  organizationShape,
  rateLimitPolicyListShape,
  rateLimitPolicyShape,
  tokenShape,
  userShape,
} from "./shape";
import { userSchema } from "../api/users";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Operation {
  method: Method;
  /** With its variables in braces: /api/v2/users/{id}. */
  path: string;
  summary: string;
  /** The scope it needs; absent for what is open to everybody. */
  scope?: string;
  /** Length of the path's variable. */
  idLength?: number;
  query?: Schema;
  body?: Schema;
  success: number;
  /** The body of its success; absent: none. */
  answer?: Schema;
  /** The statuses it refuses with. */
  errors: readonly number[];
}

const reading = [401, 403, 404, 429];
const writing = [400, 401, 403, 413, 415, 429];

const acl = { path: "/api/v2/network-acls/{id}", idLength: 36, answer: networkAclShape, success: 200 };
const policy = { path: "/api/v2/rate-limit-policies/{id}", idLength: 26, answer: rateLimitPolicyShape, success: 200 };
const members = { path: "/api/v2/organizations/{id}/members", idLength: 50 };
const organization = { path: "/api/v2/organizations/{id}", idLength: 50, answer: organizationShape, success: 200 };
const open = { success: 200, errors: [] };

export const operations: readonly Operation[] = [
  {
    method: "GET",
    path: "/api/v2/network-acls",
    summary: "List the network ACLs",
    scope: "read:network_acls",
    query: networkAclsQuery,
    success: 200,
    answer: networkAclListShape,
    errors: [400, ...reading],
  },
  {
    method: "POST",
    path: "/api/v2/network-acls",
    summary: "Create a network ACL",
    scope: "create:network_acls",
    body: networkAclSchema,
    success: 201,
    answer: networkAclShape,
    errors: [...writing, 409],
  },
  {
    ...acl,
    method: "GET",
    summary: "Read a network ACL",
    scope: "read:network_acls",
    answer: networkAclInFullShape,
    errors: [400, ...reading],
  },
  {
    ...acl,
    method: "PUT",
    summary: "Replace a network ACL",
    scope: "update:network_acls",
    body: networkAclSchema,
    errors: [...writing, 404, 409],
  },
  {
    ...acl,
    method: "PATCH",
    summary: "Change some of a network ACL",
    scope: "update:network_acls",
    body: networkAclPatchSchema,
    errors: [...writing, 404, 409],
  },
  {
    ...acl,
    method: "DELETE",
    summary: "Delete a network ACL",
    scope: "delete:network_acls",
    answer: networkAclDeletedShape,
    errors: [400, ...reading],
  },
  {
    method: "GET",
    path: "/api/v2/rate-limit-policies",
    summary: "List the rate limit policies",
    scope: "read:rate_limit_policies",
    query: rateLimitPoliciesQuery,
    success: 200,
    answer: rateLimitPolicyListShape,
    errors: [400, 401, 403, 429],
  },
  {
    method: "POST",
    path: "/api/v2/rate-limit-policies",
    summary: "Create a rate limit policy",
    scope: "create:rate_limit_policies",
    body: rateLimitPolicySchema,
    success: 201,
    answer: rateLimitPolicyShape,
    errors: [...writing, 409],
  },
  {
    ...policy,
    method: "GET",
    summary: "Read a rate limit policy",
    scope: "read:rate_limit_policies",
    errors: [400, ...reading],
  },
  {
    ...policy,
    method: "PATCH",
    summary: "Change the configuration of a rate limit policy",
    scope: "update:rate_limit_policies",
    body: rateLimitPolicyPatchSchema,
    errors: [...writing, 404],
  },
  {
    ...policy,
    method: "DELETE",
    summary: "Delete a rate limit policy",
    scope: "delete:rate_limit_policies",
    success: 204,
    answer: undefined,
    errors: [400, ...reading],
  },
  {
    ...members,
    method: "GET",
    summary: "List the members of an organization",
    scope: "read:organization_members",
    query: membersQuery,
    success: 200,
    answer: memberListShape,
    errors: [400, ...reading],
  },
  {
    ...members,
    method: "POST",
    summary: "Add members to an organization",
    scope: "create:organization_members",
    body: membersSchema,
    success: 204,
    errors: [...writing, 404],
  },
  {
    ...members,
    method: "DELETE",
    summary: "Remove members from an organization",
    scope: "delete:organization_members",
    body: membersSchema,
    success: 204,
    errors: [...writing, 404],
  },
  {
    method: "GET",
    path: "/api/v2/organizations",
    summary: "List the organizations",
    scope: "read:organizations",
    query: organizationsQuery,
    success: 200,
    answer: organizationListShape,
    errors: [400, 401, 403, 429],
  },
  {
    method: "POST",
    path: "/api/v2/organizations",
    summary: "Create an organization",
    scope: "create:organizations",
    body: organizationSchema,
    success: 201,
    answer: organizationShape,
    errors: [...writing, 409],
  },
  {
    ...organization,
    method: "GET",
    summary: "Read an organization",
    scope: "read:organizations",
    errors: [400, ...reading],
  },
  {
    ...organization,
    method: "PATCH",
    summary: "Change some of an organization",
    scope: "update:organizations",
    body: organizationPatchSchema,
    errors: [...writing, 404, 409],
  },
  {
    ...organization,
    method: "DELETE",
    summary: "Delete an organization and its memberships",
    scope: "delete:organizations",
    success: 204,
    answer: undefined,
    errors: [400, ...reading],
  },
  {
    method: "POST",
    path: "/api/v2/users",
    summary: "Create a user",
    scope: "create:users",
    body: userSchema,
    success: 201,
    answer: userShape,
    errors: [...writing, 409],
  },
  {
    method: "GET",
    path: "/api/v2/users/{id}",
    summary: "Read a user",
    scope: "read:users",
    success: 200,
    answer: userShape,
    errors: reading,
  },
  {
    method: "DELETE",
    path: "/api/v2/users/{id}",
    summary: "Delete a user and its memberships",
    scope: "delete:users",
    success: 204,
    errors: [401, 403, 429],
  },
  ...["/oauth/token", "/oauth/token/"].map((path): Operation => ({
    method: "POST",
    path,
    summary: "Get an access token by client credentials",
    body: tokenRequestSchema(),
    success: 200,
    answer: tokenShape,
    errors: [400, 401, 403, 413, 415],
  })),
  {
    ...open,
    method: "GET",
    path: "/.well-known/jwks.json",
    summary: "The public keys that verify access tokens",
    answer: { type: "object", required: ["keys"], properties: { keys: { type: "array", items: { type: "object" } } } },
  },
  {
    ...open,
    method: "GET",
    path: "/.well-known/openid-configuration",
    summary: "Where the tenant's endpoints are",
    answer: { type: "object", required: ["issuer", "token_endpoint", "jwks_uri"] },
  },
];

function tokenRequestSchema(): Schema {
  const text: Schema = { type: "string" };
  return {
    type: "object",
    required: ["grant_type", "audience"],
    properties: {
      grant_type: { type: "string", enum: ["client_credentials"] },
      audience: { type: "string", description: "/api/v2/, or the same with the tenant's root URL in front." },
      scope: { type: "string", description: "Narrows what is granted; separated by blanks." },
      client_id: text,
      client_secret: text,
      client_assertion_type: text,
      client_assertion: { type: "string", description: "private_key_jwt: RS256, RS384 or PS256." },
    },
  };
}
