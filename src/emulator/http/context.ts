// What travels with a request through the tenant's handlers.

import type { Context } from "hono";
import { ServiceError } from "./answer";
import { checkBody, readBody } from "./body";
import type { Schema } from "./schema";
import type { Claims } from "../auth/token";

/** A request that was served, or broken off by a fault. */
export interface RequestEntry {
  method: string;
  /** As it was sent, undecoded: /api/v2/users/auth0%7C1. */
  path: string;
  /** As it was sent, without the question mark. */
  query: string;
  /** 0 when the connection was broken instead of an answer. */
  status: number;
  /** From the arrival of the request to the beginning of the answer. */
  ms: number;
  /** The body as it was read; absent when it was not looked at. */
  body?: unknown;
  /** What the request changed, in a few words. */
  change?: string;
}

export interface Environment {
  Bindings: {
    /** The request's line in the log, for handlers to add to. */
    entry: RequestEntry;
    /** Milliseconds by which lists lag behind the truth; 0 but for a fault. */
    stale: number;
    /** Headers about the rate limits, for every answer. */
    limits: Record<string, string>;
  };
  Variables: { claims: Claims };
}

export type TenantContext = Context<Environment>;

/** Reads and checks a request's body, and leaves it for the log. */
export async function bodyOf<T>(c: TenantContext, schema: Schema): Promise<T> {
  const body = await readBody(c.req.raw, schema);
  c.env.entry.body = body;
  return checkBody<T>(schema, body);
}

/** The id in a request's path, or the 400 when it is longer than the service takes. A choice: the words. */
export function idOf(c: TenantContext, longest: number): string {
  const id = c.req.param("id")!;
  const length = [...id].length;
  if (length <= longest) return id;
  const problem = `Path validation error: 'String is too long (${length} chars), maximum ${longest}' on property id.`;
  throw new ServiceError(400, problem, "invalid_uri");
}
