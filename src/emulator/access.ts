// Which scope an operation of the management API asks for.

import { ServiceError } from "./answer";
import type { Family } from "./limit";
import type { Claims } from "./token";

const verbs: Record<string, string> = {
  GET: "read",
  POST: "create",
  PUT: "update",
  PATCH: "update",
  DELETE: "delete",
};

const operations: [path: RegExp, methods: string[], resource: string][] = [
  [/^\/network-acls$/, ["GET", "POST"], "network_acls"],
  [/^\/network-acls\/[^/]+$/, ["GET", "PUT", "PATCH", "DELETE"], "network_acls"],
  [/^\/rate-limit-policies$/, ["GET", "POST"], "rate_limit_policies"],
  [/^\/rate-limit-policies\/[^/]+$/, ["GET", "PATCH", "DELETE"], "rate_limit_policies"],
  [/^\/organizations$/, ["GET", "POST"], "organizations"],
  [/^\/organizations\/[^/]+$/, ["GET", "PATCH", "DELETE"], "organizations"],
  [/^\/organizations\/[^/]+\/members$/, ["GET", "POST", "DELETE"], "organization_members"],
  [/^\/users$/, ["POST"], "users"],
  [/^\/users\/[^/]+$/, ["GET", "DELETE"], "users"],
];

/** The scope of an operation, its path below /api/v2 as it was sent; undefined when there is no such operation. */
export function neededScope(method: string, path: string): string | undefined {
  const operation = operations.find(([pattern, methods]) => methods.includes(method) && pattern.test(path));
  return operation && `${verbs[method]}:${operation[2]}`;
}

export function checkScope(claims: Claims, ...needed: string[]): void {
  const granted = claims.scope.split(" ");
  if (needed.every((scope) => granted.includes(scope))) return;
  throw new ServiceError(403, `Insufficient scope, expected any of: ${needed.join(", ")}`, "insufficient_scope");
}

/** The rate limits an operation draws on. */
export function familyOf(method: string, path: string): Family {
  if (!/^\/organizations\/[^/]+\/members$/.test(path)) return "global";
  return method === "GET" ? "memberReads" : "memberWrites";
}
