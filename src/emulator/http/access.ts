// Which scope and which rate limits an operation of the management API draws on.

import { ServiceError } from "./answer";
import type { Family } from "./limit";
import { operations } from "./operation";
import type { Claims } from "../auth/token";

const patterns = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`),
}));

/** The scope of an operation, its path as it was sent; undefined when there is no such operation. */
export function neededScope(method: string, path: string): string | undefined {
  return patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation.scope;
}

/** Refuses a token that lacks any of the scopes. */
export function checkScope(claims: Claims, ...needed: string[]): void {
  const granted = String(claims.scope ?? "").split(" ");
  if (needed.every((scope) => granted.includes(scope))) return;
  throw new ServiceError(403, `Insufficient scope, expected any of: ${needed.join(", ")}`, "insufficient_scope");
}

/** The rate limits an operation draws on. */
export function familyOf(method: string, path: string): Family {
  if (!/^\/api\/v2\/organizations\/[^/]+\/members$/.test(path)) return "global";
  return method === "GET" ? "memberReads" : "memberWrites";
}
