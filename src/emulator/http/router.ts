/** Serves the operations: rate limit, token, scope, path, query, body, handler, response. */
import { Hono, type Context } from "hono";
import { checkScope } from "../auth/token";
import { problemIn, withoutSecrets, type Schema } from "../schema";
import type { Claims, Tenant } from "../tenant";
import { checkBody, fromForm, readBody } from "./body";
import type { Limiter } from "./limit";
import { isManagement, type Operation } from "./operation";
import { checkEncoding, pathOf } from "./path";
import type { RequestEntry } from "./request-log";
import { errorResponse, json, noContent, oauthErrorResponse, ServiceError } from "./response";

/** The state of a request while it is served. */
export interface RequestState {
  /** The entry of the request in the log, still to be completed. */
  readonly entry: RequestEntry;
  /** Milliseconds by which lists lag behind. */
  stale: number;
  /** Headers about the rate limits, for every response. */
  limits: Record<string, string>;
}

type Env = { Bindings: RequestState };

/** The query with the types of its schema. Unknown names are refused, and the last of repeated names counts. */
function readQuery(url: string, schema: Schema): unknown {
  const query = fromForm(schema, Object.fromEntries(new URL(url).searchParams));
  const problem = problemIn(schema, query);
  if (problem) throw new ServiceError(400, `Query validation error: ${problem}`, "invalid_query_string");
  return query;
}

async function readChecked(c: Context<Env>, { body: schema, looseBody }: Operation): Promise<unknown> {
  if (schema === undefined) return undefined;
  const value = await readBody(c.req.raw, schema);
  c.env.entry.body = withoutSecrets(schema, value);
  return looseBody ? value : checkBody(schema, value);
}

/** The path of a request may be long. */
const mostOfPath = 200;

const noSuchOperation = (method: string, path: string) =>
  new ServiceError(
    404,
    `The embedded tenant has no operation ${method} ${path.slice(0, mostOfPath)}. ` +
      "Its guide lists the operations that it has: https://github.com/tenantform/tenantform/blob/main/docs/guides/embedded-tenant.md#operations",
  );

export function createRouter(operations: readonly Operation[], tenant: Tenant, limiter: () => Limiter) {
  const authenticate = async (c: Context<Env>, { scope, bucket, flag }: Operation): Promise<Claims> => {
    if (scope === undefined) return {};
    c.env.limits = limiter().count(bucket);
    checkEncoding(c.req.path);
    const claims = await tenant.tokens.verify(c.req.header("authorization") ?? null, c.req.url);
    checkScope(claims, scope);
    // Assumption: the message for an operation in Early Access that is not enabled for the tenant.
    if (flag !== undefined && !tenant.flags.has(flag)) {
      throw new ServiceError(403, "This feature is not enabled for this tenant.", "feature_not_enabled");
    }
    return claims;
  };

  const serve = async (c: Context<Env>, operation: Operation): Promise<Response> => {
    const claims = await authenticate(c, operation);
    const id = c.req.param("id") ?? "";
    operation.id?.check(id);
    const query = operation.query && readQuery(c.req.url, operation.query);
    const body = await readChecked(c, operation);
    const changed = (words: string) => void (c.env.entry.change = words);
    const { stale } = c.env;
    const headers = { ...operation.headers };
    const call = { tenant, id, query, body, claims, request: c.req.raw, stale, headers, changed };
    const result = await operation.handle(call);
    return operation.success === 204 ? noContent() : json(operation.success, result, headers);
  };

  const app = new Hono<Env>({ getPath: pathOf });
  for (const operation of operations) {
    app.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ":$1"), (c) =>
      serve(c, operation).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        return operation.errors === "oauth" ? oauthErrorResponse(error) : errorResponse(error);
      }),
    );
  }
  app.notFound((c) => {
    try {
      if (isManagement(c.req.path)) c.env.limits = limiter().count();
      checkEncoding(c.req.path);
      throw noSuchOperation(c.req.method, c.req.path);
    } catch (error) {
      return errorResponse(error as ServiceError);
    }
  });
  app.onError((error) => errorResponse(new ServiceError(500, `The embedded tenant failed: ${error.stack}`)));
  return async (request: Request, state: RequestState): Promise<Response> => {
    // The service has no HEAD, but Hono would serve it like GET.
    if (request.method === "HEAD") return errorResponse(noSuchOperation("HEAD", pathOf(request)));
    return app.fetch(request, state);
  };
}
