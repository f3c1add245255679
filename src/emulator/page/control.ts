/** The control API and the page, on paths that the service does not have. */
import { Hono, type Context } from "hono";
import { contract, type Snapshot } from "../api/families";
import { checkBody, invalidBody, readBody } from "../http/body";
import { injectedFaultSchema, type InjectedFault } from "../http/fault";
import { checkEncoding, pathOf } from "../http/path";
import type { RequestEntry } from "../http/request-log";
import { contentType, errorResponse, json, noContent, ServiceError } from "../http/response";
import { renderPage, renderTenant, script, style, type PageSource } from "./page";

export interface ControlOptions extends PageSource {
  readonly requests: RequestEntry[];
  reset(): void;
  /** Deactivates all network ACLs, and lets rate limit policies only log. */
  unlock(): void;
  snapshot(): Snapshot;
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

/** Indented, so that people can read it as well. */
const indented = (value: unknown) =>
  new Response(`${JSON.stringify(value, null, 2)}\n`, { headers: { "content-type": contentType } });

const changing = (change: (c: Context) => unknown) => async (c: Context) => {
  await change(c);
  return noContent();
};

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
  app.get("/_tenantform/openapi.json", () => json(200, contract()));
  app.get("/_tenantform/snapshot", () => indented(options.snapshot()));
  app.get("/_tenantform/requests", () => indented(options.requests));
  app.get("/_tenantform/faults", () => indented(options.faults.rules));
  app.post(
    "/_tenantform/faults",
    changing((c) => addFault(options, c)),
  );
  app.delete(
    "/_tenantform/requests",
    changing(() => (options.requests.length = 0)),
  );
  app.delete(
    "/_tenantform/faults",
    changing(() => options.faults.clear()),
  );
  app.post(
    "/_tenantform/reset",
    changing(() => options.reset()),
  );
  app.post(
    "/_tenantform/unlock",
    changing(() => options.unlock()),
  );
  app.notFound(() => {
    const known = app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
    return errorResponse(
      new ServiceError(404, `The embedded tenant has no such control operation: it has ${known.join(", ")}.`),
    );
  });
  app.onError((error) => {
    if (error instanceof ServiceError) return errorResponse(error);
    throw error;
  });
  return app;
}
