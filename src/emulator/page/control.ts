/** The control API and the page, on paths that the service does not have. */
import { Hono, type Context } from "hono";
import { contract, seedSchema, type Snapshot } from "../api/families";
import { checkBody, invalidBody, readBody } from "../http/body";
import type { ControlOperation } from "../http/contract";
import { injectedFaultSchema, type InjectedFault } from "../http/fault";
import { checkEncoding, pathOf } from "../http/path";
import type { RequestEntry } from "../http/request-log";
import { contentType, errorResponse, json, noContent, ServiceError } from "../http/response";
import { renderPage, renderTenant, script, style, type PageSource } from "./page";

export interface ControlOptions extends PageSource {
  readonly requests: RequestEntry[];
  reset(): void;
  snapshot(): Snapshot;
}

interface HandledOperation extends ControlOperation {
  /** Returns the content of the response; undefined for a 204. */
  handle(options: ControlOptions, c: Context): unknown;
}

export const isControl = (path: string) => path === "/" || path === "/_tenantform" || path.startsWith("/_tenantform/");

async function addFault({ faults }: ControlOptions, c: Context): Promise<void> {
  const { value } = await readBody(c.req.raw, injectedFaultSchema);
  const fault = checkBody<InjectedFault>(injectedFaultSchema, value);
  try {
    faults.add(fault);
  } catch (error) {
    throw invalidBody((error as Error).message);
  }
}

const operations: readonly HandledOperation[] = [
  {
    method: "get",
    path: "/_tenantform/requests",
    summary: "List the last requests to the service, as many as 8 MiB hold",
    returns: "A list, the oldest request first.",
    handle: ({ requests }) => requests,
  },
  {
    method: "delete",
    path: "/_tenantform/requests",
    summary: "Empty the list of requests",
    handle: ({ requests }) => void (requests.length = 0),
  },
  {
    method: "get",
    path: "/_tenantform/faults",
    summary: "List the injected faults",
    returns: "A list.",
    handle: ({ faults }) => faults.rules,
  },
  {
    method: "post",
    path: "/_tenantform/faults",
    summary: "Inject a fault",
    body: injectedFaultSchema,
    handle: addFault,
  },
  {
    method: "delete",
    path: "/_tenantform/faults",
    summary: "Remove all injected faults",
    handle: ({ faults }) => faults.clear(),
  },
  {
    method: "get",
    path: "/_tenantform/snapshot",
    summary: "Read the whole tenant except its secrets, in the form of a seed",
    returns: "The tenant.",
    response: seedSchema,
    handle: ({ snapshot }) => snapshot(),
  },
  {
    method: "post",
    path: "/_tenantform/reset",
    summary: "Reset the tenant to its state at the start",
    handle: ({ reset }) => reset(),
  },
];

export const controlOperations: readonly ControlOperation[] = operations;

/** Indented, so that people can read it as well. */
const indented = (value: unknown) =>
  new Response(`${JSON.stringify(value, null, 2)}\n`, { headers: { "content-type": contentType } });

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const asset = (type: string, text: string) =>
  new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "content-security-policy": policy,
    },
  });

export function createControl(options: ControlOptions) {
  const app = new Hono({ getPath: pathOf });
  // A browser sends requests from pages of other sites, so the control API refuses them.
  app.use(async (c, next) => {
    const origin = c.req.header("origin");
    if (origin !== undefined && origin !== new URL(c.req.url).origin)
      throw new ServiceError(403, "The control API refuses requests from pages of other sites.");
    checkEncoding(c.req.path);
    await next();
  });
  app.get("/", async () => asset("text/html", await renderPage(options)));
  app.get("/_tenantform/view", async () => asset("text/html", await renderTenant(options)));
  app.get("/_tenantform/page.js", () => asset("text/javascript", script));
  app.get("/_tenantform/page.css", () => asset("text/css", style));
  app.get("/_tenantform/openapi.json", () => json(200, contract(controlOperations)));
  for (const { method, path, returns, handle } of operations) {
    app.on(method.toUpperCase(), path, async (c) => {
      const result = await handle(options, c);
      return returns === undefined ? noContent() : indented(result);
    });
  }
  app.notFound(() => errorResponse(new ServiceError(404, "Not Found")));
  app.onError((error) => {
    if (error instanceof ServiceError) return errorResponse(error);
    throw error;
  });
  return app;
}
