/**
 * An operation of the tenant, said once: router, rate limits, authentication, scope, validation and contract all follow
 * from the statement, and what has none is not served.
 */
import type { Claims } from "../auth/claims";
import type { Flag } from "../flag";
import type { Schema } from "../schema/schema";
import type { Tenant } from "../tenant";
import { ServiceError } from "./response";
import type { Bucket } from "./limit";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request that has passed everything its statement asks for. */
export interface Call<Body = unknown, Query = unknown> {
  readonly tenant: Tenant;
  /** What the path names in its braces, decoded. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  /** Of its token; nothing where the operation is open to everybody. */
  readonly claims: Claims;
  /** As it came, its body read. */
  readonly request: Request;
  /** Milliseconds by which lists lag behind the truth; 0 but for an injected fault. */
  readonly stale: number;
  /** Says in a few words what the request has changed, for whoever looks on. */
  changed(words: string): void;
}

/** How the id in a path has to look. */
export interface PathId {
  readonly maxLength?: number;
  /** Throws the 400 for an id that cannot be one. */
  check(id: string): void;
}

export interface Operation<Body = unknown, Query = unknown> {
  readonly method: Method;
  /** With its variable in braces: /api/v2/users/{id}. */
  readonly path: string;
  readonly summary: string;
  /** The scope it needs. Only what stands outside the management API may do without, and is open to everybody. */
  readonly scope?: string;
  /** The rate limit it draws on beside the tenant's own. */
  readonly bucket?: Bucket;
  /** Served only by tenants that have it. */
  readonly flag?: Flag;
  readonly id?: PathId;
  readonly query?: Schema;
  readonly body?: Schema;
  /** The body is only read by its schema: what it must hold is refused in the handler's own words. */
  readonly looseBody?: boolean;
  /** The status of its success, which answers what the handler returns; 204 answers without a body. */
  readonly success: number;
  /** The body of its success; absent: none. */
  readonly answer?: Schema;
  readonly headers?: Readonly<Record<string, string>>;
  /** The statuses it refuses with beside those that follow from the rest of the statement. */
  readonly refusals?: readonly number[];
  /** Refuses in the words of the management API, or in those of OAuth. */
  readonly errors?: "oauth";
  handle(call: Call<Body, Query>): unknown;
}

/** The operations on one kind of thing, and the names its schemas have in the contract. */
export interface Family {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Gives a statement with a body or a query of a known type its place among the others. */
export const operation = <Body = unknown, Query = unknown>(statement: Operation<Body, Query>): Operation =>
  statement as Operation;

export const api = (path: string) => `/api/v2${path}`;
export const isManagement = (path: string) => path === "/api/v2" || path.startsWith("/api/v2/");

/** An id of at most so many characters. A choice: the words in which a longer one is refused. */
export const atMost = (maxLength: number): PathId => ({
  maxLength,
  check(id) {
    const length = [...id].length;
    if (length <= maxLength) return;
    const problem = `Path validation error: 'String is too long (${length} chars), maximum ${maxLength}' on property id.`;
    throw new ServiceError(400, problem, "invalid_uri");
  },
});

/** Every status that a statement refuses with. */
export function refusalsOf({ path, scope, query, body, refusals = [] }: Operation): number[] {
  const statuses = [
    ...(scope === undefined ? [] : [401, 403, 429]),
    ...(path.includes("{") || query ? [400] : []),
    ...(body ? [400, 413, 415] : []),
    ...refusals,
  ];
  if (isManagement(path) && scope === undefined) throw new Error(`${path} has no scope`);
  return [...new Set(statuses)].toSorted((a, b) => a - b);
}
