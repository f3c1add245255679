/** Serves operations as their statements say: rate limit, token, scope, path, query, body, handler, answer. */
import { Hono, type Context } from "hono";
import { checkScope, type Claims } from "../auth/claims";
import { problemIn, type Schema } from "../schema/schema";
import type { Tenant } from "../tenant";
import { errorAnswer, json, noContent, oauthErrorAnswer, ServiceError } from "./response";
import { checkBody, readBody } from "./body";
import { fromForm } from "./form";
import type { Limiter } from "./limit";
import { isManagement, refusalsOf, type Operation } from "./operation";
import { checkEncoding, pathOf } from "./path";
import type { RequestEntry } from "./request-log";

/** What surrounds a request while it is served. */
export interface Surroundings {
  /** The request's line in the record, to be added to. */
  readonly entry: RequestEntry;
  /** Milliseconds by which lists lag behind the truth. */
  stale: number;
  /** Headers about the rate limits, for every answer. */
  limits: Record<string, string>;
}

type Environment = { Bindings: Surroundings };

/** The query as the schema types it; names it does not know are refused, of repeated names the last counts. */
function readQuery(url: string, schema: Schema): unknown {
  const query = fromForm(schema, Object.fromEntries(new URL(url).searchParams));
  const problem = problemIn(schema, query);
  if (problem) throw new ServiceError(400, `Query validation error: ${problem}`, "invalid_query_string");
  return query;
}

async function readChecked(c: Context<Environment>, { body: schema, looseBody }: Operation): Promise<unknown> {
  if (schema === undefined) return undefined;
  const { value, shown, bytes } = await readBody(c.req.raw, schema);
  c.env.entry.body = shown;
  c.env.entry.bytes += bytes;
  return looseBody ? value : checkBody(schema, value);
}

export function createRouter(operations: readonly Operation[], tenant: Tenant, limiter: () => Limiter) {
  const authenticate = async (c: Context<Environment>, { scope, bucket, flag }: Operation): Promise<Claims> => {
    if (scope === undefined) return {};
    c.env.limits = limiter().count(bucket);
    checkEncoding(c.req.path);
    const claims = await tenant.tokens.verify(c.req.header("authorization") ?? null, c.req.url);
    checkScope(claims, scope);
    // A choice: in which words the service refuses what a tenant does not have yet.
    if (flag !== undefined && !tenant.flags.has(flag)) {
      throw new ServiceError(403, "This feature is not enabled for this tenant.", "feature_not_enabled");
    }
    return claims;
  };

  const serve = async (c: Context<Environment>, operation: Operation): Promise<Response> => {
    const claims = await authenticate(c, operation);
    const id = c.req.param("id") ?? "";
    operation.id?.check(id);
    const query = operation.query && readQuery(c.req.url, operation.query);
    const body = await readChecked(c, operation);
    const changed = (words: string) => void (c.env.entry.change = words);
    const { stale } = c.env;
    const answer = await operation.handle({ tenant, id, query, body, claims, request: c.req.raw, stale, changed });
    return operation.success === 204 ? noContent() : json(operation.success, answer, operation.headers);
  };

  const app = new Hono<Environment>({ getPath: pathOf });
  for (const operation of operations) {
    // A statement that contradicts itself is an error of ours, told before anything is served.
    refusalsOf(operation);
    app.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ":$1"), (c) =>
      serve(c, operation).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        return operation.errors === "oauth" ? oauthErrorAnswer(error) : errorAnswer(error);
      }),
    );
  }
  app.notFound((c) => {
    try {
      if (isManagement(c.req.path)) c.env.limits = limiter().count();
      checkEncoding(c.req.path);
      throw new ServiceError(404, "Not Found");
    } catch (error) {
      return errorAnswer(error as ServiceError);
    }
  });
  app.onError((error) => errorAnswer(new ServiceError(500, `The embedded tenant failed: ${error.stack}`)));
  return app;
}
