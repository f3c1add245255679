/** An operation of the service. Router, rate limits, authentication, validation and contract all follow from its description. */
import type { Flag } from "../auth/scope";
import type { Schema } from "../schema";
import type { Claims, Tenant } from "../tenant";
import type { Bucket } from "./limit";
import { ServiceError } from "./response";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request that passed all checks of its operation. */
export interface Call<Body = unknown, Query = unknown> {
  readonly tenant: Tenant;
  /** The variable in the path, decoded. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  /** The claims of its token; empty if the operation needs no token. */
  readonly claims: Claims;
  /** Its body is already read. */
  readonly request: Request;
  /** Milliseconds by which lists lag behind; 0 without an injected fault. */
  readonly stale: number;
  /** The headers of its response, which the handler can add to. */
  readonly headers: Record<string, string>;
  /** Describes in a few words what the request changed, for the request log. */
  changed(words: string): void;
}

/** The form of the id in a path. */
export interface PathId {
  readonly maxLength?: number;
  /** Throws the 400 for an invalid id. */
  check(id: string): void;
}

export interface Operation<Body = unknown, Query = unknown> {
  readonly method: Method;
  /** With its variable in braces: /api/v2/users/{id}. */
  readonly path: string;
  /** The scope that a token needs. Operations of the management API must have one; the others need no token. */
  readonly scope?: string;
  /** The rate-limit bucket that it uses in addition to the global one. */
  readonly bucket?: Bucket;
  /** Only tenants with this flag have the operation. */
  readonly flag?: Flag;
  readonly id?: PathId;
  readonly query?: Schema;
  readonly body?: Schema;
  /** The schema only tells how to read the body; the handler validates it. */
  readonly looseBody?: boolean;
  /** The status of a success. The response holds the handler's result, unless the status is 204. */
  readonly success: number;
  /** The schema of the response to a success; absent if it has no body. */
  readonly response?: Schema;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error statuses that do not follow from the other properties. */
  readonly refusals?: readonly number[];
  /** The form of errors; that of the management API by default. */
  readonly errors?: "oauth";
  handle(call: Call<Body, Query>): unknown;
}

/** Drops the types of body and query, so that all operations fit into one list. */
export const operation = <Body = unknown, Query = unknown>(typed: Operation<Body, Query>): Operation =>
  typed as Operation;

export const api = (path: string) => `/api/v2${path}`;
export const isManagement = (path: string) => path === "/api/v2" || path.startsWith("/api/v2/");

/** An id of limited length. Assumption: the message for an id in a path that is too long. */
export const atMost = (maxLength: number): PathId => ({
  maxLength,
  check(id) {
    const length = [...id].length;
    if (length <= maxLength) return;
    const problem = `Path validation error: 'String is too long (${length} chars), maximum ${maxLength}' on property id.`;
    throw new ServiceError(400, problem, "invalid_uri");
  },
});
